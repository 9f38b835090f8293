// What the browser's own tables have in common.

/** Scrolls the table, and not the page, until a row is seen beneath the head.
 * @param {HTMLElement} box @param {HTMLElement} row */
export function intoView(box, row) {
  const low = row.offsetTop + row.offsetHeight - box.clientHeight;
  const high = row.offsetTop - box.querySelector("thead").offsetHeight;
  if (box.scrollTop < low) box.scrollTop = low;
  if (box.scrollTop > high) box.scrollTop = high;
}
