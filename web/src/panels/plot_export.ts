// Curves as files, and the difference of two results.

import type uPlot from 'uplot';
import { readable } from '../scene/colors';
import { roundStep } from '../scene/floor';
import { tickLabels } from '../data/ticks';
import { saveFile } from './dom';

export interface Curve {
  name: string;
  label: string;
  unit: string;
  x: Float64Array;
  y: Float64Array;
  time: Float64Array;
  result: number;
  color: string;
  guide?: boolean; // a line to compare with
}

export interface Drawn {
  x: string;
  xUnit: string;
  curves: Curve[];
  logX?: boolean;
  logY?: boolean;
}

/** First result less the second, at the times of the first. */
export function difference(curves: Curve[]): Curve[] {
  return curves
    .filter((c) => c.result === 0)
    .flatMap((a) => {
      const b = curves.find((c) => c.result === 1 && c.name === a.name);
      if (!b) return [];
      const y = a.y.map((v, i) => v - at(b, a.time[i]));
      return [{ ...a, label: `${a.name} A−B`, y }];
    });
}

function at(c: Curve, t: number): number {
  const n = c.time.length;
  if (!n || t < c.time[0] || t > c.time[n - 1] + 1e-9) return NaN;
  let [low, high] = [0, n - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (c.time[middle] <= t) low = middle;
    else high = middle;
  }
  const step = c.time[high] - c.time[low];
  return c.y[low] + (step > 0 ? ((t - c.time[low]) / step) * (c.y[high] - c.y[low]) : 0);
}

export function exportPng(plot: uPlot, name: string, background: string): void {
  const { canvas } = plot.ctx;
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext('2d');
  if (!context) return;
  context.fillStyle = background;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  copy.toBlob((blob) => blob && saveFile(`${name}.png`, blob), 'image/png');
}

export function csvText(drawn: Drawn): string {
  const groups = new Map<Float64Array, Curve[]>();
  for (const c of drawn.curves) groups.set(c.x, [...(groups.get(c.x) ?? []), c]);
  const columns: { name: string; value: Float64Array }[] = [];
  for (const [x, list] of groups) {
    columns.push({ name: drawn.x, value: x });
    for (const c of list) columns.push({ name: c.label, value: c.y });
  }
  const rows = Math.max(0, ...columns.map((c) => c.value.length));
  const lines = [columns.map((c) => c.name).join(',')];
  for (let i = 0; i < rows; ++i) lines.push(columns.map((c) => (i < c.value.length ? String(c.value[i]) : '')).join(','));
  return `${lines.join('\n')}\n`;
}

export function exportCsv(drawn: Drawn, name: string): void {
  saveFile(`${name}.csv`, new Blob([csvText(drawn)], { type: 'text/csv' }));
}

function extent(values: Iterable<number>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
  if (low > high) return [0, 1];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

/** An axis: the share of its length at a value, and its ticks with their texts. */
interface Axis {
  at(v: number): number;
  ticks: [value: number, text: string][];
}

function makeAxis(lists: Float64Array[], log: boolean): Axis {
  const scaled = (v: number): number => (log ? Math.log10(v) : v);
  const [low, high] = extent(lists.flatMap((l) => extent(log ? l.map(scaled) : l)));
  const step = log ? Math.max(1, Math.ceil((high - low) / 8)) : roundStep((high - low) / 6);
  const places: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) places.push(k * step);
  const values = places.map((p) => (log ? 10 ** p : p));
  const texts = log ? values.map((v) => readable(v)) : tickLabels(values);
  return { at: (v) => (scaled(v) - low) / (high - low), ticks: values.map((v, i) => [v, texts[i]]) };
}

const escape = (s: string): string => s.replace(/[<&>]/g, (c) => `&#${c.charCodeAt(0)};`);

/** Every unit has a vertical axis of its own: the first on the left, others on the right. */
export function svgText(drawn: Drawn): string {
  const units = [...new Set(drawn.curves.map((c) => c.unit))];
  const [width, height, left, bottom, top, right] = [640, 400, 70, 50, 20 + 16 * drawn.curves.length, 16 + 64 * Math.max(0, units.length - 1)];
  const across = makeAxis(drawn.curves.map((c) => c.x), drawn.logX ?? false);
  const up = units.map((unit) => makeAxis(drawn.curves.filter((c) => c.unit === unit).map((c) => c.y), drawn.logY ?? false));
  const X = (v: number): number => left + across.at(v) * (width - left - right);
  const Y = (v: number, unit: number): number => height - bottom - up[unit].at(v) * (height - bottom - top);
  const part: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
  ];
  for (const [v, text] of across.ticks)
    part.push(`<path d="M${X(v).toFixed(1)} ${top}V${height - bottom}" stroke="#ddd"/>`, `<text x="${X(v).toFixed(1)}" y="${height - bottom + 16}" text-anchor="middle">${text}</text>`);
  up.forEach((axis, k) => {
    const x = k ? width - right + 6 + 64 * (k - 1) : left - 6;
    for (const [v, text] of axis.ticks) {
      if (!k) part.push(`<path d="M${left} ${Y(v, k).toFixed(1)}H${width - right}" stroke="#ddd"/>`);
      part.push(`<text x="${x}" y="${(Y(v, k) + 4).toFixed(1)}" text-anchor="${k ? 'start' : 'end'}">${text}</text>`);
    }
    if (units.length > 1) part.push(`<text x="${x}" y="${height - bottom + 16}" text-anchor="${k ? 'start' : 'end'}">[${escape(units[k])}]</text>`);
  });
  part.push(`<text x="${(left + width - right) / 2}" y="${height - 10}" text-anchor="middle">${escape(drawn.x)}${drawn.xUnit ? ` [${escape(drawn.xUnit)}]` : ''}</text>`);
  drawn.curves.forEach((c, k) => {
    let path = '';
    for (let i = 0; i < c.x.length; ++i)
      if (Number.isFinite(c.y[i]) && Number.isFinite(c.x[i])) path += `${path ? 'L' : 'M'}${X(c.x[i]).toFixed(2)} ${Y(c.y[i], units.indexOf(c.unit)).toFixed(2)}`;
    part.push(`<path d="${path}" fill="none" stroke="${c.color}" stroke-width="1.6"${c.result ? ' stroke-dasharray="5 4"' : ''}/>`);
    part.push(`<path d="M${left} ${16 + 16 * k}h22" stroke="${c.color}" stroke-width="2"/><text x="${left + 28}" y="${20 + 16 * k}">${escape(c.label)}${c.unit ? ` [${escape(c.unit)}]` : ''}</text>`);
  });
  part.push('</svg>');
  return `${part.join('\n')}\n`;
}

export function exportSvg(drawn: Drawn, name: string): void {
  saveFile(`${name}.svg`, new Blob([svgText(drawn)], { type: 'image/svg+xml' }));
}
