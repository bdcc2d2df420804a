// How a mode moves: Im(phi e^(lambda t)), lambda = -zeta w + i w sqrt(1 - zeta^2), which is a sin + b cos of the phase with
// the real part a and the imaginary part b of phi, times a decay. After some swings it begins again.

/** Swings until a mode begins again. */
export function swingsOf(zeta: number): number {
  return Math.abs(zeta) > 1e-3 ? 4 : 1;
}

/** Factors of the real and the imaginary part of the shape; phase: swings since the start. The largest is about 1. */
export function modeMotion(phase: number, zeta: number): [number, number] {
  const swings = swingsOf(zeta);
  const at = phase - swings * Math.floor(phase / swings);
  const grows = zeta < 0;
  if (Math.abs(zeta) >= 1) return [Math.exp(grows ? at - swings : -at), 0]; // no swing: a time constant in place of one
  const angle = 2 * Math.PI * at;
  const rate = zeta / Math.sqrt(1 - zeta * zeta);
  const size = Math.exp(-rate * (grows ? angle - 2 * Math.PI * swings : angle));
  return [size * Math.sin(angle), size * Math.cos(angle)];
}
