// Copies a text, also where the page has no right to the clipboard, as without TLS.

export default function ({ parentElement: parent, data }) {
  const button = document.createElement("button");
  const said = document.createElement("span");
  button.type = "button";
  button.className = "copy";
  button.textContent = data.label;
  said.setAttribute("role", "status");
  said.className = "copied";
  button.onclick = async () => {
    said.textContent = (await copied(data.text)) ? "Copied" : "Select the link below and copy it";
  };
  parent.replaceChildren(button, said);
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
