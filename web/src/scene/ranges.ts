// How far bodies reach and between which values colors lie, from some rows of the whole run.

import { Box3, Vector3 } from 'three';
import { lineShapes } from '../data/layouts';
import type { Result } from '../data/result';
import { wheelsOf } from './guides';
import type { Quantity } from './colors';
import { couplingOf, lineNode, stressOf } from './line_nodes';
import { pose, surfaceNode, type Frame, type LineBody, type Poser, type SurfaceBody } from './pose';
import { derivativeOf, valueOf } from './shapes';

export type Ranges = Record<Quantity, [number, number]>;

const samples = 48;

export interface Survey {
  box: Box3;
  ranges: Ranges;
  start: Frame;
}

/** Rows spread over the run; fewer when they are wide. */
export async function survey(result: Result, poser: Poser): Promise<Survey> {
  const most = Math.max(2, Math.min(samples, Math.floor((16 << 20) / Math.max(1, 4 * result.coordinates.width))));
  const stride = Math.max(1, Math.floor((result.rows - 1) / (most - 1)));
  const count = Math.floor((result.rows - 1) / stride) + 1;
  const width = result.coordinates.width;
  const rows = width && result.rows ? await result.source.coordinates(result.index, { first: 0, count, stride }) : new Float32Array(0);
  const box = new Box3();
  const ranges: Ranges = { none: [0, 1], strain: [0, 0], curvature: [0, 0], force: [0, 0], speed: [0, 0], stress: [0, 0], pressure: [0, 0] };
  const [start, frame] = [poser.frame(), poser.frame()];
  for (let i = 0; i < count && width; ++i) {
    poser.fill(rows.subarray(i * width, (i + 1) * width), frame);
    if (i === 0) poser.fill(rows.subarray(0, width), start);
    include(box, frame, poser);
    strains(poser, frame, ranges);
  }
  for (const j of [...result.joints, ...result.forces]) for (const m of j.markers) if (m.body === 'ground') box.expandByPoint(new Vector3(...m.position));
  for (const j of result.joints) for (const p of j.curve) box.expandByPoint(new Vector3(...p));
  const rolling = [...result.joints, ...result.forces.flatMap((f) => wheelsOf(f, result.joints))];
  const reach = Math.max(0, ...rolling.map((j) => j.radius));
  if (!box.isEmpty()) box.expandByVector(new Vector3(reach, reach, result.planar ? 0 : reach));
  for (const rope of result.forces)
    rope.radii.forEach((r, k) => box.union(new Box3().setFromCenterAndSize(new Vector3(...rope.markers[k].position), new Vector3(2, 2, result.planar ? 0 : 2).multiplyScalar(Math.abs(r)))));
  await speeds(result, poser, ranges);
  for (const q of ['strain', 'force'] as const) {
    const most_ = Math.max(Math.abs(ranges[q][0]), Math.abs(ranges[q][1])) || 1e-9;
    ranges[q] = [-most_, most_];
  }
  for (const q of ['curvature', 'speed', 'stress'] as const) ranges[q] = [0, ranges[q][1] || 1e-9];
  if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  return { box, ranges, start };
}

function include(box: Box3, frame: Frame, poser: Poser): void {
  const p = new Vector3();
  const add = (a: Float32Array, at: number): void => {
    if (Number.isFinite(a[at])) box.expandByPoint(p.set(a[at], a[at + 1], a[at + 2]));
  };
  for (let i = 0; i < frame.lines.length; i += lineNode) add(frame.lines, i);
  for (let i = 0; i < frame.surfaces.length; i += surfaceNode) add(frame.surfaces, i);
  for (const d of poser.points) if (d.body.count) add(frame.points, 3 * d.index);
  for (const r of poser.rigid) {
    const { primitive, size } = r.body;
    const reach = primitive === 'box' ? Math.hypot(...size) / 2 : primitive === 'cylinder' ? Math.hypot(size[0], size[1] / 2) : primitive === 'ellipsoid' ? Math.max(...size) : primitive === 'convex' ? Math.hypot(...size) : size[0] || 0;
    const at = pose * r.index;
    if (!Number.isFinite(frame.poses[at])) continue;
    p.set(frame.poses[at], frame.poses[at + 1], frame.poses[at + 2]);
    box.expandByPoint(p.clone().addScalar(reach)).expandByPoint(p.addScalar(-reach));
  }
}

function widen(range: [number, number], value: number): void {
  if (value < range[0]) range[0] = value;
  if (value > range[1]) range[1] = value;
}

function strains(poser: Poser, frame: Frame, ranges: Ranges): void {
  for (const line of poser.lines)
    for (let e = 0; e < line.body.elements; ++e)
      for (const place of places) {
        const x = strainsOf(frame.lines, line, e, place);
        widen(ranges.strain, x.strain);
        widen(ranges.curvature, x.curvature);
        widen(ranges.force, x.force);
        widen(ranges.stress, x.stress);
      }
  for (const s of poser.surfaces) {
    surfaceStrain(s.first, s.nodes, s.body.grid, frame.surfaces, ranges);
    if (s.body.young > 0) surfaceStress(s, frame.surfaces, ranges);
  }
}

interface Strains {
  strain: number;
  curvature: number;
  force: number;
  stress: number; // where it is largest
}

/** Derivatives of the shape functions of lines at s, for the difference of the ends over the length and their slopes. */
interface Weights {
  slope: number[];
  bend: number[];
}
const slopes = [2, 1, 3].map((k) => derivativeOf(lineShapes[k])); // S1' = -S3'
const weightsAt = (s: number): Weights => ({
  slope: slopes.map((p) => valueOf(p, s)),
  bend: slopes.map((p) => valueOf(derivativeOf(p), s)),
});
const places = [0, 0.5, 1].map((s) => ({ s, weights: weightsAt(s) }));
const gauss = [-0.7745966692414834, 0, 0.7745966692414834].map((x) => ({ x, w: x ? 5 / 18 : 4 / 9, weights: weightsAt(0.5 + 0.5 * x) }));

/** As in the shader of lines. */
function strainsOf(n: Float32Array, line: LineBody, element: number, { s, weights }: (typeof places)[number]): Strains {
  const a = lineNode * (line.first + element);
  const b = a + lineNode;
  const l = line.body.elementLength;
  const d = [0, 1, 2].map((k) => (n[b + k] - n[a + k]) / l);
  const combine = (w: number[]): number[] => d.map((v, k) => w[0] * v + w[1] * n[a + 4 + k] + w[2] * n[b + 4 + k]);
  const slope = (w: Weights): number[] => (line.straight ? d : combine(w.slope));
  const strainAt = (w: Weights): number => (slope(w).reduce((sum, v) => sum + v * v, 0) - 1) / 2;
  const strain = gauss.reduce((sum, g) => sum + g.w * (1 + 3 * g.x * (2 * s - 1)) * strainAt(g.weights), 0);
  const [x, y, z] = slope(weights);
  const [xx, yy, zz] = line.straight ? [0, 0, 0] : combine(weights.bend).map((v) => v / l);
  const stretch = Math.hypot(x, y, z) || 1;
  const k = [y * zz - z * yy, z * xx - x * zz, x * yy - y * xx].map((v) => v / stretch ** 3);
  const curvature = Math.hypot(...k);
  const mixed = (at: number): number => n[a + at] + s * (n[b + at] - n[a + at]);
  const about = (at: number): number => k.reduce((sum, v, i) => sum + v * mixed(at + i), 0);
  const coupling = couplingOf(line.body, element, element + 1);
  const axial = strain * stretch + (coupling * curvature * curvature) / stretch; // N/EA
  const [ky, kz] = [Math.abs(about(8)) * mixed(11), Math.abs(about(12)) * mixed(7)];
  const bend = line.body.section === 'circle' ? Math.hypot(ky, kz) : ky + kz;
  return { strain, curvature, force: mixed(15) * axial, stress: stressOf(line) * (Math.abs(axial) + bend) };
}

function surfaceStrain(first: number, nodes: number, grid: number[], n: Float32Array, ranges: Ranges): void {
  const normal = (i: number): Vector3 => {
    const at = surfaceNode * (first + i);
    return new Vector3(n[at + 4], n[at + 5], n[at + 6]).cross(new Vector3(n[at + 8], n[at + 9], n[at + 10])).normalize();
  };
  const place = (i: number): Vector3 => new Vector3().fromArray(n, surfaceNode * (first + i));
  for (let i = 0; i < nodes; ++i) {
    const at = surfaceNode * (first + i);
    let [e, f, g] = [-0.5, -0.5, 0];
    for (let k = 0; k < 3; ++k) {
      e += n[at + 4 + k] ** 2 / 2;
      f += n[at + 8 + k] ** 2 / 2;
      g += (n[at + 4 + k] * n[at + 8 + k]) / 2;
    }
    const d = Math.sqrt((e - f) ** 2 / 4 + g * g);
    widen(ranges.strain, (e + f) / 2 + (e + f >= 0 ? d : -d));
    for (const next of [(i + 1) % (grid[0] + 1) ? i + 1 : -1, i + grid[0] + 1 < nodes ? i + grid[0] + 1 : -1])
      if (next > 0) widen(ranges.curvature, normal(next).distanceTo(normal(i)) / (place(next).distanceTo(place(i)) || 1));
  }
}

/** In the middle of every element: strains from the lines between the middles of its edges, curvatures from the normals there. */
function surfaceStress({ first, body }: SurfaceBody, n: Float32Array, ranges: Ranges): void {
  const { grid, edges, young, poisson, size } = body;
  const vector = (node: number, at: number): Vector3 => new Vector3().fromArray(n, surfaceNode * (first + node) + at);
  const normal = (node: number): Vector3 => vector(node, 4).cross(vector(node, 8)).normalize();
  for (let j = 0; j < grid[1]; ++j)
    for (let i = 0; i < grid[0]; ++i) {
      const sw = i + (grid[0] + 1) * j;
      const corners = [sw, sw + 1, sw + grid[0] + 1, sw + grid[0] + 2];
      const change = (of: (node: number) => Vector3, sign: number[], length: number): Vector3 =>
        corners.reduce((sum, c, k) => sum.addScaledVector(of(c), sign[k] / (2 * length)), new Vector3());
      const r = (node: number): Vector3 => vector(node, 0);
      const [west, south] = [[-1, 1, -1, 1], [-1, -1, 1, 1]];
      const [x, y] = [change(r, west, edges[0]), change(r, south, edges[1])];
      const [nx, ny] = [change(normal, west, edges[0]), change(normal, south, edges[1])];
      const half = size[0] / 2;
      // the chord of an arc of curvature k and length l is shorter by (k l)^2/24
      const arc = (v: Vector3, l: number): number => (v.lengthSq() * l * l) / 24;
      const membrane = [(x.lengthSq() - 1) / 2 + arc(nx, edges[0]), (y.lengthSq() - 1) / 2 + arc(ny, edges[1]), x.dot(y) / 2];
      for (const side of [half, -half]) {
        const e = [membrane[0] + side * nx.dot(x), membrane[1] + side * ny.dot(y), membrane[2] + (side * (nx.dot(y) + ny.dot(x))) / 2];
        const c = young / (1 - poisson * poisson);
        const t = [c * (e[0] + poisson * e[1]), c * (e[1] + poisson * e[0]), c * (1 - poisson) * e[2]];
        widen(ranges.stress, Math.sqrt(t[0] ** 2 - t[0] * t[1] + t[1] ** 2 + 3 * t[2] ** 2));
      }
    }
}

/** Largest speed, from neighboring rows at some times. */
async function speeds(result: Result, poser: Poser, ranges: Ranges): Promise<void> {
  const [a, b] = [poser.frame(), poser.frame()];
  const pairs = Math.max(0, Math.min(12, result.rows - 1));
  const wanted = Array.from({ length: pairs }, (_, k) => Math.floor((k * (result.rows - 2)) / Math.max(1, pairs - 1)));
  const fetched = await Promise.all(
    (result.coordinates.width ? wanted : []).map(async (first) => ({
      dt: result.time[first + 1] - result.time[first],
      rows: await result.source.coordinates(result.index, { first, count: 2, stride: 1 }),
    })),
  );
  for (const { dt, rows } of fetched) {
    if (!(dt > 0)) continue;
    poser.fill(rows.subarray(0, rows.length / 2), a);
    poser.fill(rows.subarray(rows.length / 2), b);
    for (const [x, y, step] of [[a.lines, b.lines, lineNode], [a.surfaces, b.surfaces, surfaceNode], [a.poses, b.poses, pose]] as const)
      for (let i = 0; i < x.length; i += step)
        widen(ranges.speed, Math.hypot(y[i] - x[i], y[i + 1] - x[i + 1], y[i + 2] - x[i + 2]) / dt);
  }
}
