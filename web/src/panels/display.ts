// How the model is drawn: everything that can be switched on, off or set, in one place.

import type { Result } from '../data/result';
import { quantities, quantitiesOf, readable, type Quantity } from '../scene/colors';
import type { View } from '../scene/stage';
import type { State, Store } from '../state';
import { button, choice, h, icon } from './dom';

export interface DisplayActions {
  look(view: View): void;
  fit(): void;
  picture(): void;
  keepView(): void;
}

/** Names of the state that are on or off. */
export type Flag = { [K in keyof State]: State[K] extends boolean ? K : never }[keyof State];

export const views: [View, string][] = [['iso', 'Iso'], ['front', 'Front'], ['side', 'Side'], ['top', 'Top']];

/** A button that is pressed while a flag is on. */
export function flagButton(store: Store, label: string, text: string, key: Flag): HTMLButtonElement {
  const b = button(label, text, () => store.set({ [key]: !store.state[key] }));
  const show = (): void => {
    b.classList.toggle('on', store.state[key]);
    b.setAttribute('aria-pressed', String(store.state[key]));
  };
  store.on((changed) => changed.has(key) && show());
  show();
  return b;
}

/** A select that follows a part of the state. */
export function stateChoice(store: Store, label: string, options: [string, string][], key: 'quantity' | 'layout' | 'reference' | 'cutAxis', attributes: Record<string, string> = {}): HTMLSelectElement {
  const select = choice(label, options, store.state[key], (v) => store.set({ [key]: v }), attributes);
  store.on((changed) => changed.has(key) && (select.value = store.state[key]));
  return select;
}

export function colorChoice(store: Store, results: Result[]): HTMLSelectElement {
  const offered = quantitiesOf(results).map((q): [Quantity, string] => [q, quantities[q].label]);
  return stateChoice(store, 'Color by', offered, 'quantity', { class: 'color-by' });
}

export function layoutChoice(store: Store): HTMLSelectElement {
  return stateChoice(store, 'Two results', [['overlay', 'Overlaid'], ['side', 'Side by side']], 'layout', { class: 'layout' });
}

const flags: [Flag, string][] = [
  ['grid', 'Grid (G)'],
  ['symbols', 'Joints, forces, points (J)'],
  ['mesh', 'Element edges (M)'],
  ['edges', 'Outlines'],
  ['shadows', 'Shadows'],
  ['names', 'Names of bodies (N)'],
  ['frames', 'Frames of markers'],
  ['ghost', 'Undeformed shape'],
];

export class Display {
  readonly element = h('div', { class: 'display' });

  constructor(store: Store, results: Result[], actions: DisplayActions) {
    const row = (text: string, control: HTMLElement): HTMLElement => h('label', { class: 'setting' }, {}, h('span', {}, {}, text), control);
    this.element.append(
      h('h3', {}, {}, 'Camera'),
      h('div', { class: 'buttons' }, {}, ...views.map(([v, text]) => button(`View: ${text}`, text, () => actions.look(v))), button('Fit to window (F)', icon('fit'), () => actions.fit())),
      h('div', { class: 'buttons' }, {}, button('Add this view, at this time, to the path of the camera (K)', '+ View', () => actions.keepView(), { class: 'keep-view' }),
        flagButton(store, 'Camera along its path (P)', 'Fly', 'flying'), button('Forget the path of the camera', 'Clear', () => store.set({ path: [], flying: false }), { class: 'clear-path' })),
      pathText(store),
      h('h3', {}, {}, 'Colors'),
      row('Color by', colorChoice(store, results)),
      ...(results.length > 1 ? [row('Two results', layoutChoice(store))] : []),
      h('h3', {}, {}, 'Shown'),
      ...flags.map(([key, text]) => row(text, checkbox(store, key))),
      flagButton(store, 'Measure between two points: click them in the view (R)', 'Measure a distance', 'measuring'),
      button('Show everything that was hidden or made transparent (A)', 'Show all', () => store.set({ hidden: [], faded: [] })),
      h('h3', {}, {}, 'Deformation'),
      row('Exaggerated', numberChoice(store, 'Exaggeration of deformations', [1, 2, 5, 10, 20, 50, 100, 1000], 'exaggeration')),
      row('Undeformed is', stateChoice(store, 'Where the undeformed shape is', [['start', 'as at the start'], ['moving', 'moved along']], 'reference')),
      h('h3', {}, {}, 'Cut'),
      row('Across', stateChoice(store, 'Axis across the cut', [['none', 'no cut'], ['x', 'x'], ['y', 'y'], ['z', 'z']], 'cutAxis', { class: 'cut-axis' })),
      row('At', cutSlider(store)),
      h('h3', {}, {}, 'Files'),
      button('Save as image', 'Save as PNG', () => actions.picture()),
    );
  }
}

/** What the path of the camera has. */
function pathText(store: Store): HTMLElement {
  const text = h('p', { class: 'path-text', role: 'status' });
  const show = (): void => {
    const { path } = store.state;
    text.textContent = path.length ? `Camera path: ${path.length} ${path.length > 1 ? 'views' : 'view'}, t = ${path.map((k) => readable(k.t)).join(', ')} s` : 'A camera path: turn the view, add it, go to another time, add the next.';
  };
  store.on((changed) => changed.has('path') && show());
  show();
  return text;
}

function numberChoice(store: Store, label: string, values: number[], key: 'exaggeration'): HTMLSelectElement {
  const select = choice(label, values.map((v): [string, string] => [String(v), `${v}×`]), String(store.state[key]), (v) => store.set({ [key]: Number(v) }), { class: key });
  store.on((changed) => changed.has(key) && (select.value = String(store.state[key])));
  return select;
}

function cutSlider(store: Store): HTMLInputElement {
  const slider = h('input', { type: 'range', min: '0', max: '1', step: '0.005', 'aria-label': 'Place of the cut', class: 'cut-at' }, { input: () => store.set({ cutAt: Number(slider.value) }) });
  const show = (): void => {
    slider.value = String(store.state.cutAt);
    slider.disabled = store.state.cutAxis === 'none';
    slider.style.setProperty('--done', `${100 * store.state.cutAt}%`);
  };
  store.on((changed) => (changed.has('cutAt') || changed.has('cutAxis')) && show());
  show();
  return slider;
}

function checkbox(store: Store, key: Flag): HTMLInputElement {
  const box = h('input', { type: 'checkbox' }, { change: () => store.set({ [key]: box.checked }) });
  const show = (): void => void (box.checked = store.state[key]);
  store.on((changed) => changed.has(key) && show());
  show();
  return box;
}
