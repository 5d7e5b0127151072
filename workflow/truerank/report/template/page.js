// Sort a table by the column whose heading is pressed: numbers from the largest, text from a; missing values last.
for (const heading of document.querySelectorAll("th[aria-sort]")) {
  heading.firstChild.addEventListener("click", () => {
    const isNumber = heading.classList.contains("number");
    const down = isNumber ? heading.ariaSort !== "descending" : heading.ariaSort === "ascending";
    for (const other of heading.parentNode.children) other.ariaSort = "none";
    heading.ariaSort = down ? "descending" : "ascending";
    const body = heading.closest("table").tBodies[0];
    const value = (row) => {
      const cell = row.cells[heading.cellIndex];
      return isNumber ? cell.dataset.value : cell.textContent;
    };
    const up = isNumber ? (a, b) => a - b : (a, b) => a.localeCompare(b, "en", { numeric: true });
    const compare = (a, b) => (a === "") - (b === "") || (down ? up(b, a) : up(a, b));
    body.append(...[...body.rows].sort((a, b) => compare(value(a), value(b))));
  });
}
