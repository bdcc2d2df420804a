// Curves that joints follow (cam profiles, wires), and the disks, rollers and spheres that roll: as thin rods and rings.

import { Camera, Color, CylinderGeometry, Group, Quaternion, TorusGeometry, Vector3 } from 'three';
import type { Force, Joint } from '../data/result';
import type { Markers } from './markers';
import type { Frame } from './pose';
import { alongX } from './rigid';
import type { Shared } from './shading';
import { Solids } from './solids';

const axisX = new Vector3(1, 0, 0);
const curveColor = new Color('#8d99a6');
const wheelColor = new Color('#d9822b');
const spokes = 3;

/** Axes of the rings of a joint, at the start: one of a disk, three of a sphere. */
export function ringAxes(joint: Joint, planar: boolean): Vector3[] {
  if (!(joint.radius > 0) || !joint.markers[1]?.body) return [];
  const axis = new Vector3(...joint.axis);
  if (axis.length() > 0) return [axis.normalize()];
  return planar ? [new Vector3(0, 0, 1)] : [axisX.clone(), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
}

function across(axis: Vector3): [Vector3, Vector3] {
  const e = new Vector3(Math.abs(axis.x) < 0.6 ? 1 : 0, Math.abs(axis.x) < 0.6 ? 0 : 1, 0);
  e.addScaledVector(axis, -e.dot(axis)).normalize();
  return [e, new Vector3().crossVectors(axis, e)];
}

/** Wheels of stops between two rotations, gears with backlash: their radii are in the ratio of the factors and fill the
 * distance of their axes. */
export function wheelsOf(force: Force, joints: Joint[]): Joint[] {
  const pair = force.joints.map((name) => joints.find((j) => j.name === name));
  const [a, b] = pair;
  if (pair.length !== 2 || force.factors.length !== 2 || !a || !b || a.kind !== 'revolute' || b.kind !== 'revolute') return [];
  const distance = new Vector3(...a.markers[1].position).distanceTo(new Vector3(...b.markers[1].position));
  const [f, g] = force.factors;
  const sum = f * g > 0 ? Math.abs(f) + Math.abs(g) : Math.abs(Math.abs(f) - Math.abs(g));
  if (!(distance > 0 && sum > 0)) return [];
  return [a, b].map((j, i) => ({ ...j, radius: (distance * Math.abs(force.factors[i])) / sum, curve: [] }));
}

interface Wheel {
  joint: Joint;
  axis: Vector3;
  spokes: Vector3[];
}

export class Guides {
  readonly group = new Group();
  private readonly curves: Joint[];
  private readonly wheels: Wheel[];
  private readonly rods: Solids;
  private readonly rings: Solids;

  constructor(
    all: Joint[],
    forces: Force[],
    firstId: number,
    private readonly markers: Markers,
    shared: Shared,
    private readonly start: Frame,
    planar: boolean,
  ) {
    const wheels = forces.flatMap((f) => wheelsOf(f, all));
    const joints = [...all, ...wheels];
    this.curves = joints.filter((j) => j.curve.length > 1);
    this.wheels = joints.flatMap((joint) =>
      ringAxes(joint, planar).map((axis, _, axes) => {
        const [e1, e2] = across(axis);
        const turn = (k: number): number => (2 * Math.PI * k) / spokes;
        const list = Array.from({ length: axes.length > 1 ? 0 : spokes }, (__, k) =>
          e1.clone().multiplyScalar(Math.cos(turn(k))).addScaledVector(e2, Math.sin(turn(k))),
        );
        return { joint, axis, spokes: list };
      }),
    );
    const id = (j: Joint): number => firstId + all.findIndex((other) => other.name === j.name);
    const curveIds = this.curves.flatMap((j) => Array<number>(j.curve.length - 1).fill(id(j)));
    const spokeIds = this.wheels.flatMap((w) => w.spokes.map(() => id(w.joint)));
    const rod = alongX(new CylinderGeometry(1, 1, 1, 8)).translate(0.5, 0, 0);
    this.rods = new Solids(rod, [...curveIds, ...spokeIds], shared, true);
    this.rings = new Solids(new TorusGeometry(1, 0.03, 8, 64).rotateY(Math.PI / 2), this.wheels.map((w) => id(w.joint)), shared, true);
    curveIds.forEach((_, i) => this.rods.color(i, curveColor));
    spokeIds.forEach((_, i) => this.rods.color(curveIds.length + i, wheelColor));
    this.wheels.forEach((_, i) => this.rings.color(i, wheelColor));
    this.group.add(this.rods.mesh, this.rings.mesh);
  }

  update(frame: Frame, camera: Camera, pixels: number, scale: number): void {
    const [turn, x] = [new Quaternion(), new Vector3()];
    let count = 0;
    const rod = (from: Vector3, to: Vector3, width: number): void => {
      x.copy(to).sub(from);
      const length = x.length();
      const thick = (scale * width * from.distanceTo(camera.position)) / pixels;
      turn.setFromUnitVectors(axisX, length > 0 ? x.normalize() : axisX);
      this.rods.place(count++, from.toArray(), turn, [length, thick, thick]);
    };
    for (const joint of this.curves) {
      const points = this.curveAt(joint, frame);
      for (let i = 0; i + 1 < points.length; ++i) rod(points[i], points[i + 1], 1.4);
    }
    this.wheels.forEach(({ joint, axis, spokes: list }, i) => {
      const carrier = joint.markers[1];
      const center = new Vector3(...this.markers.at(carrier, frame));
      const now = (v: Vector3): Vector3 => new Vector3(...this.markers.direction(carrier, v.toArray(), frame, this.start));
      for (const s of list) rod(center, now(s).multiplyScalar(joint.radius).add(center), 1);
      turn.setFromUnitVectors(axisX, now(axis).normalize());
      const size = joint.radius / 1.03;
      this.rings.place(i, center.toArray(), turn, [size, size, size]);
    });
  }

  /** The points of a curve, which moves with the first body of its joint. */
  private curveAt(joint: Joint, frame: Frame): Vector3[] {
    const carrier = joint.markers[0];
    const from = new Vector3(...this.markers.at(carrier, this.start));
    const to = new Vector3(...this.markers.at(carrier, frame));
    return joint.curve.map((p) => {
      const d = new Vector3(...p).sub(from);
      return new Vector3(...this.markers.direction(carrier, d.toArray(), frame, this.start)).add(to);
    });
  }

  dispose(): void {
    this.rods.dispose();
    this.rings.dispose();
  }
}
