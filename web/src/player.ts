// Moves the time line while it plays, and counts pictures.

import type { Clock } from './data/clock';
import type { Store } from './state';

export class Player {
  fps = 0;
  private last = 0;
  private frames: number[] = [];

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly draw: () => void,
  ) {
    store.on((changed) => {
      if (changed.has('playing') && store.state.playing) this.start();
    });
  }

  start(): void {
    const { state } = this.store;
    if (!state.mode && state.row >= this.clock.rowAt(this.clock.length)) this.store.set({ row: 0 });
    this.last = performance.now();
    this.frames = [];
    requestAnimationFrame((now) => this.step(now));
  }

  private step(now: number): void {
    const { state } = this.store;
    if (!state.playing) return;
    const passed = Math.max(0, Math.min(0.25, (now - this.last) / 1000));
    this.last = now;
    if (!state.mode) this.move(passed * state.speed);
    this.draw();
    this.count(performance.now());
    if (state.playing) requestAnimationFrame((next) => this.step(next));
  }

  private move(by: number): void {
    const { state } = this.store;
    const length = this.clock.length;
    let place = this.clock.ofRow(state.row) + by;
    if (place >= length) {
      if (!state.loop) {
        this.store.set({ row: this.clock.rowAt(length), playing: false });
        return;
      }
      place = length > 0 ? place % length : 0;
    }
    this.store.set({ row: this.clock.rowAt(place) });
  }

  /** Pictures of the last second. */
  private count(now: number): void {
    this.frames.push(now);
    while (this.frames.length > 2 && this.frames[0] < now - 1000) this.frames.shift();
    const span = now - this.frames[0];
    this.fps = span > 0 ? (1000 * (this.frames.length - 1)) / span : 0;
  }
}
