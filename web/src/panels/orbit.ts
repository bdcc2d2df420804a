// One series over another: curves drawn in the order of time, whatever way x goes; or points.

import uPlot from 'uplot';
import type { Curve } from './plot_export';

/** Smallest and largest finite value of all, with a little room. */
function range(lists: ArrayLike<number>[], log: boolean): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists)
    for (let i = 0; i < list.length; ++i)
      if (Number.isFinite(list[i]) && (!log || list[i] > 0)) [low, high] = [Math.min(low, list[i]), Math.max(high, list[i])];
  if (low > high) return log ? [0.1, 1] : [0, 1];
  if (log) return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high * 1.0001))];
  const room = 0.03 * (high - low) || 0.5;
  return [low - room, high + room];
}

function path(scale: string, points: boolean): uPlot.Series.PathBuilder {
  return (u, index) => {
    const line = new Path2D();
    const [xs, ys] = u.data[index] as unknown as [Float64Array, Float64Array];
    const radius = 2.2 * devicePixelRatio;
    let drawing = false;
    for (let i = 0; i < xs.length; ++i) {
      const [x, y] = [u.valToPos(xs[i], 'x', true), u.valToPos(ys[i], scale, true)];
      const seen = Number.isFinite(x) && Number.isFinite(y);
      if (seen && points) {
        line.moveTo(x + radius, y);
        line.arc(x, y, radius, 0, 2 * Math.PI);
      } else if (seen) line[drawing ? 'lineTo' : 'moveTo'](x, y);
      drawing = seen;
    }
    return { stroke: line, fill: points ? line : undefined, flags: 0 };
  };
}

export interface OrbitOptions {
  logX: boolean;
  logY: boolean;
  points: boolean;
  scaleOf: (curve: Curve) => string; // its vertical axis
}

/** What uPlot needs beside the axes: its second mode, in which every curve has its own x. */
export function orbit(curves: Curve[], { logX, logY, points, scaleOf }: OrbitOptions): { data: uPlot.AlignedData; options: Pick<uPlot.Options, 'mode' | 'series' | 'scales'> } {
  const whole = (lists: ArrayLike<number>[], log: boolean): uPlot.Scale => {
    const [min, max] = range(lists, log);
    return { time: false, auto: false, min, max, distr: log ? 3 : 1, range: (_, low, high) => (low === null || high === null || low === high ? [min, max] : [low, high]) };
  };
  const scales: uPlot.Scales = { x: whole(curves.map((c) => c.x), logX) };
  for (const name of new Set(curves.map(scaleOf))) scales[name] = whole(curves.filter((c) => scaleOf(c) === name).map((c) => c.y), logY);
  return {
    data: [null, ...curves.map((c) => [c.x, c.y])] as unknown as uPlot.AlignedData,
    options: {
      mode: 2,
      scales,
      series: [
        null as unknown as uPlot.Series,
        ...curves.map((c): uPlot.Series => ({
          label: c.label, stroke: c.color, fill: points ? c.color : undefined, width: points ? 0 : c.guide ? 1 : 1.6, dash: c.guide ? [2, 4] : c.result ? [5, 4] : undefined, points: { show: false }, paths: path(scaleOf(c), points),
          facets: [{ scale: 'x', auto: false }, { scale: scaleOf(c), auto: false }],
        })),
      ],
    },
  };
}
