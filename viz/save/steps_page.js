// The player in files: the scripts of viz/draw stand before this, and no server behind it.

// Plays in the page `root` the part of the steps that an address asks for: from step `start` to step `end`, at once if
// `play` is 1. What is no number is as if it were not there.
function opened(root, data, address) {
  const whole = (name) => (/^\d+$/.test(address.get(name) ?? "") ? Number(address.get(name)) : undefined);
  const last = Math.max(1, Math.min(whole("end") ?? data.steps.length, data.steps.length));
  const first = Math.max(1, Math.min(whole("start") ?? 1, last));
  const cut = last < data.steps.length;
  const part = { ...data, steps: data.steps.slice(0, last), at: first - 1, done: true, end: cut ? "" : data.end };
  const player = play(root, part);
  for (const name of ["go", "show"]) {
    const own = player[name].bind(player);
    player[name] = (n, ...rest) => own(Math.max(n, first - 1), ...rest);
  }
  player.slider.min = first;
  if (address.get("play") === "1") player.start();
  return player;
}

// Hears keys only where the player itself has the focus: several stand in one notebook.
function alone(player) {
  const own = player.key.bind(player);
  player.key = (event) => player.root.contains(event.target) && own(event);
  player.root.tabIndex = -1;
  player.root.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("button, input, select, summary")) player.root.focus({ preventScroll: true });
  });
}
