// The Campbell diagram: frequencies of the modes of all stages and results over a quantity at that instant, such as the
// speed of rotation, with the lines of once, twice and three times per revolution.

import type { Modes, Result } from '../data/result';
import type { Curve } from './plot_export';

const mostModes = 24;
const orders = [1, 2, 3];

/** Modes that vibrate. */
function setsOf(results: Result[]): { result: number; modes: Modes }[] {
  return results.flatMap((r, result) => r.modes.filter((m) => m.kind !== 'buckling').map((modes) => ({ result, modes })));
}

export function hasCampbell(results: Result[]): boolean {
  return setsOf(results).length > 1;
}

/** The first speed of rotation that is recorded; otherwise time. */
export function speedOf(result: Result): string {
  return [...result.series].find(([name, s]) => s.unit === 'rad/s' && !name.startsWith('constraint'))?.[0] ?? 't';
}

export async function campbell(results: Result[], over: string, colors: string[]): Promise<{ x: string; xUnit: string; curves: Curve[]; missing: string[] }> {
  const sets: { x: number; t: number; modes: Modes }[] = [];
  let unit = '';
  const missing: string[] = [];
  for (const { result, modes } of setsOf(results)) {
    const column = await results[result].column(over);
    if (!column) missing.push(`${results[result].name} has no ${over}`);
    else sets.push({ x: column.value[modes.row], t: results[result].time[modes.row], modes });
    unit = column?.unit ?? unit;
  }
  sets.sort((a, b) => a.x - b.x);
  if (sets.length < 2) missing.push('a Campbell diagram needs modes at two or more instants: several stages of modes or linearize');
  const all = (f: (s: (typeof sets)[number]) => number): Float64Array => Float64Array.from(sets, f);
  const curve = (name: string, color: string, rest: Pick<Curve, 'x' | 'y' | 'time'> & { guide?: boolean }): Curve => ({ name, label: name, unit: 'Hz', result: 0, color, ...rest });
  const count = Math.min(mostModes, Math.max(0, ...sets.map((s) => s.modes.count)));
  const curves: Curve[] = [];
  for (let k = 0; k < count && sets.length > 1; ++k) {
    const y = all((s) => s.modes.value[k] ?? NaN);
    if (y.some((v) => v > 0)) curves.push(curve(`mode ${k + 1}`, colors[k % colors.length], { x: all((s) => s.x), y, time: all((s) => s.t) }));
  }
  const top = Math.max(0, ...curves.flatMap((c) => [...c.y].filter(Number.isFinite)));
  const speeds = sets.map((s) => Math.abs(s.x));
  const fastest = Math.max(0, ...speeds);
  if (unit === 'rad/s' && fastest > 0 && top > 0)
    for (const n of orders) {
      const end = Math.min(fastest, (1.1 * top * 2 * Math.PI) / n);
      curves.push(curve(`${n} per revolution`, '#8a929b', { x: Float64Array.of(0, end), y: Float64Array.of(0, (n * end) / (2 * Math.PI)), time: Float64Array.of(NaN, NaN), guide: true }));
    }
  return { x: over, xUnit: unit, curves, missing };
}
