// What is under the pointer.

import { lineNode } from './line_nodes';
import { surfaceNode } from './pose';
import type { ResultScene } from './result_scene';
import type { Stage } from './stage';

const reach = 9; // pixels

export function pick(stage: Stage, scene: ResultScene, x: number, y: number): number {
  let best = -1;
  let nearest = reach;
  const near = (id: number, distance: number): void => {
    if (distance < nearest) [nearest, best] = [distance, id];
  };
  for (const s of [...scene.symbols.places(scene.frame), ...scene.rigid.rodEnds(scene.frame)])
    near(s.id, pathDistance(stage, s.points, x, y));
  if (best >= 0) return best;
  const hit = stage.ray(x, y).intersectObjects(scene.rigid.meshes, false)[0];
  if (hit) return scene.rigid.idOf(hit.object, hit.instanceId ?? -1);
  for (const line of scene.poser.lines) {
    const points = Array.from({ length: line.nodes }, (_, i) => scene.frame.lines.subarray(lineNode * (line.first + i)));
    near(line.id, pathDistance(stage, points, x, y));
  }
  if (best >= 0) return best;
  for (const s of scene.poser.surfaces) {
    const [nx, ny] = s.body.grid;
    const at = (i: number, j: number): [number, number] | undefined =>
      stage.project(scene.frame.surfaces.subarray(surfaceNode * (s.first + i + (nx + 1) * j)));
    for (let j = 0; j < ny; ++j)
      for (let i = 0; i < nx; ++i) {
        const corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        if (corners.every((c) => c !== undefined) && inside(corners, x, y)) return s.id;
      }
  }
  return -1;
}

function pathDistance(stage: Stage, points: ArrayLike<number>[], x: number, y: number): number {
  let least = Infinity;
  let before: [number, number] | undefined;
  for (const p of points) {
    const here = stage.project(p);
    if (here) least = Math.min(least, before ? segment(before, here, x, y) : Math.hypot(here[0] - x, here[1] - y));
    before = here;
  }
  return least;
}

function segment(a: [number, number], b: [number, number], x: number, y: number): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const f = Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(a[0] + f * dx - x, a[1] + f * dy - y);
}

function inside(polygon: [number, number][], x: number, y: number): boolean {
  let odd = false;
  polygon.forEach(([ax, ay], i) => {
    const [bx, by] = polygon[(i + 1) % polygon.length];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) odd = !odd;
  });
  return odd;
}
