// The ways of recorded points: all of it faint, what is behind them strong.

import { BufferAttribute, BufferGeometry, Color, Group, Line, LineBasicMaterial } from 'three';
import type { Result } from '../data/result';

export class Trails {
  readonly group = new Group();
  private readonly shown = new Map<string, { past: Line; all: Line }>();

  constructor(
    private readonly result: Result,
    private readonly color: Color,
  ) {}

  get names(): string[] {
    return [...this.shown.keys()];
  }

  async show(output: string): Promise<void> {
    if (this.shown.has(output)) return;
    const [x, y, z] = await Promise.all(['x', 'y', 'z'].map((c) => this.result.column(`${output}.${c}`)));
    if (!x || !y || this.shown.has(output)) return;
    const points = new Float32Array(3 * x.value.length);
    for (let i = 0; i < x.value.length; ++i) points.set([x.value[i], y.value[i], z ? z.value[i] : 0], 3 * i);
    const make = (opacity: number): Line => {
      const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(points, 3));
      const line = new Line(geometry, new LineBasicMaterial({ color: this.color, transparent: true, opacity }));
      line.frustumCulled = false;
      this.group.add(line);
      return line;
    };
    this.shown.set(output, { all: make(0.22), past: make(0.95) });
  }

  hide(output: string): void {
    const trail = this.shown.get(output);
    if (!trail) return;
    this.shown.delete(output);
    for (const line of [trail.past, trail.all]) {
      this.group.remove(line);
      line.geometry.dispose();
    }
  }

  /** row of rows: how far the run has come. */
  update(row: number): void {
    for (const { past } of this.shown.values()) {
      const count = past.geometry.getAttribute('position').count;
      past.geometry.setDrawRange(0, Math.max(1, Math.ceil(((row + 1) / Math.max(1, this.result.rows)) * count)));
    }
  }

  dispose(): void {
    for (const name of this.names) this.hide(name);
  }
}
