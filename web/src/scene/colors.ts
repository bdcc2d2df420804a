// What bodies are colored by, and the scales.

import { DataTexture, LinearFilter, RGBAFormat, SRGBColorSpace } from 'three';
import type { Body } from '../data/result';

export type Quantity = 'none' | 'strain' | 'curvature' | 'force' | 'speed' | 'stress' | 'pressure';

export interface QuantityInfo {
  label: string;
  unit: string;
  number: number; // in the shaders
  signed: boolean; // two-sided scale around 0
}

export const quantities: Record<Quantity, QuantityInfo> = {
  none: { label: 'Plain', unit: '', number: 0, signed: false },
  strain: { label: 'Strain', unit: '', number: 1, signed: true },
  curvature: { label: 'Curvature', unit: '1/m', number: 2, signed: false },
  force: { label: 'Axial force', unit: 'N', number: 3, signed: true },
  speed: { label: 'Speed', unit: 'm/s', number: 4, signed: false },
  stress: { label: 'Stress', unit: 'Pa', number: 5, signed: false },
  pressure: { label: 'Contact pressure', unit: 'Pa', number: 6, signed: false },
};

/** What the bodies of results can be colored by, see docs/results.md. */
export function quantitiesOf(results: { bodies: Body[]; surfaces: { body: string }[] }[]): Quantity[] {
  const bodies = results.flatMap((r) => r.bodies);
  const lines = bodies.some((b) => ['line', 'chain', 'floating'].includes(b.primitive));
  const bends = lines || bodies.some((b) => b.primitive === 'surface');
  const stress = bodies.some((b) => b.young > 0);
  const offered: Partial<Record<Quantity, boolean>> = { force: lines, strain: bends, curvature: bends, stress, pressure: results.some(hasPressure) };
  return (Object.keys(quantities) as Quantity[]).filter((q) => offered[q] ?? true);
}

/** Does something touch cables, beams or plates? */
export function hasPressure({ bodies, surfaces }: { bodies: Body[]; surfaces: { body: string }[] }): boolean {
  return bodies.some((b) => ['line', 'chain', 'floating', 'surface'].includes(b.primitive) && surfaces.some((s) => s.body === b.name));
}

const oneSided = ['#4a4bb5', '#3a68b5', '#2f86ab', '#2aa08a', '#63bf6b', '#b5d456', '#fde725'];
const twoSided = ['#1f4ea8', '#4f86d6', '#a9c5ea', '#e6e6e6', '#f2b8a0', '#dd6b4d', '#a81f2e'];

function channels(hex: string): [number, number, number] {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)) as [number, number, number];
}

/** Color at x in [0, 1], as 0 to 255 each. */
export function scaleColor(signed: boolean, x: number): [number, number, number] {
  const stops = signed ? twoSided : oneSided;
  const at = Math.max(0, Math.min(1, Number.isFinite(x) ? x : 0)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(at));
  const [a, b] = [channels(stops[i]), channels(stops[i + 1])];
  return [0, 1, 2].map((k) => Math.round(a[k] + (at - i) * (b[k] - a[k]))) as [number, number, number];
}

export function scaleGradient(signed: boolean): string {
  return `linear-gradient(to right, ${(signed ? twoSided : oneSided).join(', ')})`;
}

/** Both scales, one per row. */
export function scaleTexture(): DataTexture {
  const data = new Uint8Array(2 * 256 * 4);
  for (let row = 0; row < 2; ++row)
    for (let i = 0; i < 256; ++i) data.set([...scaleColor(row === 1, i / 255), 255], 4 * (256 * row + i));
  const texture = new DataTexture(data, 256, 2, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** A number for people, with its unit. */
export function readable(value: number, unit = ''): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const text =
    size !== 0 && (size < 1e-3 || size >= 1e5)
      ? value.toExponential(2).replace(/e([+-])0?/, 'e$1').replace('e+', 'e')
      : String(Number(value.toPrecision(4)));
  return unit ? `${text} ${unit}` : text;
}
