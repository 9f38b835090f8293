// The player of an algorithm in the place of its screen.

import { button, inert, one } from "../../pen/script/elements.js";
import { fitPicture, scaleOf } from "./fitting.js";
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
    this.listeners = new AbortController();
    addEventListener("resize", () => this.fit(), { signal: this.listeners.signal });
    this.observer = new ResizeObserver(() => this.fit()); // what stands above may still go
    this.observer.observe(place);
    const first = this.decided(true);
    if (this.hall && first !== undefined) this.player.go(first);
  }

  /** Whether it is shown to a lecture hall, which sees what the algorithm decides: the steps between are for buttons. */
  get hall() {
    return Boolean(this.place.closest(".present"));
  }

  /** Makes the picture as large as there is room above the buttons; no smaller, for it can scroll. */
  fit() {
    const [box, controls] = [".drawing", ".controls"].map((name) => one(this.player.root, name));
    const scale = scaleOf(this.place);
    fitPicture(box, controls.offsetHeight + 24 * scale, scale, this.hall, false);
  }

  stop() {
    this.listeners.abort();
    this.observer.disconnect();
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
    const { at, asking } = this.player;
    return at < 0 || (!asking && (at === 0 || (this.hall && this.decided(false) === undefined)));
  }

  /** The step behind or before what is shown that chooses, takes or gives up something, undefined where there is none.
   * @param {boolean} onwards */
  decided(onwards) {
    const { at, steps } = this.player.walk;
    const all = [...steps.keys()].filter((n) => steps[n].decides && (onwards ? n > at : n < at));
    return onwards ? all[0] : all.at(-1);
  }

  /** Goes to what is decided next, at the end to the last step, or back; a question is answered first.
   * @param {boolean} onwards */
  decide(onwards) {
    const { player } = this;
    if (player.asking && !(onwards && player.asking.over)) return player[onwards ? "on" : "back"]();
    if (player.asking) player.on();
    player.go(this.decided(onwards) ?? (onwards ? Infinity : 0));
  }
}
