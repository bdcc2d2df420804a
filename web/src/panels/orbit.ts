// One series over another: curves drawn in the order of time, whatever way x goes.

import uPlot from 'uplot';
import type { Curve } from './plot_export';

/** Smallest and largest finite value of all, with a little room. */
function range(lists: ArrayLike<number>[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists)
    for (let i = 0; i < list.length; ++i)
      if (Number.isFinite(list[i])) [low, high] = [Math.min(low, list[i]), Math.max(high, list[i])];
  if (low > high) return [0, 1];
  const room = 0.03 * (high - low) || 0.5;
  return [low - room, high + room];
}

const path: uPlot.Series.PathBuilder = (u, index) => {
  const line = new Path2D();
  const [xs, ys] = u.data[index] as unknown as [Float64Array, Float64Array];
  let drawing = false;
  for (let i = 0; i < xs.length; ++i) {
    const seen = Number.isFinite(xs[i]) && Number.isFinite(ys[i]);
    if (seen) line[drawing ? 'lineTo' : 'moveTo'](u.valToPos(xs[i], 'x', true), u.valToPos(ys[i], 'y', true));
    drawing = seen;
  }
  return { stroke: line, flags: 0 };
};

/** What uPlot needs beside the axes: its second mode, in which every curve has its own x. */
export function orbit(curves: Curve[]): { data: uPlot.AlignedData; options: Pick<uPlot.Options, 'mode' | 'series' | 'scales'> } {
  const [xs, ys] = [range(curves.map((c) => c.x)), range(curves.map((c) => c.y))];
  const keep = (whole: [number, number]): uPlot.Scale.Range => (_, low, high) => (low === null || high === null || low === high ? whole : [low, high]);
  return {
    data: [null, ...curves.map((c) => [c.x, c.y])] as unknown as uPlot.AlignedData,
    options: {
      mode: 2,
      scales: { x: { time: false, auto: false, min: xs[0], max: xs[1], range: keep(xs) }, y: { auto: false, min: ys[0], max: ys[1], range: keep(ys) } },
      series: [
        null as unknown as uPlot.Series,
        ...curves.map((c): uPlot.Series => ({
          label: c.label, stroke: c.color, width: 1.6, dash: c.result ? [5, 4] : undefined, points: { show: false }, paths: path,
          facets: [{ scale: 'x', auto: false }, { scale: 'y', auto: false }],
        })),
      ],
    },
  };
}
