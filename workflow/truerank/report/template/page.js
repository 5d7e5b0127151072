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

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Tables travel in the page as compressed CSV and LaTeX.
for (const button of document.querySelectorAll("button[data-file]")) {
  button.addEventListener("click", async () => {
    const bytes = Uint8Array.from(atob(button.dataset.content), (letter) => letter.charCodeAt(0));
    const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    save(button.dataset.file, await new Response(text).blob());
  });
}

// Copy a text; where the clipboard is closed to pages, as the selection.
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.addEventListener("click", async () => {
    const source = button.closest(".copied").querySelector("code, blockquote");
    try {
      await navigator.clipboard.writeText(source.textContent.trim());
    } catch {
      getSelection().selectAllChildren(source);
      document.execCommand("copy");
    }
    const label = button.firstChild;
    label.data = "Copied";
    setTimeout(() => (label.data = "Copy"), 2000);
  });
}

// A saved figure is dark on white, with its legend, whatever the page looks like.
function standalone(svg, scale) {
  const copy = svg.cloneNode(true);
  const [width, height] = svg.dataset.whole.split(" ").slice(2).map(Number);
  copy.setAttribute("viewBox", svg.dataset.whole);
  copy.setAttribute("color", "#1d2329");
  copy.setAttribute("width", width * scale);
  copy.setAttribute("height", height * scale);
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [key, value] of Object.entries({ width, height, fill: "#fff" })) paper.setAttribute(key, value);
  copy.querySelector("title").after(paper);
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}

async function toPng(drawing) {
  const image = new Image();
  image.src = URL.createObjectURL(drawing);
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d").drawImage(image, 0, 0);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => canvas.toBlob(resolve));
}

for (const panel of document.querySelectorAll(".panel")) {
  const svg = panel.querySelector("svg");
  const line = Object.assign(document.createElement("p"), { className: "downloads", innerHTML: "<span>Download</span>" });
  const files = { svg: () => standalone(svg, 1), png: () => toPng(standalone(svg, 3)) };
  for (const [kind, make] of Object.entries(files)) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: kind.toUpperCase() });
    button.ariaLabel = `${button.textContent} of ${svg.querySelector("title").textContent}`;
    button.addEventListener("click", async () => save(`${panel.dataset.name}.${kind}`, await make()));
    line.append(" ", button);
  }
  panel.append(line);
}

// Mark the section that is being read in the table of contents.
const links = new Map([...document.querySelectorAll("nav a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
const headings = [...document.querySelectorAll("h2[id]")];
function mark() {
  const atEnd = scrollY > 0 && scrollY + innerHeight > document.documentElement.scrollHeight - 2;
  const fits = document.documentElement.scrollHeight <= innerHeight + 2; // nothing to scroll: the section that was chosen
  const chosen = fits && headings.find((heading) => heading.id === decodeURIComponent(location.hash.slice(1)));
  const above = headings.filter((heading) => atEnd || heading.getBoundingClientRect().top < innerHeight / 3);
  const read = chosen || above.pop();
  for (const [id, link] of links) link.ariaCurrent = read && id === read.id ? "true" : null;
}
addEventListener("scroll", mark, { passive: true });
addEventListener("hashchange", mark);
mark();

// Print what is folded too.
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
});

// Every figure and table has an address; one inside a folded part opens what is around it.
for (const figure of document.querySelectorAll("main figure[id]")) {
  const caption = figure.querySelector("figcaption");
  const link = Object.assign(document.createElement("a"), { href: `#${figure.id}`, className: "here", textContent: "#" });
  link.ariaLabel = `Link to: ${caption.textContent}`;
  caption.append(" ", link);
}
function unfold() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let around = target.closest("details"); around; around = around.parentNode.closest("details")) around.open = true;
  requestAnimationFrame(() => target.scrollIntoView({ behavior: "instant" }));
}
addEventListener("hashchange", unfold);
unfold();

// Long tables can be searched: rows that have every word stay.
for (const table of document.querySelectorAll("main table")) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length <= 15) continue;
  const input = Object.assign(document.createElement("input"), { type: "search", placeholder: "Search" });
  input.ariaLabel = `Search the rows of: ${document.getElementById(table.getAttribute("aria-labelledby")).firstChild.data}`;
  const count = Object.assign(document.createElement("output"), { className: "count" });
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    count.textContent = words.length ? ` ${rows.filter((row) => !row.hidden).length} of ${rows.length} rows` : "";
  });
  const line = Object.assign(document.createElement("p"), { className: "search" });
  line.append(input, count);
  table.closest(".wide").before(line);
}
