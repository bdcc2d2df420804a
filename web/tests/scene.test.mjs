// What is drawn and how: colors of bodies, hidden and transparent ones, cuts, names, measures, deformations, arrows to scale.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { closeAll, exported, goTo, openPage, serve, simulate, work } from './support.mjs';

let server, page;
before(async () => {
  // Two cantilevers in one model, one with a force, one with a moment, over a floor: known deflections F l^3/3 E I, M l^2/2 E I.
  const path = join(work, 'two.yaml');
  writeFileSync(path, `sinew: 1
gravity: [0, 0, 0]
materials: {steel: {density: 7800, young: 2e11}}
sections: {round: {type: circle, radius: 0.01}}
bodies:
  one: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 4, material: steel, section: round}
  two: {type: cable, from: [0, 0, 0.5], to: [1, 0, 0.5], elements: 4, material: steel, section: round}
  box: {type: rigid, position: [0.5, -0.2, 1], mass: 1, shape: {type: box, size: [0.2, 0.1, 0.1]}}
joints:
  a: {type: fixed, between: [ground, one.start]}
  b: {type: fixed, between: [ground, two.start]}
  c: {type: fixed, between: [ground, box.center]}
forces:
  push: {type: force, at: one.end, force: [0, 10, 0]}
  half: {type: force, at: two.end, force: [0, 5, 0]}
surfaces: {floor: {type: plane, on: ground, at: [0, -0.3, 0], normal: [0, 1, 0]}, side: {type: box, on: box, size: [0.2, 0.1, 0.1]}}
contacts: {all: {stiffness: 1e5}}
outputs: {tip: {point: one.end}, other: {point: two.end}}
analysis: statics
`);
  const result = simulate(path);
  server = await serve(result);
  page = await openPage(server.address, { viewport: { width: 1280, height: 800 } });
  await goTo(page, exported(result).t.length - 1);
});
after(async () => {
  assert.deepEqual(page.troubles, []);
  await closeAll();
});

/** The color of the pixel at a point of a body. */
const pixel = (body, place = {}) =>
  page.evaluate(async ([name, p]) => {
    const { view } = window.sinew.app;
    const [scene] = view.scenes;
    view.draw();
    const gl = view.stage.renderer.getContext();
    const at = view.stage.project(scene.markers.at({ body: name, element: 2, local: [0, 0, 0], position: [0, 0, 0], ...p }, scene.frame));
    const ratio = view.stage.renderer.getPixelRatio();
    const c = new Uint8Array(4 * 16);
    gl.readPixels(Math.floor(at[0] * ratio) - 2, gl.drawingBufferHeight - 1 - Math.floor(at[1] * ratio) - 2, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, c);
    return Array.from({ length: 16 }, (_, i) => [...c.subarray(4 * i, 4 * i + 3)]);
  }, [body, place]);
const set = (state) => page.evaluate((s) => window.sinew.app.store.set(s), state);
const blue = ([r, g, b]) => b > r + 30 && b > g;
const orange = ([r, g, b]) => r > b + 30 && r > g;

test('bodies have colors of their own, and the tree and the key tell which', async () => {
  await set({ symbols: false, grid: false });
  assert.ok((await pixel('one')).some(blue) && (await pixel('two')).some(orange), 'two colors');
  const dots = await page.evaluate(() => ['one', 'two', 'box'].map((n) => getComputedStyle(document.querySelector(`.entry[data-kind=body][data-name=${n}] .dot`)).backgroundColor));
  assert.equal(new Set(dots).size, 3);
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.key span')].map((s) => [s.textContent, getComputedStyle(s.querySelector('i')).backgroundColor])), ['one', 'two', 'box'].map((n, k) => [n, dots[k]]));
  assert.deepEqual(await page.locator('.entry[data-kind=surface] .name').allTextContents(), ['floor', 'side']);
});

test('bodies are hidden, made transparent, isolated, and shown again', async () => {
  const empty = await page.evaluate(() => window.sinew.app.view.background.clone().convertLinearToSRGB().toArray().map((v) => Math.round(255 * v)));
  const background = (c) => c.every((v, k) => Math.abs(v - empty[k]) < 12);
  await page.click('.entry[data-key="body/two"], .eye[data-key="body/two"]');
  await set({ hidden: ['body/two', 'surface/floor'] });
  assert.ok((await pixel('two')).every(background), 'hidden');
  assert.ok(await page.locator('.entry.off[data-name=two]').isVisible());
  await set({ hidden: ['surface/floor'], faded: ['body/box'] });
  const through = (await pixel('box')).filter(background).length;
  assert.ok(through > 4 && through < 14, `the box is seen through at ${through} of 16 pixels`);
  await set({ faded: [], selection: { kind: 'body', name: 'one' } });
  await page.keyboard.press('i');
  assert.ok((await pixel('two')).every(background) && (await pixel('box')).every(background) && !(await pixel('one')).every(background), 'alone');
  await page.keyboard.press('a');
  await set({ selection: null });
  assert.ok(!(await pixel('two')).every(background), 'all again');
  await set({ hidden: ['surface/floor'], cutAxis: 'x', cutAt: 0.25 });
  assert.ok((await pixel('one', { element: 3 })).every(background) && !(await pixel('one', { element: 0, local: [0.5, 0, 0] })).every(background), 'cut off beyond a quarter');
  await set({ cutAxis: 'none', hidden: [] });
});

test('deformations are exaggerated from the undeformed shape, which is shown as a ghost', async () => {
  const tip = () => page.evaluate(() => {
    const { view } = window.sinew.app;
    view.draw();
    return view.scenes[0].outputPoint('tip');
  });
  await set({ exaggeration: 1, quantity: 'none' });
  const w = 10 / (3 * 2e11 * (Math.PI / 4) * 1e-8); // F l^3 / 3 E I
  assert.ok(Math.abs((await tip())[1] / w - 1) < 0.02, `${(await tip())[1]}, expected ${w}`);
  const before_ = (await tip())[1];
  await set({ exaggeration: 20, ghost: true });
  assert.ok(Math.abs((await tip())[1] / before_ - 20) < 1e-3);
  const ghost = await page.evaluate(() => [...window.sinew.app.view.scenes[0].shape.lines.subarray(16 * 4, 16 * 4 + 3)]);
  assert.deepEqual(ghost.map((v) => Number(v.toFixed(6))), [1, 0, 0], 'the ghost is straight');
  await set({ quantity: 'stress' });
  assert.equal(await page.evaluate(() => window.sinew.app.store.state.exaggeration), 1, 'stress is colored on the true shape');
  await set({ quantity: 'none', ghost: false });
  // Moved along: of a body that only turns and shifts, nothing is a deformation.
  const rest = await page.evaluate(() => {
    const { view } = window.sinew.app;
    const [scene] = view.scenes;
    const { start } = scene.survey;
    const now = scene.poser.frame();
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    for (let i = 0; i < start.lines.length; i += 4) {
      const [x, y, z] = start.lines.subarray(i, i + 3);
      const shift = i % 16 === 0 ? [3, -1, 2] : [0, 0, 0];
      now.lines.set([c * x - s * y + shift[0], s * x + c * y + shift[1], z + shift[2]], i);
    }
    scene.frame.lines.set(now.lines);
    [scene.reference, scene.exaggeration] = ['moving', 50];
    scene.upload();
    const most = Math.max(...now.lines.map((v, i) => (i % 4 < 3 ? Math.abs(scene.frame.lines[i] - v) : 0)));
    [scene.reference, scene.exaggeration] = ['start', 1];
    view.draw();
    return most;
  });
  assert.ok(rest < 2e-3, `a rigid motion is exaggerated by ${rest} m`);
});

test('arrows are to scale, with a legend; names; frames; a measured distance', async () => {
  await set({ symbols: true });
  const long = await page.evaluate(() => {
    const { view } = window.sinew.app;
    view.draw();
    const kind = view.scenes[0].symbols.kinds.find((k) => k.list.some((s) => s.load));
    const m = kind.solids.mesh.instanceMatrix.array;
    const eye = view.stage.camera.position;
    return [0, 1].map((i) => Math.hypot(m[16 * i], m[16 * i + 1], m[16 * i + 2]) / Math.hypot(m[16 * i + 12] - eye.x, m[16 * i + 13] - eye.y, m[16 * i + 14] - eye.z));
  });
  assert.ok(Math.abs(long[0] / long[1] - 2) < 1e-3, `10 N and 5 N: ${long}`);
  await page.waitForFunction(() => document.querySelector('.arrows').textContent.includes('10 N force'));
  await set({ names: true, frames: true });
  await page.waitForFunction(() => document.querySelectorAll('.names span').length === 3);
  assert.equal(await page.evaluate(() => window.sinew.app.view.scenes[0].frames.shown), 6, 'two markers of each of three joints');
  await set({ names: false, frames: false, measuring: true });
  for (const name of ['tip', 'other']) {
    const at = await page.evaluate((n) => {
      const { view } = window.sinew.app;
      const box = view.stage.canvas.getBoundingClientRect();
      const [x, y] = view.stage.project(view.scenes[0].outputPoint(n));
      return [x + box.left, y + box.top];
    }, name);
    await page.mouse.click(...at);
  }
  await page.waitForFunction(() => document.querySelector('.measured span')?.textContent.includes('('));
  const [told, d] = await page.evaluate(() => {
    const [a, b] = ['tip', 'other'].map((n) => window.sinew.app.view.scenes[0].outputPoint(n));
    return [parseFloat(document.querySelector('.measured span').textContent), Math.hypot(...a.map((v, k) => v - b[k]))];
  });
  assert.ok(Math.abs(told - d) < 2e-3, `${told} m, ${d} m`);
  await set({ measuring: false });
});

test('the floor is dark in the dark, and bodies cast shadows on it', async () => {
  const count = (dark, shadows) =>
    page.evaluate(([d, s]) => {
      const { view, store } = window.sinew.app;
      store.set({ dark: d, shadows: s, symbols: false, hidden: s === null ? [] : ['surface/floor'] });
      view.stage.look('iso');
      view.draw();
      const gl = view.stage.renderer.getContext();
      const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
      const pixels = new Uint8Array(4 * w * h);
      gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      let [bright, deep] = [0, 0];
      const back = view.background.clone().convertLinearToSRGB().toArray().map((v) => 255 * v);
      for (let i = 0; i < pixels.length; i += 4) {
        if (pixels[i] + pixels[i + 1] + pixels[i + 2] > 450) ++bright;
        if ([0, 1, 2].every((k) => pixels[i + k] < back[k] - 8) && Math.max(...pixels.subarray(i, i + 3)) - Math.min(...pixels.subarray(i, i + 3)) < 16) ++deep;
      }
      return { bright: bright / (w * h), deep };
    }, [dark, shadows]);
  assert.ok((await count(true, null)).bright < 0.02, 'nothing blinds');
  const [none, some] = [await count(true, false), await count(true, true)];
  assert.ok(some.deep > none.deep + 200, `shadows: ${none.deep} to ${some.deep} pixels`);
  await set({ dark: false, shadows: false, symbols: true, hidden: [] });
});

test('a comparison with nothing to compare says so', async () => {
  const two = await serve(simulate('pendulum'), simulate('slider-crank'));
  const both = await openPage(two.address);
  await both.click('.plot >> nth=0 >> text=A−B');
  await both.waitForFunction(() => document.querySelector('.plot .plot-body')?.textContent.includes('nothing to compare'));
  assert.match(await both.textContent('.plot .plot-body'), /B \(\d+\.h5\) has no tip\.x/, 'results are named by their files');
  assert.deepEqual(both.troubles, []);
  await both.context().close();
  await two.stop();
});

test('the faces of a cut are closed, for every shape', async () => {
  const path = join(work, 'cut.yaml');
  writeFileSync(path, `sinew: 1
materials: {steel: {density: 7800, young: 2e11, poisson: 0.3}}
sections: {round: {type: circle, radius: 0.1}, flat: {type: rectangle, width: 0.2, height: 0.15}}
bodies:
  round: {type: cable, from: [-0.5, 0, 0], to: [0.5, 0, 0], elements: 3, material: steel, section: round}
  flat: {type: cable, from: [-0.5, 0.5, 0], to: [0.5, 0.5, 0], elements: 3, material: steel, section: flat}
  beam: {type: beam, from: [-0.5, 1, 0], to: [0.5, 1, 0], elements: 3, material: steel, section: flat}
  plate: {type: plate, at: [-0.5, -0.2, 0.5], along: [1, 0, 0], across: [0, 0.4, 0], elements: [2, 2], material: steel, thickness: 0.1}
  box: {type: rigid, position: [0, 0.5, 0.5], mass: 1, shape: {type: box, size: [0.4, 0.2, 0.2]}}
  ball: {type: rigid, position: [0, 1, 0.5], mass: 1, shape: {type: sphere, radius: 0.1}}
  drum: {type: rigid, from: [-0.2, 1.5, 0], to: [0.2, 1.5, 0], mass: 1, shape: {type: cylinder, radius: 0.1}}
analysis: {type: dynamics, duration: 0.01}
`);
  const own = await serve(simulate(path));
  const shown = await openPage(own.address, { viewport: { width: 1280, height: 800 } });
  await goTo(shown, 0);
  await shown.evaluate(() => window.sinew.app.store.set({ symbols: false, grid: false, edges: false }));
  // A cut that cuts nothing changes single pixels of outlines; a face that is taken for the inside of a wall would be thousands.
  const changed = await shown.evaluate(() => {
    const { store, view } = window.sinew.app;
    const { stage } = view;
    const gl = stage.renderer.getContext();
    const read = () => {
      view.draw();
      const c = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
      gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, c);
      return c;
    };
    const found = [];
    for (const [around, up] of [[0, 0], [Math.PI, 0], [1, -1.2]]) {
      stage.look('iso');
      stage.orbit(around, up);
      store.set({ cutAxis: 'none' });
      const whole = read();
      store.set({ cutAxis: 'x' });
      stage.cut.at = 10;
      const same = read();
      found.push(whole.filter((v, i) => v !== same[i]).length);
    }
    return found;
  });
  assert.ok(changed.every((n) => n < 200), `${changed} values differ`);
  const faces = await shown.evaluate(() => {
    const { store, view } = window.sinew.app;
    const { stage } = view;
    stage.look('side');
    store.set({ cutAxis: 'x' });
    stage.cut.at = 0.01;
    view.draw();
    const gl = stage.renderer.getContext();
    const ratio = stage.renderer.getPixelRatio();
    const places = { round: [0, 0, 0], flat: [0, 0.5, 0], beam: [0, 1, 0], plate: [0, 0, 0.5], box: [0, 0.5, 0.5], ball: [0, 1, 0.5], drum: [0, 1.5, 0] };
    return Object.entries(places).map(([name, r]) => {
      const at = stage.project([0.01, r[1], r[2]]);
      const c = new Uint8Array(4 * 256);
      gl.readPixels(Math.floor(at[0] * ratio) - 8, gl.drawingBufferHeight - 1 - Math.floor(at[1] * ratio) - 8, 16, 16, gl.RGBA, gl.UNSIGNED_BYTE, c);
      const light = Array.from({ length: 256 }, (_, i) => c[4 * i] + c[4 * i + 1] + c[4 * i + 2]);
      return [name, Math.max(...light) / Math.min(...light)];
    });
  });
  for (const [name, contrast] of faces) assert.ok(contrast > 1.25, `the face of ${name} is not hatched: ${contrast}`);
  assert.deepEqual(shown.troubles, []);
  await shown.context().close();
  await own.stop();
});
