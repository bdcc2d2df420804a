// Bodies, joints, forces, outputs and modes as a list. Choosing one chooses it everywhere.

import type { Modes, Result } from '../data/result';
import { readable } from '../scene/colors';
import { toggle, type Selection, type State, type Store } from '../state';
import { button, h, icon } from './dom';

export interface TreeActions {
  follow(body: string): void;
  trail(output: string): boolean; // whether it is shown now
  hasTrail(output: string): boolean;
  plot(output: string): void;
  mode(stage: string, number: number): void;
  color(body: string): string;
}

const most = 400; // entries of one kind

/** What a mode is known by: load factor, frequency, damping ratio. */
function modeText(m: Modes, k: number): string {
  const value = m.value[k];
  const damping = m.damping?.[k];
  if (m.kind === 'buckling') return `load factor ${value.toPrecision(5)}`;
  if (damping !== undefined) return `${readable(value, 'Hz')}, damping ${(100 * damping).toPrecision(3)} %`;
  return value === 0 ? 'rigid' : value < 0 ? 'unstable' : readable(value, 'Hz');
}

export class Tree {
  readonly element = h('div', { class: 'tree' });
  private readonly filter = h('input', { type: 'search', placeholder: 'Find…', 'aria-label': 'Find in the tree' }, { input: () => this.build() });
  private readonly list = h('div', { class: 'entries' });
  private entries: { selection: Selection; element: HTMLElement }[] = [];

  constructor(
    private readonly store: Store,
    private readonly result: Result,
    private readonly actions: TreeActions,
  ) {
    this.element.append(this.filter, this.list);
    this.build();
    store.on((changed) => {
      if (['selection', 'follow', 'mode', 'hidden', 'faded'].some((key) => changed.has(key as keyof State))) this.mark();
    });
  }

  private build(): void {
    const { result } = this;
    this.entries = [];
    const wanted = this.filter.value.toLowerCase();
    const keep = <T extends { name: string }>(list: T[]): T[] => list.filter((x) => x.name.toLowerCase().includes(wanted));
    this.list.replaceChildren(
      this.section('Bodies', keep(result.bodies.filter((b) => b.primitive !== 'none')), (b) =>
        this.entry({ kind: 'body', name: b.name }, b.kind, [
          this.eye(`body/${b.name}`, b.name),
          button('Follow with the camera', icon('target'), () => this.actions.follow(b.name), { class: 'follow' }),
        ]),
      ),
      this.section('Joints', keep(result.joints), (j) => this.entry({ kind: 'joint', name: j.name }, j.kind, [this.eye(`joint/${j.name}`, j.name)])),
      this.section('Forces', keep(result.forces), (f) => this.entry({ kind: 'force', name: f.name }, f.kind, [this.eye(`force/${f.name}`, f.name)])),
      this.section('Surfaces', keep(result.surfaces), (x) => this.entry({ kind: 'surface', name: x.name }, `on ${x.body}`, [this.eye(`surface/${x.name}`, x.name)])),
      result.surfaces.length ? this.section('Contacts', [{ name: 'forces' }], () => h('div', { class: 'entry' }, {}, h('span', { class: 'dot force' }), h('span', { class: 'name' }, {}, 'contact forces'), h('span', { class: 'kind' }, {}, 'arrows'), h('span', { class: 'tools' }, {}, this.eye('contacts/forces', 'contact forces')))) : '',
      this.section('Outputs', keep(result.outputs), (o) => {
        const trail = button('Show the path', icon('trail'), () => trail.classList.toggle('on', this.actions.trail(o.name)));
        trail.classList.toggle('on', this.actions.hasTrail(o.name));
        return this.entry({ kind: 'output', name: o.name }, o.description || o.kind, [
          o.kind === 'point' ? trail : null,
          button('Plot', icon('plus'), () => this.actions.plot(o.name)),
        ]);
      }),
      ...result.modes.map((m) =>
        this.section(
          `${m.kind === 'buckling' ? 'Buckling modes' : m.kind === 'damped' ? 'Damped modes' : 'Modes'}${result.modes.length > 1 ? `, stage ${m.stage}` : ''}`,
          Array.from({ length: m.count }, (_, k) => ({ name: `${k + 1}`, k })),
          ({ k }) => {
            const text = modeText(m, k);
            return h('div', { class: 'entry mode', 'data-mode': `${m.stage}/${k}` }, { click: () => this.actions.mode(m.stage, k) },
              h('button', { type: 'button', class: 'name' }, {}, `Mode ${k + 1}`), h('span', { class: 'kind' }, {}, text));
          },
        ),
      ),
    );
    this.mark();
  }

  /** Hides a thing, or shows it again. */
  private eye(key: string, name: string): HTMLButtonElement {
    return button(`Hide or show ${name}`, icon('eye'), () => toggle(this.store, 'hidden', key), { class: 'eye', 'data-key': key });
  }

  private section<T>(title: string, items: T[], make: (item: T) => HTMLElement): HTMLElement | string {
    if (!items.length) return '';
    const details = h('details', { open: true }, {}, h('summary', {}, {}, title, h('span', { class: 'count' }, {}, String(items.length))));
    details.append(...items.slice(0, most).map(make));
    if (items.length > most) details.append(h('div', { class: 'more' }, {}, `and ${items.length - most} more`));
    return details;
  }

  private entry(selection: Selection, kind: string, tools: (HTMLElement | null)[]): HTMLElement {
    const choose = (): void => {
      const now = this.store.state.selection;
      this.store.set({ selection: now?.kind === selection.kind && now.name === selection.name ? null : selection });
    };
    const element = h(
      'div',
      { class: 'entry', 'data-kind': selection.kind, 'data-name': selection.name, title: kind },
      { click: (e) => (e.target as HTMLElement).closest('.tools') || choose() },
      h('span', { class: `dot ${selection.kind}`, style: selection.kind === 'body' ? `background:${this.actions.color(selection.name)}` : undefined }),
      h('button', { type: 'button', class: 'name' }, {}, selection.name),
      h('span', { class: 'kind' }, {}, kind),
      h('span', { class: 'tools' }, {}, ...tools),
    );
    this.entries.push({ selection, element });
    return element;
  }

  private mark(): void {
    const { selection, follow, mode } = this.store.state;
    for (const { selection: s, element } of this.entries) {
      const on = selection?.kind === s.kind && selection.name === s.name;
      element.classList.toggle('selected', on);
      element.querySelector('.name')?.setAttribute('aria-pressed', String(on));
      if (on) element.scrollIntoView({ block: 'nearest' });
      element.querySelector('.follow')?.classList.toggle('on', s.kind === 'body' && follow === s.name);
    }
    for (const eye of this.list.querySelectorAll<HTMLElement>('.eye')) {
      const off = this.store.state.hidden.includes(eye.dataset['key'] ?? '');
      eye.setAttribute('aria-pressed', String(!off));
      eye.closest('.entry')?.classList.toggle('off', off);
      eye.closest('.entry')?.classList.toggle('faded', this.store.state.faded.includes(eye.dataset['key'] ?? ''));
    }
    for (const row of this.list.querySelectorAll<HTMLElement>('[data-mode]')) {
      const on = mode !== null && row.dataset['mode'] === `${mode.stage}/${mode.number}`;
      row.classList.toggle('selected', on);
      row.querySelector('.name')?.setAttribute('aria-pressed', String(on));
    }
  }
}
