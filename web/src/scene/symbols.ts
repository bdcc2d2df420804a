// Joints, supports, loads, springs and recorded points as symbols that keep their size on the screen.

import {
  BoxGeometry, BufferGeometry, Camera, Color, ConeGeometry, CylinderGeometry, Group, Curve, OctahedronGeometry,
  IcosahedronGeometry, Quaternion, TubeGeometry, Vector3,
} from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Force, Joint, Marker, Output, Result } from '../data/result';
import type { Markers } from './markers';
import type { Frame } from './pose';
import { alongX } from './rigid';
import { Guides } from './guides';
import { Ropes } from './ropes';
import type { Shared } from './shading';
import { Solids } from './solids';

const axisX = new Vector3(1, 0, 0);
const jointColor = new Color('#d9822b');
const groundColor = new Color('#7b8794');
const forceColor = new Color('#cf3f4f');
const momentColor = new Color('#b0447f');
const springColor = new Color('#3f9d6d');
const outputColor = new Color('#8a4fd0');

/** Ids of symbols: far from those of bodies. */
export const symbolIds = { joint: 1_000_000, force: 2_000_000, output: 3_000_000, surface: 4_000_000 };

interface Symbol {
  id: number;
  marker: Marker;
  direction?: { marker: Marker; axis: number[] } | { fixed: Vector3 };
  size: [number, number, number]; // pixels
  load?: Force; // an arrow that follows what it is at the row
  normal?: boolean; // an arrow along the normal of the surface that the marker is on
}

interface Kind {
  solids: Solids;
  list: Symbol[];
}

export class Symbols {
  readonly group = new Group();
  private readonly kinds: Kind[] = [];
  private readonly springs: { solids: Solids; list: Force[] };
  private readonly ropes: Ropes;
  private readonly guides: Guides;
  scale = 1;
  hidden = new Set<number>(); // ids

  constructor(
    private readonly result: Result,
    private readonly markers: Markers,
    shared: Shared,
    up: Vector3,
    private readonly start: Frame,
  ) {
    const add = (geometry: BufferGeometry, color: Color, list: Symbol[]): void => {
      if (!list.length) return;
      const solids = new Solids(geometry, list.map((s) => s.id), shared, true);
      list.forEach((_, i) => solids.color(i, color));
      this.kinds.push({ solids, list });
      this.group.add(solids.mesh);
    };
    const joints = result.joints.map((joint, i) => ({ joint, id: symbolIds.joint + i })).filter((j) => drawable(j.joint));
    const of = (...kinds: string[]): Symbol[] => joints.filter((j) => kinds.includes(j.joint.kind)).map(jointSymbol);
    add(alongX(new CylinderGeometry(1, 1, 1, 14)), jointColor, of('revolute', 'cylindrical'));
    add(new IcosahedronGeometry(1, joints.length > 12 ? 1 : 2), jointColor, of('spherical'));
    add(new BoxGeometry(1, 1, 1), jointColor, of('prismatic', 'fixed', 'planar', 'knife-edge'));
    const named = ['revolute', 'cylindrical', 'spherical', 'prismatic', 'fixed', 'planar', 'knife-edge'];
    add(new OctahedronGeometry(1), jointColor, joints.filter((j) => !named.includes(j.joint.kind)).map(jointSymbol));
    const down = up.clone().negate();
    add(
      alongX(new ConeGeometry(1, 1, 4)).translate(-0.5, 0, 0),
      groundColor,
      joints.filter((j) => j.joint.markers.some((m) => m.body === 'ground') && !travels(j.joint)).map(({ joint, id }) => ({
        id,
        marker: joint.markers.find((m) => m.body !== 'ground') ?? joint.markers[0],
        direction: { fixed: down.clone().negate() },
        size: [16, 9, 9],
      })),
    );
    add(arrow(), forceColor, [...loadSymbols(result, 'force'), ...pressureSymbols(result)]);
    add(arrow(2), momentColor, loadSymbols(result, 'moment'));
    add(new BoxGeometry(1, 1, 1), groundColor, stopSymbols(result));
    add(new IcosahedronGeometry(1, 1), outputColor, outputSymbols(result.outputs));

    const springs = result.forces.filter((f) => f.kind === 'spring' && f.markers.length === 2);
    const ids = springs.map((f) => symbolIds.force + result.forces.indexOf(f));
    this.springs = { solids: new Solids(coil(), ids, shared, true), list: springs };
    springs.forEach((_, i) => this.springs.solids.color(i, springColor));
    this.group.add(this.springs.solids.mesh);
    const ropes = result.forces.filter((f) => f.radii.length > 0);
    this.ropes = new Ropes(ropes, ropes.map((f) => symbolIds.force + result.forces.indexOf(f)), markers, shared, start);
    this.group.add(this.ropes.group);
    this.guides = new Guides(result.joints, result.forces, symbolIds.joint, markers, shared, start, result.planar);
    this.group.add(this.guides.group);
  }

  /** row: what is drawn; pixels: of a unit length at unit distance from the camera. */
  update(frame: Frame, row: number, camera: Camera, pixels: number): void {
    const [r, turn, x] = [new Vector3(), new Quaternion(), new Vector3()];
    const eye = camera.position;
    for (const { solids, list } of this.kinds)
      list.forEach((s, i) => {
        r.set(...this.markers.at(s.marker, frame));
        const unit = (this.scale * Math.max(1e-9, r.distanceTo(eye))) / pixels;
        let share = this.hidden.has(s.id) ? 0 : 1;
        if (s.load && share) share = this.turnLoad(s.load, row, frame, turn);
        else if (s.normal) {
          turn.setFromUnitVectors(axisX, this.normal(s.marker, frame, x));
          r.addScaledVector(x, s.size[0] * unit); // it starts at the surface
        }
        else if (!s.direction) turn.identity();
        else if ('fixed' in s.direction) turn.setFromUnitVectors(axisX, s.direction.fixed);
        else {
          x.set(...this.markers.direction(s.direction.marker, s.direction.axis, frame, this.start)).normalize();
          turn.setFromUnitVectors(axisX, x);
        }
        solids.place(i, r.toArray(), turn, [s.size[0] * unit * share, s.size[1] * unit * Math.min(1, 2 * share), s.size[2] * unit * Math.min(1, 2 * share)]);
      });
    this.springs.list.forEach((f, i) => {
      r.set(...this.markers.at(f.markers[0], frame));
      x.set(...this.markers.at(f.markers[1], frame)).sub(r);
      const length = x.length();
      turn.setFromUnitVectors(axisX, x.normalize());
      const unit = this.hidden.has(symbolIds.force + this.result.forces.indexOf(f)) ? 0 : (this.scale * 7 * r.distanceTo(eye)) / pixels;
      this.springs.solids.place(i, r.toArray(), turn, [length, unit, unit]);
    });
    this.ropes.update(frame, camera, pixels, this.scale);
    this.guides.update(frame, camera, pixels, this.scale);
  }

  /** r_x x r_y of a surface, by differences. */
  private normal(marker: Marker, frame: Frame, out: Vector3): Vector3 {
    const at = (s: number, h: number): Vector3 => new Vector3(...this.markers.at({ ...marker, local: [s, h, 0] }, frame));
    const [s, h] = marker.local;
    return out.crossVectors(at(s + 0.1, h).sub(at(s - 0.1, h)), at(s, h + 0.1).sub(at(s, h - 0.1))).normalize();
  }

  /** The largest force and the largest moment of the model, whose arrows have the full length. */
  largestLoad(kind: string): number {
    return Math.max(0, ...this.result.forces.filter((f) => f.kind === kind).map((f) => f.largest));
  }

  /** Turn an arrow along a load; its share of the full length. */
  private turnLoad(force: Force, row: number, frame: Frame, turn: Quaternion): number {
    const f = this.result.forceAt(force, row);
    const size = Math.hypot(...f);
    if (!(size > 0 && force.largest > 0)) return 0;
    const now = force.follower ? this.markers.direction(force.markers[0], f, frame, this.start) : f;
    turn.setFromUnitVectors(axisX, new Vector3(...now).normalize());
    return size / this.largestLoad(force.kind);
  }

  /** Where the symbols are, for picking. */
  places(frame: Frame): { id: number; marker: Marker; points: [number, number, number][] }[] {
    return [
      ...this.kinds.flatMap((k) => k.list.map((s) => ({ id: s.id, marker: s.marker, points: [this.markers.at(s.marker, frame)] }))),
      ...this.springs.list.map((f) => ({
        id: symbolIds.force + this.result.forces.indexOf(f),
        marker: f.markers[0],
        points: f.markers.map((m) => this.markers.at(m, frame)),
      })),
    ];
  }

  dispose(): void {
    for (const k of [...this.kinds, this.springs]) k.solids.dispose();
    this.ropes.dispose();
    this.guides.dispose();
  }
}

function drawable(joint: Joint): boolean {
  return joint.points <= 1 && joint.markers.length === 2 && joint.markers[1].body !== '' && joint.kind !== 'coordinate';
}

/** Does the second body move along the first, so that the ground is no support of it? */
function travels(joint: Joint): boolean {
  return ['cam', 'point-on-curve', 'rolling', 'knife-edge', 'sliding'].includes(joint.kind);
}

function jointSymbol({ joint, id }: { joint: Joint; id: number }): Symbol {
  const marker = joint.markers[1].body === 'ground' ? joint.markers[0] : joint.markers[1];
  const carrier = joint.markers.find((m) => m.body !== 'ground') ?? marker;
  const size: Record<string, [number, number, number]> = {
    revolute: [13, 4.5, 4.5],
    cylindrical: [22, 4, 4],
    spherical: [5, 5, 5],
    prismatic: [20, 8, 8],
    fixed: [9, 9, 9],
    planar: [3, 18, 18],
    'knife-edge': [3, 26, 26], // its axis is across the edge
    rolling: [3, 3, 3],
  };
  return { id, marker, direction: { marker: carrier, axis: joint.axis }, size: size[joint.kind] ?? [6, 6, 6] };
}

export const loadLength = 46; // of the arrow of the largest load [pixels]

function loadSymbols(result: Result, kind: string): Symbol[] {
  return result.forces.flatMap((force, i) => {
    if (force.kind !== kind || !force.markers.length) return [];
    return [{ id: symbolIds.force + i, marker: force.markers[0], load: force, size: [loadLength, 8, 8] as [number, number, number] }];
  });
}

/** Stops of a slider: plates where its point is at the limits, fixed to the first body. */
function stopSymbols(result: Result): Symbol[] {
  return result.forces.flatMap((force, i) => {
    const joint = result.joints.find((j) => force.joints.length === 1 && j.name === force.joints[0]);
    if (joint?.kind !== 'prismatic' || joint.markers[0].body !== 'ground') return [];
    return force.limits.map((limit): Symbol => {
      const at = joint.markers[1].position.map((x, k) => x + limit * joint.axis[k]) as [number, number, number];
      const marker: Marker = { ...joint.markers[0], position: at };
      return { id: symbolIds.force + i, marker, direction: { fixed: new Vector3(...joint.axis).normalize() }, size: [3, 26, 26] };
    });
  });
}

/** A pressure: arrows over its surface, in the direction in which it pushes where it is positive. */
function pressureSymbols(result: Result): Symbol[] {
  return result.forces.flatMap((force, i) => {
    const surface = result.bodies.find((b) => b.name === (force.on || force.markers[0]?.body) && b.primitive === 'surface');
    if (force.kind !== 'pressure' || !surface) return [];
    const [nx, ny] = surface.grid;
    const places = [1 / 6, 1 / 2, 5 / 6];
    return places.flatMap((x) =>
      places.map((y): Symbol => {
        const [ix, iy] = [Math.min(nx - 1, Math.floor(x * nx)), Math.min(ny - 1, Math.floor(y * ny))];
        const marker: Marker = { body: surface.name, element: ix + nx * iy, local: [x * nx - ix, y * ny - iy, 0], position: [0, 0, 0] };
        return { id: symbolIds.force + i, marker, normal: true, size: [30, 6, 6] };
      }),
    );
  });
}

function outputSymbols(outputs: Output[]): Symbol[] {
  return outputs.flatMap((o, i) =>
    o.marker && o.kind === 'point' ? [{ id: symbolIds.output + i, marker: o.marker, size: [3.2, 3.2, 3.2] as [number, number, number] }] : [],
  );
}

/** An arrow that ends at the origin, one long, along x; moments have two heads. */
export function arrow(heads = 1): BufferGeometry {
  const tips = Array.from({ length: heads }, (_, k) => alongX(new ConeGeometry(0.5, 0.3, 14)).translate(-0.15 - 0.22 * k, 0, 0));
  const shaft = alongX(new CylinderGeometry(0.14, 0.14, 0.7, 10)).translate(-0.65, 0, 0);
  return mergeGeometries([...tips, shaft]);
}

class Helix extends Curve<Vector3> {
  constructor(private readonly turns: number) {
    super();
  }

  override getPoint(t: number, target = new Vector3()): Vector3 {
    const a = 2 * Math.PI * this.turns * t;
    return target.set(0.1 + 0.8 * t, Math.cos(a), Math.sin(a));
  }
}

/** A spring from 0 to 1 along x, with straight ends. It is stretched along x, so its wire is flat there. */
function coil(): BufferGeometry {
  const [path, steps, around] = [new Helix(9), 180, 6];
  const wire = new TubeGeometry(path, steps, 0.16, around);
  const points = wire.getAttribute('position');
  for (let i = 0; i < points.count; ++i) {
    const x = path.getPointAt(Math.floor(i / (around + 1)) / steps).x;
    points.setX(i, x + 0.06 * (points.getX(i) - x));
  }
  const ends = [0.05, 0.95].map((x) => alongX(new CylinderGeometry(0.2, 0.2, 0.1, 8)).translate(x, 0, 0));
  return mergeGeometries([wire, ...ends]);
}
