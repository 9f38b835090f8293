// The address bar and the tab's history, and the session storage. A step is made where another place is shown; going
// back is Streamlit's own, which runs the page with the address that it finds.

const STORE = "bitext-grid:";
const MOST = 12; // texts that are kept
let written; // what was last written into the address bar
let opened = false; // whether what the tab had kept was looked at

export default function ({ data, setTriggerValue }) {
  if (data.wanted) {
    setTriggerValue("found", { document: read(data.wanted) });
  } else if (data.name) {
    keep(data.name, data.keep);
  } else {
    write(data);
    if (!opened && arrived === read("at")) {
      const document = read("beside");
      if (document) setTriggerValue("beside", document);
    }
    opened = true;
    store("at", location.search);
    if (!data.beside) drop("beside");
  }
}

const arrived = location.search;

// Only what is new is written: this also runs when the browser has gone back and the server has not answered yet.
function write({ query, place }) {
  const now = place + query;
  if (now === written) return;
  written = now;
  const was = history.state?.place;
  if (was === place && location.search === query) return;
  const step = was === undefined || was === place ? "replaceState" : "pushState";
  history[step]({ place }, "", location.pathname + query + location.hash);
}

function read(name) {
  try {
    return sessionStorage.getItem(STORE + name);
  } catch {
    return null; // storage is forbidden
  }
}

function store(name, text) {
  try {
    sessionStorage.setItem(STORE + name, text);
    return true;
  } catch {
    return false; // forbidden or full
  }
}

// Keeps texts under their name, and lets go of the oldest ones.
function keep(name, text) {
  if (name === "beside") return store(name, text);
  const names = (read("names") ?? "").split(" ").filter((other) => other && other !== name);
  names.push(name);
  while (names.length > MOST || (!store(name, text) && names.length > 1)) drop(names.shift());
  store("names", names.join(" "));
}

function drop(name) {
  try {
    sessionStorage.removeItem(STORE + name);
  } catch {
    // there is nothing to drop
  }
}
