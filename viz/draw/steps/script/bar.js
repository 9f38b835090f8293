// The bar below a picture: buttons, the slider, the number of the step and the pace.

import { button, element } from "../../pen/script/elements.js";

/** @type {Record<string, number>} milliseconds from step to step */
const PACES = { slow: 1500, normal: 700, quick: 200, "very quick": 50 };

/** @typedef {import("./keys.js").Action} Action */
/** @typedef {{act: (name: Action) => void, slide: (n: number) => void, pace: () => void}} Does */

/** @type {Record<string, [text: string, says: string, key: string]>} */
const BUTTONS = {
  first: ["First", "First step", "Home"],
  back: ["Back", "One step back", "←"],
  play: ["Play", "Play", "space"],
  on: ["On", "One step on", "→"],
  decision: ["Decision", "Next decision", "N"],
  last: ["Last", "Last step", "End"],
};

export class Bar {
  /** @param {Element} bar @param {number} least the first step @param {Does} does */
  constructor(bar, least, does) {
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Steps");
    const said = element("p", "says again");
    said.setAttribute("aria-hidden", "true"); // the inspector says it
    const buttons = element("div", "buttons");
    for (const [name, [text, says, key]] of Object.entries(BUTTONS)) {
      const made = button(text, () => does.act(/** @type {Action} */ (name)), name);
      made.setAttribute("aria-label", says);
      made.title = `Key: ${key}`;
      buttons.append(made);
    }
    this.start = /** @type {HTMLElement} */ (buttons.querySelector(".play"));
    this.on = /** @type {HTMLElement} */ (buttons.querySelector(".on"));
    this.slider = element("input");
    Object.assign(this.slider, { type: "range", min: least + 1, max: 1, value: 1, ariaLabel: "Step" });
    this.slider.oninput = () => does.slide(Number(this.slider.value) - 1);
    this.label = element("span", "count");
    this.paces = element("select");
    this.paces.ariaLabel = "Pace";
    for (const name of Object.keys(PACES)) this.paces.append(element("option", "", name));
    this.paces.value = "normal";
    this.paces.onchange = () => does.pace();
    bar.replaceChildren(said, buttons, this.slider, this.label, this.paces);
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

  /** Shows how many steps there are, and which of them is shown. @param {import("./walk.js").Walk} walk @param {boolean}
   * coming whether more are waited for */
  count({ steps, at, done }, coming) {
    this.slider.max = String(steps.length);
    const all = `${steps.length.toLocaleString("en")}${done ? "" : "+"}`;
    this.label.textContent = `Step ${(at + 1).toLocaleString("en")} of ${all}${coming ? " …" : ""}`;
  }

  /** @param {import("./walk.js").Walk} walk */
  move({ now, at }) {
    this.slider.value = String(at + 1);
    this.slider.setAttribute("aria-valuetext", `Step ${at + 1}: ${now.text}`);
  }
}
