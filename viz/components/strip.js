// The strip of metrics: radio buttons whose text can be copied. A choice is seen at once, and decided on the server.
// Tiles are known by their keys and filled anew where they stand, so that no click is lost while numbers change.

const strips = new WeakMap(); // parent element → its strip

export default function ({ parentElement: parent, data, setTriggerValue }) {
  let strip = strips.get(parent);
  if (!strip) {
    strip = { tiles: new Map(), untold: [], group: element("div", "strip") };
    strip.group.setAttribute("role", "radiogroup");
    strip.group.setAttribute("aria-label", "Metric");
    strip.group.onkeydown = (event) => onKey(strip, event);
    parent.replaceChildren(strip.group);
    strips.set(parent, strip);
  }
  strip.choose = (key) => {
    if (key === strip.selected) return;
    strip.untold.push(key);
    select(strip, key);
    // What was chosen is seen before the server hears of it.
    requestAnimationFrame(() => setTimeout(() => setTriggerValue("pick", key)));
  };
  for (const tile of data.tiles) {
    if (!strip.tiles.has(tile.key)) strip.tiles.set(tile.key, newTile(strip, tile.key));
    fill(strip.tiles.get(tile.key), tile);
  }
  // An answer to a choice before the last one says nothing about the last one.
  strip.untold.splice(0, strip.untold.lastIndexOf(data.selected) + 1);
  if (!strip.untold.length) select(strip, data.selected);
  return () => strips.delete(parent);
}

function newTile(strip, key) {
  const tile = element("div", "tile");
  tile.setAttribute("role", "radio");
  tile.dataset.key = key;
  tile.onclick = () => {
    const marked = getSelection(); // a drag over the numbers copies them and chooses nothing
    if (marked.isCollapsed || !marked.containsNode(tile, true)) strip.choose(key);
  };
  strip.group.append(tile);
  return tile;
}

function fill(tile, { name, lines, bar, lower }) {
  const shown = JSON.stringify([name, lines, bar, lower]);
  if (tile.dataset.shown === shown) return;
  tile.dataset.shown = shown;
  const parts = [element("b", "", name)];
  for (const { text, said, tone } of lines) {
    const line = element("span", tone, text);
    parts.push(line);
    if (!said) continue;
    line.ariaHidden = "true"; // the words say it
    parts.push(element("span", "sr", said));
  }
  if (bar !== null) {
    const drawn = element("i", lower ? "bar lower" : "bar");
    drawn.style.setProperty("--filled", `${100 * bar}%`);
    parts.push(drawn);
  }
  tile.replaceChildren(...parts);
}

function select(strip, key) {
  strip.selected = key;
  for (const [own, tile] of strip.tiles) {
    tile.ariaChecked = own === key;
    tile.tabIndex = own === key ? 0 : -1; // Tab enters at the chosen tile
  }
}

// Arrow keys walk, Enter and the space bar choose: each choice draws the page anew.
function onKey(strip, event) {
  const tiles = [...strip.tiles.values()];
  const here = tiles.indexOf(event.target);
  const steps = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1 };
  const to = { ...steps, Home: 0, End: -1 }[event.key];
  if (to !== undefined) tiles.at(to % tiles.length).focus();
  else if (event.key === "Enter" || event.key === " ") strip.choose(event.target.dataset.key);
  else return;
  event.preventDefault();
}
