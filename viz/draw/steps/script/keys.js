// The keys of the player: which action each asks for, and where it is left to the page.

/** @typedef {"first" | "back" | "play" | "on" | "decision" | "last" | "before"} Action */

/** @type {Record<string, Action>} */
const KEYS = {
  ArrowRight: "on",
  ArrowLeft: "back",
  Home: "first",
  End: "last",
  n: "decision",
  p: "before",
  " ": "play",
};

/** What a key asks of the player in `root`, where the page has nothing else to do with it. `alone` is one of several on a
 * page, which hears keys only where it has the focus itself.
 * @param {KeyboardEvent & {target: HTMLElement}} event @param {Element} root @param {Element} slider @param {boolean} alone
 * @returns {Action | undefined} */
export function keyAction(event, root, slider, alone) {
  const { target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !root.isConnected) return undefined;
  if (!root.contains(target) && (alone || target !== root.ownerDocument.body)) return undefined;
  const name = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!name || target.closest("input:not([type=range]), select, textarea, [contenteditable], .pointing")) {
    return undefined;
  }
  if (event.key === " " && target.closest("button, summary")) return undefined;
  if (target === slider && !["decision", "before", "play"].includes(name)) return undefined;
  return name;
}
