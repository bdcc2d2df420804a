// What the page says about a run: the verdict, how it ended, and curves as they went.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeAll, exported, openPage, root, serve, simulate, sinew, work } from './support.mjs';

after(closeAll);

const badge = (page) => page.evaluate(() => ['textContent', 'className', 'title'].map((k) => document.querySelector('.status')[k]));

test('the badge has the verdict, its color and the reasons', async () => {
  const methods = {
    good: '{type: erk, tolerance: 1e-7}',
    doubtful: '{type: hht-i3, alpha: -0.3, step: 0.05}',
    bad: '{type: symplectic-euler, stabilize: none, step: 0.05}',
  };
  const colors = new Set();
  for (const [word, method] of Object.entries(methods)) {
    const result = simulate('simple-pendulum', '--until', '2', '--integrator', method);
    const server = await serve(result);
    const page = await openPage(server.address);
    const [text, name, title] = await badge(page);
    assert.equal(text, word);
    assert.equal(name, `status ${word}`);
    const told = execFileSync(sinew, ['info', result]).toString().split('\n').map((l) => l.trim()).filter((l) => /^(doubtful|bad): /.test(l));
    assert.equal(title, told.join('\n') || 'no rule is violated (sinew describe trust)');
    colors.add(await page.evaluate(() => getComputedStyle(document.querySelector('.status')).color));
    await page.click('.tabs button:nth-child(2)');
    const summary = await page.textContent('.summary');
    for (const line of [...told, word]) assert.ok(summary.includes(line), line);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
    await server.stop();
  }
  assert.equal(colors.size, 3, 'three colors');
  const path = join(work, 'bad.html');
  execFileSync(sinew, ['report', simulate('simple-pendulum', '--until', '2', '--integrator', methods.bad), '-o', path]);
  const report = await openPage(`file://${path}`);
  assert.equal((await badge(report))[0], 'bad', 'a report has it too');
  await report.context().close();
});

/** `sinew run --view` of something long; what its page says. */
async function watched(name) {
  const run = spawn(sinew, ['run', join(root, 'models/pendulum.yaml'), '--until', '1e5', '--view', '--no-browser', '-o', join(work, name)], { stdio: ['ignore', 'pipe', 'ignore'] });
  const address = await new Promise((found) => run.stdout.on('data', (d) => /http:\S+/.test(String(d)) && found(/http:\S+/.exec(String(d))[0])));
  const page = await openPage(address);
  await page.waitForFunction(() => window.sinew.app.results[0].rows > 5);
  assert.equal((await badge(page))[0], 'running');
  return { run, page };
}
const says = (page, text) => page.waitForFunction((t) => document.querySelector('.status').textContent === t, text, { timeout: 15_000 });

test('a run that is interrupted says so on its page', async () => {
  const { run, page } = await watched('interrupted.h5');
  const ended = new Promise((done) => run.on('exit', done));
  run.kill('SIGINT');
  await says(page, 'interrupted');
  assert.equal(await ended, 130);
  await page.context().close();
});

test('a run that was killed is not said to go on', async () => {
  const { run, page } = await watched('killed.h5');
  run.kill('SIGKILL');
  await says(page, 'not responding');
  await page.context().close();
});

test('a curve over another series goes the way it went', async () => {
  const result = simulate('pendulum');
  const server = await serve(result);
  const page = await openPage(server.address);
  const plot = page.locator('.plot').first();
  await plot.locator('.x-axis').selectOption('tip.vx'); // goes back and forth
  await page.waitForFunction(() => document.querySelector('.plot .now.point'));
  const data = exported(result);
  const [shown, inked, length] = await page.evaluate(() => {
    const { plot: u, drawn } = window.sinew.app.plots.plots[0];
    const way = drawn.curves.reduce((sum, c) => {
      for (let i = 1; i < c.x.length; ++i)
        sum += Math.hypot(u.valToPos(c.x[i], 'x', true) - u.valToPos(c.x[i - 1], 'x', true), u.valToPos(c.y[i], 'y', true) - u.valToPos(c.y[i - 1], 'y', true));
      return sum;
    }, 0);
    const { data: pixels } = u.ctx.getImageData(0, 0, u.ctx.canvas.width, u.ctx.canvas.height);
    const colors = drawn.curves.map((c) => [1, 3, 5].map((k) => parseInt(c.color.slice(k, k + 2), 16)));
    let count = 0;
    for (let i = 0; i < pixels.length; i += 4)
      if (pixels[i + 3] > 100 && colors.some((c) => c.every((v, k) => Math.abs(v - pixels[i + k]) < 40))) ++count;
    return [[...u.data[2][0]], count, way];
  });
  assert.deepEqual(shown, [...data['tip.vx']], 'points stay in the order of time');
  assert.ok(shown.some((v, i) => i && v < shown[i - 1]), 'x does go back');
  assert.ok(inked > 0.5 * length && inked < 3 * length, `as much ink as the curve is long: ${inked} pixels for ${length}`);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
  await server.stop();
});
