// The ways of recorded points: all of it faint, what is behind them strong.

import { Color, Group } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import type { Result } from '../data/result';

const mostPoints = 1500;

interface Trail {
  past: Line2;
  all: Line2;
  segments: number;
}

export class Trails {
  readonly group = new Group();
  private readonly shown = new Map<string, Trail>();

  constructor(
    private readonly result: Result,
    private readonly color: Color,
  ) {}

  get names(): string[] {
    return [...this.shown.keys()];
  }

  async show(output: string): Promise<void> {
    const columns = await Promise.all(['x', 'y', 'z'].map((c) => this.result.column(`${output}.${c}`)));
    const [x, y, z] = columns.map((c) => c?.value);
    this.hide(output);
    if (!x || !y || x.length < 2) return;
    const count = Math.min(mostPoints, x.length);
    const points = new Float32Array(3 * count);
    for (let i = 0; i < count; ++i) {
      const k = Math.round((i * (x.length - 1)) / (count - 1));
      points.set([x[k], y[k], z ? z[k] : 0], 3 * i);
    }
    const make = (opacity: number, order: number): Line2 => {
      const geometry = new LineGeometry();
      geometry.setPositions(points);
      const line = new Line2(geometry, new LineMaterial({ color: this.color, transparent: true, opacity, linewidth: 1.6 }));
      line.frustumCulled = false;
      line.renderOrder = order;
      this.group.add(line);
      return line;
    };
    this.shown.set(output, { all: make(0.25, 1), past: make(0.9, 2), segments: count - 1 });
  }

  /** The run has grown. */
  async reload(): Promise<void> {
    for (const name of this.names) await this.show(name);
  }

  hide(output: string): void {
    const trail = this.shown.get(output);
    if (!trail) return;
    this.shown.delete(output);
    for (const line of [trail.past, trail.all]) {
      this.group.remove(line);
      line.geometry.dispose();
      line.material.dispose();
    }
  }

  /** How far the run has come. */
  update(row: number): void {
    for (const { past, segments } of this.shown.values())
      past.geometry.instanceCount = Math.max(0, Math.min(segments, Math.ceil((row / Math.max(1, this.result.rows - 1)) * segments)));
  }

  width(pixels: number): void {
    for (const { past, all } of this.shown.values()) past.material.linewidth = all.material.linewidth = pixels;
  }

  dispose(): void {
    for (const name of this.names) this.hide(name);
  }
}
