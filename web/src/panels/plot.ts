// One plot: series against time or against another series, with the cursor and the time line tied together.

import uPlot from 'uplot';
import type { Result } from '../data/result';
import { readable } from '../scene/colors';
import type { Store } from '../state';
import { button, choice, h, icon } from './dom';
import { orbit } from './orbit';
import { difference, exportCsv, exportPng, exportSvg, type Curve, type Drawn } from './plot_export';

export const plotColors = ['#2f6fb3', '#d9822b', '#3a9c57', '#b0447f', '#7b5cc4', '#3aa3a8', '#9a7a2e', '#c0504d'];

export interface PlotActions {
  time(): number;
  seek(t: number): void;
  remove(plot: Plot): void;
  changed(): void;
}

export class Plot {
  readonly element = h('section', { class: 'plot' });
  names: string[];
  x = 't';
  delta = false; // the difference of two results
  private plot?: uPlot;
  private drawn?: Drawn;
  private readonly body = h('div', { class: 'plot-body' });
  private readonly legend = h('div', { class: 'plot-legend' });
  private building = 0;
  private now: HTMLElement[] = [];

  constructor(
    private readonly store: Store,
    private readonly results: Result[],
    names: string[],
    private readonly actions: PlotActions,
  ) {
    this.names = names;
    this.element.append(this.tools(), this.legend, this.body);
    void this.build();
  }

  private tools(): HTMLElement {
    const all = [...this.results[0].series.keys()];
    const add = choice('Add a series', [['', '+ series'], ...all.map((n): [string, string] => [n, n])], '', (v) => {
      add.value = '';
      if (v && !this.names.includes(v)) this.names.push(v);
      void this.build();
    });
    const x = choice('Horizontal axis', [['t', 'over time'], ...all.map((n): [string, string] => [n, `over ${n}`])], this.x, (v) => {
      this.x = v;
      void this.build();
    }, { class: 'x-axis' });
    const save = choice('Export', [['', 'Export'], ['png', 'PNG'], ['svg', 'SVG'], ['csv', 'CSV']], '', (v) => {
      save.value = '';
      this.export(v);
    }, { class: 'export' });
    const delta = button('Difference of the two results', 'A−B', () => {
      this.delta = delta.classList.toggle('on');
      void this.build();
    });
    return h('div', { class: 'plot-tools' }, {}, add, x, this.results.length > 1 ? delta : null, save,
      button('Close this plot', icon('close'), () => this.actions.remove(this), { class: 'plain' }));
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
    const drawn = await this.collect();
    if (turn !== this.building) return;
    this.drawn = drawn;
    this.draw();
    this.actions.changed();
  }

  private async collect(): Promise<Drawn> {
    const curves: Curve[] = [];
    let base: Float64Array = new Float64Array(0);
    let unit = 's';
    for (const [r, result] of this.results.entries()) {
      const x = await result.column(this.x);
      for (const [k, name] of this.names.entries()) {
        const y = await result.column(name);
        if (!x || !y) continue;
        if (!base.length) [base, unit] = [x.value, x.unit];
        const label = this.results.length > 1 ? `${name} ${'AB'[r] ?? r + 1}` : name;
        curves.push({ name, label, unit: y.unit, x: x.value, y: y.value, time: y.time, result: r, color: plotColors[k % plotColors.length] });
      }
    }
    const shown = this.delta && this.results.length > 1 ? difference(curves) : curves;
    return { x: this.x, xUnit: unit, curves: shown };
  }

  private size(): { width: number; height: number } {
    return { width: Math.max(120, this.body.clientWidth), height: Math.max(90, this.body.clientHeight || 160) };
  }

  resize(): void {
    this.plot?.setSize(this.size());
  }

  private draw(): void {
    const drawn = this.drawn;
    this.plot?.destroy();
    this.body.replaceChildren();
    this.now = [];
    this.legend.replaceChildren(...[...new Set(drawn?.curves.map((c) => c.name))].map((name) => this.legendItem(name)));
    if (!drawn?.curves.length) return;
    const style = getComputedStyle(document.documentElement);
    const [ink, faint] = [style.getPropertyValue('--ink-2').trim(), style.getPropertyValue('--line').trim()];
    const font = '11px system-ui, sans-serif';
    const units = [...new Set(drawn.curves.map((c) => c.unit))];
    const axis = { stroke: ink, font, labelFont: font, grid: { stroke: faint, width: 1 }, ticks: { stroke: faint, width: 1 } };
    const isTime = this.x === 't';
    const across = isTime ? undefined : orbit(drawn.curves);
    const aligned = drawn.curves.every((c) => c.x === drawn.curves[0].x || c.x.length === drawn.curves[0].x.length && c.result === 0);
    const data = across ? [] : aligned ? [drawn.curves[0].x, ...drawn.curves.map((c) => c.y)] : joined(drawn.curves);
    this.plot = new uPlot(
      {
        ...this.size(),
        legend: { show: false },
        padding: [8, 18, 0, 0],
        pxAlign: 0,
        scales: { x: { time: false } },
        cursor: { sync: isTime ? { key: 'time' } : undefined, drag: { x: true, y: !isTime, uni: 30 }, points: isTime ? { size: 6 } : { show: false } },
        axes: [
          { ...axis, size: 30, label: `${isTime ? 't' : this.x}${drawn.xUnit ? ` [${drawn.xUnit}]` : ''}`, labelSize: 15, labelGap: -2 },
          { ...axis, size: 56, label: units.length === 1 && units[0] ? `[${units[0]}]` : '', labelSize: 15, labelGap: 0, values: (_, ticks) => ticks.map((v) => readable(v)) },
        ],
        series: [{}, ...drawn.curves.map((c) => ({ label: c.label, stroke: c.color, width: 1.6, dash: c.result ? [5, 4] : undefined, points: { show: false }, spanGaps: true }))],
        ...across?.options,
        hooks: {
          draw: [(u) => this.showNow(u)],
          setCursor: [(u) => this.showValues(u)],
          ready: [(u) => this.watchClicks(u)],
        },
      },
      across?.data ?? (data as uPlot.AlignedData),
      this.body,
    );
  }

  /** A name and its values, of both results where there are two. */
  private legendItem(name: string): HTMLElement {
    const curves = this.drawn?.curves.filter((c) => c.name === name) ?? [];
    const [first] = curves;
    const item = h('span', { class: 'curve' }, {}, h('i', { style: `background:${first.color}` }),
      this.delta ? first.label : name, first.unit ? ` [${first.unit}]` : '', h('span', { class: 'value', 'data-name': name }));
    const remove = (): void => {
      this.names = this.names.filter((n) => n !== name);
      void this.build();
    };
    if (this.names.length > 1) item.append(button(`Remove ${name}`, '×', remove, { class: 'plain' }));
    return item;
  }

  /** The line (or points) of the present time: elements over the plot, cheaper to move than to draw it again. */
  private showNow(u: uPlot): void {
    const t = this.actions.time();
    const places: [number, number][] =
      this.x === 't'
        ? [[u.valToPos(t, 'x'), 0]]
        : (this.drawn?.curves ?? []).map((c) => {
            const i = nearest(c.time, t);
            return [u.valToPos(c.x[i], 'x'), u.valToPos(c.y[i], 'y')];
          });
    while (this.now.length < places.length) this.now.push(u.over.appendChild(h('div', { class: this.x === 't' ? 'now' : 'now point' })));
    const [width, height] = [u.over.clientWidth, u.over.clientHeight];
    places.forEach(([x, y], k) => {
      this.now[k].style.visibility = x >= 0 && x <= width && y >= 0 && y <= height ? 'visible' : 'hidden';
      this.now[k].style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    });
  }

  private showValues(u: uPlot): void {
    const left = u.cursor.left ?? -1;
    const t = this.x === 't' && left >= 0 ? u.posToVal(left, 'x') : this.actions.time();
    for (const value of this.legend.querySelectorAll<HTMLElement>('.value')) {
      const curves = this.drawn?.curves.filter((c) => c.name === value.dataset['name'] && c.y.length) ?? [];
      value.textContent = curves.map((c) => readable(c.y[nearest(c.time, t)])).join(' | ');
    }
  }

  /** A click (not a drag, which zooms) goes to that time. */
  private watchClicks(u: uPlot): void {
    let downAt = 0;
    u.over.addEventListener('pointerdown', (e) => (downAt = e.clientX));
    u.over.addEventListener('pointerup', (e) => {
      if (this.x !== 't' || Math.abs(e.clientX - downAt) > 4) return;
      this.actions.seek(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, 'x'));
    });
  }

  /** The present has moved. */
  update(): void {
    if (!this.plot) return;
    this.showNow(this.plot);
    this.showValues(this.plot);
  }

  themed(): void {
    if (this.store) this.draw();
  }

  dispose(): void {
    this.plot?.destroy();
    this.element.remove();
  }
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
