// Everything drawn of one result.

import { Camera, Color, Group, Vector3 } from 'three';
import type { Result } from '../data/result';
import { quantities, type Quantity } from './colors';
import { Contacts } from './contacts';
import { exaggerate, undeformed, type Reference } from './deform';
import { Frames } from './frames';
import { Ghost } from './ghost';
import { Lines } from './lines';
import { Looks } from './looks';
import { Markers, type Point } from './markers';
import { blend, pose, Poser, type Frame, type RigidBody } from './pose';
import { RigidBodies } from './rigid';
import type { Survey } from './ranges';
import { makeShared, type Shared } from './shading';
import { Surfaces } from './surfaces';
import { Symbols } from './symbols';
import { Trails } from './trails';

export class ResultScene {
  readonly group = new Group();
  readonly shared: Shared = makeShared();
  readonly markers: Markers;
  readonly lines: Lines;
  readonly surfaces: Surfaces;
  readonly rigid: RigidBodies;
  readonly symbols: Symbols;
  readonly trails: Trails;
  readonly contacts: Contacts;
  readonly looks: Looks;
  readonly frames: Frames;
  reference: Reference = 'start';
  exaggeration = 1;
  readonly frame: Frame; // what is drawn
  drawnRow = -1;
  private readonly a: Frame;
  private readonly b: Frame;
  private rowA = -1;
  private rowB = -1;
  private rate = 0;
  private ghost?: Ghost;
  private readonly shape: Frame; // undeformed

  constructor(
    readonly result: Result,
    readonly poser: Poser,
    readonly survey: Survey,
    up: Vector3,
    color: Color,
    onArrival: () => void,
  ) {
    const size = survey.box.getSize(new Vector3()).length();
    this.markers = new Markers(poser);
    this.shared.tint.value.copy(color);
    this.looks = new Looks(result.bodies.length + result.surfaces.length);
    this.shared.looks.value = this.looks.texture;
    this.lines = new Lines(poser, this.shared);
    this.surfaces = new Surfaces(poser, this.shared);
    this.rigid = new RigidBodies(poser, this.markers, this.shared, 0.005 * size);
    this.symbols = new Symbols(result, this.markers, this.shared, up, survey.start);
    this.trails = new Trails(result, new Color('#8a4fd0'));
    this.contacts = new Contacts(result, poser, this.shared, size, onArrival);
    this.frames = new Frames(this.markers, this.shared, survey.start);
    [this.frame, this.a, this.b, this.shape] = [poser.frame(), poser.frame(), poser.frame(), poser.frame()];
    this.group.add(this.frames.group, this.lines.group, this.surfaces.group, this.rigid.group, this.symbols.group, this.trails.group, this.contacts.group);
  }

  /** Show the instant between two rows; false: it is not here yet, and what was drawn stays. */
  show(position: number): boolean {
    const { result } = this;
    const i = Math.max(0, Math.min(result.rows - 1, Math.floor(position)));
    const k = Math.min(result.rows - 1, i + 1);
    const rowI = result.coordinates.row(i);
    const rowK = (k === i ? rowI : result.coordinates.row(k)) ?? (position === i ? rowI : undefined);
    result.coordinates.ahead(k);
    if (!result.coordinates.width) return true;
    if (!rowI || !rowK) return false;
    if (this.rowA !== i) this.poser.fill(rowI, this.a);
    if (this.rowB !== k) this.poser.fill(rowK, this.b);
    [this.rowA, this.rowB] = [i, rowK === rowI ? i : k];
    const dt = result.time[k] - result.time[i];
    this.rate = dt > 0 ? 1 / dt : 0;
    blend(this.a, this.b, Math.max(0, Math.min(1, position - i)), dt, this.frame);
    this.drawnRow = position;
    this.upload();
    return true;
  }

  /** Show coordinates that are no row: a mode shape. */
  showCoordinates(q: Float32Array): void {
    this.rowA = this.rowB = -1;
    this.rate = 0;
    this.poser.fill(q, this.frame);
    this.upload();
  }

  private upload(): void {
    const other = this.exaggeration !== 1;
    if (other || this.ghost?.group.visible) undeformed(this.poser, this.survey.start, this.frame, this.reference, this.shape);
    if (other) exaggerate(this.shape, this.exaggeration, this.frame);
    if (this.ghost?.group.visible) this.ghost.show(this.shape);
    if (this.contacts.pressed) this.contacts.fillPressure(this.frame);
    this.lines.update(this.frame);
    this.surfaces.update(this.frame);
    this.rigid.update(this.frame, (r) => this.speed(r));
    this.trails.update(this.drawnRow);
    this.contacts.update(this.frame, this.drawnRow);
  }

  showGhost(shown: boolean): void {
    if (shown && !this.ghost) {
      this.ghost = new Ghost(this.poser, this.looks, this.survey.box.getSize(new Vector3()).length());
      this.group.add(this.ghost.group);
    }
    if (this.ghost) this.ghost.group.visible = shown;
  }

  private speed(r: RigidBody): number {
    const at = pose * r.index;
    const [a, b] = [this.a.poses, this.b.poses];
    return this.rate * Math.hypot(b[at] - a[at], b[at + 1] - a[at + 1], b[at + 2] - a[at + 2]);
  }

  /** Just before drawing. pixels: of a unit length at unit distance; ratio: pixels in a pixel of the page. */
  prepare(camera: Camera, canvas: HTMLCanvasElement, pixels: number, ratio: number, distance: number, budget: number): void {
    this.shared.pixels.value = pixels;
    this.shared.least.value = 1.1 * ratio;
    this.lines.refine(pixels / distance, budget);
    this.surfaces.refine(pixels / distance, budget);
    this.symbols.update(this.frame, this.drawnRow, camera, pixels / ratio);
    this.frames.update(this.frame, camera.position, pixels / ratio);
    if (this.ghost?.group.visible) this.ghost.prepare(this.shared, pixels / distance, budget);
    this.contacts.place(camera.position, pixels / ratio, this.symbols.scale);
    this.trails.scale(2.2 * ratio, canvas);
  }

  color(quantity: Quantity, range: [number, number]): void {
    const info = quantities[quantity];
    this.shared.quantity.value = info.number;
    this.shared.sheetQuantity.value = quantity === 'force' ? 0 : info.number;
    this.shared.solidQuantity.value = quantity === 'speed' ? info.number : 0;
    this.shared.signed.value = info.signed ? 1 : 0;
    this.contacts.pressed = quantity === 'pressure';
    this.shared.range.value.set(range[0], range[1]);
  }

  /** Where the marker of an output is drawn. */
  outputPoint(name: string): Point | undefined {
    const marker = this.result.outputs.find((o) => o.name === name)?.marker;
    return marker ? this.markers.at(marker, this.frame) : undefined;
  }

  /** A point of a body to look at. */
  bodyPoint(id: number): Point | undefined {
    const body = this.result.bodies[id];
    if (!body) return undefined;
    const middle = { body: body.name, element: Math.floor(body.elements / 2), local: [0, 0, 0] as Point, position: [0, 0, 0] as Point };
    if (body.primitive === 'surface') middle.element = Math.floor((body.grid[0] * body.grid[1]) / 2);
    return this.markers.at(middle, this.frame);
  }

  dispose(): void {
    this.ghost?.dispose();
    for (const part of [this.frames, this.lines, this.surfaces, this.rigid, this.symbols, this.trails, this.contacts]) part.dispose();
    this.group.removeFromParent();
  }
}
