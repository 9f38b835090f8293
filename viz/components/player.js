// A player on a page of the app. Markup enters as inert nodes, and only when it has changed; steps that follow join those
// that are there.

import { inert, one } from "../draw/pen/script/elements.js";
import { play } from "../draw/steps/script/player.js";
import { Room } from "./script/room.js";
import { afterwards, Told } from "./script/tell.js";

/** @typedef {import("../draw/steps/script/player.js").Player} Player */
/** @typedef {{name: string, html: string | null, chunk: import("../draw/steps/script/walk.js").Chunk | null, room: number}} Data */
/** @typedef {{told: Told, room: Room, tell: import("../draw/steps/script/player.js").Tell, name?: string, player?: Player}} Shown */

/** @type {WeakMap<Element, Shown>} by the element that has it */
const shown = new WeakMap();

/** @param {import("./script/room.js").Component<Data>} component */
export default function ({ parentElement: parent, data, setTriggerValue, setStateValue }) {
  if (!shown.has(parent)) shown.set(parent, { told: new Told(), room: new Room(parent), tell: () => {} });
  const now = shown.get(parent);
  now.room.update(data.room, (room) => setStateValue("room", room));
  // What was done is seen before the server hears of it, but where there is a hurry.
  now.tell = (name, value, hurry) => {
    const tell = () => setTriggerValue("told", now.told.with(name, value));
    if (hurry) tell();
    else afterwards(tell);
  };
  if (now.name === data.name) {
    if (data.chunk) now.player.add(data.chunk);
  } else if (data.html === null) {
    now.tell("more", 0); // what was sent before is not here any more
  } else {
    draw(parent, now, data);
  }
  return () => {
    now.player?.stop();
    now.room.stop();
    shown.delete(parent);
  };
}

/** @param {Element} parent @param {Shown} now @param {Data} data */
function draw(parent, now, data) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.className : undefined;
  now.player?.stop();
  parent.replaceChildren(...inert(data.html));
  now.name = data.name;
  now.player = play(one(parent, ".bitext"), data.chunk, (name, value, hurry) => {
    now.tell(name, name === "step" ? [value, data.name] : value, hurry);
  });
  giveBack(parent);
  if (focused) one(parent, `.controls .${CSS.escape(focused)}`)?.focus({ preventScroll: true });
}

/** A button that was chosen by mouse or touch gives the focus back, so that the player hears keys. Who uses a keyboard is
 * still where they were, and the button's own arrow keys are its own. @param {Element} parent */
function giveBack(parent) {
  const active = /** @type {HTMLElement} */ (document.activeElement);
  if (!active || parent.contains(active) || active.matches(":focus-visible")) return;
  if (active.closest(".st-key-view, .st-key-strip")) active.blur();
}
