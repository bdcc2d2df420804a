// What plots make of series, against what is known of sines and parabolas; texts at ticks.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { root, work } from './support.mjs';

after(() => rmSync(work, { recursive: true, force: true }));

const bundle = join(work, 'signal.mjs');
buildSync({
  stdin: { contents: `export * from './data/signal'; export * from './data/ticks'; export * from './data/view_link';`, resolveDir: join(root, 'web/src'), loader: 'ts' },
  bundle: true, format: 'esm', outfile: bundle,
});
const { spectrum, mainFrequency, rateOf, runningMean, section, tickLabels, fragmentOf, viewOf } = await import(pathToFileURL(bundle));

const times = (n, dt, uneven = 0) => Float64Array.from({ length: n }, (_, i) => dt * (i + uneven * Math.sin(i)));

test('a sine has a peak of its amplitude at its frequency, over rows at unequal distances too', () => {
  const [f, a] = [5, 0.3];
  for (const uneven of [0, 0.2]) {
    const t = times(2001, 1e-3, uneven);
    const { x, y } = spectrum(t, t.map((v) => 7 + a * Math.sin(2 * Math.PI * f * v)));
    const top = y.indexOf(Math.max(...y));
    assert.ok(Math.abs(x[top] - f) < 0.3, `${x[top]} Hz`);
    assert.ok(Math.abs(y[top] / a - 1) < 0.01, `amplitude ${y[top]}`);
    assert.ok(y[0] < 0.01 * a, 'the mean is no vibration');
    assert.ok(x[x.length - 1] <= 500, 'nothing beyond half the rate of the rows');
    assert.ok(Math.abs(mainFrequency(t, t.map((v) => Math.cos(2 * Math.PI * f * v))) - f) < 0.3);
  }
});

test('rates are exact for parabolas', () => {
  const t = times(50, 0.1, 0.3);
  rateOf(t, t.map((v) => 3 - 2 * v + 0.5 * v * v)).forEach((r, i) => assert.ok(Math.abs(r - (t[i] - 2)) < 1e-9, `row ${i}: ${r}`));
});

test('a running mean over a period leaves the line under a sine', () => {
  const t = times(1001, 0.01);
  const mean = runningMean({ x: t, y: t.map((v) => 2 + 0.1 * v + Math.sin(2 * Math.PI * v)), time: t }, 1);
  assert.deepEqual([mean.time[0], mean.time.at(-1), mean.y.length].map((v) => Number(v.toFixed(9))), [0.5, 9.5, 901], 'where a whole period is around');
  mean.y.forEach((v, i) => assert.ok(Math.abs(v - 2 - 0.1 * mean.time[i]) < 1e-3, `row ${i}: ${v}`));
  assert.equal(runningMean({ x: t, y: t, time: t }, 100).y.length, 1001, 'a run shorter than the period');
});

test('the section of a periodic motion is a point', () => {
  const t = times(4001, 1e-3);
  const [x, y] = [t.map((v) => Math.cos(4 * Math.PI * v)), t.map((v) => -Math.sin(4 * Math.PI * v))];
  const points = section({ x, y, time: t }, 0.5);
  assert.equal(points.x.length, 9);
  points.x.forEach((v, k) => assert.ok(Math.hypot(v - 1, points.y[k]) < 1e-3));
});

test('the period of a motion is found between the lines of its spectrum, and its section is a point', () => {
  for (const f of [2.31, 4.37, 11.9]) {
    const t = times(2001, 1e-3);
    const [x, y] = [t.map((v) => Math.cos(2 * Math.PI * f * v)), t.map((v) => -Math.sin(2 * Math.PI * f * v))];
    const found = mainFrequency(t, x);
    assert.ok(Math.abs(found / f - 1) < 5e-3, `${found} Hz, not ${f} Hz`);
    const points = section({ x, y, time: t }, 1 / found);
    points.x.forEach((v, k) => assert.ok(Math.hypot(v - 1, points.y[k]) < 0.15, `${f} Hz, point ${k}: ${v}, ${points.y[k]}`));
  }
});

test('ticks differ wherever their values do', () => {
  for (const ticks of [[0, 0.5, 1], [1.00001, 1.00002, 1.00003], [-2e-9, 0, 2e-9], [123456.1, 123456.2, 123456.3], [1e6, 2e6], [0.1 + 0.2, 0.4, 0.5], [9.81, 9.8100000001], [-0.0004, -0.0002, 0], [99998, 100000, 100002]]) {
    const texts = tickLabels(ticks);
    assert.equal(new Set(texts).size, ticks.length, texts.join(' '));
    for (const text of texts) assert.ok(text.length <= 9, `short: ${text}`);
    texts.forEach((text, i) => {
      const value = text.startsWith('+') ? ticks[0] + Number(text) : Number(text);
      assert.ok(Math.abs(value - ticks[i]) < 0.5 * Math.abs(ticks[1] - ticks[0]) || i === 0, `${text} for ${ticks[i]}`);
    });
  }
  assert.deepEqual(tickLabels([0, 0.5, 1]), ['0', '0.5', '1']);
  assert.deepEqual(tickLabels([0, 2.5, 5, 7.5, 10, 12.5]), ['0', '2.5', '5', '7.5', '10', '12.5']); // no rounded ones
  assert.deepEqual(tickLabels([1, null, 10]), ['1', '', '10']);
});

test('a link has all of a view, and a damaged one is none', () => {
  const view = { state: { quantity: 'strain', selection: { kind: 'body', name: 'Träger "1"' } }, row: 3.5, rows: 9, time: 0.25, eye: [1, 2, 3], target: [0, 0, 0], trails: ['tip'], plots: [], closed: [] };
  assert.deepEqual(viewOf(fragmentOf(view)), view);
  for (const bad of ['', '#view=', '#view={', '#other', `${fragmentOf(view)}x`, '#view={}']) assert.equal(viewOf(bad), undefined, bad);
});
