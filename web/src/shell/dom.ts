/// Elements from plain values. A string child is always text: data never becomes markup.
export type Child = Node | string | number | null | undefined | false | readonly Child[];
export type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

const svg_namespace = "http://www.w3.org/2000/svg";

function fill(element: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
}

export function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child as readonly Child[]);
    else element.append(child instanceof Node ? child : String(child));
  }
}

/// h("p", {class: "lead", click: handler}, "text"): an HTML element.
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/// The same for SVG.
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svg_namespace, tag);
  fill(element, attributes, children);
  return element;
}

export function replace_children(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}
