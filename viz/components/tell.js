// What a part of a page tells the server. Of two messages that wait for a busy server only the later one arrives, so
// that each says again what was told lately; the server hears it once.

const [AGAIN, MOST] = [5000, 20]; // milliseconds and messages for which something is said again

class Told {
  all = [];

  // A message and those before it, each with its time.
  with(...message) {
    const at = Math.max(performance.now(), (this.all.at(-1)?.[0] ?? 0) + 0.001);
    this.all = [...this.all.filter(([then]) => then > at - AGAIN).slice(1 - MOST), [at, ...message]];
    return this.all;
  }

  // Says nothing again.
  forget() {
    this.all = [];
  }
}
