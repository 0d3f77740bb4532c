// Elements without a framework: h("p", { class: "x" }, "text", child).
type Child = Node | string | null | undefined | false;
export function h(tag: string, attributes: Record<string, unknown> = {}, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}
export const $ = <T extends HTMLElement>(selector: string) => document.querySelector(selector) as T;
