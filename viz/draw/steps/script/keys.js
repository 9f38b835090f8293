// Keys that are pressed: what each asks of the player, and where it is left to the page.

/** @typedef {"first" | "back" | "play" | "on" | "decision" | "last" | "before"} Action */

/** The key of each action, and what its reader calls it. @typedef {Record<string, [key: string, shown: string]>} Keys */

/** The keys that stand in the markup of the player's bar. @param {string} text @returns {Keys} */
export function keysOf(text) {
  return Object.fromEntries(
    text.split(",").map((row) => {
      const [action, key, shown] = row.split("|");
      return [action, [key, shown]];
    }),
  );
}

/** What a key asks of the player in `root`, where the page has nothing else to do with it. `alone` is one of several on a
 * page, which hears keys only where it has the focus itself.
 * @param {KeyboardEvent & {target: HTMLElement}} event @param {Element} root @param {Element} slider @param {boolean} alone
 * @param {Keys} keys @returns {Action | undefined} */
export function keyAction(event, root, slider, alone, keys) {
  const { target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !root.isConnected) return undefined;
  if (!root.contains(target) && (alone || target !== root.ownerDocument.body)) return undefined;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const name = /** @type {Action | undefined} */ (Object.keys(keys).find((action) => keys[action][0] === pressed));
  if (!name || target.closest("input:not([type=range]), select, textarea, [contenteditable], .pointing")) {
    return undefined;
  }
  if (name === "play" && target.closest("button, summary")) return undefined;
  if (target === slider && !["decision", "before", "play"].includes(name)) return undefined;
  return name;
}
