// One result: what the file says, by name, and its numbers, fetched when asked for.

import { Coordinates } from './cache';
import { layoutOf, type BodyLayout } from './places';
import { placeRow, type Outline, type Primitive } from './layouts';
import type { Listed, Source } from './source';
import { emptyGroup, numberOf, numbersOf, textOf, textsOf, type GroupNode } from './tree';

const longestSeries = 50_000; // rows of a plotted column; longer runs are thinned out

export interface Marker {
  body: string;
  element: number;
  local: [number, number, number];
  position: [number, number, number]; // at the start
}

export interface Body {
  name: string;
  kind: string;
  primitive: Primitive;
  size: number[];
  section: Outline;
  elements: number;
  elementLength: number;
  stiffness: number;
  young: number; // 0: its stress is not known
  poisson: number;
  coupling: number; // N = stiffness (strain L + coupling k^2/L)
  grid: number[];
  edges: number[];
  layout: BodyLayout;
  first: number; // of its coordinates in a row
  count: number;
  on?: Marker; // point: where it is attached
  sections?: Float64Array; // line: rows of sectionRow at every node, where they vary
  freedom?: Float64Array; // floating, see docs/results.md
  basis?: Float64Array;
  triangles?: Float64Array; // convex: rows of surface, x, y, z of corners
}

export interface Joint {
  name: string;
  kind: string;
  equations: number;
  points: number; // that it holds; several along an edge
  markers: Marker[];
  axis: number[];
  radius: number; // of the disk, sphere or roller at the second marker; 0: there is none
  curve: [number, number, number][]; // that the second marker follows, at the start, carried by the first
}

export interface Force {
  name: string;
  kind: string;
  markers: Marker[];
  on: string;
  vector: number[]; // at the start
  vectors?: { data: Float64Array; stride: number }; // where it changes in time, of every row
  largest: number; // size
  follower: boolean;
  radii: number[]; // ropes: of their markers, see scene/ropes.ts
  closed: boolean;
  axis: number[];
  frame: string;
  joints: string[]; // stops: whose coordinates they limit, with these factors
  factors: number[];
  limits: number[]; // those that there are
}

export interface Output {
  name: string;
  kind: string;
  of: string;
  description: string;
  columns: string[];
  units: string[];
  marker?: Marker;
}

export interface Series {
  name: string; // "tip.x"
  unit: string;
  path: string;
  column: number;
  columns: number;
}

export interface Modes {
  stage: string;
  row: number;
  kind: string; // vibration, buckling, damped
  value: Float64Array; // frequencies [Hz], or load factors
  damping?: Float64Array; // damping ratios
  complex: boolean; // points do not move in phase: shapes have an imaginary part
  count: number;
}

function markersOf(node: GroupNode | { attributes?: GroupNode['attributes'] }): Marker[] {
  const bodies = textsOf(node, 'bodies');
  const places = numbersOf(node, 'places');
  const positions = numbersOf(node, 'positions');
  const { element, local, width } = placeRow;
  if (places.length < width * bodies.length || positions.length < 3 * bodies.length) return [];
  return bodies.map((body, k) => {
    const at = width * k;
    return {
      body,
      element: places[at + element],
      local: [places[at + local], places[at + local + 1], places[at + local + 2]],
      position: [positions[3 * k], positions[3 * k + 1], positions[3 * k + 2]],
    };
  });
}

export class Result {
  readonly name: string;
  readonly bodies: Body[] = [];
  readonly joints: Joint[];
  readonly forces: Force[];
  readonly outputs: Output[];
  readonly series = new Map<string, Series>();
  readonly dimension: number;
  readonly gravity: number[];
  readonly modes: Modes[] = [];
  tree: GroupNode;
  status: string;
  rows: number;
  time = new Float64Array(0);
  stage = new Float64Array(0);
  load = new Float64Array(0);
  coordinates!: Coordinates;
  private readonly columns = new Map<string, Promise<{ data: Float64Array; stride: number }>>();

  constructor(
    readonly source: Source,
    readonly index: number,
    listed: Listed,
    private readonly onArrival: () => void,
  ) {
    this.name = listed.name;
    this.tree = listed.tree;
    const root = this.tree;
    this.status = textOf(root, 'status');
    this.rows = root.datasets['time']?.shape?.[0] ?? 0;
    this.dimension = numberOf(root, 'dimension', 3);
    this.gravity = numbersOf(root, 'gravity');
    this.joints = Object.entries(this.group('joints').groups).map(([name, g]) => ({
      name,
      kind: textOf(g, 'kind'),
      equations: numberOf(g, 'equations'),
      points: numberOf(g, 'points', 1),
      markers: markersOf(g),
      axis: numbersOf(g, 'axis'),
      radius: numberOf(g, 'radius'),
      curve: [],
    }));
    this.forces = Object.entries(this.group('forces').groups).map(([name, g]) => ({
      name,
      kind: textOf(g, 'kind'),
      markers: markersOf(g),
      on: textOf(g, 'on'),
      vector: numbersOf(g, 'vector'),
      largest: 0,
      follower: numberOf(g, 'follower') === 1,
      radii: numbersOf(g, 'radii'),
      closed: numberOf(g, 'closed') === 1,
      axis: numbersOf(g, 'axis'),
      frame: textOf(g, 'frame'),
      joints: textsOf(g, 'joints'),
      factors: numbersOf(g, 'factors'),
      limits: ['min', 'max'].map((name) => numberOf(g, name, NaN)).filter((x) => Number.isFinite(x)),
    }));
    this.outputs = Object.entries(this.group('outputs').datasets).map(([name, d]) => ({
      name,
      kind: textOf(d, 'kind'),
      of: textOf(d, 'of'),
      description: textOf(d, 'description'),
      columns: textsOf(d, 'columns'),
      units: textsOf(d, 'units'),
      marker: markersOf(d)[0],
    }));
    this.makeCatalog();
  }

  /** Surfaces that can touch: their names, and the bodies they are on. */
  get surfaces(): { name: string; body: string }[] {
    const group = this.group('contacts');
    const bodies = textsOf(group, 'bodies');
    return textsOf(group, 'surfaces').map((name, i) => ({ name, body: bodies[i] ?? '' }));
  }

  get title(): string {
    return textOf(this.tree, 'title') || this.name;
  }

  /** The verdict on the run: "good", "doubtful", "bad"; "" while it runs, or where none was made. */
  get trust(): string {
    return textOf(this.tree, 'trust');
  }

  get reasons(): string[] {
    return textOf(this.tree, 'trust_reasons').split('\n').filter(Boolean);
  }

  get planar(): boolean {
    return this.dimension === 2;
  }

  group(name: string): GroupNode {
    return this.tree.groups[name] ?? emptyGroup;
  }

  /** Everything needed before the first picture. */
  async open(): Promise<void> {
    await this.readTimes();
    let first = 0;
    for (const [name, g] of Object.entries(this.group('bodies').groups)) {
      const count = g.datasets['coordinates']?.shape?.[1] ?? 0;
      const body: Body = {
        name,
        kind: textOf(g, 'kind'),
        primitive: (textOf(g, 'primitive') || 'none') as Primitive,
        size: numbersOf(g, 'size'),
        section: textOf(g, 'section') as Outline,
        elements: numberOf(g, 'elements'),
        elementLength: numberOf(g, 'element_length'),
        stiffness: numberOf(g, 'stiffness'),
        young: numberOf(g, 'young'),
        poisson: numberOf(g, 'poisson'),
        coupling: numberOf(g, 'coupling'),
        grid: numbersOf(g, 'grid'),
        edges: numbersOf(g, 'element_edges'),
        layout: layoutOf(textOf(g, 'layout'), this.dimension),
        first,
        count,
        on: count ? undefined : markersOf(g)[0],
      };
      for (const table of ['sections', 'freedom', 'basis', 'triangles'] as const) {
        const shape = g.datasets[table]?.shape;
        if (shape) body[table] = await this.table(`/bodies/${name}/${table}`, shape[0]);
      }
      this.bodies.push(body);
      first += count;
    }
    await this.readForces();
    await this.readCurves();
    this.coordinates = new Coordinates(this.source, this.index, first, this.rows, this.onArrival);
    for (const [stage, g] of Object.entries(this.group('modes').groups)) {
      const kind = textOf(g, 'kind') || 'vibration';
      const name = kind === 'buckling' ? 'load_factor' : 'frequency';
      const count = g.datasets[name]?.shape?.[0] ?? 0;
      if (!count) continue;
      const value = await this.table(`/modes/${stage}/${name}`, count);
      const damping = g.datasets['damping'] ? await this.table(`/modes/${stage}/damping`, count) : undefined;
      this.modes.push({ stage, row: numberOf(g, 'row'), kind, value, damping, complex: 'imaginary' in g.groups, count });
    }
  }

  table(path: string, rows: number): Promise<Float64Array> {
    return this.source.rows(this.index, path, { first: 0, count: rows, stride: 1 });
  }

  /** The shape of a mode, or its imaginary part, in the order of a row of coordinates. */
  async modeShape(modes: Modes, k: number, part = 'shapes'): Promise<Float32Array> {
    const shape = new Float32Array(this.coordinates.width);
    for (const body of this.bodies) {
      if (!body.count) continue;
      const path = `/modes/${modes.stage}/${part}/${body.name}`;
      const row = await this.source.rows(this.index, path, { first: k, count: 1, stride: 1 });
      shape.set(row, body.first);
    }
    return shape;
  }

  private async readTimes(): Promise<void> {
    const none = new Float64Array(0);
    if (!this.rows) return;
    const all = (name: string): Promise<Float64Array> =>
      this.tree.datasets[name]?.shape ? this.table(`/${name}`, this.rows) : Promise.resolve(none);
    [this.time, this.stage, this.load] = await Promise.all([all('time'), all('stage'), all('load')]);
  }

  /** The run has written more. */
  async grow(rows: number, status: string): Promise<void> {
    this.status = status;
    if (rows === this.rows) return;
    this.rows = rows;
    await this.readTimes();
    this.coordinates.grow(rows);
    this.columns.clear();
    await this.readForces();
  }

  private async readCurves(): Promise<void> {
    for (const joint of this.joints) {
      const rows = this.group('joints').groups[joint.name]?.datasets['curve']?.shape?.[0] ?? 0;
      const data = rows ? await this.table(`/joints/${joint.name}/curve`, rows) : [];
      for (let i = 0; i + 2 < data.length; i += 3) joint.curve.push([data[i], data[i + 1], data[i + 2]]);
    }
  }

  private async readForces(): Promise<void> {
    for (const force of this.forces) {
      if (this.group('forces').groups[force.name]?.datasets['vectors']) force.vectors = await this.columnsOf(`/forces/${force.name}/vectors`);
      const data = force.vectors?.data ?? force.vector;
      for (let i = 0; i + 2 < data.length; i += 3) force.largest = Math.max(force.largest, Math.hypot(data[i], data[i + 1], data[i + 2]));
    }
  }

  /** A force or moment at a row, as the model gives it, under the load factor. */
  forceAt(force: Force, row: number): [number, number, number] {
    const i = Math.max(0, Math.min(this.rows - 1, Math.round(row)));
    const load = this.load[i] ?? 1;
    const { data, stride } = force.vectors ?? { data: force.vector, stride: Infinity };
    const at = 3 * Math.min(Math.floor(i / stride), Math.floor(data.length / 3) - 1);
    return [0, 1, 2].map((k) => load * (data[at + k] ?? 0)) as [number, number, number];
  }

  // ---- series ----

  private makeCatalog(): void {
    const add = (name: string, unit: string, path: string, column: number, columns: number): void => {
      this.series.set(name, { name, unit, path, column, columns });
    };
    for (const output of this.outputs) {
      output.columns.forEach((c, k) =>
        add(`${output.name}.${c}`, output.units[k] ?? '', `/outputs/${output.name}`, k, output.columns.length),
      );
    }
    for (const [group, as] of [
      ['energy', 'energy'],
      ['constraints', 'constraint'],
    ]) {
      for (const [name, d] of Object.entries(this.group(group).datasets))
        add(`${as}.${name}`, textOf(d, 'units'), `/${group}/${name}`, 0, 1);
    }
    for (const [name, d] of Object.entries(this.group('momentum').datasets))
      ['x', 'y', 'z'].forEach((axis, k) => add(`momentum.${name}.${axis}`, textOf(d, 'units'), `/momentum/${name}`, k, 3));
    for (const name of ['count', 'penetration']) {
      const d = this.group('contacts').datasets[name];
      if (d?.shape) add(`contacts.${name}`, textOf(d, 'units'), `/contacts/${name}`, 0, 1);
    }
    for (const name of ['step', 'stage', 'load']) {
      const d = this.tree.datasets[name];
      if (d?.shape) add(name, textOf(d, 'units'), `/${name}`, 0, 1);
    }
  }

  private columnsOf(path: string): Promise<{ data: Float64Array; stride: number }> {
    const known = this.columns.get(path);
    if (known) return known;
    const stride = Math.max(1, Math.ceil(this.rows / longestSeries));
    const count = Math.max(0, Math.ceil(this.rows / stride));
    const promise = count
      ? this.source.rows(this.index, path, { first: 0, count, stride }).then((data) => ({ data, stride }))
      : Promise.resolve({ data: new Float64Array(0), stride });
    this.columns.set(path, promise);
    return promise;
  }

  /** A column and the times of its rows. */
  async column(name: string): Promise<{ time: Float64Array; value: Float64Array; unit: string } | undefined> {
    if (name === 't') return { ...(await this.thinTime()), unit: 's' };
    const series = this.series.get(name);
    if (!series) return undefined;
    const { data } = await this.columnsOf(series.path);
    const value = new Float64Array(Math.floor(data.length / series.columns));
    for (let i = 0; i < value.length; ++i) value[i] = data[i * series.columns + series.column];
    return { time: (await this.thinTime()).time, value, unit: series.unit };
  }

  private async thinTime(): Promise<{ time: Float64Array; value: Float64Array }> {
    const { data } = await this.columnsOf('/time');
    return { time: data, value: data };
  }
}
