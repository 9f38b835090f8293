// How broad a part of the page is, and how high its window, which its server draws for.

/**
 * What Streamlit gives a component: where it stands, what it shows, and how it tells what was done.
 * @template Data @typedef {{parentElement: Element, data: Data, setTriggerValue: (name: string, value: unknown) => void,
 *   setStateValue: (name: string, value: unknown) => void}} Component
 */

const STEP = 40; // pixels in which widths and heights are told

export class Room {
  /** @param {Element} parent what is measured @param {() => void} [moved] what else is done when a size has changed
   * @param {() => number} [scale] how much larger it is shown than it is drawn */
  constructor(parent, moved, scale = () => 1) {
    this.parent = parent;
    this.scale = scale;
    /** @type {number | null} the width that is drawn for, null in a part of the page that has no width of its own */
    this.drawn = null;
    /** @type {number | null} the height of the window that is drawn for, null where any will do */
    this.high = null;
    /** @type {(room: number, high: number) => void} */
    this.tell = () => {};
    this.measured = false;
    this.told = "";
    this.observer = new ResizeObserver(() => {
      moved?.();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.measure(), this.measured ? 150 : 0);
    });
    this.observer.observe(parent);
  }

  /** @param {number | null} drawn @param {(room: number, high: number) => void} tell @param {number | null} [high] */
  update(drawn, tell, high = null) {
    this.drawn = drawn;
    this.high = high;
    this.tell = tell;
  }

  measure() {
    if (this.drawn === null) return;
    const width = this.parent.clientWidth / this.scale();
    const [room, high] = [width, innerHeight].map((size) => Math.floor(size / STEP) * STEP);
    this.measured = true;
    // A little more room than is drawn for is left empty, so that most windows need no second drawing.
    const fits = (/** @type {number} */ size, /** @type {number} */ drawn, /** @type {number} */ steps) =>
      size >= drawn && size < drawn + steps * STEP;
    const enough = fits(width, this.drawn, 2) && (this.high === null || fits(innerHeight, this.high, 5));
    const told = `${room} ${high}`;
    if (!room || enough || told === this.told) return;
    this.told = told;
    this.tell(room, high);
  }

  stop() {
    this.observer.disconnect();
    clearTimeout(this.timer);
  }
}
