// One plot: its curves, with the cursor and the time line tied together.

import uPlot from 'uplot';
import type { Result } from '../data/result';
import { tickLabels } from '../data/ticks';
import { readable } from '../scene/colors';
import { collect, isOrbit, type Collected, type PlotView } from './curves';
import { button, h } from './dom';
import { orbit } from './orbit';
import { exportCsv, exportPng, exportSvg, type Curve, type Drawn } from './plot_export';
import { makePlotTools } from './plot_tools';

export interface PlotActions {
  time(): number;
  seek(t: number): void;
  row(): number; // what is drawn
  seekRow(row: number): void;
  remove(plot: Plot): void;
  changed(): void;
}

/** The part of a plot that is seen, by axis. */
export type Zoom = Record<string, [number, number]>;

export class Plot {
  readonly element = h('section', { class: 'plot', 'aria-label': 'Plot' });
  readonly view: PlotView;
  private plot?: uPlot;
  private drawn?: Collected;
  private readonly tools: { element: HTMLElement; update(): void };
  private readonly body = h('div', { class: 'plot-body' });
  private readonly legend = h('div', { class: 'plot-legend' });
  private building = 0;
  private now: HTMLElement[] = [];
  private whole: Zoom = {};
  private wanted?: Zoom; // to be shown once it is drawn
  private readonly sized = new ResizeObserver(() => this.resize());

  constructor(
    readonly results: Result[],
    view: Partial<PlotView> & { names: string[] },
    private readonly actions: PlotActions,
    zoom?: Zoom,
  ) {
    this.view = { x: 't', form: 'plain', logX: false, logY: false, delta: false, ...view };
    this.wanted = zoom;
    this.tools = makePlotTools(this, { remove: () => actions.remove(this) });
    this.element.append(this.tools.element, this.legend, this.body);
    this.sized.observe(this.body);
    void this.build();
  }

  get names(): string[] {
    return this.view.names;
  }

  get curves(): Curve[] {
    return this.drawn?.curves ?? [];
  }

  get span(): number {
    return this.drawn?.span ?? 0;
  }

  /** Show something else. */
  change(view: Partial<PlotView>): void {
    Object.assign(this.view, view);
    this.wanted = {};
    this.tools.update();
    void this.build();
  }

  /** See all of it. */
  fit(): void {
    this.wanted = {};
    this.draw();
  }

  export(kind: string): void {
    if (!this.drawn || !this.plot) return;
    const name = this.names.join('-').replace(/[^\w.-]+/g, '_') || 'plot';
    if (kind === 'png') exportPng(this.plot, name, getComputedStyle(this.element).backgroundColor);
    if (kind === 'svg') exportSvg(this.drawn, name);
    if (kind === 'csv') exportCsv(this.drawn, name);
  }

  /** Read the data again and draw. */
  async build(): Promise<void> {
    const turn = ++this.building;
    const drawn = await collect(this.results, this.view);
    if (turn !== this.building) return;
    this.drawn = drawn;
    this.tools.update();
    this.draw();
    this.actions.changed();
  }

  private size(): { width: number; height: number } {
    return { width: Math.max(120, this.body.clientWidth), height: Math.max(90, this.body.clientHeight || 160) };
  }

  resize(): void {
    this.plot?.setSize(this.size());
  }

  // ---- drawing ----

  /** The vertical axis of a curve: every unit has one. */
  private scaleOf(c: Curve): string {
    const k = [...new Set(this.curves.map((d) => d.unit))].indexOf(c.unit);
    return k > 0 ? `y${k + 1}` : 'y';
  }

  private draw(): void {
    const drawn = this.drawn;
    const zoom = this.wanted ?? this.zoom();
    this.wanted = undefined;
    this.plot?.destroy();
    this.plot = undefined;
    this.body.replaceChildren();
    this.now = [];
    this.legend.replaceChildren(...[...new Set(drawn?.curves.map((c) => c.name))].map((name) => this.legendItem(name)), h('span', { class: 'cursor-x' }));
    const seen = drawn?.curves.some((c) => c.y.some((v) => Number.isFinite(v)));
    for (const text of drawn?.missing ?? []) (seen ? this.legend : this.body).append(h('span', { class: seen ? 'missing' : 'empty', role: 'note' }, {}, text));
    if (drawn && !seen && !drawn.missing.length) this.body.append(h('span', { class: 'empty', role: 'note' }, {}, 'there is nothing to show: no value is a number'));
    if (!drawn || !seen) return;
    this.plot = new uPlot(this.options(drawn, zoom), this.data(drawn), this.body);
  }

  private data(drawn: Drawn): uPlot.AlignedData {
    const { curves } = drawn;
    if (isOrbit(this.view)) return this.orbit().data;
    const aligned = curves.every((c) => c.x === curves[0].x || (c.x.length === curves[0].x.length && c.result === 0));
    const data = aligned ? [curves[0].x, ...curves.map((c) => c.y)] : joined(curves);
    const hole = (list: ArrayLike<number | null>): (number | null)[] => Array.from(list, (v) => (v !== null && Number.isFinite(v) ? v : null));
    const holes = (list: ArrayLike<number | null>): boolean => Array.prototype.some.call(list, (v) => !Number.isFinite(v));
    return data.map((list, k) => (k && holes(list) ? hole(list) : list)) as uPlot.AlignedData;
  }

  private orbit(): ReturnType<typeof orbit> {
    const { logX, logY, form } = this.view;
    return orbit(this.curves, { logX, logY, points: form === 'section', scaleOf: (c) => this.scaleOf(c) });
  }

  private options(drawn: Drawn, zoom: Zoom): uPlot.Options {
    const { curves } = drawn;
    const style = getComputedStyle(document.documentElement);
    const [ink, faint] = [style.getPropertyValue('--ink-2').trim(), style.getPropertyValue('--line').trim()];
    const font = '11px system-ui, sans-serif';
    const units = [...new Set(curves.map((c) => c.unit))];
    const { logX, logY } = this.view;
    const axis = { stroke: ink, font, labelFont: font, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint, width: 1 } };
    const texts = (log: boolean): uPlot.Axis.Values => (_, ticks) => (log ? (ticks as (number | null)[]).map((v) => (v === null ? '' : readable(v))) : tickLabels(ticks));
    const over = isOrbit(this.view);
    const upright = units.map((unit, k): uPlot.Axis => {
      const own = curves.filter((c) => c.unit === unit);
      const stroke = units.length > 1 && new Set(own.map((c) => c.color)).size === 1 ? own[0].color : ink;
      return {
        ...axis, stroke, scale: this.scaleOf(own[0]), side: k ? 1 : 3, grid: { ...axis.grid, show: k === 0 }, size: 56, space: closeTicks,
        label: unit ? `[${unit}]` : units.length > 1 ? '[1]' : '', labelSize: 15, labelGap: 0, values: texts(logY),
      };
    });
    const scales: uPlot.Scales = { x: { time: false, distr: logX ? 3 : 1, ...(logX ? { range: (_, low, high) => [low, high] } : {}) } };
    for (const a of upright) scales[a.scale ?? 'y'] = { distr: logY ? 3 : 1 };
    return {
      ...this.size(),
      legend: { show: false },
      padding: [8, units.length > 1 ? 4 : 18, 0, 0],
      pxAlign: 0,
      scales,
      cursor: { sync: this.overTime ? { key: 'time' } : undefined, drag: { x: true, y: over, uni: 30 }, points: over ? { show: false } : { size: 6 } },
      axes: [{ ...axis, size: 30, label: `${drawn.x}${drawn.xUnit ? ` [${drawn.xUnit}]` : ''}`, labelSize: 15, labelGap: -2, values: texts(logX) }, ...upright],
      series: [{}, ...curves.map((c) => ({ label: c.label, scale: this.scaleOf(c), stroke: c.color, width: 1.6, dash: c.result ? [5, 4] : undefined, points: { show: false }, spanGaps: !logY }))],
      ...(over ? this.orbit().options : {}),
      hooks: {
        draw: [(u) => this.showNow(u)],
        setCursor: [(u) => this.showValues(u)],
        ready: [(u) => this.watchClicks(u), (u) => this.zoomTo(u, zoom)],
      },
    };
  }

  /** A name and its values, of both results where there are two. */
  private legendItem(name: string): HTMLElement {
    const curves = this.curves.filter((c) => c.name === name);
    const [first] = curves;
    const text = this.view.delta || this.view.form === 'phase' || this.view.form === 'section' ? first.label : name;
    const item = h('span', { class: 'curve' }, {}, h('i', { style: `background:${first.color}` }),
      this.view.logY ? `|${text}|` : text, first.unit ? ` [${first.unit}]` : '', h('span', { class: 'value', 'data-name': name }));
    if (this.names.length > 1 && this.view.form !== 'campbell') item.append(button(`Remove ${name}`, '×', () => this.change({ names: this.names.filter((n) => n !== name) }), { class: 'plain' }));
    return item;
  }

  // ---- the present and the cursor ----

  private get overTime(): boolean {
    return !isOrbit(this.view) && this.view.form !== 'spectrum';
  }

  /** The line (or points) of the present time: elements over the plot, cheaper to move than to draw it again. */
  private showNow(u: uPlot): void {
    const t = this.actions.time();
    const places: [number, number][] = this.overTime
      ? [[u.valToPos(t, 'x'), 0]]
      : isOrbit(this.view) && this.view.form !== 'section'
        ? this.curves.filter((c) => !c.guide).map((c) => {
            const i = this.present(c, t);
            return [u.valToPos(c.x[i], 'x'), u.valToPos(c.y[i], this.scaleOf(c))];
          })
        : [];
    while (this.now.length < places.length) this.now.push(u.over.appendChild(h('div', { class: this.overTime ? 'now' : 'now point' })));
    const [width, height] = [u.over.clientWidth, u.over.clientHeight];
    places.forEach(([x, y], k) => {
      this.now[k].style.visibility = x >= 0 && x <= width && y >= 0 && y <= height ? 'visible' : 'hidden';
      this.now[k].style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    });
  }

  /** Does a curve have one point for every row? Then rows say which is meant, also where time stands still. */
  private byRows(c: Curve): boolean {
    return c.result === 0 && c.time.length === this.results[0].rows && this.view.form !== 'section' && this.view.form !== 'campbell';
  }

  /** The point of the present. */
  private present(c: Curve, t: number): number {
    return this.byRows(c) ? Math.round(this.actions.row()) : nearest(c.time, t);
  }

  private seekPoint(c: Curve, i: number): void {
    if (this.byRows(c)) this.actions.seekRow(i);
    else this.actions.seek(c.time[i]);
  }

  /** Values at the cursor; without it, at the present. */
  private showValues(u: uPlot): void {
    const [left, top] = [u.cursor.left ?? -1, u.cursor.top ?? -1];
    const over = isOrbit(this.view);
    const x = left >= 0 && !over ? u.posToVal(left, 'x') : this.actions.time();
    const at = (c: Curve): number => (over && left >= 0 ? this.closest(u, c, left, top) : left < 0 && this.view.form === 'spectrum' ? -1 : over || this.overTime ? (left < 0 ? this.present(c, x) : nearest(c.time, x)) : nearest(c.x, x));
    for (const value of this.legend.querySelectorAll<HTMLElement>('.value')) {
      const curves = this.curves.filter((c) => c.name === value.dataset['name'] && c.y.length && !c.guide);
      value.textContent = curves.map((c) => (at(c) < 0 ? '' : over ? `(${readable(c.x[at(c)])}, ${readable(c.y[at(c)])})` : readable(c.y[at(c)]))).join(' | ');
    }
    const place = this.legend.querySelector('.cursor-x');
    const [first] = this.curves;
    if (place && first) place.textContent = left < 0 ? '' : over ? `t = ${readable(first.time[at(first)], 's')}` : `${this.drawn?.x ?? ''} = ${readable(x, this.drawn?.xUnit)}`;
  }

  /** The point of a curve that is closest on the screen. */
  private closest(u: uPlot, c: Curve, left: number, top: number): number {
    let [best, least] = [0, Infinity];
    for (let i = 0; i < c.x.length; ++i) {
      const d = Math.hypot(u.valToPos(c.x[i], 'x') - left, u.valToPos(c.y[i], this.scaleOf(c)) - top);
      if (d < least) [best, least] = [i, d];
    }
    return best;
  }

  /** A click (not a drag, which zooms) goes to that time. */
  private watchClicks(u: uPlot): void {
    let downAt = [0, 0];
    u.over.addEventListener('pointerdown', (e) => (downAt = [e.clientX, e.clientY]));
    u.over.addEventListener('pointerup', (e) => {
      if (Math.hypot(e.clientX - downAt[0], e.clientY - downAt[1]) > 4) return;
      const box = u.over.getBoundingClientRect();
      const [left, top] = [e.clientX - box.left, e.clientY - box.top];
      if (this.overTime) this.actions.seek(u.posToVal(left, 'x'));
      else if (isOrbit(this.view) && this.curves[0]) this.seekPoint(this.curves[0], this.closest(u, this.curves[0], left, top));
    });
  }

  private zoomTo(u: uPlot, zoom: Zoom): void {
    this.whole = scalesOf(u);
    const set = (): void => Object.entries(zoom).forEach(([key, [min, max]]) => key in this.whole && u.setScale(key, { min, max }));
    queueMicrotask(set); // uPlot forgets what is set before its first picture is done
  }

  /** The axes that do not show everything. */
  zoom(): Zoom {
    const differs = ([key, [min, max]]: [string, [number, number]]): boolean => this.whole[key]?.[0] !== min || this.whole[key]?.[1] !== max;
    return this.plot ? Object.fromEntries(Object.entries(scalesOf(this.plot)).filter(differs)) : {};
  }

  /** The present has moved. */
  update(): void {
    if (!this.plot) return;
    this.showNow(this.plot);
    this.showValues(this.plot);
  }

  themed(): void {
    this.draw();
  }

  dispose(): void {
    this.sized.disconnect();
    this.plot?.destroy();
    this.element.remove();
  }
}

/** Pixels between the ticks of an upright axis: fewer on a low plot, which would have a single one otherwise. */
const closeTicks: uPlot.Axis.Space = (_u, _axis, _low, _high, length) => Math.max(14, Math.min(30, length / 5));

/** What is seen of every axis. */
function scalesOf(u: uPlot): Zoom {
  const known = Object.entries(u.scales).flatMap(([key, { min, max }]): [string, [number, number]][] => (typeof min === 'number' && typeof max === 'number' ? [[key, [min, max]]] : []));
  return Object.fromEntries(known);
}

/** Curves over different times, on one axis with gaps. */
function joined(curves: Curve[]): (Float64Array | (number | null)[])[] {
  const order = curves.flatMap((c, k) => Array.from(c.x, (x, i) => ({ x, k, i })));
  const sorted = order.sort((a, b) => a.x - b.x);
  const xs = sorted.map((p) => p.x);
  return [xs, ...curves.map((c, k) => sorted.map((p) => (p.k === k ? c.y[p.i] : null)))];
}

export function nearest(list: ArrayLike<number>, t: number): number {
  let [low, high] = [0, list.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] <= t) low = middle;
    else high = middle;
  }
  return high >= 0 && Math.abs(list[high] - t) < Math.abs(list[low] - t) ? high : low;
}
