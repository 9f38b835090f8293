// A tap on the left or the right half of the picture goes back or on, and so does a swipe.

/** @param {Element} box @param {AbortSignal} signal @param {(forwards: boolean) => void} go */
export function touching(box, signal, go) {
  /** @type {{x: number, y: number} | undefined} */
  let start;
  /** @type {(type: string, does: (event: any) => void) => void} */
  const on = (type, does) => box.addEventListener(type, does, { signal });
  on("pointerdown", (event) => {
    start = event.pointerType === "touch" ? { x: event.clientX, y: event.clientY } : undefined;
  });
  on("pointercancel", () => (start = undefined));
  on("pointerup", (event) => {
    if (!start) return;
    const way = wayOf(event.clientX - start.x, event.clientY - start.y);
    start = undefined;
    if (!way) return;
    const { left, width } = box.getBoundingClientRect();
    go(way === "tap" ? event.clientX > left + width / 2 : way === "left");
  });
}

/** What a finger did that moved so far: a tap, a swipe to the left or the right, or nothing of these.
 * @param {number} right @param {number} down */
export function wayOf(right, down) {
  if (Math.abs(right) < 10 && Math.abs(down) < 10) return "tap";
  if (Math.abs(right) < 40 || Math.abs(down) > Math.abs(right)) return undefined;
  return right < 0 ? "left" : "right";
}
