// The keyboard: what every key does, and the list of them that `?` shows.

import { isolateChosen, toggleChosen, type Store } from '../state';
import type { View3D } from '../view3d';
import { button, h } from './dom';
import type { Timeline } from './timeline';

export interface Key {
  keys: string[]; // as KeyboardEvent.key, letters in lower case
  shown: string;
  what: string;
  act(e: KeyboardEvent): void;
}

export interface KeyActions {
  help(): void;
  copyLink(): void;
  keepView(): void;
}

const turn = Math.PI / 24; // of the camera, for one press

export function keyTable(store: Store, timeline: Timeline, view: View3D, actions: KeyActions): Key[] {
  const { state } = store;
  const looked = (act: () => void) => (): void => {
    act();
    view.redraw();
  };
  const key = (keys: string | string[], shown: string, what: string, act: (e: KeyboardEvent) => void): Key => ({ keys: [keys].flat(), shown, what, act });
  return [
    key(' ', 'Space', 'play or pause', () => store.set({ playing: !state.playing })),
    key(['ArrowLeft', 'ArrowRight'], '← →', 'previous, next row; with Shift ten rows', (e) => timeline.step((e.key === 'ArrowLeft' ? -1 : 1) * (e.shiftKey ? 10 : 1))),
    key('Home', 'Home', 'first row', () => store.set({ row: 0 })),
    key('End', 'End', 'last row', () => store.set({ row: Math.max(0, view.results[0].rows - 1), playing: false })),
    key('l', 'L', 'loop', () => store.set({ loop: !state.loop })),
    key(['q', 'e'], 'Q E', 'turn the view left, right', (e) => looked(() => view.stage.orbit(e.key.toLowerCase() === 'q' ? turn : -turn, 0))()),
    key(['w', 's'], 'W S', 'tilt the view up, down', (e) => looked(() => view.stage.orbit(0, e.key.toLowerCase() === 'w' ? turn : -turn))()),
    key(['+', '='], '+', 'zoom in', looked(() => view.stage.zoom(1.2))),
    key('-', '-', 'zoom out', looked(() => view.stage.zoom(1 / 1.2))),
    key('f', 'F', 'fit to the window', looked(() => view.stage.fit())),
    key('1', '1', 'view from the corner (iso)', looked(() => view.stage.look('iso'))),
    key('2', '2', 'front view', looked(() => view.stage.look('front'))),
    key('3', '3', 'side view', looked(() => view.stage.look('side'))),
    key('4', '4', 'top view', looked(() => view.stage.look('top'))),
    key('g', 'G', 'grid', () => store.set({ grid: !state.grid })),
    key('m', 'M', 'element edges', () => store.set({ mesh: !state.mesh })),
    key('j', 'J', 'symbols of joints, forces and points', () => store.set({ symbols: !state.symbols })),
    key('n', 'N', 'names of bodies', () => store.set({ names: !state.names })),
    key('h', 'H', 'hide or show what is chosen', () => toggleChosen(store, 'hidden')),
    key('t', 'T', 'make what is chosen transparent, or solid again', () => toggleChosen(store, 'faded')),
    key('i', 'I', 'show the chosen body alone', () => isolateChosen(store, view.results[0])),
    key('a', 'A', 'show everything again', () => store.set({ hidden: [], faded: [] })),
    key('r', 'R', 'measure between two points', () => store.set({ measuring: !state.measuring })),
    key('k', 'K', 'add this view to the path of the camera', () => actions.keepView()),
    key('p', 'P', 'camera along its path, or free', () => store.set({ flying: !state.flying })),
    key('d', 'D', 'light or dark', () => store.set({ dark: !state.dark })),
    key('c', 'C', 'copy the link to this view', () => actions.copyLink()),
    key('Escape', 'Esc', 'choose nothing, stop following', () => store.set({ selection: null, mode: null, follow: null, measuring: false })),
    key('?', '?', 'this list', () => actions.help()),
  ];
}

export function watchKeys(table: Key[]): void {
  const find = (e: KeyboardEvent): Key | undefined => {
    const name = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    return table.find((k) => k.keys.includes(name));
  };
  addEventListener('keydown', (e) => {
    const target = e.target as HTMLElement;
    if (e.ctrlKey || e.metaKey || e.altKey || /^(SELECT|TEXTAREA)$/.test(target.tagName) || target.closest('dialog')) return;
    if (target instanceof HTMLInputElement && target.type !== 'range') return;
    // A button that was reached by the keyboard is pressed by the space bar.
    if (e.key === ' ' && target.matches(':is(button, summary, a, [type=checkbox]):focus-visible')) return;
    const found = find(e);
    if (!found) return;
    e.preventDefault();
    found.act(e);
  });
}

/** The list of keys, over the page. */
export function makeHelp(table: Key[]): HTMLDialogElement {
  const rows = table.map((k) => h('tr', {}, {}, h('th', { scope: 'row' }, {}, h('kbd', {}, {}, k.shown)), h('td', {}, {}, k.what)));
  const dialog = h('dialog', { class: 'help', 'aria-labelledby': 'help-title' }, { click: (e) => e.target === dialog && dialog.close() });
  dialog.append(
    h('h2', { id: 'help-title' }, {}, 'Keys'),
    h('div', { class: 'help-body', tabindex: '0', role: 'region', 'aria-label': 'List of keys' }, {}, h('table', {}, {}, h('tbody', {}, {}, ...rows)),
      h('p', {}, {}, 'Mouse: drag to rotate, right drag to move, wheel to zoom, click to choose. Touch: one finger rotates, two fingers zoom and move. In plots: drag to zoom, double click to see all, click to go to that time.')),
    h('div', { class: 'help-end' }, {}, button('Close', 'Close', () => dialog.close())),
  );
  return dialog;
}
