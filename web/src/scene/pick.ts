// What is under the pointer.

import { Quaternion, Vector3 } from 'three';
import type { Marker } from '../data/result';
import { lineNode } from './line_nodes';
import { pose, surfaceNode } from './pose';
import type { ResultScene } from './result_scene';
import type { Stage } from './stage';
import { symbolIds } from './symbols';

const reach = 9; // pixels

export interface Picked {
  id: number;
  marker: Marker; // the point, which moves with its body
}

/** Hidden things cannot be picked. */
export function pick(stage: Stage, scene: ResultScene, x: number, y: number): Picked | undefined {
  let best: Picked | undefined;
  let nearest = reach;
  const seen = (id: number): boolean => (id < symbolIds.joint ? scene.looks.opacity(id) > 0 : !scene.symbols.hidden.has(id));
  const near = (id: number, distance: number, marker: () => Marker): void => {
    if (distance < nearest && seen(id)) [nearest, best] = [distance, { id, marker: marker() }];
  };
  if (scene.symbols.group.visible)
    for (const s of scene.symbols.places(scene.frame)) near(s.id, pathDistance(stage, s.points, x, y)[0], () => s.marker);
  for (const s of scene.rigid.rodEnds(scene.frame)) near(s.id, pathDistance(stage, s.points, x, y)[0], () => s.marker);
  if (best) return best;
  for (const hit of stage.ray(x, y).intersectObjects(scene.rigid.meshes, false)) {
    const id = scene.rigid.idOf(hit.object, hit.instanceId ?? -1);
    if (seen(id)) return { id, marker: onRigid(scene, id, hit.point.toArray()) };
  }
  for (const line of scene.poser.lines) {
    const points = Array.from({ length: line.nodes }, (_, i) => scene.frame.lines.subarray(lineNode * (line.first + i)));
    const [distance, at] = pathDistance(stage, points, x, y);
    near(line.id, distance, () => {
      const element = Math.max(0, Math.min(line.nodes - 2, Math.floor(at)));
      return { body: line.body.name, element, local: [at - element, 0, 0], position: [0, 0, 0] };
    });
  }
  if (best) return best;
  for (const s of scene.poser.surfaces) {
    const [nx, ny] = s.body.grid;
    const at = (i: number, j: number): [number, number] | undefined =>
      stage.project(scene.frame.surfaces.subarray(surfaceNode * (s.first + i + (nx + 1) * j)));
    for (let j = 0; j < ny && seen(s.id); ++j)
      for (let i = 0; i < nx; ++i) {
        const corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        if (!corners.every((c) => c !== undefined) || !inside(corners, x, y)) continue;
        return { id: s.id, marker: { body: s.body.name, element: i + nx * j, local: [...placeIn(corners, x, y), 0], position: [0, 0, 0] } };
      }
  }
  return undefined;
}

function onRigid(scene: ResultScene, id: number, point: [number, number, number]): Marker {
  const { name } = scene.result.bodies[id];
  const index = scene.poser.rigid.find((r) => r.id === id)?.index ?? 0;
  const p = scene.frame.poses.subarray(pose * index, pose * (index + 1));
  const local = new Vector3(...point).sub(new Vector3().fromArray(p)).applyQuaternion(new Quaternion(p[4], p[5], p[6], p[3]).invert());
  return { body: name, element: 0, local: local.toArray(), position: [0, 0, 0] };
}

/** Shares s, h of a quadrilateral on the screen at a point, by Newton's method. */
function placeIn([a, b, c, d]: [number, number][], x: number, y: number): [number, number] {
  let [s, h] = [0.5, 0.5];
  for (let n = 0; n < 8; ++n) {
    const at = (k: 0 | 1): number => (1 - s) * (1 - h) * a[k] + s * (1 - h) * b[k] + s * h * c[k] + (1 - s) * h * d[k];
    const ds = (k: 0 | 1): number => (1 - h) * (b[k] - a[k]) + h * (c[k] - d[k]);
    const dh = (k: 0 | 1): number => (1 - s) * (d[k] - a[k]) + s * (c[k] - b[k]);
    const det = ds(0) * dh(1) - ds(1) * dh(0) || 1;
    const [ex, ey] = [x - at(0), y - at(1)];
    [s, h] = [s + (ex * dh(1) - ey * dh(0)) / det, h + (ey * ds(0) - ex * ds(1)) / det];
  }
  return [Math.max(0, Math.min(1, s)), Math.max(0, Math.min(1, h))];
}

/** Distance of a path, and the place on it: 2.3 is between its third and fourth point. */
function pathDistance(stage: Stage, points: ArrayLike<number>[], x: number, y: number): [number, number] {
  let [least, place] = [Infinity, 0];
  let before: [number, number] | undefined;
  points.forEach((p, i) => {
    const here = stage.project(p);
    const [d, f] = !here ? [Infinity, 0] : before ? segment(before, here, x, y) : [Math.hypot(here[0] - x, here[1] - y), 1];
    if (d < least) [least, place] = [d, Math.max(0, i - 1 + f)];
    before = here;
  });
  return [least, place];
}

function segment(a: [number, number], b: [number, number], x: number, y: number): [number, number] {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const f = Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
  return [Math.hypot(a[0] + f * dx - x, a[1] + f * dy - y), f];
}

function inside(polygon: [number, number][], x: number, y: number): boolean {
  let odd = false;
  polygon.forEach(([ax, ay], i) => {
    const [bx, by] = polygon[(i + 1) % polygon.length];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) odd = !odd;
  });
  return odd;
}
