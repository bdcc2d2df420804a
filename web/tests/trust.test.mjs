// What the page says about a run: the verdict, how it ended, and curves as they went.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeAll, exported, openPage, root, serve, simulate, sinew, work } from './support.mjs';

const runs = [];
after(async () => {
  for (const run of runs) run.kill('SIGKILL'); // those of tests that failed
  await closeAll();
});

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
  runs.push(run);
  const address = await new Promise((found) => run.stdout.on('data', (d) => /http:\S+/.test(String(d)) && found(/http:\S+/.exec(String(d))[0])));
  const page = await openPage(address);
  await page.waitForFunction(() => window.sinew.app.results[0].rows > 5);
  assert.equal((await badge(page))[0], 'running');
  return { run, page };
}
const says = (page, text) => page.waitForFunction((t) => document.querySelector('.status').textContent === t, text, { timeout: 15_000 });

const note = (page) => page.textContent('.run-note');

test('a run that is interrupted says so on its page', async () => {
  const { run, page } = await watched('interrupted.h5');
  await page.waitForFunction(() => /\d+ steps/.test(document.querySelector('.run-note').textContent), null, { timeout: 15_000 });
  const text = await note(page);
  assert.match(text, /^t = [\d.]+ of 1\.00e5 s \([\d.]+ %\) · \d+ steps · energy error -?[\d.e-]+ J$/);
  const [, t, steps, error] = /t = ([\d.]+) .* (\d+) steps .* error (-?[\d.e-]+) J/.exec(text).map(Number);
  const known = await page.evaluate(async () => {
    const [result] = window.sinew.app.results;
    return { time: [...result.time], error: [...(await result.column('energy.error')).value], rows: result.rows };
  });
  // The note has three digits of each: a row of that time, to half a unit of the last digit, has that error.
  const isPrinted = (x, printed) => Math.abs(x - printed) <= 5.01e-3 * Math.abs(printed);
  const rows = known.error.filter((_, i) => isPrinted(known.time[i], t));
  assert.ok(t > 0 && rows.some((x) => isPrinted(x, error)), `${text}: the rows have ${rows}`);
  assert.ok(steps > 5 && steps < 1e6);
  const ended = new Promise((done) => run.on('exit', done));
  run.kill('SIGINT');
  await says(page, 'interrupted');
  await page.waitForFunction(() => document.querySelector('.run-note').textContent.startsWith('The run was interrupted at t = '));
  assert.equal(await ended, 130);
  await page.context().close();
});

test('a run that failed says why', async () => {
  const path = join(work, 'fails.yaml');
  writeFileSync(path, `sinew: 1
gravity: [0, -9.81, 0]
bodies: {ball: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}
forces: {pull: {type: force, at: ball.center, force: ["asin(2 * t)", 0, 0]}}
analysis: {type: dynamics, duration: 1, output_step: 0.05, integrator: {type: erk, tolerance: 1e-6}}
`);
  spawnSync(sinew, ['run', '-q', path, '-o', join(work, 'fails.h5')]);
  const server = await serve(join(work, 'fails.h5'));
  const page = await openPage(server.address);
  const told = execFileSync(sinew, ['info', join(work, 'fails.h5')]).toString();
  const text = await note(page);
  assert.match(text, /^The run failed at t = 0\.\d+ s: [^]*asin/);
  assert.ok(told.replace(/\s+/g, ' ').includes(text.slice(text.indexOf('s: ') + 3).replace(/\s+/g, ' ').slice(0, 60)), `${text}\n${told}`);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
  await server.stop();
});

test('a run that was killed is not said to go on', async () => {
  const { run, page } = await watched('killed.h5');
  run.kill('SIGKILL');
  await says(page, 'not responding');
  assert.match(await note(page), /^The program does not respond: .* until t = /);
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
