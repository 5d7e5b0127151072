// Sort a table by the column whose heading is pressed; missing values stay last.
for (const heading of document.querySelectorAll("th[aria-sort]")) {
  heading.firstChild.addEventListener("click", () => {
    const down = heading.ariaSort !== "descending";
    for (const other of heading.parentNode.children) other.ariaSort = "none";
    heading.ariaSort = down ? "descending" : "ascending";
    const body = heading.closest("table").tBodies[0];
    const value = (row) => row.cells[heading.cellIndex].dataset.value ?? row.cells[heading.cellIndex].textContent;
    const order = (a, b) => (a === "") - (b === "") || (down ? -1 : 1) * a.localeCompare(b, "en", { numeric: true });
    const byNumber = (a, b) => (a === "") - (b === "") || (down ? b - a : a - b);
    const compare = heading.classList.contains("number") ? byNumber : order;
    body.append(...[...body.rows].sort((a, b) => compare(value(a), value(b))));
  });
}
