// What is drawn is where the result says it is: by the page's own numbers, and by the pixels.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeAll, exported, goTo, openPage, serve, simulate } from './support.mjs';

after(closeAll);

const models = [
  ['pendulum'], ['beam-pendulum'], ['hussein-pendulum'], ['plate-pendulum'], ['flexible-slider-crank'], ['satellite'],
  ['four-bar'], ['pendulum-weight'], ['spin-up'], ['elastica'],
  ...['bar', 'euler-bernoulli', 'timoshenko'].flatMap((theory) =>
    ['irf', 'ancf-s', 'frf'].map((f) => ['huang-pendulum', '--set', `theory=${theory}`, '--set', `formulation=${f}`, '--until', '0.4']),
  ),
];

/** Where the page draws the point outputs of result i at a row. */
const drawnPoints = (page, i, row) =>
  page.evaluate(async ([k, r]) => {
    const scene = window.sinew.app.view.scenes[k];
    while (!scene.show(r)) await new Promise((next) => setTimeout(next, 10));
    const points = scene.result.outputs.filter((o) => o.kind === 'point');
    return points.map((o) => ({ name: o.name, at: scene.outputPoint(o.name) }));
  }, [i, row]);

test('points are drawn where they were computed', async (t) => {
  const results = models.map(([model, ...args]) => simulate(model, ...args));
  const server = await serve(...results);
  const page = await openPage(server.address);
  for (const [i, model] of models.entries())
    await t.test(model.filter((a) => !a.startsWith('--')).join(' '), async () => {
      const data = exported(results[i]);
      const rows = data.t.length;
      let size = 0;
      for (const [name, values] of Object.entries(data)) if (/\.[xyz]$/.test(name)) for (const v of values) size = Math.max(size, Math.abs(v));
      for (const row of [0, Math.floor(rows / 3), Math.floor((2 * rows) / 3), rows - 1]) {
        const points = await drawnPoints(page, i, row);
        assert.ok(points.length, 'the model has point outputs');
        for (const { name, at } of points)
          ['x', 'y', 'z'].forEach((c, k) => {
            const want = data[`${name}.${c}`]?.[row] ?? 0;
            assert.ok(Math.abs(at[k] - want) <= 1e-6 * size, `${name}.${c} of row ${row}: drawn at ${at[k]}, computed ${want}`);
          });
      }
    });
  assert.deepEqual(page.troubles, []);
  await page.context().close();
  await server.stop();
});

/** Share of points along a body whose pixel is not the background. */
const covered = (page, places) =>
  page.evaluate((list) => {
    const { view, store } = window.sinew.app;
    const [scene] = view.scenes;
    Object.assign(store.state, { grid: false });
    scene.symbols.group.visible = false;
    scene.trails.group.visible = false;
    view.fixedRatio = true;
    view.stage.sharpen(1);
    view.draw();
    const gl = view.stage.renderer.getContext();
    const [back, seen] = [new Uint8Array(4), new Uint8Array(4)];
    gl.readPixels(gl.drawingBufferWidth - 2, gl.drawingBufferHeight - 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, back);
    let hits = 0;
    for (const m of list) {
      const point = scene.markers.at({ position: [0, 0, 0], ...m }, scene.frame);
      const at = view.stage.project(point);
      gl.readPixels(Math.floor(at[0]), gl.drawingBufferHeight - 1 - Math.floor(at[1]), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, seen);
      if ([0, 1, 2].some((k) => Math.abs(seen[k] - back[k]) > 12)) ++hits;
    }
    return hits / list.length;
  }, places);

test('the shaders bend lines and surfaces along the shape functions', async () => {
  const cases = [
    ['pendulum', 120, Array.from({ length: 40 }, (_, i) => ({ body: 'beam', element: i % 10, local: [(i % 7) / 7 + 0.05, 0, 0] }))],
    ['beam-pendulum', 120, Array.from({ length: 40 }, (_, i) => ({ body: 'beam', element: i % 10, local: [(i % 7) / 7 + 0.05, 0, 0] }))],
    ['plate-pendulum', 60, Array.from({ length: 64 }, (_, i) => ({ body: 'sheet', element: i, local: [0.35, 0.6, 0] }))],
  ];
  for (const [model, row, places] of cases) {
    const server = await serve(simulate(model));
    try {
      const page = await openPage(server.address);
      await goTo(page, row);
      const share = await covered(page, places);
      assert.ok(share > 0.97, `${model}: ${(100 * share).toFixed(0)} % of the points along it are drawn`);
      await page.context().close();
    } finally {
      await server.stop();
    }
  }
});
