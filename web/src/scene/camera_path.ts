// A path of the camera: views at times of the run, with smooth ways between them.

export interface CameraKey {
  t: number;
  eye: number[];
  target: number[];
}

/** With a view at the same time replaced, in the order of time. */
export function withKey(path: CameraKey[], key: CameraKey): CameraKey[] {
  return [...path.filter((k) => Math.abs(k.t - key.t) > 1e-9), key].sort((a, b) => a.t - b.t);
}

/** Target, direction to the eye and the logarithm of its distance: what changes evenly on a way around something. */
function numbersOf({ eye, target }: CameraKey): number[] {
  const away = eye.map((v, k) => v - target[k]);
  const distance = Math.hypot(...away) || 1e-12;
  return [...target, ...away.map((v) => v / distance), Math.log(distance)];
}

/** The view at a time: cubic between two views, with slopes from their neighbors; before the first and after the last it rests. */
export function cameraAt(path: CameraKey[], t: number): { eye: number[]; target: number[] } | undefined {
  if (!path.length) return undefined;
  const last = path.length - 1;
  if (t <= path[0].t) return path[0];
  if (t >= path[last].t) return path[last];
  const i = path.findIndex((k) => k.t > t) - 1;
  const all = path.map(numbersOf);
  const slope = (k: number, n: number): number => (k > 0 && k < last ? (all[k + 1][n] - all[k - 1][n]) / (path[k + 1].t - path[k - 1].t) : 0);
  const h = path[i + 1].t - path[i].t;
  const s = (t - path[i].t) / h;
  const at = all[0].map((_, n) => {
    const [a, b] = [all[i][n], all[i + 1][n]];
    return a + (b - a) * s * s * (3 - 2 * s) + h * s * (1 - s) * ((1 - s) * slope(i, n) - s * slope(i + 1, n));
  });
  const target = at.slice(0, 3);
  const size = Math.hypot(at[3], at[4], at[5]) || 1;
  return { target, eye: target.map((v, k) => v + (at[3 + k] / size) * Math.exp(at[6])) };
}
