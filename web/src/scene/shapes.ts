// Shape functions of lines and surfaces: as functions, and as text for shaders. The program states them (data/layouts.ts).

import type { Polynomial } from '../data/layouts';

/** The sum of c s^i h^j. */
export function valueOf(p: Polynomial, s: number, h = 0): number {
  return p.reduce((sum, [c, i, j]) => sum + c * s ** i * h ** j, 0);
}

/** With respect to s (0) or h (1). */
export function derivativeOf(p: Polynomial, variable: 0 | 1 = 0): Polynomial {
  return p.flatMap(([c, i, j]): Polynomial => {
    const power = variable ? j : i;
    return power ? [[c * power, variable ? i : i - 1, variable ? j - 1 : j]] : [];
  });
}

/** In GLSL, by Horner's rule in s, its coefficients by Horner's rule in h. */
export function shaderOf(p: Polynomial): string {
  const number = (i: number, j: number): string => {
    const c = p.reduce((sum, t) => sum + (t[1] === i && t[2] === j ? t[0] : 0), 0);
    return c ? c.toFixed(1) : '';
  };
  return horner('s', (i) => horner('h', (j) => number(i, j))) || '0.0';
}

/** The sum of c(k) x^k up to cubes, as text; '': it is zero. */
function horner(x: string, c: (k: number) => string): string {
  let sum = '';
  for (let k = 3; k >= 0; --k) {
    if (sum) sum = `${x}*${sum}`;
    if (c(k)) sum = sum ? `(${c(k)} + ${sum})` : `(${c(k)})`;
  }
  return sum;
}
