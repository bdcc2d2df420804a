// Texts at the ticks of an axis: short, and different wherever the values differ.

import { readable } from '../scene/colors';

const mostDigits = 6; // of a text

/** Texts of ticks in ascending order; null stays without one. Where they would need many digits, the first has the value
 * and the others say how much more they are. */
export function tickLabels(ticks: (number | null)[]): string[] {
  const values = ticks.filter((v): v is number => v !== null && Number.isFinite(v));
  if (!values.length) return ticks.map(() => '');
  const step = smallestStep(values);
  const largest = Math.max(...values.map(Math.abs));
  const clean = (v: number): number => (Math.abs(v) < 1e-9 * step ? 0 : v);
  const digits = step > 0 && largest > 0 ? Math.max(1, Math.floor(Math.log10(largest)) - Math.floor(Math.log10(step) + 1e-9) + digitsOf(step)) : 1;
  const plain = (v: number): string => number(clean(v), digits, largest);
  const texts = digits <= mostDigits ? ticks.map((v) => (v === null ? '' : plain(v))) : fromFirst(ticks, values[0], step);
  return new Set(texts.filter(Boolean)).size === values.length ? texts : fromFirst(ticks, values[0], step);
}

function smallestStep(values: number[]): number {
  let least = Infinity;
  for (let i = 1; i < values.length; ++i) if (values[i] !== values[i - 1]) least = Math.min(least, Math.abs(values[i] - values[i - 1]));
  return Number.isFinite(least) ? least : 0;
}

/** Digits that a step has: 2 of 2.5. */
function digitsOf(step: number): number {
  return Number(step.toPrecision(3)).toExponential().split('e')[0].replace('.', '').length;
}

/** digits: that count in the largest of the values. */
function number(v: number, digits: number, largest: number): string {
  if (v === 0) return '0';
  const power = Math.floor(Math.log10(Math.abs(v)));
  const own = Math.max(1, Math.min(12, digits + power - Math.floor(Math.log10(largest))));
  const value = Number(v.toPrecision(own));
  return largest >= 1e5 || largest < 1e-3 ? value.toExponential().replace('e+', 'e') : String(value);
}

function fromFirst(ticks: (number | null)[], first: number, step: number): string[] {
  const digits = (v: number): number => Math.max(2, Math.ceil(Math.log10(Math.abs(v) / step || 1)) + 1);
  return ticks.map((v) => (v === null ? '' : v === first ? readable(v) : `+${Number((v - first).toPrecision(digits(v - first))).toExponential().replace('e+', 'e')}`));
}
