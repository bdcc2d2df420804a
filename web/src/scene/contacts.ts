// What bodies can touch, and the forces where they do, as arrows.

import { BoxGeometry, type BufferGeometry, Color, CylinderGeometry, Group, Matrix4, Quaternion, SphereGeometry, Vector3 } from 'three';
import { solidRow, solidShapes as shapes } from '../data/layouts';
import type { Result } from '../data/result';
import { textsOf } from '../data/tree';
import { pose, type Frame, type Poser, type RigidBody } from './pose';
import { alongX, hullGeometry } from './rigid';
import { hasPressure } from './colors';
import { fillPressure, type Touches } from './pressure';
import type { Shared } from './shading';
import { Solids } from './solids';
import { arrow, symbolIds } from './symbols';

const mostArrows = 400;
export const arrowLength = 60; // of the largest force [pixels]
const drawn = ['box', 'sphere', 'cylinder', 'ellipsoid', 'convex']; // bodies of these are seen themselves

const nothing: Touches = { points: new Float64Array(0), forces: new Float64Array(0), normals: new Float64Array(0), surfaces: new Float64Array(0) };
const mostTouches = 20_000; // of a row, for pressures
const sampledRows = 16; // for the largest pressure

interface Obstacle {
  surface: number;
  carrier?: RigidBody; // none: the ground
  place: Matrix4; // in the axes of the carrier, without sizes
  size: [number, number, number];
}

export class Contacts {
  readonly group = new Group();
  private readonly solids: { solids: Solids; list: Obstacle[] }[] = [];
  private readonly arrows: Solids;
  private count = new Float64Array(0);
  private first = new Float64Array(0);
  private shown: Touches & { row: number } = { row: -1, ...nothing };
  pressed = false; // pressures are shown
  readonly grounds: { surface: number; point: Vector3; normal: Vector3 }[] = []; // planes that do not move
  private asked = -1;
  private arrival: Promise<void> = Promise.resolve();
  private largest = 0;

  constructor(
    private readonly result: Result,
    private readonly poser: Poser,
    private readonly shared: Shared,
    private readonly reach: number,
    private readonly onArrival: () => void,
  ) {
    this.arrows = new Solids(arrow(), Array.from({ length: mostArrows }, () => -2), shared, true);
    for (let i = 0; i < mostArrows; ++i) this.arrows.color(i, new Color('#cf3f4f'));
    this.arrows.mesh.count = 0;
    this.group.add(this.arrows.mesh);
  }

  async load(): Promise<void> {
    const { datasets } = this.result.group('contacts');
    const rows = datasets['solids']?.shape?.[0] ?? 0;
    if (rows) this.makeObstacles(await this.result.table('/contacts/solids', rows));
    const corners = datasets['triangles']?.shape?.[0] ?? 0;
    if (corners) this.makeHulls(await this.result.table('/contacts/triangles', corners));
    await this.grow();
  }

  /** How many contacts every row has, and where they begin. */
  async grow(): Promise<void> {
    if (!this.result.group('contacts').datasets['count'] || !this.result.rows) return;
    this.count = await this.result.table('/contacts/count', this.result.rows);
    this.first = await this.result.table('/contacts/first', this.result.rows);
  }

  private makeObstacles(table: Float64Array): void {
    const bodies = textsOf(this.result.group('contacts'), 'bodies');
    const lists = new Map<string, Obstacle[]>();
    const add = (kind: string, o: Obstacle): unknown => lists.set(kind, [...(lists.get(kind) ?? []), o]);
    for (let row = 0; row < table.length; row += solidRow.width) {
      const name = bodies[table[row + solidRow.surface]];
      const carrier = this.poser.rigid.find((r) => r.body.name === name);
      if (name !== 'ground' && (!carrier || drawn.includes(carrier.body.primitive))) continue;
      const center = new Vector3().fromArray(table, row + solidRow.center);
      const x = new Vector3().fromArray(table, row + solidRow.axis);
      const y = new Vector3().fromArray(table, row + solidRow.axis + 3);
      const surface = table[row + solidRow.surface];
      const place = new Matrix4().makeBasis(x, y, x.clone().cross(y)).setPosition(center);
      const half = table.subarray(row + solidRow.half, row + solidRow.half + 3);
      const shape = table[row + solidRow.shape];
      if (shape === shapes.plane && name === 'ground') this.grounds.push({ surface, point: center, normal: x });
      if (shape === shapes.sphere) add('sphere', { surface, carrier, place: place.identity().setPosition(center), size: [half[0], half[0], half[0]] });
      if (shape === shapes.ellipsoid) add('sphere', { surface, carrier, place, size: [half[0], half[1], half[2]] });
      if (shape === shapes.box) add('box', { surface, carrier, place, size: [2 * half[0], 2 * half[1], 2 * half[2]] });
      if (shape === shapes.plane) add('box', { surface, carrier, place: place.multiply(new Matrix4().makeTranslation(-0.001 * this.reach, 0, 0)), size: [0.002 * this.reach, 1.4 * this.reach, 1.4 * this.reach] });
      if (shape === shapes.cylinder || shape === shapes.capsule) add('cylinder', { surface, carrier, place, size: [2 * half[0], half[1], half[1]] });
      if (shape === shapes.capsule)
        for (const end of [-1, 1])
          add('sphere', { surface, carrier, place: place.clone().multiply(new Matrix4().makeTranslation(end * half[0], 0, 0)), size: [half[1], half[1], half[1]] });
    }
    const geometries = { sphere: new SphereGeometry(1, 24, 16), box: new BoxGeometry(1, 1, 1), cylinder: alongX(new CylinderGeometry(1, 1, 1, 32)) };
    for (const [kind, list] of lists) {
      this.add(geometries[kind as keyof typeof geometries], list);
    }
  }

  /** Convex hulls of the ground and of bodies that are not drawn as solids. */
  private makeHulls(table: Float64Array): void {
    const bodies = textsOf(this.result.group('contacts'), 'bodies');
    for (let first = 0, last = 0; first < table.length; first = last) {
      while (last < table.length && table[last] === table[first]) last += 4;
      const name = bodies[table[first]];
      const carrier = this.poser.rigid.find((r) => r.body.name === name);
      if (name !== 'ground' && (!carrier || drawn.includes(carrier.body.primitive))) continue;
      this.add(hullGeometry(table.subarray(first, last)), [{ surface: table[first], carrier, place: new Matrix4(), size: [1, 1, 1] }]);
    }
  }

  /** Solids of surfaces, whose looks come after those of the bodies. */
  private add(geometry: BufferGeometry, list: Obstacle[]): void {
    const ids = list.map((o) => o.carrier?.id ?? symbolIds.surface + o.surface);
    const solids = new Solids(geometry, ids, this.shared, true, list.map((o) => this.result.bodies.length + o.surface));
    this.solids.push({ solids, list });
    this.group.add(solids.mesh);
  }

  /** Numbers of the surfaces that are drawn as solids of their own. */
  get drawnSurfaces(): Set<number> {
    return new Set(this.solids.flatMap((s) => s.list.map((o) => o.surface)));
  }

  showForces(shown: boolean): void {
    this.arrows.mesh.visible = shown;
  }

  /** row: what is drawn, perhaps between two. */
  update(frame: Frame, row: number): void {
    const [m, r, q, s] = [new Matrix4(), new Vector3(), new Quaternion(), new Vector3()];
    for (const { solids, list } of this.solids)
      list.forEach((o, i) => {
        m.identity();
        if (o.carrier) {
          const at = pose * o.carrier.index;
          const p = frame.poses;
          m.compose(r.set(p[at], p[at + 1], p[at + 2]), q.set(p[at + 4], p[at + 5], p[at + 6], p[at + 3]), s.set(1, 1, 1));
        }
        m.multiply(o.place).decompose(r, q, s);
        solids.place(i, r.toArray(), q, o.size);
      });
    const wanted = Math.max(0, Math.round(row));
    if (this.asked === wanted || wanted >= this.count.length) return;
    this.asked = wanted;
    this.arrival = this.fetch(wanted);
  }

  /** When the contacts of what is drawn are here. */
  ready(): Promise<void> {
    return this.arrival;
  }

  private async touchesOf(row: number, most: number): Promise<Touches> {
    const [first, count] = [this.first[row], Math.min(most, this.count[row])];
    if (!count) return nothing;
    const get = (name: string): Promise<Float64Array> => this.result.source.rows(this.result.index, `/contacts/${name}`, { first, count, stride: 1 });
    const [points, forces, normals, surfaces] = await Promise.all(['points', 'forces', 'normals', 'surfaces'].map(get));
    return { points, forces, normals, surfaces };
  }

  private async fetch(row: number): Promise<void> {
    const touches = await this.touchesOf(row, hasPressure(this.result) ? mostTouches : mostArrows);
    if (this.asked !== row) return;
    this.shown = { row, ...touches };
    const { forces } = touches;
    for (let i = 0; i < forces.length; i += 3) this.largest = Math.max(this.largest, Math.hypot(forces[i], forces[i + 1], forces[i + 2]));
    this.onArrival();
  }

  private get bodies(): string[] {
    return textsOf(this.result.group('contacts'), 'bodies');
  }

  /** Pressures of what is here into the places of speeds. */
  fillPressure(frame: Frame): void {
    fillPressure(this.poser, this.bodies, this.shown, frame);
  }

  /** In some rows of the run. */
  async largestPressure(): Promise<number> {
    if (!hasPressure(this.result) || !this.count.length) return 0;
    const touched = [...this.count.keys()].filter((row) => this.count[row] > 0);
    const rows = touched.filter((_, i) => i % Math.ceil(touched.length / sampledRows) === 0);
    const frame = this.poser.frame();
    let most = 0;
    for (const row of rows) {
      this.poser.fill(await this.result.source.coordinates(this.result.index, { first: row, count: 1, stride: 1 }), frame);
      most = Math.max(most, fillPressure(this.poser, this.bodies, await this.touchesOf(row, mostTouches), frame));
    }
    return most;
  }

  /** The largest force so far, whose arrow is this long [pixels]. */
  get largestForce(): number {
    return this.largest;
  }

  /** Arrows that end at the contact, as long as the force is large. */
  place(eye: Vector3, pixels: number, scale: number): void {
    const { points, forces } = this.shown;
    const [r, f, x, turn] = [new Vector3(), new Vector3(), new Vector3(1, 0, 0), new Quaternion()];
    const count = Math.min(mostArrows, points.length / 3);
    for (let i = 0; i < count; ++i) {
      r.fromArray(points, 3 * i);
      f.fromArray(forces, 3 * i);
      const size = f.length();
      const unit = (scale * r.distanceTo(eye)) / pixels;
      turn.setFromUnitVectors(x, size > 0 ? f.divideScalar(size) : x);
      const long = this.largest > 0 ? (arrowLength * size) / this.largest : 0;
      this.arrows.place(i, r.toArray(), turn, [long * unit, Math.min(7, long) * unit, Math.min(7, long) * unit]);
    }
    this.arrows.mesh.count = count;
  }

  dispose(): void {
    this.arrows.dispose();
    for (const { solids } of this.solids) solids.dispose();
  }
}
