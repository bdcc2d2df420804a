// The bar at the bottom: play, step, scrub, speed, loop.

import type { Clock } from '../data/clock';
import type { Result } from '../data/result';
import { readable } from '../scene/colors';
import type { Store } from '../state';
import { button, choice, h, icon } from './dom';

export class Timeline {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly playButton: HTMLButtonElement;
  private readonly time = h('output', { class: 'time', 'aria-label': 'Time' });
  private readonly stage = h('span', { class: 'stage' });
  private readonly loop: HTMLButtonElement;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly result: Result,
  ) {
    const steps = 10_000;
    this.slider = h('input', { type: 'range', min: '0', max: String(steps), step: '1', value: '0', 'aria-label': 'Timeline' }, {
      input: () => store.set({ playing: false, row: clock.rowAt((Number(this.slider.value) / steps) * clock.length) }),
    });
    this.playButton = button('Play or pause (space)', icon('play'), () => store.set({ playing: !store.state.playing }), { class: 'play' });
    this.loop = button('Loop (L)', icon('loop'), () => store.set({ loop: !store.state.loop }));
    this.element = h(
      'footer',
      { class: 'timeline' },
      {},
      button('Go to start (Home)', icon('start'), () => store.set({ row: 0 })),
      button('Previous row (left)', icon('back'), () => this.step(-1)),
      this.playButton,
      button('Next row (right)', icon('next'), () => this.step(1)),
      h('div', { class: 'track' }, {}, this.slider),
      this.time,
      this.stage,
      this.speeds(),
      this.loop,
    );
    store.on((changed) => {
      if (changed.has('row')) this.update();
      if (changed.has('playing') || changed.has('loop')) this.showButtons();
    });
    this.update();
    this.showButtons();
  }

  private speeds(): HTMLSelectElement {
    const speed = this.store.state.speed;
    const list = [...new Set([0.1, 0.25, 0.5, 1, 2, 5, 10].map((f) => Number((f * speed).toPrecision(3))).concat(1))].sort((a, b) => a - b);
    const options = list.map((s): [string, string] => [String(s), `${readable(s)}×`]);
    return choice('Speed: simulated seconds per second', options, String(speed), (v) => this.store.set({ speed: Number(v) }));
  }

  step(by: number): void {
    const row = Math.max(0, Math.min(this.result.rows - 1, Math.round(this.store.state.row) + by));
    this.store.set({ playing: false, row });
  }

  update(): void {
    const { state } = this.store;
    const t = this.clock.time(state.row);
    this.slider.value = String(this.clock.length > 0 ? Math.round((10_000 * this.clock.ofRow(state.row)) / this.clock.length) : 0);
    this.slider.style.setProperty('--done', `${Number(this.slider.value) / 100}%`);
    const digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(Math.max(1e-9, this.result.time[this.result.rows - 1] || 1)))));
    this.time.textContent = `t = ${t.toFixed(digits)} s`;
    const at = Math.max(0, Math.min(this.result.rows - 1, Math.round(state.row)));
    const load = this.result.load[at];
    const stages = Object.keys(this.result.group('stages').groups).length;
    const parts = [];
    if (stages > 1) parts.push(`stage ${this.result.stage[at] ?? 1} of ${stages}`);
    if (load !== undefined && load !== 1) parts.push(`load ${(100 * load).toFixed(0)} %`);
    this.stage.textContent = parts.join(' · ');
  }

  private showButtons(): void {
    this.playButton.replaceChildren(icon(this.store.state.playing ? 'pause' : 'play'));
    this.loop.classList.toggle('on', this.store.state.loop);
  }
}
