// In: ids and words. Out: elements of the page; text only ever becomes text.

export function find<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as E;
}

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = "",
  text = "",
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

export function svg(tag: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export const count = (value: number): string => WHOLE.format(value);

export const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? "" : "s"}`;

export const seconds = (value: number): string =>
  value < 0.1 ? `${(value * 1000).toFixed(0)} ms` : `${value.toFixed(value < 10 ? 2 : 1)} s`;
