// Ropes through pulleys and belts: free spans and arcs as thin rods, pulleys as rings. The path is that of force/rope_path.c.

import { Camera, Color, CylinderGeometry, Group, Quaternion, TorusGeometry, Vector3 } from 'three';
import type { Force, Marker } from '../data/result';
import type { Markers } from './markers';
import type { Frame } from './pose';
import { alongX } from './rigid';
import type { Shared } from './shading';
import { Solids } from './solids';

const axisX = new Vector3(1, 0, 0);
const ropeColor = new Color('#b8863b');
const wheelColor = new Color('#8d99a6');
const arcPieces = 16;

/** Points of the rope over circles of signed radii (0: a point; positive: counterclockwise about the axis). */
export function ropePath(centers: Vector3[], radii: number[], closed: boolean, axis: Vector3): Vector3[] {
  const e1 = new Vector3(Math.abs(axis.x) < 0.6 ? 1 : 0, Math.abs(axis.x) < 0.6 ? 0 : 1, 0);
  e1.addScaledVector(axis, -e1.dot(axis)).normalize();
  const e2 = new Vector3().crossVectors(axis, e1);
  const on = (k: number, angle: number): Vector3 =>
    centers[k].clone().addScaledVector(e1, radii[k] * Math.sin(angle)).addScaledVector(e2, -radii[k] * Math.cos(angle));
  const count = centers.length;
  const spans = closed ? count : count - 1;
  const angles = Array.from({ length: spans }, (_, i) => {
    const d = centers[(i + 1) % count].clone().sub(centers[i]);
    const [x, y, b] = [d.dot(e1), d.dot(e2), radii[(i + 1) % count] - radii[i]];
    return Math.atan2(y, x) - Math.atan2(b, Math.sqrt(Math.max(0, x * x + y * y - b * b)));
  });
  const points: Vector3[] = [];
  for (let i = 0; i < spans; ++i) {
    const k = (i + 1) % count;
    points.push(on(i, angles[i]), on(k, angles[i]));
    const next = i + 1 < spans ? i + 1 : closed ? 0 : -1;
    if (next < 0 || radii[k] === 0) continue;
    const turn = 2 * Math.PI;
    const wrap = ((Math.sign(radii[k]) * (angles[next] - angles[i])) % turn + turn) % turn;
    for (let j = 1; j < arcPieces; ++j) points.push(on(k, angles[i] + (Math.sign(radii[k]) * wrap * j) / arcPieces));
    if (closed && next === 0) points.push(points[0].clone());
  }
  return points;
}

function pieces(rope: Force): number {
  return rope.markers.length * (arcPieces + 1) + 1;
}

export class Ropes {
  readonly group = new Group();
  private readonly rods: Solids;
  private readonly wheels: Solids;

  constructor(
    private readonly ropes: Force[],
    ids: number[],
    private readonly markers: Markers,
    shared: Shared,
    private readonly start: Frame,
  ) {
    const rodIds = ropes.flatMap((r, i) => Array<number>(pieces(r)).fill(ids[i]));
    const wheelIds = ropes.flatMap((r, i) => r.radii.filter(Boolean).map(() => ids[i]));
    this.rods = new Solids(alongX(new CylinderGeometry(1, 1, 1, 8)).translate(0.5, 0, 0), rodIds, shared, true);
    this.wheels = new Solids(new TorusGeometry(1, 0.05, 8, 48).rotateY(Math.PI / 2), wheelIds, shared, true);
    rodIds.forEach((_, i) => this.rods.color(i, ropeColor));
    wheelIds.forEach((_, i) => this.wheels.color(i, wheelColor));
    this.group.add(this.rods.mesh, this.wheels.mesh);
  }

  /** unit: length of a pixel at a point. */
  update(frame: Frame, camera: Camera, pixels: number, scale: number): void {
    const [turn, x] = [new Quaternion(), new Vector3()];
    let [rod, wheel] = [0, 0];
    for (const rope of this.ropes) {
      const centers = rope.markers.map((m) => new Vector3(...this.markers.at(m, frame)));
      const axis = new Vector3(...this.markers.direction({ body: rope.frame } as Marker, rope.axis, frame, this.start)).normalize();
      const points = ropePath(centers, rope.radii, rope.closed, axis);
      const end = rod + pieces(rope);
      for (let i = 0; rod < end; ++i, ++rod) {
        const from = points[Math.min(i, points.length - 1)];
        x.copy(points[Math.min(i + 1, points.length - 1)]).sub(from);
        const length = x.length();
        const thick = length > 0 ? (scale * 1.6 * from.distanceTo(camera.position)) / pixels : 0;
        turn.setFromUnitVectors(axisX, length > 0 ? x.normalize() : axisX);
        this.rods.place(rod, from.toArray(), turn, [length, thick, thick]);
      }
      turn.setFromUnitVectors(axisX, axis);
      rope.radii.forEach((r, k) => {
        if (r !== 0) this.wheels.place(wheel++, centers[k].toArray(), turn, [Math.abs(r), Math.abs(r) / 1.05, Math.abs(r) / 1.05]);
      });
    }
  }

  dispose(): void {
    this.rods.dispose();
    this.wheels.dispose();
  }
}
