// Pictures for `sinew render`: the page draws what its address asks for and sends it back to the program.

import { Clock } from '../data/clock';
import type { Result } from '../data/result';
import { h } from '../panels/dom';
import { quantities, quantitiesOf, type Quantity } from '../scene/colors';
import type { View } from '../scene/stage';
import { plainState, Store } from '../state';
import { View3D } from '../view3d';
import { GifEncoder, makePalette } from './gif';
import { drawPicture } from './picture';
import { encodeWebm } from './webm';

const filmLength = 10; // seconds

/** Simulated seconds per second for a film of ten seconds; what is nearly as long is shown as fast as it is. */
function filmSpeed(time: number): number {
  const speed = time / filmLength;
  return speed > 0.8 && speed < 1.25 ? 1 : speed || 1;
}

class Job {
  readonly store: Store;
  readonly clock: Clock;
  readonly view: View3D;
  readonly width: number;
  readonly height: number;
  private readonly canvas = h('canvas');
  private readonly out = h('canvas');
  private readonly large = h('canvas');

  constructor(
    private readonly wanted: URLSearchParams,
    private readonly results: Result[],
  ) {
    const [main] = results;
    const quantity = (wanted.get('color') ?? 'none') as Quantity;
    if (!(quantity in quantities)) throw new Error(`unknown color quantity '${quantity}'`);
    if (!quantitiesOf(results).includes(quantity))
      throw new Error(`no body of this result has ${quantity === 'force' ? 'an axial force' : `a ${quantity}`}`);
    this.width = this.number('width', 1280);
    this.height = this.number('height', 720);
    this.clock = new Clock(main);
    const stage = wanted.get('stage') ?? main.modes[0]?.stage;
    const number = this.number('mode', 0) - 1;
    this.store = new Store({
      row: 0, playing: false, speed: this.number('speed', this.clock.pleasantSpeed()), loop: false, quantity, selection: null,
      follow: null, mode: null, layout: wanted.get('layout') === 'side' ? 'side' : 'overlay', dark: wanted.has('dark'),
      grid: !wanted.has('nogrid'), mesh: wanted.has('mesh'), symbols: !wanted.has('nosymbols'), ...plainState,
    });
    if (number >= 0 && !main.modes.some((m) => m.stage === stage && number < m.count))
      throw new Error(`the result has no mode ${number + 1}`);
    this.view = new View3D(this.canvas, results, this.clock, this.store);
    this.view.fixedRatio = true;
  }

  number(name: string, otherwise: number): number {
    const text = this.wanted.get(name);
    return text === null ? otherwise : Number(text);
  }

  async prepare(): Promise<void> {
    const { view, store, wanted, results } = this;
    await view.load();
    view.background.set(store.state.dark ? '#171c22' : '#ffffff');
    view.stage.theme(store.state.dark);
    view.stage.layout = store.state.layout;
    view.stage.resize(this.width, this.height, 2);
    for (const scene of view.scenes) scene.symbols.scale = 1.2 * Math.max(0.7, this.height / 720);
    for (const output of results[0].outputs)
      if (output.kind === 'point' && (wanted.getAll('trail').includes(output.name) || wanted.get('trail') === 'all'))
        await view.scenes[0].trails.show(output.name);
    view.stage.look((wanted.get('view') as View | null) ?? (results[0].planar ? 'front' : 'iso'));
    view.stage.zoom(this.number('zoom', 1));
    const mode = this.number('mode', 0) - 1;
    if (mode >= 0) await view.chooseMode(wanted.get('stage') ?? results[0].modes[0].stage, mode);
  }

  /** The picture of a row, waiting for its data. */
  async picture(row: number): Promise<HTMLCanvasElement> {
    const t = this.clock.time(row);
    for (const [i, r] of this.results.entries()) {
      const at = i ? new Clock(r).rowOfTime(t) : row;
      if (!r.rows || !r.coordinates.width) continue;
      await r.coordinates.need(Math.floor(at));
      await r.coordinates.need(Math.min(r.rows - 1, Math.floor(at) + 1));
    }
    this.store.set({ row });
    this.view.draw();
    await Promise.all(this.view.scenes.map((s) => s.contacts.ready()));
    drawPicture(this.view, this.store, this.clock, { caption: !this.wanted.has('nocaption') }, this.large);
    [this.out.width, this.out.height] = [this.width, this.height];
    const context = this.out.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.imageSmoothingQuality = 'high';
    context.drawImage(this.large, 0, 0, this.width, this.height);
    return this.out;
  }

  rowOf(name: string, otherwise: number): number {
    return this.wanted.has(name) ? this.clock.rowOfTime(this.number(name, 0)) : otherwise;
  }

  async still(): Promise<Blob> {
    const last = Math.max(0, this.results[0].rows - 1);
    this.view.phase = 0.25;
    this.view.damped = false;
    const canvas = await this.picture(this.rowOf('time', last));
    return new Promise((resolve, reject) => canvas.toBlob((b) => (b ? resolve(b) : reject(new Error('cannot make the image'))), 'image/png'));
  }

  /** Rows of the pictures of a video, one for each; of a mode, its swings, again and again. */
  private plan(fps: number, again: number): number[] {
    const last = Math.max(0, this.results[0].rows - 1);
    if (this.store.state.mode) return Array.from({ length: Math.round(2 * fps * this.view.swings * again) }, () => this.store.state.row);
    const [from, to] = [this.clock.ofRow(this.rowOf('from', 0)), this.clock.ofRow(this.rowOf('to', last))];
    const speed = this.number('speed', filmSpeed(to - from));
    const count = Math.max(1, Math.min(5000, Math.floor(((to - from) / speed) * fps + 1e-6) + 1));
    return Array.from({ length: count }, (_, i) => this.clock.rowAt(from + (i * speed) / fps));
  }

  async video(kind: string): Promise<Blob> {
    const fps = this.number('fps', kind === 'gif' ? 20 : 30);
    const again = kind === 'gif' ? 1 : Math.max(1, Math.round(filmLength / 2 / this.view.swings)); // a gif begins again by itself
    const rows = this.plan(fps, again);
    const draw = (i: number): Promise<HTMLCanvasElement> => {
      this.view.phase = (((i / rows.length) * again) % 1) * this.view.swings;
      return this.picture(rows[i]);
    };
    if (kind === 'webm') return encodeWebm(rows.length, fps, this.width, this.height, draw);
    const pixels = async (i: number): Promise<Uint8ClampedArray> => {
      const context = (await draw(i)).getContext('2d');
      if (!context) throw new Error('no canvas');
      return context.getImageData(0, 0, this.width, this.height).data;
    };
    const samples = [0, Math.floor(rows.length / 3), Math.floor((2 * rows.length) / 3), rows.length - 1];
    const some = new Uint8ClampedArray(4 * this.width * this.height * samples.length);
    for (const [k, i] of samples.entries()) some.set(await pixels(i), 4 * this.width * this.height * k);
    const gif = new GifEncoder(this.width, this.height, makePalette(some));
    for (let i = 0; i < rows.length; ++i) gif.add(await pixels(i), Math.round(100 / fps));
    return gif.finish();
  }
}

async function send(body: Blob | string, failed: boolean): Promise<void> {
  await fetch(`picture${failed ? '?failed=1' : ''}`, { method: 'POST', body });
}

export async function render(wanted: URLSearchParams, results: Result[]): Promise<void> {
  const job = new Job(wanted, results);
  await job.prepare();
  const kind = wanted.get('render') ?? 'png';
  await send(kind === 'png' ? await job.still() : await job.video(kind), false);
}

export async function renderFailed(reason: string): Promise<void> {
  await send(reason, true);
}
