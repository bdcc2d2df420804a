// Small helpers to make elements.

type Child = Node | string | null | undefined;
type Handlers = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean | undefined> = {},
  on: Handlers = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '');
    else if (typeof value === 'string') element.setAttribute(name, value);
  }
  for (const [name, handler] of Object.entries(on)) element.addEventListener(name, handler as EventListener);
  element.append(...children.filter((c): c is Node | string => c !== null && c !== undefined));
  return element;
}

const icons: Record<string, string> = {
  play: 'M7 4.5v15l13-7.5z',
  pause: 'M6 4.5h4.5v15H6zM13.5 4.5H18v15h-4.5z',
  start: 'M5 4.5h3v15H5zM20 4.5v15L9 12z',
  back: 'M14 5v14L4 12zM17 5h3v14h-3z',
  next: 'M10 5v14l10-7zM4 5h3v14H4z',
  loop: 'M17 3l4 4-4 4V8H8a4 4 0 0 0-4 4H2a6 6 0 0 1 6-6h9zM7 21l-4-4 4-4v3h9a4 4 0 0 0 4-4h2a6 6 0 0 1-6 6H7z',
  fit: 'M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z',
  sun: 'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM4.2 2.8l2.9 2.9-1.4 1.4-2.9-2.9zM18.3 16.9l2.9 2.9-1.4 1.4-2.9-2.9zM19.8 2.8l1.4 1.4-2.9 2.9-1.4-1.4zM5.7 16.9l1.4 1.4-2.9 2.9-1.4-1.4z',
  left: 'M3 4h18v16H3zM9 6v12h10V6z',
  right: 'M3 4h18v16H3zM5 6v12h10V6z',
  close: 'M5.6 4.2 12 10.6l6.4-6.4 1.4 1.4-6.4 6.4 6.4 6.4-1.4 1.4-6.4-6.4-6.4 6.4-1.4-1.4 6.4-6.4-6.4-6.4z',
  plus: 'M11 4h2v7h7v2h-7v7h-2v-7H4v-2h7z',
  link: 'M10 8v2H7a2 2 0 0 0 0 4h3v2H7a4 4 0 0 1 0-8zM14 8h3a4 4 0 0 1 0 8h-3v-2h3a2 2 0 0 0 0-4h-3zM8 11h8v2H8z',
  eye: 'M12 5c5 0 9 4.5 10 7-1 2.5-5 7-10 7S3 14.5 2 12c1-2.5 5-7 10-7zm0 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zm0 2a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z',
  target: 'M11 2h2v3.1A7 7 0 0 1 18.9 11H22v2h-3.1a7 7 0 0 1-5.9 5.9V22h-2v-3.1A7 7 0 0 1 5.1 13H2v-2h3.1A7 7 0 0 1 11 5.1zM12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10z',
  trail: 'M3 18c4-1 3-9 8-10s4 5 8 3l1 1.8C14 16 13 9 11.4 10 9 11.5 9 19 3.5 20zM20 7.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
};

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', icons[name] ?? '');
  svg.append(path);
  return svg;
}

export function button(label: string, content: Child, click: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  return h('button', { type: 'button', title: label, 'aria-label': label, ...attributes }, { click }, content);
}

export function choice(
  label: string,
  options: [value: string, text: string][],
  value: string,
  change: (value: string) => void,
  attributes: Record<string, string> = {},
): HTMLSelectElement {
  const select = h('select', { title: label, 'aria-label': label, ...attributes }, { change: () => change(select.value) });
  for (const [v, text] of options) select.append(h('option', { value: v, selected: v === value }, {}, text));
  return select;
}

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = h('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
