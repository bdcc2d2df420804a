// The ways of recorded points as bands of constant width on the screen: all of it faint, what is behind them strong.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Mesh, ShaderMaterial, Vector2 } from 'three';
import type { Result } from '../data/result';

const mostPoints = 12_000; // of longer ways, some rows are left out, and bends become corners

const vertex = /* glsl */ `
attribute vec3 before, after;
attribute float side;
uniform vec2 size; // of the canvas, in pixels
uniform float width;
void main() {
  vec4 at = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vec4 a = projectionMatrix * modelViewMatrix * vec4(before, 1.0);
  vec4 b = projectionMatrix * modelViewMatrix * vec4(after, 1.0);
  vec2 along = (b.xy / b.w - a.xy / a.w) * size;
  float length_ = length(along);
  vec2 across = length_ > 1e-6 ? vec2(-along.y, along.x) / length_ : vec2(0.0, 1.0);
  at.xy += side * width * across / size * at.w;
  gl_Position = at;
}
`;

const fragment = /* glsl */ `
uniform vec3 color;
uniform float opacity;
void main() {
  gl_FragColor = vec4(color, opacity);
  #include <colorspace_fragment>
}
`;

interface Trail {
  past: Mesh;
  all: Mesh;
  segments: number;
}

export class Trails {
  readonly group = new Group();
  private readonly shown = new Map<string, Trail>();
  private readonly shared = { size: { value: new Vector2(1, 1) }, width: { value: 1 } };

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
    const points = Array.from({ length: count }, (_, i) => {
      const k = Math.round((i * (x.length - 1)) / (count - 1));
      return [x[k], y[k], z ? z[k] : 0];
    });
    const geometry = band(points);
    this.shown.set(output, { all: this.make(geometry, 0.25, 1), past: this.make(geometry.clone(), 0.9, 2), segments: count - 1 });
  }

  private make(geometry: BufferGeometry, opacity: number, order: number): Mesh {
    const material = new ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: { ...this.shared, color: { value: this.color }, opacity: { value: opacity } },
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
    });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.renderOrder = order;
    this.group.add(mesh);
    return mesh;
  }

  /** The run has grown. */
  async reload(): Promise<void> {
    for (const name of this.names) await this.show(name);
  }

  hide(output: string): void {
    const trail = this.shown.get(output);
    if (!trail) return;
    this.shown.delete(output);
    for (const mesh of [trail.past, trail.all]) {
      this.group.remove(mesh);
      mesh.geometry.dispose();
      (mesh.material as ShaderMaterial).dispose();
    }
  }

  /** How far the run has come. */
  update(row: number): void {
    for (const { past, segments } of this.shown.values()) {
      const count = Math.ceil((row / Math.max(1, this.result.rows - 1)) * segments);
      past.geometry.setDrawRange(0, 6 * Math.max(0, Math.min(segments, count)));
    }
  }

  /** Half the width of the bands and the size of the canvas, in pixels. */
  scale(width: number, canvas: { width: number; height: number }): void {
    this.shared.width.value = width;
    this.shared.size.value.set(canvas.width, canvas.height);
  }

  dispose(): void {
    for (const name of this.names) this.hide(name);
  }
}

function band(points: number[][]): BufferGeometry {
  const n = points.length;
  const two = (f: (i: number) => number[]): Float32Array => Float32Array.from(points.flatMap((_, i) => [...f(i), ...f(i)]));
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(two((i) => points[i]), 3));
  geometry.setAttribute('before', new BufferAttribute(two((i) => points[Math.max(0, i - 1)]), 3));
  geometry.setAttribute('after', new BufferAttribute(two((i) => points[Math.min(n - 1, i + 1)]), 3));
  geometry.setAttribute('side', new BufferAttribute(Float32Array.from({ length: 2 * n }, (_, i) => (i % 2 ? 1 : -1)), 1));
  geometry.setIndex(Array.from({ length: n - 1 }, (_, i) => [2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2]).flat());
  return geometry;
}
