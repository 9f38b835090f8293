// How broad a part of the page is, which its server draws for.

/**
 * What Streamlit gives a component: where it stands, what it shows, and how it tells what was done.
 * @template Data @typedef {{parentElement: Element, data: Data, setTriggerValue: (name: string, value: unknown) => void,
 *   setStateValue: (name: string, value: unknown) => void}} Component
 */

const STEP = 40; // pixels in which widths are told

export class Room {
  /** @param {Element} parent what is measured @param {() => void} [moved] what else is done when a size has changed
   * @param {() => number} [scale] how much larger it is shown than it is drawn */
  constructor(parent, moved, scale = () => 1) {
    this.parent = parent;
    this.scale = scale;
    /** @type {number | null} the width that is drawn for, null in a part of the page that has no width of its own */
    this.drawn = null;
    /** @type {(room: number) => void} */
    this.tell = () => {};
    this.measured = false;
    this.told = 0;
    this.observer = new ResizeObserver(() => {
      moved?.();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.measure(), this.measured ? 150 : 0);
    });
    this.observer.observe(parent);
  }

  /** @param {number | null} drawn @param {(room: number) => void} tell */
  update(drawn, tell) {
    this.drawn = drawn;
    this.tell = tell;
  }

  measure() {
    if (this.drawn === null) return;
    const width = this.parent.clientWidth / this.scale();
    const room = Math.floor(width / STEP) * STEP;
    this.measured = true;
    // A little more room than is drawn for is left empty, so that most windows need no second drawing.
    const enough = width >= this.drawn && width < this.drawn + 2 * STEP;
    if (!room || enough || room === this.told) return;
    this.told = room;
    this.tell(room);
  }

  stop() {
    this.observer.disconnect();
    clearTimeout(this.timer);
  }
}
