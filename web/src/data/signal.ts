// What can be made of a series over time: spectrum, rate, running mean, a section at a period.

/** A series over other values, in the order of time. */
export interface Signal {
  x: Float64Array;
  y: Float64Array;
  time: Float64Array;
}

const longest = 1 << 15; // points of a spectrum

/** Value at a time, between two rows on the straight line. */
function valueAt(time: Float64Array, value: Float64Array, t: number, from: number): [number, number] {
  let i = from;
  while (i + 2 < time.length && time[i + 1] <= t) ++i;
  const dt = time[i + 1] - time[i];
  const f = dt > 0 ? Math.max(0, Math.min(1, (t - time[i]) / dt)) : 1;
  return [value[i] + f * (value[i + 1] - value[i]), i];
}

/** The same number of values at equal distances in time. */
function uniform(time: Float64Array, value: Float64Array, count: number): Float64Array {
  const [begin, end] = [time[0], time[time.length - 1]];
  let i = 0;
  return Float64Array.from({ length: count }, (_, k) => {
    const [v, at] = valueAt(time, value, begin + ((end - begin) * k) / count, i);
    i = at;
    return v;
  });
}

/** Fourier transform in place; the length is a power of two. */
function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j], im[i], im[j]] = [re[j], re[i], im[j], im[i]];
  }
  for (let size = 2; size <= n; size *= 2) {
    const angle = (-2 * Math.PI) / size;
    for (let k = 0; k < size / 2; ++k) {
      const [c, s] = [Math.cos(angle * k), Math.sin(angle * k)];
      for (let i = k; i < n; i += size) {
        const j = i + size / 2;
        const [x, y] = [re[j] * c - im[j] * s, re[j] * s + im[j] * c];
        [re[j], im[j]] = [re[i] - x, im[i] - y];
        [re[i], im[i]] = [re[i] + x, im[i] + y];
      }
    }
  }
}

/** Amplitudes over frequencies [Hz], from a Hann window: a sine of amplitude a has a peak of a. */
export function spectrum(time: Float64Array, value: Float64Array): Signal {
  const none = new Float64Array(0);
  const span = time.length > 3 ? time[time.length - 1] - time[0] : 0;
  if (!(span > 0)) return { x: none, y: none, time: none };
  const count = Math.min(longest, 2 ** Math.ceil(Math.log2(time.length)));
  const re = uniform(time, value, count);
  const mean = re.reduce((sum, v) => sum + v, 0) / count;
  for (let i = 0; i < count; ++i) re[i] = (re[i] - mean) * (1 - Math.cos((2 * Math.PI * i) / count));
  const im = new Float64Array(count);
  transform(re, im);
  const half = Math.min(count / 2, Math.floor(time.length / 2)); // nothing beyond what the rows resolve
  const x = Float64Array.from({ length: half }, (_, k) => k / span);
  return { x, y: x.map((_, k) => (2 * Math.hypot(re[k], im[k])) / count), time: x };
}

/** The frequency of the highest peak [Hz], 0: there is none. It is between two lines of the spectrum: with the Hann window,
 * the line before or after the highest one has r = (1 + d)/(2 - d) of its height, d: distance of the peak in lines. */
export function mainFrequency(time: Float64Array, value: Float64Array): number {
  const { x, y } = spectrum(time, value);
  const top = y.reduce((best, v, k) => (k > 0 && v > y[best] ? k : best), 0);
  if (top < 2 || top + 1 >= x.length) return x[top] ?? 0;
  const side = y[top + 1] > y[top - 1] ? 1 : -1;
  const r = y[top + side] / y[top];
  return x[top] + side * Math.max(0, (2 * r - 1) / (r + 1)) * x[1];
}

/** Rate of change by the parabola through three neighbors, of unequal distances too. */
export function rateOf(time: Float64Array, value: Float64Array): Float64Array {
  const n = value.length;
  return value.map((_, i) => {
    const k = Math.max(1, Math.min(n - 2, i));
    if (n < 3) return n < 2 ? NaN : (value[1] - value[0]) / (time[1] - time[0]);
    const [a, b] = [time[k] - time[k - 1], time[k + 1] - time[k]];
    const [left, right] = [(value[k] - value[k - 1]) / a, (value[k + 1] - value[k]) / b];
    const [middle, bend] = [(left * b + right * a) / (a + b), (right - left) / (a + b)];
    return Number.isFinite(middle) ? middle + 2 * bend * (time[i] - time[k]) : NaN;
  });
}

/** The mean over a window around every instant, where the whole window lies within the run; in a shorter run, the mean of all of it
 * that is around. */
export function runningMean({ x, y, time }: Signal, window: number): Signal {
  const n = time.length;
  if (n < 2 || !(window > 0)) return { x, y, time };
  const sum = new Float64Array(n); // integral from the start
  for (let i = 1; i < n; ++i) sum[i] = sum[i - 1] + ((time[i] - time[i - 1]) * (y[i] + y[i - 1])) / 2;
  const integral = (t: number, from: number): [number, number] => {
    const [v, i] = valueAt(time, y, t, from);
    return [sum[i] + ((t - time[i]) * (y[i] + v)) / 2, i];
  };
  let [low, high] = [0, 0];
  const mean = time.map((t) => {
    const half = Math.min(window / 2, t - time[0], time[n - 1] - t);
    if (!(half > 0)) return valueAt(time, y, t, 0)[0];
    const [a, i] = integral(t - half, low);
    const [b, j] = integral(t + half, high);
    [low, high] = [i, j];
    return (b - a) / (2 * half);
  });
  const whole = (t: number): boolean => Math.min(t - time[0], time[n - 1] - t) > 0.499999 * window;
  const shown = time.some(whole) ? whole : (): boolean => true;
  const cut = (a: Float64Array): Float64Array => a.filter((_, i) => shown(time[i]));
  return { x: cut(x), y: cut(mean), time: cut(time) };
}

/** Poincare section: points of a signal once every period. */
export function section({ x, y, time }: Signal, period: number): Signal {
  const n = time.length;
  const count = n > 1 && period > 0 ? Math.min(20_000, Math.floor((time[n - 1] - time[0]) / period + 1e-9) + 1) : 0;
  const at = Float64Array.from({ length: count }, (_, k) => time[0] + k * period);
  const pick = (value: Float64Array): Float64Array => {
    let i = 0;
    return at.map((t) => {
      const [v, from] = valueAt(time, value, t, i);
      i = from;
      return v;
    });
  };
  return { x: pick(x), y: pick(y), time: at };
}
