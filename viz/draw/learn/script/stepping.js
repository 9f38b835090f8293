// The player of an algorithm in the place of its screen.

import { button, inert, one } from "../../pen/script/elements.js";
import { play } from "../../steps/script/player.js";

/** @typedef {import("../../steps/script/player.js").Tell} Tell */
/** @typedef {{html: string, chunk: import("../../steps/script/walk.js").Chunk}} Played its markup and its steps */

export class Stepping {
  /** `leave` is called by the way back to the question, and `tell` is told what the player tells.
   * @param {HTMLElement} place @param {Played} played @param {() => void} leave @param {Tell} [tell] */
  constructor(place, { html, chunk }, leave, tell) {
    this.place = place;
    place.replaceChildren(button("Back to the question", leave, "from-steps"), ...inert(html));
    place.hidden = false;
    this.leave = leave;
    this.player = play(one(place, ".player"), chunk, tell);
    if (this.hall && this.player.walk.decision !== undefined) this.player.decision();
  }

  /** Whether it is shown to a lecture hall, which sees the decisions alone: the steps between them are for buttons. */
  get hall() {
    return Boolean(this.place.closest(".present"));
  }

  stop() {
    this.player.stop();
    this.place.replaceChildren();
    this.place.hidden = true;
  }

  /** Arrow keys go through the steps, in a lecture from decision to decision, before the first and after the last of them
   * from screen to screen: then `on` or the way back is called. Whether the key was one of these.
   * @param {KeyboardEvent & {target: HTMLElement}} event @param {() => void} on */
  key(event, on) {
    const right = event.key === "ArrowRight" || event.key === "PageDown";
    if (!right && event.key !== "ArrowLeft" && event.key !== "PageUp") return false;
    const { player } = this;
    const { target } = event;
    if (target.closest("input, select, textarea, .pointing")) return true;
    const last = player.walk.done && player.at >= player.walk.last;
    if (right && last && !player.asking) on();
    else if (!right && this.first) this.leave();
    else if (this.hall) this.decide(right);
    else if (event.key.startsWith("Arrow") && (player.root.contains(target) || target === document.body)) return true;
    else if (right) player.on();
    else player.back();
    event.preventDefault();
    return true;
  }

  /** Whether nothing stands before what is shown. */
  get first() {
    const { at, asking, walk } = this.player;
    if (at < 0) return true;
    return !asking && (at === 0 || (this.hall && !walk.decisions.some((n) => n < at)));
  }

  /** Goes to the decision behind or before what is shown, the last step where none is left; a question is answered first.
   * @param {boolean} onwards */
  decide(onwards) {
    const { player } = this;
    if (player.asking) player[onwards ? "on" : "back"]();
    else player[onwards ? "decision" : "before"]();
  }
}
