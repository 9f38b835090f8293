// Elements of a page, as they are found and made.

/** @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} or elements of SVG and MathML */
export const all = (root, selector) => [.../** @type {any} */ (root.querySelectorAll(selector))];

/** The element that is there. @param {ParentNode} root @param {string} selector @returns {HTMLElement} */
export const one = (root, selector) => root.querySelector(selector);

/**
 * @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {string} [className] @param {string} [text]
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, className = "", text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** @param {string} text @param {() => void} act @param {string} [className] @returns {HTMLButtonElement} */
export function button(text, act, className = "") {
  const made = element("button", className, text);
  made.type = "button";
  made.onclick = () => act();
  return made;
}

/** @param {string} label @param {boolean} checked @param {(checked: boolean) => void} act @param {string} [className] */
export function checkbox(label, checked, act, className = "") {
  const made = element("label", className, label);
  const box = element("input");
  Object.assign(box, { type: "checkbox", checked, onchange: () => act(box.checked) });
  made.prepend(box);
  return made;
}

/** An element of SVG. @param {string} tag @param {Record<string, string | number>} attributes */
export function shape(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/** @param {number} x @param {number} y @param {number} width @param {number} height @param {number} inset */
export const rect = (x, y, width, height, inset) =>
  shape("rect", { x: x + inset / 2, y: y + inset / 2, width: width - inset, height: Math.max(1, height - inset) });

/** Markup as nodes in which nothing runs. @param {string} markup @returns {any[]} */
export function inert(markup) {
  return [...new DOMParser().parseFromString(markup, "text/html").body.childNodes];
}
