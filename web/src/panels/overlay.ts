// What lies over the 3D view: the color scale, the grid's size, the name of what is chosen, frames per second.

import { quantities, readable, scaleGradient } from '../scene/colors';
import type { Store } from '../state';
import type { View3D } from '../view3d';
import { h } from './dom';

export class Overlay {
  readonly element = h('div', { class: 'overlay' });
  private readonly legend = h('div', { class: 'legend', hidden: true });
  private readonly corner = h('div', { class: 'corner' });
  private readonly chosen = h('div', { class: 'chosen', hidden: true });
  private readonly labels = h('div', { class: 'labels' });
  private readonly said = h('div', { class: 'said', role: 'status', hidden: true });
  private silence = 0;

  constructor(
    private readonly store: Store,
    private readonly view: View3D,
    private readonly fps: () => number,
  ) {
    this.element.append(this.legend, this.corner, this.chosen, this.labels, this.said);
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
    this.labels.className = `labels ${this.store.state.layout}`;
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
    if (state.selection) this.chosen.textContent = this.describe();
  }

  private describe(): string {
    const { selection } = this.store.state;
    if (!selection) return '';
    const [scene] = this.view.scenes;
    const { result } = scene;
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
