// Campbell diagrams, camera paths and contact pressure.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeAll, exported, goTo, openPage, serve, simulate, work } from './support.mjs';

after(closeAll);

/** The page of a model that is written here. */
async function pageOf(name, text, use) {
  const path = join(work, name);
  writeFileSync(path, text);
  const result = simulate(path);
  const server = await serve(result);
  const page = await openPage(server.address);
  await use(page, exported(result));
  assert.deepEqual(page.troubles, []);
  await page.context().close();
  await server.stop();
}

test('a Campbell diagram has the frequencies of all stages over the speed, and the lines of revolutions', () =>
  // A mass in the slot of a rotating arm, on a spring: w = sqrt(k/m - W^2) at the speed W.
  pageOf('slot.yaml', `sinew: 1
parameters: {k: 4000, a: 10}
bodies:
  arm: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, shape: {type: box, size: [1, 0.05, 0.05]}}
  mass: {type: rigid, position: [0.5, 0, 0], mass: 1, shape: {type: sphere, radius: 0.05}}
joints:
  hub: {type: revolute, between: [ground, arm.start], axis: [0, 0, 1]}
  slot: {type: prismatic, between: [arm.center, mass.center], axis: [1, 0, 0]}
  drive: {type: motion, joint: hub, rotation: a*t^2/2}
forces: {spring: {type: spring, between: [arm.start, mass.center], stiffness: k}}
outputs: {turn: {joint: hub}}
analysis:
  - {type: dynamics, duration: 0.5, integrator: {type: radau, tolerance: 1e-7}}
  - {type: linearize, rotation: [0, 0, a*0.5]}
  - {type: dynamics, duration: 1.5, integrator: {type: radau, tolerance: 1e-7}}
  - {type: linearize, rotation: [0, 0, a*2]}
  - {type: dynamics, duration: 2, integrator: {type: radau, tolerance: 1e-7}}
  - {type: linearize, rotation: [0, 0, a*4]}
`, async (page) => {
    assert.deepEqual(await page.locator('.left summary').allTextContents().then((l) => l.filter((x) => x.includes('odes'))), ['2', '4', '6'].map((s) => `Damped modes, stage ${s}1`));
    await page.selectOption('.plot >> nth=0 >> .form', 'campbell');
    await page.waitForFunction(() => window.sinew.app.plots.plots[0].curves.some((c) => c.name === '1 per revolution'));
    const { x, curves } = await page.evaluate(() => {
      const [plot] = window.sinew.app.plots.plots;
      return { x: plot.view.x, curves: plot.curves.map((c) => ({ name: c.name, x: [...c.x], y: [...c.y] })) };
    });
    assert.equal(x, 'turn.angle_rate');
    assert.equal(curves[0].name, 'mode 1');
    [5, 20, 40].forEach((W, i) => {
      assert.ok(Math.abs(curves[0].x[i] - W) < 1e-3, `speed ${curves[0].x[i]}`);
      const f = Math.sqrt(4000 - W * W) / (2 * Math.PI);
      assert.ok(Math.abs(curves[0].y[i] / f - 1) < 2e-3, `${curves[0].y[i]} Hz, expected ${f}`);
    });
    const twice = curves.find((c) => c.name === '2 per revolution');
    assert.ok(Math.abs(twice.y[1] - (2 * twice.x[1]) / (2 * Math.PI)) < 1e-9);
  }));

test('without modes of several instants no Campbell diagram is offered; the camera flies along its path; a cable has the pressure of its weight', () =>
  // It lies on a plane: weight over length times width is the mean pressure, rho g h of a rectangle.
  pageOf('lying.yaml', `sinew: 1
gravity: [0, -9.81, 0]
materials: {rubber: {density: 1000, young: 1e7}}
sections: {flat: {type: rectangle, width: 0.04, height: 0.02}}
bodies: {rope: {type: cable, from: [0, 0.0099, 0], to: [1, 0.0099, 0], elements: 8, material: rubber, section: flat, mass_damping: 50}}
surfaces:
  skin: {type: spheres, on: rope, radius: 0.01}
  floor: {type: plane, on: ground, at: [0, 0, 0], normal: [0, 1, 0]}
contacts: {all: {between: [skin, floor], stiffness: 1e4}}
analysis: {type: dynamics, duration: 1, output_step: 0.05}
`, async (page) => {
    assert.ok(!(await page.locator('.plot >> nth=0 >> .form option').allTextContents()).includes('Campbell diagram'));
    await goTo(page, 20);
    await page.selectOption('select.color-by >> nth=0', 'pressure');
    await page.waitForFunction(() => window.sinew.app.view.scenes[0].contacts.shown.row === 20);
    const { pressures, legend } = await page.evaluate(async () => {
      const { view } = window.sinew.app;
      view.draw();
      const n = view.scenes[0].frame.lines;
      return { pressures: Array.from({ length: 9 }, (_, i) => n[16 * i + 3]), legend: document.querySelector('.legend').textContent };
    });
    const mean = pressures.reduce((sum, p, i) => sum + p * (i % 8 ? 1 : 0.5), 0) / 8;
    assert.ok(Math.abs(mean / (1000 * 9.81 * 0.02) - 1) < 0.02, `mean pressure ${mean} Pa`);
    assert.match(legend, /Contact pressure \[Pa\]/);

    const camera = () => page.evaluate(() => {
      const { view } = window.sinew.app;
      view.draw();
      return view.stage.camera.position.toArray();
    });
    const near = (a, b) => a.every((v, k) => Math.abs(v - b[k]) < 1e-6);
    await goTo(page, 0);
    const first = await camera();
    await page.keyboard.press('k');
    await goTo(page, 20);
    for (const key of ['e', 'e', 'e', '+']) await page.keyboard.press(key);
    const last = await camera();
    assert.ok(!near(first, last));
    await page.keyboard.press('k');
    await page.keyboard.press('p');
    await goTo(page, 0);
    assert.ok(near(await camera(), first), 'at the first view');
    await goTo(page, 10);
    const middle = await camera();
    const distance = (a, b) => Math.hypot(...a.map((v, k) => v - b[k]));
    assert.ok(distance(middle, first) > 0.2 * distance(first, last) && distance(middle, last) > 0.2 * distance(first, last), 'between them');
    await goTo(page, 20);
    assert.ok(near(await camera(), last), 'at the last view');
    const link = await page.evaluate(() => window.sinew.app.savedView().state);
    assert.equal(link.path.length, 2);
    assert.ok(link.flying);
    const box = await page.locator('canvas.stage').boundingBox();
    await page.mouse.move(box.x + 200, box.y + 150);
    await page.mouse.down();
    await page.mouse.move(box.x + 260, box.y + 150, { steps: 3 });
    await page.mouse.up();
    assert.ok(!(await page.evaluate(() => window.sinew.app.store.state.flying)), 'the hand ends the flight');
  }));
