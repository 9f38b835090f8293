// The bar below a picture: buttons, the slider, the number of the step and the pace.

import { button, element } from "../../pen/script/elements.js";

/** @type {Record<string, number>} milliseconds from step to step */
const PACES = { slow: 1500, normal: 700, quick: 200, "very quick": 50 };

const FEW = 12; // steps among which there is nothing to choose

/** @typedef {import("./keys.js").Action} Action */
/** @typedef {{act: (name: Action) => void, slide: (n: number) => void, pace: () => void,
 *   only: (on: boolean) => void}} Does */

/** @type {Record<string, [text: string, says: string]>} */
const BUTTONS = {
  first: ["First", "First step"],
  back: ["Back", "One step back"],
  play: ["Play", "Play"],
  on: ["Next", "One step forward"],
  decision: ["Decision", "Next decision"],
  last: ["Last", "Last step"],
};

export class Bar {
  /** @param {Element} bar @param {import("./keys.js").Keys} keys @param {Does} does */
  constructor(bar, keys, does) {
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Steps");
    const said = element("p", "says again");
    said.setAttribute("aria-hidden", "true"); // the inspector says it
    const score = element("p", "score again");
    score.setAttribute("aria-hidden", "true");
    const named = bar.closest(".player")?.querySelector(".inspector .score span")?.textContent;
    score.append(element("span", "", named), " ", element("b", "so-far"));
    const buttons = element("div", "buttons");
    for (const [name, [text, says]] of Object.entries(BUTTONS)) {
      const made = button(text, () => does.act(/** @type {Action} */ (name)), name);
      made.setAttribute("aria-label", says);
      made.title = `Key: ${keys[name][1]}`;
      buttons.append(made);
    }
    this.start = /** @type {HTMLElement} */ (buttons.querySelector(".play"));
    this.on = /** @type {HTMLElement} */ (buttons.querySelector(".on"));
    this.choices = [true, false].map((on) => {
      const choice = button(on ? "Decisions only" : "Every step", () => does.only(on));
      choice.title = on
        ? "Steps that choose, take or give up something, and the last one"
        : "Also steps that only look and count";
      return choice;
    });
    this.choice = element("div", "only");
    this.choice.setAttribute("role", "group");
    this.choice.ariaLabel = "Which steps are shown";
    this.choice.append(...this.choices);
    this.slider = element("input");
    Object.assign(this.slider, { type: "range", min: 1, max: 1, value: 1, ariaLabel: "Step" });
    this.slider.oninput = () => does.slide(Number(this.slider.value) - 1);
    this.label = element("span", "count");
    this.paces = element("select");
    this.paces.ariaLabel = "Pace";
    for (const name of Object.keys(PACES)) this.paces.append(element("option", "", name));
    this.paces.value = "normal";
    this.paces.onchange = () => does.pace();
    bar.replaceChildren(said, score, buttons, this.choice, this.slider, this.label, this.paces);
  }

  /** Milliseconds from step to step. */
  get pace() {
    return PACES[this.paces.value];
  }

  /** @param {boolean} now whether the steps play */
  playing(now) {
    this.start.textContent = now ? "Pause" : "Play";
    this.start.setAttribute("aria-label", this.start.textContent);
  }

  /** Which steps one goes through. @param {boolean} on decisions only */
  only(on) {
    this.choices.forEach((choice, n) => (choice.ariaPressed = String(on === !n)));
  }

  /** Shows how many steps there are, and which of them is shown. @param {import("./walk.js").Walk} walk @param {boolean}
   * coming whether more are waited for */
  count(walk, coming) {
    const { steps, stops, at, done, only } = walk;
    this.choice.hidden = stops.length >= steps.length || steps.length < FEW;
    this.slider.min = String(only ? Math.max(1, walk.stopsTo(walk.least)) : walk.least + 1);
    this.slider.max = String(only ? stops.length : steps.length);
    const counted = (/** @type {number} */ n) => n.toLocaleString("en");
    const all = `${counted(steps.length)}${done ? "" : "+"}`;
    const step = `Step ${counted(at + 1)} of ${all}`;
    const stop = only ? `${counted(walk.stopsTo(at))} of ${counted(stops.length)}${done ? "" : "+"} · ` : "";
    this.label.textContent = `${stop}${step}${coming ? " …" : ""}`;
  }

  /** @param {import("./walk.js").Walk} walk */
  move(walk) {
    const { now, at, only } = walk;
    this.slider.value = String(only ? walk.stopsTo(at) : at + 1);
    this.slider.setAttribute("aria-valuetext", `Step ${at + 1}: ${now.text}`);
  }
}
