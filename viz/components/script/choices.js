// Levels and metrics to choose from, and another exercise.

import { button, element, one } from "../../draw/pen/script/elements.js";

/** @typedef {{name: string, label: string, options: [value: string, text: string, says: string][], chosen: string}} Group */

/** Writes the groups, and the button for another exercise where that has a name. What has the focus keeps it.
 * @param {HTMLElement} root @param {Group[]} groups @param {string} another
 * @param {(name: string, value: unknown) => void} tell */
export function writeChoices(root, groups, another, tell) {
  root.hidden = !groups.length && !another;
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.choice : undefined;
  const parts = groups.map((group) => groupOf(group, tell));
  if (another) {
    const made = button(another, () => tell("new", Date.now()), "another");
    made.dataset.choice = "new";
    parts.push(made);
  }
  root.replaceChildren(...parts);
  if (focused) one(root, `[data-choice="${focused}"]`)?.focus();
}

/** @param {Group} group @param {(name: string, value: unknown) => void} tell @returns {HTMLElement} */
function groupOf({ name, label, options, chosen }, tell) {
  const group = element("span", "group");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", label);
  group.append(element("span", "label", label));
  for (const [value, text, says] of options) {
    const choice = button(text, () => value !== chosen && tell(name, value));
    choice.title = says;
    choice.dataset.choice = `${name}:${value}`;
    choice.ariaPressed = String(value === chosen);
    group.append(choice);
  }
  return group;
}
