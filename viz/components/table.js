// What the browser's own tables have in common; put before the script of each.

function element(tag, className = "", text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}

// The row to which an arrow key, Home or End leads from the row that has the focus; none for other keys.
function rowByKey(event, rows) {
  const here = rows.indexOf(document.activeElement);
  return rows[{ ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: rows.length - 1 }[event.key]];
}

// Scrolls the table, and not the page, until a row is seen beneath the head.
function intoView(box, row) {
  const low = row.offsetTop + row.offsetHeight - box.clientHeight;
  const high = row.offsetTop - box.querySelector("thead").offsetHeight;
  if (box.scrollTop < low) box.scrollTop = low;
  if (box.scrollTop > high) box.scrollTop = high;
}
