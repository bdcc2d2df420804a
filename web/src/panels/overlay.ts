// What lies over the 3D view: the color scale, the grid's size, the name of what is chosen, frames per second.

import { quantities, readable, scaleGradient } from '../scene/colors';
import { arrowLength } from '../scene/contacts';
import { loadLength } from '../scene/symbols';
import { isolateChosen, toggleChosen, type Store } from '../state';
import type { View3D } from '../view3d';
import { button, h } from './dom';

const mostNames = 60;
const mostKeys = 8; // bodies in the key of colors

export class Overlay {
  readonly element = h('div', { class: 'overlay' });
  private readonly legend = h('div', { class: 'legend', hidden: true });
  private readonly corner = h('div', { class: 'corner' });
  private readonly chosenText = h('span');
  private readonly chosen: HTMLElement;
  private readonly arrows = h('div', { class: 'arrows' });
  private readonly key = h('div', { class: 'key' });
  private readonly names = h('div', { class: 'names' });
  private readonly measured = h('div', { class: 'measured' });
  private readonly labels = h('div', { class: 'labels' });
  private readonly said = h('div', { class: 'said', role: 'status', hidden: true });
  private silence = 0;

  constructor(
    private readonly store: Store,
    private readonly view: View3D,
    private readonly fps: () => number,
  ) {
    const tool = (label: string, text: string, act: () => void): HTMLButtonElement => button(label, text, act);
    this.chosen = h('div', { class: 'chosen', hidden: true }, {}, this.chosenText, h('span', { class: 'chosen-tools' }, {},
      tool('Hide or show what is chosen (H)', 'Hide', () => toggleChosen(store, 'hidden')),
      tool('Make what is chosen transparent or solid (T)', 'Fade', () => toggleChosen(store, 'faded')),
      tool('Show the chosen body alone, or all again (I)', 'Alone', () => isolateChosen(store, view.results[0]))));
    this.element.append(this.names, this.measured, this.legend, h('div', { class: 'foot' }, {}, this.key, this.arrows, this.corner), this.chosen, this.labels, this.said);
    store.on((changed) => {
      if (changed.has('quantity')) this.showLegend();
      if (changed.has('layout')) this.showLabels();
    });
    this.showLegend();
    this.showLabels();
  }

  /** A message that goes away by itself. */
  say(text: string): void {
    clearTimeout(this.silence);
    this.said.textContent = text;
    this.said.hidden = false;
    this.silence = window.setTimeout(() => (this.said.hidden = true), 3500);
  }

  private showLegend(): void {
    const { quantity } = this.store.state;
    const info = quantities[quantity];
    const [low, high] = this.view.ranges[quantity];
    this.legend.hidden = quantity === 'none';
    this.legend.replaceChildren(
      h('b', {}, {}, `${info.label}${info.unit ? ` [${info.unit}]` : ''}`),
      h('div', { class: 'scale', style: `background:${scaleGradient(info.signed)}` }),
      h('div', { class: 'ends' }, {}, h('span', {}, {}, readable(low)), h('span', {}, {}, readable((low + high) / 2)), h('span', {}, {}, readable(high))),
    );
  }

  /** Names of results, where there are two. */
  private showLabels(): void {
    const { results } = this.view;
    this.labels.hidden = results.length < 2;
    this.labels.className = this.store.state.layout === 'side' ? 'labels side' : 'labels';
    this.labels.replaceChildren(
      ...results.map((r, i) => h('span', {}, {}, h('i', { style: `background:#${this.view.scenes[i].shared.tint.value.getHexString()}` }), `${'AB'[i] ?? i + 1} ${r.name}`)),
    );
  }

  /** After every picture. */
  update(): void {
    const { state } = this.store;
    const step = this.view.stage.floor?.step;
    const parts = [];
    if (state.grid && step) parts.push(`grid ${readable(step, 'm')}`);
    if (state.playing) parts.push(`${this.fps().toFixed(0)} fps`);
    if (this.view.waiting) parts.push('loading…');
    this.corner.textContent = parts.join(' · ');
    this.chosen.hidden = state.selection === null;
    if (state.selection) this.chosenText.textContent = this.describe();
    this.chosen.classList.toggle('plain-thing', !['body', 'surface'].includes(state.selection?.kind ?? ''));
    this.showArrows();
    this.showKey();
    this.showNames();
    this.showMeasured();
  }

  /** What the lengths of arrows mean. */
  private showArrows(): void {
    const { state } = this.store;
    const [{ symbols, contacts }] = this.view.scenes;
    const rows: [string, number, string][] = [];
    if (state.symbols && symbols.largestLoad('force') > 0) rows.push(['force', loadLength, readable(symbols.largestLoad('force'), 'N')]);
    if (state.symbols && symbols.largestLoad('moment') > 0) rows.push(['moment', loadLength, readable(symbols.largestLoad('moment'), 'N m')]);
    if (contacts.largestForce > 0 && !state.hidden.includes('contacts/forces')) rows.push(['contact', arrowLength, readable(contacts.largestForce, 'N')]);
    const text = rows.map((r) => r.join()).join();
    if (this.arrows.dataset['shown'] === text) return;
    this.arrows.dataset['shown'] = text;
    this.arrows.replaceChildren(...rows.map(([kind, length, value]) => h('span', {}, {}, h('i', { class: `arrow ${kind}`, style: `width:${length}px` }), `${value} ${kind}`)));
  }

  /** Which color is which body. */
  private showKey(): void {
    const [{ result, looks, poser }] = this.view.scenes;
    const bodies = result.bodies.filter((b) => b.primitive !== 'none');
    this.key.hidden = this.view.results.length > 1 || bodies.length < 2 || bodies.length > mostKeys || this.store.state.quantity !== 'none';
    if (this.key.hidden || this.key.childElementCount === bodies.length) return;
    this.key.replaceChildren(...bodies.map((b) => h('span', {}, {}, h('i', { style: `background:${looks.color(poser.ids.get(b.name) ?? 0)}` }), b.name)));
  }

  /** Names beside bodies; those that would lie over others are left out. */
  private showNames(): void {
    const shown: HTMLElement[] = [];
    const taken: [number, number, number][] = [];
    const [scene] = this.view.scenes;
    const [width, height] = this.view.stage.size;
    for (const [id, b] of this.store.state.names ? scene.result.bodies.entries() : []) {
      const point = b.primitive !== 'none' && scene.looks.opacity(id) > 0 ? scene.bodyPoint(id) : undefined;
      const at = point && this.view.stage.project(point);
      if (!at || shown.length >= mostNames) continue;
      const [x, y, w] = [at[0] + 8, at[1] - 20, 7 * b.name.length + 8];
      if (x < 0 || y < 0 || x + w > width || y + 18 > height || taken.some(([tx, ty, tw]) => x < tx + tw && tx < x + w && Math.abs(y - ty) < 17)) continue;
      taken.push([x, y, w]);
      shown.push(h('span', { style: `transform:translate(${x.toFixed(0)}px,${y.toFixed(0)}px)` }, {}, b.name));
    }
    this.names.replaceChildren(...shown);
  }

  /** The distance of two points, and its components. */
  private showMeasured(): void {
    const { measuring } = this.store.state;
    this.measured.hidden = !measuring;
    if (!measuring) return;
    const points = this.view.measuredPoints;
    const places = points.map((p) => this.view.stage.project(p));
    const dots = places.flatMap((at) => (at ? [h('i', { style: `transform:translate(${(at[0] - 4).toFixed(1)}px,${(at[1] - 4).toFixed(1)}px)` })] : []));
    const [a, b] = places;
    if (points.length === 2 && a && b) {
      const [length, angle] = [Math.hypot(b[0] - a[0], b[1] - a[1]), Math.atan2(b[1] - a[1], b[0] - a[0])];
      dots.push(h('b', { style: `width:${length.toFixed(1)}px;transform:translate(${a[0].toFixed(1)}px,${a[1].toFixed(1)}px) rotate(${angle}rad)` }));
    }
    const d = points.length === 2 ? [0, 1, 2].map((k) => points[1][k] - points[0][k]) : [];
    const text = d.length ? `${readable(Math.hypot(...d), 'm')}  (${d.map((v) => readable(v)).join(', ')})` : points.length ? 'Click the second point.' : 'Click two points of bodies to measure between them.';
    this.measured.replaceChildren(...dots, h('span', {}, {}, text));
  }

  private describe(): string {
    const { selection } = this.store.state;
    if (!selection) return '';
    const [scene] = this.view.scenes;
    const { result } = scene;
    if (selection.kind === 'surface') return `${selection.name} · surface on ${result.surfaces.find((x) => x.name === selection.name)?.body ?? ''}`;
    if (selection.kind === 'body') {
      const body = result.bodies.find((b) => b.name === selection.name);
      const parts = [selection.name, body?.kind ?? ''];
      if (body?.elements) parts.push(`${body.elements} elements of ${readable(body.elementLength, 'm')}`);
      return parts.join(' · ');
    }
    if (selection.kind === 'output') {
      const p = scene.outputPoint(selection.name);
      const output = result.outputs.find((o) => o.name === selection.name);
      return `${selection.name} · ${output?.description ?? ''}${p && output?.kind === 'point' ? ` · (${p.map((v) => readable(v)).join(', ')}) m` : ''}`;
    }
    const thing = selection.kind === 'joint' ? result.joints.find((j) => j.name === selection.name) : result.forces.find((f) => f.name === selection.name);
    const parts = [selection.name, thing?.kind ?? '', thing?.markers.map((m) => m.body).join(' – ') ?? ''];
    if (thing && 'vector' in thing && ['force', 'moment'].includes(thing.kind)) {
      const f = result.forceAt(thing, this.store.state.row).map((v) => readable(v)).join(', ');
      parts.push(`(${f}) ${thing.kind === 'moment' ? 'N m' : 'N'}${thing.follower ? ' follower' : ''}`);
    }
    return parts.filter(Boolean).join(' · ');
  }
}
