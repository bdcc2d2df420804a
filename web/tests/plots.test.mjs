// Plots: forms, axes, cursor, fit, links.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeAll, exported, goTo, openPage, serve, simulate } from './support.mjs';

let server, page, data;
before(async () => {
  const result = simulate('pendulum');
  data = exported(result);
  server = await serve(result);
  page = await openPage(server.address, { permissions: ['clipboard-read', 'clipboard-write'] });
});
after(async () => {
  assert.deepEqual(page.troubles, []);
  await closeAll();
});

/** Change the first plot and wait until it is drawn. */
const change = (view) =>
  page.evaluate(async (v) => {
    const [plot] = window.sinew.app.plots.plots;
    const drawn = new Promise((done) => window.sinew.app.plots.element.addEventListener('plotted', done, { once: true }));
    plot.change(v);
    await drawn;
    return { curves: plot.curves.map((c) => ({ label: c.label, unit: c.unit, x: [...c.x], y: [...c.y] })), axes: plot.plot?.axes.map((a) => [a.side, a.label, a._values ?? []]), scales: plot.plot?.series.map((s) => s?.scale) };
  }, view);

test('a spectrum has its highest peak where the motion swings', async () => {
  const { curves: [c] } = await change({ names: ['tip.x'], form: 'spectrum' });
  const top = c.y.indexOf(Math.max(...c.y));
  // Swings of the tip, counted by its ways through the middle.
  const mean = data['tip.x'].reduce((s, v) => s + v, 0) / data['tip.x'].length;
  let crossings = 0;
  for (let i = 1; i < data['tip.x'].length; ++i) if ((data['tip.x'][i] - mean) * (data['tip.x'][i - 1] - mean) < 0) ++crossings;
  const span = data.t[data.t.length - 1];
  assert.ok(Math.abs(c.x[top] - crossings / 2 / span) < 1 / span, `${c.x[top]} Hz, ${crossings} crossings in ${span} s`);
  assert.ok(c.y[top] > 0.3 && c.y[top] < 1.2);
});

test('a phase portrait has the recorded velocity over the place, in the order of time', async () => {
  const { curves: [c] } = await change({ form: 'phase' });
  assert.deepEqual([c.label, c.unit], ['tip.vx', 'm/s']);
  assert.deepEqual(c.x, [...data['tip.x']]);
  assert.deepEqual(c.y, [...data['tip.vx']]);
  const { curves: [energy] } = await change({ names: ['energy.kinetic'] });
  const [i, dt] = [50, data.t[51] - data.t[50]];
  const rate = (data['energy.kinetic'][i + 1] - data['energy.kinetic'][i - 1]) / (2 * dt);
  assert.ok(Math.abs(energy.y[i] / rate - 1) < 1e-3 && energy.unit === 'J/s', 'what has no recorded rate gets one');
});

test('a running mean over one second', async () => {
  const { curves: [c] } = await change({ names: ['tip.y'], form: 'mean', span: 1 });
  let sum = 0;
  for (let i = 50; i < 150; ++i) sum += (data['tip.y'][i] + data['tip.y'][i + 1]) / 200;
  assert.ok(Math.abs(c.y[50] - sum) < 1e-9, `${c.y[50]}, expected ${sum}`); // the first one is that of 0.5 s
});

test('units have axes of their own, and logarithmic axes show sizes', async () => {
  const two = await change({ names: ['tip.y', 'energy.kinetic'], form: 'plain' });
  assert.deepEqual(two.scales.slice(1), ['y', 'y2']);
  assert.deepEqual(two.axes.map(([side, label]) => [side, label]), [[2, 't [s]'], [3, '[m]'], [1, '[J]']]);
  const log = await change({ names: ['energy.error'], logY: true });
  assert.ok(log.curves[0].y.every((v) => Number.isNaN(v) || v === null || v > 0));
  const place = await page.evaluate(() => {
    const u = window.sinew.app.plots.plots[0].plot;
    return [u.valToPos(1e-4, 'y') - u.valToPos(1e-3, 'y'), u.valToPos(1e-5, 'y') - u.valToPos(1e-4, 'y')];
  });
  assert.ok(place[0] > 0 && Math.abs(place[0] - place[1]) < 0.5, 'decades are equally long');
  assert.match(await page.textContent('.plot-legend'), /\|energy\.error\|/);
});

test('the cursor shows values, dragging zooms, fit shows all', async () => {
  await change({ names: ['tip.x', 'tip.y'], form: 'plain', logY: false });
  const over = page.locator('.plot').first().locator('.u-over');
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
  const [values, t] = await page.evaluate(() => [[...document.querySelectorAll('.plot-legend .value')].slice(0, 2).map((e) => Number(e.textContent)), document.querySelector('.cursor-x').textContent]);
  const row = data.t.findIndex((x) => x >= Number(/t = ([\d.]+) s/.exec(t)[1]) - 0.005);
  assert.ok(Math.abs(row - 50) <= 1, t);
  ['tip.x', 'tip.y'].forEach((name, k) => assert.ok([row - 1, row, row + 1].some((r) => Math.abs(values[k] - data[name][r]) < 1e-3), `${name}: ${values[k]}`));
  const range = () => page.evaluate(() => ['min', 'max'].map((k) => window.sinew.app.plots.plots[0].plot.scales.x[k]));
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  const [low, high] = await range();
  assert.ok(Math.abs(low - 0.5) < 0.05 && Math.abs(high - 1) < 0.05, `${low} to ${high}`);
  await page.locator('.plot').first().locator('.fit').click();
  assert.deepEqual((await range()).map((v) => Math.round(10 * v)), [0, 20]);
});

test('a link shows the same view elsewhere', async () => {
  await goTo(page, 60.25);
  await change({ names: ['tip.y'], form: 'spectrum', logX: true });
  await page.evaluate(() => {
    const { app } = window.sinew;
    app.store.set({ quantity: 'strain', grid: false, selection: { kind: 'joint', name: 'pin' } });
    app.view.stage.orbit(0.4, 0.2);
    app.plots.plots[0].plot.setScale('x', { min: 1, max: 5 });
  });
  await page.click('.entry[data-name="middle"] button[title="Show the path"]');
  await page.waitForFunction(() => window.sinew.app.view.trails.length === 2);
  const saved = () => (p) => p.evaluate(() => {
    const view = window.sinew.app.savedView();
    return JSON.parse(JSON.stringify(view, (_, v) => (typeof v === 'number' ? Number(v.toPrecision(6)) : v)));
  });
  await page.keyboard.press('c');
  await page.waitForSelector('.said:not([hidden])');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(link, await page.evaluate(() => location.href));
  const other = await openPage(link);
  await other.waitForFunction(() => Object.keys(window.sinew.app.plots.plots[0]?.zoom() ?? {}).length);
  const [a, b] = [await saved()(page), await saved()(other)];
  assert.deepEqual(b, a);
  assert.deepEqual([a.row, a.plots[0].form, a.plots[0].zoom.x, a.trails.sort()], [60.25, 'spectrum', [1, 5], ['middle', 'tip']]);
  assert.deepEqual(other.troubles, []);
  await other.context().close();
  // The link of another result, with things that this one does not have.
  const strange = link.replace('quantity%22:%22strain', 'quantity%22:%22pressure').replace('mode%22:null', 'mode%22:{%22stage%22:%22one%22,%22number%22:7}').replace('name%22:%22pin', 'name%22:%22bolt').replace('%22middle%22', '%22nothing%22');
  assert.ok(['pressure', 'number', 'bolt', 'nothing'].every((word) => strange.includes(word)), strange);
  const third = await openPage(strange);
  await third.waitForFunction(() => window.sinew.app.plots.plots[0]?.curves.length);
  assert.deepEqual(await third.evaluate(() => [window.sinew.app.store.state.quantity, window.sinew.app.store.state.mode]), ['none', null]);
  assert.deepEqual(third.troubles, []);
  await third.context().close();
});
