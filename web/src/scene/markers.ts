// Where a marker is at an instant, from the same numbers the picture is drawn from.

import { Quaternion, Vector3 } from 'three';
import { lineShapes, surfaceShapes } from '../data/layouts';
import type { Marker } from '../data/result';
import { lineNode, rotation } from './line_nodes';
import { pose, surfaceNode, type Frame, type LineBody, type Poser, type RigidBody, type SurfaceBody } from './pose';
import { derivativeOf, valueOf } from './shapes';

export type Point = [number, number, number];
const lineSlopes = lineShapes.map((p) => derivativeOf(p));

export class Markers {
  private readonly lines: Map<string, LineBody>;
  private readonly surfaces: Map<string, SurfaceBody>;
  private readonly rigid: Map<string, RigidBody>;
  private readonly points: Map<string, RigidBody>;

  constructor(poser: Poser) {
    this.lines = new Map(poser.lines.map((l) => [l.body.name, l]));
    this.surfaces = new Map(poser.surfaces.map((s) => [s.body.name, s]));
    this.rigid = new Map(poser.rigid.map((r) => [r.body.name, r]));
    this.points = new Map(poser.points.map((p) => [p.body.name, p]));
  }

  at(marker: Marker, frame: Frame): Point {
    const line = this.lines.get(marker.body);
    if (line) {
      const at = lineNode * (line.first + marker.element);
      return hermite(frame.lines, at, line.straight ? 0 : line.body.elementLength, marker.local[0]);
    }
    const rigid = this.rigid.get(marker.body);
    if (rigid) {
      const at = pose * rigid.index;
      const A = rotation(frame.poses, at + 3);
      const [x, y, z] = marker.local;
      return [0, 1, 2].map((k) => frame.poses[at + k] + A[3 * k] * x + A[3 * k + 1] * y + A[3 * k + 2] * z) as Point;
    }
    const surface = this.surfaces.get(marker.body);
    if (surface) {
      const { grid, edges } = surface.body;
      const i = marker.element % grid[0];
      const j = Math.floor(marker.element / grid[0]);
      const S = surfaceShapes.map((p) => valueOf(p, marker.local[0], marker.local[1]));
      const nodes = [i + (grid[0] + 1) * j, i + 1 + (grid[0] + 1) * j, i + 1 + (grid[0] + 1) * (j + 1), i + (grid[0] + 1) * (j + 1)];
      const out: Point = [0, 0, 0];
      nodes.forEach((n, corner) => {
        const at = surfaceNode * (surface.first + n);
        for (let k = 0; k < 3; ++k)
          out[k] +=
            S[3 * corner] * frame.surfaces[at + k] +
            S[3 * corner + 1] * edges[0] * frame.surfaces[at + 4 + k] +
            S[3 * corner + 2] * edges[1] * frame.surfaces[at + 8 + k];
      });
      return out;
    }
    const point = this.points.get(marker.body);
    if (point?.body.count) return [0, 1, 2].map((k) => frame.points[3 * point.index + k]) as Point;
    if (point?.body.on) return this.at(point.body.on, frame);
    return [...marker.position];
  }

  /** A direction that is `axis` at the start and turns with the body, or with the tangent of a line. */
  direction(marker: Marker, axis: number[], frame: Frame, start: Frame): Point {
    const line = this.lines.get(marker.body);
    if (line) {
      const tangent = (f: Frame): Vector3 =>
        new Vector3(...slope(f.lines, lineNode * (line.first + marker.element), line.straight ? 0 : line.body.elementLength, marker.local[0])).normalize();
      return new Vector3(axis[0], axis[1], axis[2]).applyQuaternion(new Quaternion().setFromUnitVectors(tangent(start), tangent(frame))).toArray();
    }
    const rigid = this.rigid.get(marker.body);
    if (!rigid) return [axis[0], axis[1], axis[2]];
    const A0 = rotation(start.poses, pose * rigid.index + 3);
    const A = rotation(frame.poses, pose * rigid.index + 3);
    const local = [0, 1, 2].map((k) => A0[k] * axis[0] + A0[3 + k] * axis[1] + A0[6 + k] * axis[2]);
    return [0, 1, 2].map((k) => A[3 * k] * local[0] + A[3 * k + 1] * local[1] + A[3 * k + 2] * local[2]) as Point;
  }
}

/** w of r, r', r, r' of the nodes at `at` and behind it, slopes times l. */
function combine(n: Float32Array, at: number, l: number, w: number[]): Point {
  const b = at + lineNode;
  return [0, 1, 2].map((k) => w[0] * n[at + k] + l * w[1] * n[at + 4 + k] + w[2] * n[b + k] + l * w[3] * n[b + 4 + k]) as Point;
}

/** r(s) of the element between the nodes at `at` and behind it; l = 0: a straight link. */
export function hermite(n: Float32Array, at: number, l: number, s: number): Point {
  return combine(n, at, l, l ? lineShapes.map((p) => valueOf(p, s)) : [1 - s, 0, s, 0]);
}

/** r_s of the same, of any length. */
function slope(n: Float32Array, at: number, l: number, s: number): Point {
  return combine(n, at, l, l ? lineSlopes.map((p) => valueOf(p, s)) : [-1, 0, 1, 0]);
}
