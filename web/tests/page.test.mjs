// The page as a person uses it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { closeAll, exported, goTo, openPage, serve, simulate, work } from './support.mjs';

let server, page, result;
const state = () => page.evaluate(() => ({ ...window.sinew.app.store.state }));

before(async () => {
  result = simulate('pendulum');
  server = await serve(result);
  page = await openPage(server.address);
});
after(async () => {
  assert.deepEqual(page.troubles, []);
  await server.stop();
  await closeAll();
});

/** Wait until the picture is drawn anew and an element says this. */
const says = (selector, text) => page.waitForFunction(([s, t]) => document.querySelector(s)?.textContent.includes(t), [selector, text], { timeout: 5000 });

/** Colors of the 3D view, as a list of "r,g,b". */
const colors = () =>
  page.evaluate(() => {
    const { view } = window.sinew.app;
    view.draw();
    const gl = view.stage.renderer.getContext();
    const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    const pixels = new Uint8Array(4 * w * h);
    gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const found = new Set();
    for (let i = 0; i < pixels.length; i += 4) found.add(`${pixels[i] >> 3},${pixels[i + 1] >> 3},${pixels[i + 2] >> 3}`);
    return [...found];
  });

test('play, pause, loop and speed', async () => {
  await page.click('.play');
  await page.waitForFunction(() => window.sinew.app.store.state.row > 10);
  assert.equal((await state()).playing, true);
  await page.keyboard.press('Space');
  assert.equal((await state()).playing, false);
  const { row } = await state();
  await page.waitForTimeout(150);
  assert.equal((await state()).row, row);
  await page.selectOption('.timeline select', '2');
  assert.equal((await state()).speed, 2);
  await page.keyboard.press('l');
  await goTo(page, 198);
  await page.click('.play');
  await page.waitForFunction(() => !window.sinew.app.store.state.playing);
  assert.equal((await state()).row, 200, 'without looping it stops at the end');
});

test('scrub and step', async () => {
  await page.evaluate(() => {
    const slider = document.querySelector('.timeline input');
    slider.value = '5000';
    slider.dispatchEvent(new Event('input'));
  });
  assert.ok(Math.abs((await state()).row - 100) < 0.1);
  assert.match(await page.textContent('.time'), /t = 1\.000 s/);
  await page.keyboard.press('ArrowRight');
  assert.equal((await state()).row, 101);
  await page.keyboard.press('Home');
  assert.equal((await state()).row, 0);
});

test('choosing in the tree or in the picture marks both', async () => {
  await goTo(page, 40);
  await page.click('.entry[data-kind="joint"][data-name="pin"]');
  assert.deepEqual((await state()).selection, { kind: 'joint', name: 'pin' });
  await says('.chosen', 'pin · spherical');
  assert.equal(await page.evaluate(() => window.sinew.app.view.scenes[0].shared.selected.value), 1_000_000, 'the joint is marked');
  await page.click('.entry[data-kind="output"][data-name="pin"]');
  assert.equal(await page.evaluate(() => window.sinew.app.view.scenes[0].shared.selected.value), 1_000_000, 'a reaction marks its joint');
  await page.keyboard.press('Escape');
  const place = await page.evaluate(() => {
    const { view } = window.sinew.app;
    const [scene] = view.scenes;
    const marker = { body: 'beam', element: 3, local: [0.5, 0, 0], position: [0, 0, 0] };
    const box = view.stage.canvas.getBoundingClientRect();
    const [x, y] = view.stage.project(scene.markers.at(marker, scene.frame));
    return [x + box.left, y + box.top];
  });
  await page.mouse.click(...place);
  assert.deepEqual((await state()).selection, { kind: 'body', name: 'beam' });
  assert.ok(await page.locator('.entry.selected[data-name="beam"]').isVisible());
  assert.equal(await page.evaluate(() => window.sinew.app.view.scenes[0].shared.selected.value), 1);
  await page.keyboard.press('Escape');
});

test('colors follow a quantity, with a scale that has its unit', async () => {
  await goTo(page, 60);
  const plain = (await colors()).length;
  for (const [quantity, label] of [['strain', 'Strain'], ['curvature', 'Curvature [1/m]'], ['force', 'Axial force [N]'], ['speed', 'Speed [m/s]'], ['stress', 'Stress [Pa]']]) {
    await page.selectOption('.color-by', quantity);
    await says('.legend', label);
    assert.ok((await colors()).length > plain + 5, `${quantity} shows more colors than the plain picture`);
  }
  await page.selectOption('.color-by', 'none');
});

test('views, zoom, follow, dark', async () => {
  const eye = () => page.evaluate(() => window.sinew.app.view.stage.camera.position.toArray());
  await page.click('button[title="View: Front"]');
  const front = await eye();
  await page.click('button[title="View: Top"]');
  const top = await eye();
  assert.ok(top[1] > front[1] + 1);
  await page.keyboard.press('1');
  await page.click('.entry[data-name="beam"] .follow');
  await goTo(page, 10);
  const near = await eye();
  await goTo(page, 60);
  assert.ok(Math.hypot(...near.map((v, k) => v - near[k])) === 0 && (await eye()).some((v, k) => Math.abs(v - near[k]) > 0.05), 'the camera moves with the body');
  await page.keyboard.press('Escape');
  const { dark } = await state();
  await page.keyboard.press('d');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), dark ? 'light' : 'dark');
  await page.keyboard.press('d');
  await page.keyboard.press('f');
});

test('plots: audits, other axes, linked time, export', async () => {
  const count = () => page.locator('.plot').count();
  const before_ = await count();
  await page.click('button[title="Plot: Energy error"]');
  assert.equal(await count(), before_ + 1);
  await page.click('button[title="Plot: Energy error"]');
  assert.equal(await count(), before_ + 1, 'the same audit is not plotted twice');
  const plot = page.locator('.plot').first();
  const over = plot.locator('.u-over');
  await plot.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.ok(Math.abs((await state()).row - 100) < 2, 'a click on the plot goes to that time');
  const data = exported(result);
  const saved = async (kind) => {
    const [download] = await Promise.all([page.waitForEvent('download'), plot.locator('.export').selectOption(kind)]);
    return readFileSync(await download.path());
  };
  const csv = (await saved('csv')).toString().trim().split('\n').map((l) => l.split(','));
  assert.deepEqual(csv[0].slice(0, 3), ['t', 'tip.x', 'tip.y']);
  assert.equal(csv.length, 202);
  for (const row of [1, 57, 201]) assert.deepEqual([Number(csv[row][1]), Number(csv[row][2])], [data['tip.x'][row - 1], data['tip.y'][row - 1]]);
  const svg = (await saved('svg')).toString();
  assert.match(svg, /^<svg[^]*tip\.y \[m\][^]*<\/svg>/);
  const heights = [...svg.matchAll(/d="(M[^"]*L[^"]*)"/g)].flatMap((m) => [...m[1].matchAll(/[ML][\d.]+ ([\d.]+)/g)].map((p) => Number(p[1])));
  assert.ok(Math.abs(Math.min(...heights) - (20 + 16 * (csv[0].length - 1))) < 0.1 && Math.abs(Math.max(...heights) - 350) < 0.1, 'curves fill the frame');
  assert.equal((await saved('png')).subarray(1, 4).toString(), 'PNG');
  await plot.locator('.x-axis').selectOption('tip.x');
  await page.waitForFunction(() => document.querySelector('.plot .now.point'));
  await plot.locator('.x-axis').selectOption('t');
});

test('summary and model text', async () => {
  await page.click('.tabs button:nth-child(2)');
  const text = await page.textContent('.summary');
  for (const part of ['hht-i3', 'energy error', 'position drift', 'Flexible pendulum']) assert.ok(text.includes(part), part);
  await page.click('.tabs button:nth-child(3)');
  assert.equal((await page.textContent('.model')).includes('sinew: 1'), true);
  await page.click('.tabs button:nth-child(1)');
});

test('ways of points are shown and hidden', async () => {
  const names = () => page.evaluate(() => window.sinew.app.view.scenes[0].trails.names);
  assert.deepEqual(await names(), ['tip']);
  await page.click('.entry[data-name="middle"] button[title="Show the path"]');
  await page.waitForFunction(() => window.sinew.app.view.scenes[0].trails.names.length === 2);
  await page.click('.entry[data-name="tip"] button[title="Show the path"]');
  assert.deepEqual(await names(), ['middle']);
});

test('a tablet has everything too', async () => {
  const tablet = await openPage(server.address, { viewport: { width: 820, height: 1180 }, hasTouch: true });
  for (const part of ['canvas.stage', '.plot', '.play', '.color-by']) assert.ok(await tablet.locator(part).first().isVisible(), part);
  const wide = await tablet.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 820, `nothing sticks out (${wide})`);
  assert.deepEqual(tablet.troubles, []);
  await tablet.context().close();
});

test('a dark desktop gets a dark page, plots and all', async () => {
  const night = await openPage(server.address, { colorScheme: 'dark' });
  assert.equal(await night.evaluate(() => document.documentElement.dataset.theme), 'dark');
  const brightest = await night.evaluate(() =>
    [...document.querySelectorAll('.plot canvas')].map((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let grey = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 250 && Math.min(data[i], data[i + 1], data[i + 2]) > 200) ++grey;
      return grey / (data.length / 4);
    }),
  );
  assert.ok(brightest.length > 1 && brightest.every((share) => share < 0.01), `no bright grid: ${brightest}`);
  assert.deepEqual(night.troubles, []);
  await night.context().close();
});

test('two results side by side, and their difference', async () => {
  const two = await serve(result, simulate('pendulum', '--set', 'E=2e8'));
  const both = await openPage(two.address);
  const names = await both.evaluate(() => [document.querySelector('.labels'), document.querySelector('canvas.stage')].map((e) => e.getBoundingClientRect().toJSON()));
  assert.ok(names[0].left > names[1].left + names[1].width / 2 && names[0].right < names[1].right, 'the names of the files are at the right');
  await both.selectOption('.layout', 'side');
  await goTo(both, 100);
  await both.click('.plot >> nth=0 >> text=A−B');
  await both.waitForFunction(() => document.querySelector('.plot-legend')?.textContent.includes('A−B'));
  const shown = await both.evaluate(() => window.sinew.csvText(window.sinew.app.plots.plots[0].drawn).split('\n')[101].split(',').map(Number));
  const [a, b] = [exported(result), exported(simulate('pendulum', '--set', 'E=2e8'))];
  assert.ok(Math.abs(shown[1] - (a['tip.x'][100] - b['tip.x'][100])) < 1e-12);
  assert.deepEqual(both.troubles, []);
  await both.context().close();
  await two.stop();
});

test('contacts are arrows where bodies touch', async () => {
  const peg = simulate('wrap', '--set', 'h=2e-5', '--until', '1');
  const touching = await serve(peg);
  const touched = await openPage(touching.address);
  const count = exported(peg)['contacts.count'];
  const row = count.findIndex((n) => n > 0);
  assert.ok(row > 0);
  await goTo(touched, row);
  await touched.waitForFunction((n) => window.sinew.app.view.scenes[0].contacts.arrows.mesh.count === n, count[row]);
  const [point, force, matrix] = await touched.evaluate(async (first) => {
    const [scene] = window.sinew.app.view.scenes;
    const read = (name) => scene.result.source.rows(0, `/contacts/${name}`, { first, count: 1, stride: 1 });
    return [[...(await read('points'))], [...(await read('forces'))], [...scene.contacts.arrows.mesh.instanceMatrix.array.slice(0, 16)]];
  }, 0);
  point.forEach((v, k) => assert.ok(Math.abs(matrix[12 + k] - v) < 1e-5, 'the arrow ends at the contact'));
  const [size, long] = [Math.hypot(...force), Math.hypot(matrix[0], matrix[1], matrix[2])];
  force.forEach((v, k) => assert.ok(Math.abs(matrix[k] / long - v / size) < 1e-4, 'and points along the force'));
  await goTo(touched, 0);
  await touched.waitForFunction(() => window.sinew.app.view.scenes[0].contacts.arrows.mesh.count === 0);
  assert.equal(await touched.evaluate(() => window.sinew.app.view.scenes[0].contacts.solids.length), 1, 'the peg is drawn');
  await touched.waitForFunction(() => window.sinew.app.plots.plots.at(-1).names.includes('energy.contact')); // it is not zero
  const plots = await touched.evaluate(() => window.sinew.app.plots.plots.map((p) => ({
    name: p.names[0], body: p.element.querySelector('.plot-body').clientHeight,
    drawn: p.element.querySelector('.uplot').getBoundingClientRect().height, ticks: p.plot.axes[1]._values.filter(Boolean).length,
  })));
  assert.equal(plots.length, 2);
  for (const p of plots) {
    assert.ok(Math.abs(p.drawn - p.body) < 2, `the plot of ${p.name} fills its place: ${p.drawn} of ${p.body} pixels`);
    assert.ok(p.ticks >= 2, `${p.ticks} ticks at ${p.name}`);
  }
  assert.deepEqual(touched.troubles, []);
  await touched.context().close();
  await touching.stop();
});

test('loads are arrows as long as they act', async () => {
  const settle = simulate('settle');
  const pushing = await serve(settle);
  const pushed = await openPage(pushing.address);
  const { t, stage } = exported(settle);
  const arrow = (row) =>
    pushed.evaluate(async (r) => {
      const { view, results } = window.sinew.app;
      const kind = view.scenes[0].symbols.kinds.find((k) => k.list.some((s) => s.load));
      view.draw();
      return { force: results[0].forceAt(results[0].forces.find((f) => f.name === 'push'), r), matrix: [...kind.solids.mesh.instanceMatrix.array.slice(0, 16)] };
    }, row);
  const acting = t.findIndex((x) => x > 0 && x < 0.1);
  assert.ok(acting > 0 && stage[acting] > 1);
  await pushed.click('.entry[data-kind="force"][data-name="push"]');
  for (const [row, size] of [[acting, 10], [t.length - 1, 0]]) {
    await goTo(pushed, row);
    const { force, matrix } = await arrow(row);
    assert.deepEqual(force, [0, size, 0]);
    assert.equal(Math.hypot(matrix[0], matrix[1], matrix[2]) > 0, size > 0, 'no arrow where there is no force');
    if (size) assert.ok(matrix[1] > 0 && Math.abs(matrix[0]) < 1e-6 * matrix[1], 'it points up');
    await pushed.waitForFunction((n) => document.querySelector('.chosen').textContent.includes(`(0, ${n}, 0) N`), size);
  }
  assert.deepEqual(pushed.troubles, []);
  await pushed.context().close();
  await pushing.stop();
});

test('followers turn with what they push', async () => {
  const path = join(work, 'follower.yaml');
  writeFileSync(path, `sinew: 1
gravity: [0, -9.81, 0]
materials: {rubber: {density: 7200, young: 2e7}}
sections: {round: {type: circle, radius: 0.01}}
bodies: {beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 6, material: rubber, section: round}}
joints: {pin: {type: spherical, between: [ground, beam.start]}}
forces: {pull: {type: force, at: beam.end, force: [2, 0, 0], follower: true}}
analysis: {type: dynamics, duration: 0.4, output_step: 0.02, integrator: {type: hht-i3, tolerance: 1e-4}}
`);
  const pulling = await serve(simulate(path));
  const pulled = await openPage(pulling.address);
  await goTo(pulled, 20);
  const [arrow, tangent] = await pulled.evaluate(() => {
    const { view } = window.sinew.app;
    const [scene] = view.scenes;
    view.draw();
    const m = scene.symbols.kinds.find((k) => k.list.some((s) => s.load)).solids.mesh.instanceMatrix.array;
    const at = (s) => scene.markers.at({ body: 'beam', element: 5, local: [s, 0, 0], position: [0, 0, 0] }, scene.frame);
    const unit = (v) => v.map((x) => x / Math.hypot(...v));
    const [a, b] = [at(0.98), at(1)];
    return [unit([m[0], m[1], m[2]]), unit([0, 1, 2].map((k) => b[k] - a[k]))];
  });
  assert.ok(Math.abs(tangent[1]) > 0.3, 'it has turned');
  arrow.forEach((v, k) => assert.ok(Math.abs(v - tangent[k]) < 0.02, `${arrow} is not along ${tangent}`));
  await pulled.context().close();
  await pulling.stop();
});

test('between two rows lies what lies between', async () => {
  const data = exported(result);
  await goTo(page, 60.25);
  const tip = await page.evaluate(() => window.sinew.app.view.scenes[0].outputPoint('tip'));
  ['x', 'y', 'z'].forEach((c, k) => {
    const [a, b] = [data[`tip.${c}`][60], data[`tip.${c}`][61]];
    assert.ok(Math.abs(tip[k] - (0.75 * a + 0.25 * b)) < 1e-6, `${c}: ${tip[k]} between ${a} and ${b}`);
  });
});

test('modes swing about the configuration they belong to', async () => {
  const modes = await serve(simulate('cantilever-modes'));
  const swinging = await openPage(modes.address);
  await swinging.click('.entry.mode >> nth=2');
  await swinging.waitForFunction(() => window.sinew.app.store.state.playing);
  const tips = await swinging.evaluate(async () => {
    const { view } = window.sinew.app;
    const list = [];
    for (const phase of [0, 0.25, 0.75]) {
      view.phase = phase;
      view.draw();
      list.push(view.scenes[0].outputPoint('tip'));
    }
    return list;
  });
  const away = (p) => Math.hypot(p[1], p[2]);
  assert.ok(Math.abs(tips[0][0] - 1) < 1e-6 && away(tips[0]) < 1e-6);
  assert.ok(away(tips[1]) > 0.02 && Math.hypot(tips[1][1] + tips[2][1], tips[1][2] + tips[2][2]) < 1e-5);
  assert.deepEqual(swinging.troubles, []);
  await swinging.context().close();
  await modes.stop();
});

test('a complex mode whirls, a damped one decays', async () => {
  const rotor = await serve(simulate('stodola-rotor'));
  const page_ = await openPage(rotor.address);
  await page_.click('.entry.mode >> nth=2'); // the first two are rigid: backward whirl
  await page_.waitForFunction(() => window.sinew.app.store.state.playing);
  const at = (damping) =>
    page_.evaluate(async (ratio) => {
      const { view } = window.sinew.app;
      view.shape.damping = ratio;
      return [0, 0.25, 0.5, 0.75].map((phase) => {
        view.phase = phase;
        view.draw();
        return view.scenes[0].outputPoint('disk');
      });
    }, damping);
  const radii = (points) => points.map((p) => Math.hypot(p[1], p[2]));
  const whirl = await at(0);
  const r = radii(whirl);
  assert.ok(r[0] > 0.02 && r.every((x) => Math.abs(x / r[0] - 1) < 1e-3), `the disk goes around: ${r}`);
  const turns = whirl[0][1] * whirl[1][2] - whirl[0][2] * whirl[1][1];
  assert.ok(turns < 0, 'against the sense of the rotation about x');
  const decay = radii(await at(0.1));
  const expected = Math.exp((-Math.PI * 0.1) / Math.sqrt(0.99)); // over half a swing
  assert.ok(Math.abs(decay[2] / decay[0] / expected - 1) < 1e-3, `${decay}`);
  assert.deepEqual(page_.troubles, []);
  await page_.context().close();
  await rotor.stop();
});

test('curves are drawn where points run along them, and turn with their bodies', async () => {
  for (const [model, radius] of [['bead-on-helix', 0], ['cam', 0.01]]) {
    const run = await serve(simulate(model));
    const page_ = await openPage(run.address);
    const distances = await page_.evaluate(async () => {
      const { view, store } = window.sinew.app;
      const [scene] = view.scenes;
      const joint = scene.result.joints.find((j) => j.curve.length);
      const list = [];
      for (const row of [10, 40, 90]) {
        store.set({ row, playing: false });
        await scene.result.coordinates.need(row);
        view.draw();
        const p = scene.markers.at(joint.markers[1], scene.frame);
        const points = scene.symbols.guides.curveAt(joint, scene.frame).map((v) => v.toArray());
        let least = Infinity;
        for (let i = 0; i + 1 < points.length; ++i)
          for (let s = 0; s <= 1; s += 0.05)
            least = Math.min(least, Math.hypot(...p.map((x, k) => x - points[i][k] - s * (points[i + 1][k] - points[i][k]))));
        list.push(least);
      }
      return list;
    });
    for (const d of distances) assert.ok(Math.abs(d - radius) < 2e-3, `${model}: ${d}, expected ${radius}`);
    assert.deepEqual(page_.troubles, []);
    await page_.context().close();
    await run.stop();
  }
});
