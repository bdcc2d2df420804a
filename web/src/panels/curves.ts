// The curves of a plot: series of all results, as they are or transformed.

import type { Result } from '../data/result';
import { campbell } from './campbell';
import { mainFrequency, rateOf, runningMean, section, spectrum } from '../data/signal';
import { difference, type Curve, type Drawn } from './plot_export';

export const plotColors = ['#2f6fb3', '#d9822b', '#3a9c57', '#b0447f', '#7b5cc4', '#3aa3a8', '#9a7a2e', '#c0504d'];

export type Form = 'plain' | 'mean' | 'spectrum' | 'phase' | 'section' | 'campbell';

export const forms: [Form, string][] = [
  ['plain', 'as it is'],
  ['mean', 'running mean'],
  ['spectrum', 'spectrum'],
  ['phase', 'phase portrait'],
  ['section', 'Poincaré plot'],
  ['campbell', 'Campbell diagram'],
];

/** What a plot shows; a link to a view contains it. */
export interface PlotView {
  names: string[];
  x: string; // 't', or a series
  form: Form;
  span?: number; // window of the mean, or period of the section [s]; otherwise a fitting one
  logX: boolean;
  logY: boolean;
  delta: boolean; // the difference of two results
}

/** Is it drawn in the order of time, whatever way x goes? */
export function isOrbit(view: PlotView): boolean {
  return view.form === 'phase' || view.form === 'section' || view.form === 'campbell' || (view.x !== 't' && view.form !== 'spectrum');
}

/** The series that is the rate of another, where it is recorded. */
function rateName(result: Result, name: string): string | undefined {
  const dot = name.lastIndexOf('.');
  const [of, column] = [name.slice(0, dot + 1), name.slice(dot + 1)];
  const wanted = [`${of}v${column}`, column === 'angle' ? `${of}omega` : '', column.startsWith('v') ? `${of}a${column.slice(1)}` : '', `${of}${column}_rate`];
  return /^(x|y|z|vx|vy|vz|angle)$/.test(column) || result.series.has(`${of}${column}_rate`) ? wanted.find((n) => n && result.series.has(n)) : undefined;
}

/** The span that fits: of a mean a period of the strongest vibration, if there are some; of a section the same. */
function fittingSpan(c: Curve): number {
  const whole = c.time.length ? c.time[c.time.length - 1] - c.time[0] : 0;
  const f = mainFrequency(c.time, c.y);
  return Number((f > 0 ? 1 / f : whole / 20).toPrecision(5)); // of a section, an error adds up from period to period
}

async function transformed(result: Result, view: PlotView, c: Curve, span: number): Promise<Curve> {
  if (view.form === 'spectrum') return { ...c, ...spectrum(c.time, c.y) };
  if (view.form === 'mean') return { ...c, ...runningMean(c, span) };
  if (view.form !== 'phase' && view.form !== 'section') return c;
  const rate = rateName(result, c.name);
  const recorded = rate ? await result.column(rate) : undefined;
  const portrait: Curve = { ...c, x: c.y, y: recorded?.value ?? rateOf(c.time, c.y), unit: recorded?.unit ?? (c.unit ? `${c.unit}/s` : '1/s') };
  portrait.label = c.label.replace(c.name, rate ?? `rate of ${c.name}`);
  return view.form === 'phase' ? portrait : { ...portrait, ...section(portrait, span) };
}

/** Of a logarithmic axis: sizes; what is zero has no place on it. */
function logged(c: Curve, view: PlotView): Curve {
  const size = (v: number): number => Math.abs(v) || NaN;
  const y = view.logY ? c.y.map(size) : c.y;
  if (!view.logX) return { ...c, y };
  const keep = (_: number, i: number): boolean => Number.isFinite(size(c.x[i]));
  return { ...c, x: c.x.map(size).filter(keep), y: y.filter(keep), time: c.time.filter(keep) };
}

export interface Collected extends Drawn {
  missing: string[]; // what is not there, in words
  span: number; // that was used, see PlotView
}

/** All that there is to draw. */
export async function collect(results: Result[], view: PlotView): Promise<Collected> {
  if (view.form === 'campbell') {
    const drawn = await campbell(results, view.x, plotColors);
    return { ...drawn, curves: drawn.curves.map((c) => logged(c, view)), logX: view.logX, logY: view.logY, span: 0 };
  }
  const curves: Curve[] = [];
  const missing: string[] = [];
  let unit = 's';
  let span = view.span ?? 0;
  const over = isOrbit(view) && view.form !== 'phase' && view.form !== 'section' ? view.x : 't';
  for (const [r, result] of results.entries()) {
    const x = await result.column(over);
    const letter = 'AB'[r] ?? String(r + 1);
    if (!x) missing.push(`${letter} (${result.name}) has no ${over}`);
    for (const [k, name] of view.names.entries()) {
      const y = await result.column(name);
      if (!y) missing.push(`${results.length > 1 ? `${letter} (${result.name})` : result.name} has no ${name}`);
      if (!x || !y) continue;
      unit = view.form === 'spectrum' ? 'Hz' : view.form === 'phase' || view.form === 'section' ? y.unit : x.unit;
      const label = results.length > 1 ? `${name} ${letter}` : name;
      const curve = { name, label, unit: y.unit, x: x.value, y: y.value, time: y.time, result: r, color: plotColors[k % plotColors.length] };
      if (!(span > 0) && (view.form === 'mean' || view.form === 'section')) span = fittingSpan(curve);
      curves.push(await transformed(result, view, curve, span));
    }
  }
  const shown = (view.delta && results.length > 1 ? difference(curves) : curves).map((c) => logged(c, view));
  if (curves.length && !shown.length) missing.push('there is nothing to compare: no series is in both results');
  else if (view.delta && shown.length && shown.every((c) => !c.y.some(Number.isFinite))) missing.push('there is nothing to compare: the results have no time in common');
  const title = view.form === 'spectrum' ? 'f' : view.form === 'phase' || view.form === 'section' ? view.names.join(', ') : over;
  return { x: title, xUnit: unit, curves: shown, logX: view.logX, logY: view.logY, missing, span };
}
