// The 3D part of the page: results on the stage, drawn when the state changes.

import { Color, Vector3 } from 'three';
import type { Clock } from './data/clock';
import type { Marker, Result } from './data/result';
import { cameraAt, withKey } from './scene/camera_path';
import { faded as transparent, palette, stoneColor } from './scene/looks';
import type { Point } from './scene/markers';
import { modeMotion, swingsOf } from './scene/mode_motion';
import { pick } from './scene/pick';
import { Poser } from './scene/pose';
import { survey, type Ranges } from './scene/ranges';
import { ResultScene } from './scene/result_scene';
import { Stage } from './scene/stage';
import { symbolIds } from './scene/symbols';
import type { Selection, Store } from './state';

const bodyColors = ['#4f86bd', '#cf8a3c', '#5aa56f', '#a263b4'];

/** Against gravity, or y. */
export function upOf(result: Result): Vector3 {
  const g = new Vector3(...([0, 1, 2].map((k) => result.gravity[k] ?? 0) as [number, number, number]));
  if (result.planar || g.length() === 0) return new Vector3(0, 1, 0);
  const up = new Vector3();
  const k = [g.x, g.y, g.z].map(Math.abs).reduce((best, v, i, all) => (v > all[best] ? i : best), 0);
  return up.setComponent(k, -Math.sign(g.getComponent(k)));
}

export class View3D {
  readonly stage: Stage;
  readonly scenes: ResultScene[] = [];
  readonly ranges: Ranges = { none: [0, 1], strain: [0, 0], curvature: [0, 0], force: [0, 0], speed: [0, 0], stress: [0, 0], pressure: [0, 1e-9] };
  background = new Color('#f4f6f8');
  onDrawn: () => void = () => {};
  waiting = false; // for rows
  fixedRatio = false; // pixels are counted: pictures for files
  private surveyed = 0;
  private due = false;
  private polishing = 0;
  phase?: number; // of a mode, in swings; without it the clock's
  damped = true; // modes decay as they do; false: one instant for a picture
  private shape?: { coordinates: Float32Array; shape: Float32Array; imaginary?: Float32Array; factor: number; damping: number };
  private followed?: Vector3;
  measured: Marker[] = []; // at most two

  constructor(
    canvas: HTMLCanvasElement,
    readonly results: Result[],
    private readonly clock: Clock,
    private readonly store: Store,
  ) {
    this.stage = new Stage(canvas, upOf(results[0]), results[0].planar, () => this.redraw());
    store.on((changed) => {
      if (changed.has('mode')) void this.loadMode().then((swings) => swings && store.set({ playing: true }));
      if (changed.has('follow')) this.followed = undefined;
      if (changed.has('measuring') && !store.state.measuring) this.measured = [];
      if (changed.has('exaggeration') && this.derived && store.state.exaggeration !== 1) store.set({ quantity: 'none' });
      if (changed.has('quantity') && this.derived && store.state.exaggeration !== 1) store.set({ exaggeration: 1 });
      if (!(changed.size === 1 && changed.has('row'))) this.dress();
      if (changed.has('layout')) {
        this.stage.layout = store.state.layout;
        this.stage.fit();
      }
      this.redraw();
    });
    canvas.addEventListener('click', (e) => this.click(e));
    this.stage.controls.addEventListener('start', () => store.set({ flying: false })); // the hand wins
    let down: [number, number] = [0, 0];
    canvas.addEventListener('pointerdown', (e) => (down = [e.clientX, e.clientY]));
    canvas.addEventListener('click', (e) => Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4 && e.stopImmediatePropagation(), true);
  }

  async load(): Promise<void> {
    for (const [i, result] of this.results.entries()) {
      const poser = new Poser(result);
      const found = await survey(result, poser);
      const scene = new ResultScene(result, poser, found, this.stage.up, new Color(bodyColors[i % bodyColors.length]), () => this.redraw());
      await scene.contacts.load();
      found.ranges.pressure = [0, (await scene.contacts.largestPressure()) || 1e-9];
      this.scenes.push(scene);
      this.stage.add(scene.group, found.box);
      for (const q of Object.keys(this.ranges) as (keyof Ranges)[])
        this.ranges[q] = [Math.min(this.ranges[q][0], found.ranges[q][0]), Math.max(this.ranges[q][1], found.ranges[q][1])];
      this.surveyed = Math.max(this.surveyed, result.rows);
      if (result.rows && result.coordinates.width) await result.coordinates.need(0);
    }
    this.dress();
  }

  /** The run has gone on: look again at how far things reach, each time it has doubled. */
  async grown(): Promise<void> {
    for (const scene of this.scenes) {
      await scene.trails.reload();
      await scene.contacts.grow();
      if (scene.result.rows < 2 * this.surveyed && scene.result.status === 'running') continue;
      this.surveyed = scene.result.rows;
      const found = await survey(scene.result, scene.poser);
      this.stage.box.union(found.box);
      found.ranges.pressure = [0, (await scene.contacts.largestPressure()) || 1e-9];
      for (const q of Object.keys(this.ranges) as (keyof Ranges)[]) this.ranges[q] = found.ranges[q];
      this.stage.theme(this.store.state.dark);
      if (!this.stage.moved) this.stage.fit();
    }
    this.dress();
  }

  // ---- ways of points ----

  get trails(): string[] {
    return this.scenes[0].trails.names;
  }

  /** In every result that has the point. */
  async showTrail(output: string, shown: boolean): Promise<void> {
    for (const { trails } of this.scenes) {
      if (shown) await trails.show(output);
      else trails.hide(output);
    }
    this.redraw();
  }

  /** Is the color taken from the shape that is drawn, so that it must not be exaggerated? */
  private get derived(): boolean {
    return !['none', 'speed', 'pressure'].includes(this.store.state.quantity);
  }

  /** Colors, selection, symbols, and what is hidden. */
  private dress(): void {
    const { state } = this.store;
    const { quantity, selection } = state;
    this.scenes.forEach((scene) => {
      scene.color(quantity, this.ranges[quantity]);
      scene.shared.mesh.value = state.mesh ? 1 : 0;
      scene.shared.edges.value = state.edges ? 1 : 0;
      scene.shared.selected.value = selection ? idOf(scene, selection) : -1;
      scene.symbols.group.visible = state.symbols;
      [scene.reference, scene.exaggeration] = [state.reference, state.exaggeration];
      scene.showGhost(state.ghost);
      scene.contacts.showForces(!state.hidden.includes('contacts/forces'));
      scene.frames.show(state.frames ? framesOf(scene, selection) : []);
      this.dressBodies(scene);
    });
    this.stage.shadows = state.shadows;
    const k = ['x', 'y', 'z'].indexOf(state.cutAxis);
    const { min, max } = this.stage.box;
    const at = k < 0 ? 0 : min.getComponent(k) + state.cutAt * (max.getComponent(k) - min.getComponent(k));
    this.stage.cut = k < 0 ? undefined : { normal: new Vector3().setComponent(k, 1), at };
  }

  /** One result: every body has a color. Two results: each of them has one. */
  private dressBodies(scene: ResultScene): void {
    const { hidden, faded, dark } = this.store.state;
    const { result, looks } = scene;
    const drawn = result.bodies.filter((b) => b.primitive !== 'none');
    const seen = (key: string): number => (hidden.includes(key) ? 0 : faded.includes(key) ? transparent : 1);
    result.bodies.forEach((b, i) => {
      const apart = this.results.length === 1 && drawn.length > 1;
      looks.set(i, apart ? new Color(palette[Math.max(0, drawn.indexOf(b)) % palette.length]) : scene.shared.tint.value, seen(`body/${b.name}`));
    });
    const stone = new Color(stoneColor(dark));
    result.surfaces.forEach((s, i) => {
      const body = result.bodies.findIndex((b) => b.name === s.body);
      const color = s.body === 'ground' || body < 0 ? stone : new Color(looks.color(body));
      looks.set(result.bodies.length + i, color, Math.min(seen(`surface/${s.name}`), seen(`body/${s.body}`)));
    });
    const ids = hidden.map((key) => key.split('/')).map(([kind, ...name]) => idOf(scene, { kind: kind as Selection['kind'], name: name.join('/') }));
    scene.symbols.hidden = new Set(ids);
  }

  redraw(): void {
    if (this.due || this.store.state.playing) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      if (!this.store.state.playing) this.draw();
    });
  }

  /** Where there is no graphics hardware, a still picture is drawn once more, larger, for smooth edges. */
  private polish(): void {
    clearTimeout(this.polishing);
    const { stage } = this;
    if (!stage.software || this.fixedRatio) return;
    stage.sharpen(1);
    if (!this.store.state.playing)
      this.polishing = window.setTimeout(() => {
        if (this.store.state.playing) return;
        stage.sharpen(2);
        stage.draw(this.scenes, this.background);
      }, 400);
  }

  /** Now. */
  draw(): void {
    const { state } = this.store;
    if (state.mode && this.shape) this.showMode();
    else this.waiting = !this.showRow(state.row);
    this.follow();
    this.fly();
    this.stage.showGrid = state.grid;
    this.polish();
    this.stage.draw(this.scenes, this.background);
    this.onDrawn();
  }

  private showRow(row: number): boolean {
    const t = this.clock.time(row);
    return this.scenes.map((scene, i) => scene.show(i ? rowOf(scene.result, t) : row)).every(Boolean);
  }

  // ---- modes ----

  /** Fetch the shape of the mode that is wanted; true: there is one. */
  private async loadMode(): Promise<boolean> {
    const { mode } = this.store.state;
    this.shape = undefined;
    const [scene] = this.scenes;
    const modes = scene?.result.modes.find((m) => m.stage === mode?.stage);
    if (mode && modes) {
      const coordinates = Float32Array.from(await scene.result.coordinates.need(modes.row));
      const shape = await scene.result.modeShape(modes, mode.number);
      const imaginary = modes.complex ? await scene.result.modeShape(modes, mode.number, 'imaginary') : undefined;
      const factor = this.modeFactor(scene, coordinates, shape, imaginary);
      this.shape = { coordinates, shape, imaginary, factor, damping: modes.kind === 'damped' ? (modes.damping?.[mode.number] ?? 0) : 0 };
    }
    this.redraw();
    return this.shape !== undefined;
  }

  /** For pictures: the mode, once it can be drawn. */
  async chooseMode(stage: string, number: number): Promise<void> {
    Object.assign(this.store.state, { mode: { stage, number } });
    await this.loadMode();
  }

  /** So that no point moves farther than an eighth of the picture. */
  private modeFactor(scene: ResultScene, q: Float32Array, shape: Float32Array, imaginary?: Float32Array): number {
    const [a, b] = [scene.poser.frame(), scene.poser.frame()];
    const small = 1e-4;
    let most = 0;
    scene.poser.fill(q, a);
    for (const part of imaginary ? [shape, imaginary] : [shape]) {
      scene.poser.fill(q.map((v, i) => v + small * part[i]), b);
      for (const [x, y, step] of [[a.lines, b.lines, 16], [a.surfaces, b.surfaces, 12], [a.poses, b.poses, 7], [a.points, b.points, 3]] as const)
        for (let i = 0; i < x.length; i += step) most = Math.max(most, Math.hypot(y[i] - x[i], y[i + 1] - x[i + 1], y[i + 2] - x[i + 2]) / small);
    }
    const size = this.stage.box.getSize(new Vector3()).length();
    return most > 0 ? (0.125 * size) / most : 0;
  }

  private showMode(): void {
    if (!this.shape) return;
    const { coordinates, shape, imaginary, factor, damping } = this.shape;
    const [s, c] = modeMotion(this.phase ?? performance.now() / 2000, this.damped ? damping : 0);
    this.scenes[0].showCoordinates(coordinates.map((v, i) => v + factor * (s * shape[i] + (imaginary ? c * imaginary[i] : 0))));
  }

  /** Swings of the mode until it begins again. */
  get swings(): number {
    return swingsOf(this.shape?.damping ?? 0);
  }

  // ---- following and choosing ----

  private follow(): void {
    const { follow } = this.store.state;
    if (follow === null) return;
    const [scene] = this.scenes;
    const point = scene.bodyPoint(scene.poser.ids.get(follow) ?? -1);
    if (!point) return;
    const here = new Vector3(...point);
    if (this.followed) this.stage.shift(here.clone().sub(this.followed));
    this.followed = here;
  }

  /** The camera along its path. */
  private fly(): void {
    const { flying, path, row } = this.store.state;
    const view = flying ? cameraAt(path, this.clock.time(row)) : undefined;
    if (view) this.stage.place(view.eye, view.target);
  }

  /** Add what is seen now to the path of the camera. */
  keepView(): void {
    const { camera, controls } = this.stage;
    const { row, path } = this.store.state;
    this.store.set({ path: withKey(path, { t: this.clock.time(row), eye: camera.position.toArray(), target: controls.target.toArray() }) });
  }

  private click(e: MouseEvent): void {
    const box = this.stage.canvas.getBoundingClientRect();
    const [scene] = this.scenes;
    const picked = pick(this.stage, scene, e.clientX - box.left, e.clientY - box.top);
    if (!this.store.state.measuring) this.store.set({ selection: selectionOf(scene, picked?.id ?? -1) });
    else if (picked) this.measured = [...(this.measured.length > 1 ? [] : this.measured), picked.marker];
    this.redraw();
  }

  /** Where the two points of a measurement are now. */
  get measuredPoints(): Point[] {
    const [scene] = this.scenes;
    return this.measured.map((m) => scene.markers.at(m, scene.frame));
  }
}

export function rowOf(result: Result, t: number): number {
  const { time } = result;
  let [low, high] = [0, time.length - 1];
  if (high <= 0 || t <= time[0]) return 0;
  if (t >= time[high]) return high;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle;
    else high = middle;
  }
  const step = time[high] - time[low];
  return low + (step > 0 ? (t - time[low]) / step : 0);
}

function idOf(scene: ResultScene, s: Selection): number {
  const { result, poser } = scene;
  if (s.kind === 'body') return poser.ids.get(s.name) ?? -1;
  if (s.kind === 'surface') {
    const k = result.surfaces.findIndex((x) => x.name === s.name);
    return result.surfaces[k]?.body === 'ground' ? symbolIds.surface + k : (poser.ids.get(result.surfaces[k]?.body ?? '') ?? -1);
  }
  const list: { name: string }[] = s.kind === 'joint' ? result.joints : s.kind === 'force' ? result.forces : result.outputs;
  const i = list.findIndex((x) => x.name === s.name);
  if (s.kind === 'output' && i >= 0 && result.outputs[i].kind !== 'point') return idOfSubject(scene, result.outputs[i].of);
  return i < 0 ? -1 : symbolIds[s.kind] + i;
}

/** Markers of what is chosen; without a choice those of all joints. */
function framesOf({ result }: ResultScene, s: Selection | null): Marker[] {
  const { joints, forces, outputs } = result;
  if (!s) return joints.flatMap((j) => j.markers);
  if (s.kind === 'joint') return joints.find((j) => j.name === s.name)?.markers ?? [];
  if (s.kind === 'force') return forces.find((f) => f.name === s.name)?.markers ?? [];
  if (s.kind === 'output') return outputs.flatMap((o) => (o.name === s.name && o.marker ? [o.marker] : []));
  const center: Marker = { body: s.name, element: 0, local: [0, 0, 0], position: [0, 0, 0] };
  return s.kind === 'body' ? [center, ...[...joints, ...forces].flatMap((j) => j.markers).filter((m) => m.body === s.name)] : [];
}

/** The joint, force or body that an output is about. */
function idOfSubject(scene: ResultScene, of: string): number {
  const { result, poser } = scene;
  const joint = result.joints.findIndex((x) => x.name === of);
  if (joint >= 0) return symbolIds.joint + joint;
  const force = result.forces.findIndex((x) => x.name === of);
  if (force >= 0) return symbolIds.force + force;
  return poser.ids.get(of.split('.')[0]) ?? -1;
}

function selectionOf(scene: ResultScene, id: number): Selection | null {
  const { result } = scene;
  if (id < 0 || id >= symbolIds.surface) return null;
  if (id >= symbolIds.output) return { kind: 'output', name: result.outputs[id - symbolIds.output].name };
  if (id >= symbolIds.force) return { kind: 'force', name: result.forces[id - symbolIds.force].name };
  if (id >= symbolIds.joint) return { kind: 'joint', name: result.joints[id - symbolIds.joint].name };
  return result.bodies[id] ? { kind: 'body', name: result.bodies[id].name } : null;
}
