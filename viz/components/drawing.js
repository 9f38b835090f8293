// A grid that was drawn as SVG on the server: says what is under the pointer and reports the cell that was clicked.
// Words are written into titles as text, never as markup.

const drawings = new WeakMap(); // parent element → the SVG that it shows

export default function (component) {
  const { parentElement: parent, data, setTriggerValue } = component;
  if (drawings.get(parent) !== data.svg) {
    const read = new DOMParser().parseFromString(data.svg, "image/svg+xml").documentElement;
    const box = document.createElement("div");
    box.className = "drawing";
    box.append(document.importNode(read, true));
    parent.replaceChildren(box);
    drawings.set(parent, data.svg);
  }
  const svg = parent.querySelector("svg");
  svg.setAttribute("aria-label", data.alt);
  svg.onpointerover = (event) => name(event.target, data);
  svg.onclick = (event) => {
    const cell = cellOf(event.target);
    if (cell) setTriggerValue("pick", cell);
  };
}

// Row, reference and column of a marker, from its class "x3_0_5"; none for what is no cell.
function cellOf(target) {
  const found = target.closest?.("[class*=' x']")?.getAttribute("class").match(/ x(\d+)_(\d+)_(\d+)/);
  return found ? found.slice(1).map(Number) : null;
}

function name(target, data) {
  const cell = cellOf(target);
  if (!cell || target.querySelector("title")) return;
  const [i, k, j] = cell;
  const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
  const reference = data.columns.length > 1 ? `, R${k + 1}` : "";
  const role = target.getAttribute("class").split(" ")[1];
  title.textContent = `${data.rows[i]} × ${data.columns[k][j]} (${i + 1} × ${j + 1}${reference}) ${data.says[role] ?? ""}`;
  target.append(title);
}
