// From a row of coordinates to what is drawn: nodes of lines and surfaces, poses of rigid bodies, points.
//
// A line is drawn from nodes of four vectors: position r, slope r', and the two axes of the section, y (its height) and
// z (its width). The fourth numbers carry speed, section sizes and axial stiffness: 16 numbers, four texels. A surface has
// nodes of three: r, r_x, r_y. Whatever the coordinates of a body are, this file turns them into these.

import type { Body, Result } from '../data/result';
import { fillNodes, lineNode } from './line_nodes';

export const surfaceNode = 12;
export const pose = 7; // r, p

export interface LineBody {
  body: Body;
  id: number;
  first: number; // node
  nodes: number;
  straight: boolean; // links without slopes
}

export interface SurfaceBody {
  body: Body;
  id: number;
  first: number;
  nodes: number;
}

export interface RigidBody {
  body: Body;
  id: number;
  index: number;
}

/** The numbers of one instant. */
export interface Frame {
  lines: Float32Array;
  surfaces: Float32Array;
  poses: Float32Array;
  points: Float32Array;
}

export class Poser {
  readonly lines: LineBody[] = [];
  readonly surfaces: SurfaceBody[] = [];
  readonly rigid: RigidBody[] = [];
  readonly points: RigidBody[] = []; // masses with coordinates of their own, or attached
  readonly ids = new Map<string, number>();
  lineNodes = 0;
  surfaceNodes = 0;

  constructor(readonly result: Result) {
    result.bodies.forEach((body, id) => {
      this.ids.set(body.name, id);
      if (['line', 'chain', 'floating'].includes(body.primitive)) {
        this.lines.push({ body, id, first: this.lineNodes, nodes: body.elements + 1, straight: body.layout.straight });
        this.lineNodes += body.elements + 1;
      } else if (body.primitive === 'surface') {
        const nodes = (body.grid[0] + 1) * (body.grid[1] + 1);
        this.surfaces.push({ body, id, first: this.surfaceNodes, nodes });
        this.surfaceNodes += nodes;
      } else if ('p' in body.layout.at || 'angle' in body.layout.at) {
        this.rigid.push({ body, id, index: this.rigid.length });
      } else if (body.primitive === 'point') {
        this.points.push({ body, id, index: this.points.length });
      }
    });
  }

  frame(): Frame {
    return {
      lines: new Float32Array(lineNode * this.lineNodes),
      surfaces: new Float32Array(surfaceNode * this.surfaceNodes),
      poses: new Float32Array(pose * this.rigid.length),
      points: new Float32Array(3 * this.points.length),
    };
  }

  fill(q: Float32Array, out: Frame): void {
    const dim = this.result.dimension;
    for (const line of this.lines) fillNodes(line, dim, q, out.lines);
    for (const s of this.surfaces) fillSurface(s, q, out.surfaces);
    for (const r of this.rigid) fillPose(r, q, out.poses);
    for (const p of this.points) {
      const { first, count, layout } = p.body;
      const from = first + (layout.at.r ?? 0);
      for (let k = 0; k < 3; ++k) out.points[3 * p.index + k] = count && k < dim ? q[from + k] : 0;
    }
  }
}

function fillSurface(s: SurfaceBody, q: Float32Array, out: Float32Array): void {
  const { at, width } = s.body.layout;
  const vectors = [at.r ?? 0, at.r_x ?? 0, at.r_y ?? 0];
  for (let i = 0; i < s.nodes; ++i) {
    const from = s.body.first + width * i;
    const to = surfaceNode * (s.first + i);
    vectors.forEach((v, n) => {
      for (let k = 0; k < 3; ++k) out[to + 4 * n + k] = q[from + v + k];
    });
  }
}

function fillPose(r: RigidBody, q: Float32Array, out: Float32Array): void {
  const { first, layout } = r.body;
  const at = pose * r.index;
  const from = first + (layout.at.r ?? 0);
  const { angle, p } = layout.at;
  if (angle !== undefined) {
    const half = q[first + angle] / 2;
    out.set([q[from], q[from + 1], 0, Math.cos(half), 0, 0, Math.sin(half)], at);
  } else if (p !== undefined) {
    for (let k = 0; k < 3; ++k) out[at + k] = q[from + k];
    for (let k = 0; k < 4; ++k) out[at + 3 + k] = q[first + p + k];
  }
}

/** out = a + f (b - a); speeds from (b - a) / dt. */
export function blend(a: Frame, b: Frame, f: number, dt: number, out: Frame): void {
  const rate = dt > 0 ? 1 / dt : 0;
  mix(a.lines, b.lines, f, rate, lineNode, out.lines);
  mix(a.surfaces, b.surfaces, f, rate, surfaceNode, out.surfaces);
  for (let i = 0; i < a.points.length; ++i) out.points[i] = a.points[i] + f * (b.points[i] - a.points[i]);
  for (let i = 0; i < a.poses.length; i += pose) {
    let dot = 0;
    for (let k = 3; k < 7; ++k) dot += a.poses[i + k] * b.poses[i + k];
    const sign = dot < 0 ? -1 : 1;
    let norm = 0;
    for (let k = 0; k < pose; ++k) {
      const to = k < 3 ? b.poses[i + k] : sign * b.poses[i + k];
      out.poses[i + k] = a.poses[i + k] + f * (to - a.poses[i + k]);
      if (k > 2) norm += out.poses[i + k] ** 2;
    }
    for (let k = 3; k < 7; ++k) out.poses[i + k] /= Math.sqrt(norm) || 1;
  }
}

/** The first number of every fourth texel place becomes the speed of the node. */
function mix(a: Float32Array, b: Float32Array, f: number, rate: number, node: number, out: Float32Array): void {
  for (let i = 0; i < a.length; ++i) out[i] = a[i] + f * (b[i] - a[i]);
  for (let i = 0; i < a.length; i += node) {
    const x = b[i] - a[i];
    const y = b[i + 1] - a[i + 1];
    const z = b[i + 2] - a[i + 2];
    out[i + 3] = rate * Math.sqrt(x * x + y * y + z * z);
  }
}
