// Copies a text, also where the page has no right to the clipboard, as without TLS.

import { button, element } from "../draw/pen/script/elements.js";

/** @param {import("./script/room.js").Component<{label: string, text: string}>} component */
export default function ({ parentElement: parent, data }) {
  const said = element("span", "copied");
  said.setAttribute("role", "status");
  const copy = async () => {
    said.textContent = (await copied(data.text)) ? "Copied" : "Select the link below and copy it";
  };
  parent.replaceChildren(button(data.label, copy, "copy"), said);
}

/** @param {string} text */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element("textarea");
    area.value = text;
    area.style.position = "fixed";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
