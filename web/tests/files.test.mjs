// Files: reports that open from disk, pictures and videos, and what is said where there is no browser.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeAll, exported, goTo, openPage, simulate, sinew, work } from './support.mjs';

after(closeAll);

test('a report opens from disk and needs nothing else', async () => {
  const result = simulate('pendulum');
  const path = join(work, 'report.html');
  execFileSync(sinew, ['report', result, '-o', path, '--rows', '101']);
  assert.doesNotMatch(readFileSync(path, 'utf8'), /(src|href)="(?!data:)/, 'nothing is fetched');
  const page = await openPage(`file://${path}`);
  const data = exported(result);
  const rows = await page.evaluate(() => window.sinew.app.results[0].rows);
  assert.equal(rows, 101);
  for (const row of [0, 30, 100]) {
    await goTo(page, row);
    const tip = await page.evaluate(() => window.sinew.app.view.scenes[0].outputPoint('tip'));
    ['x', 'y', 'z'].forEach((c, k) => assert.ok(Math.abs(tip[k] - data[`tip.${c}`][2 * row]) < 2e-6, `${c} of row ${row}`));
  }
  assert.ok((await page.textContent('.plot-legend')).includes('tip.x [m]'));
  await page.click('.play');
  await page.waitForFunction(() => window.sinew.app.store.state.row > 2);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});

test('a report keeps lists whole, also those as long as there are rows', async () => {
  const model = join(work, 'taper.yaml');
  writeFileSync(model, `sinew: 1
gravity: [0, -9.81, 0]
materials: {rubber: {density: 7200, young: 2e7}}
sections: {thick: {type: circle, radius: 0.02}, thin: {type: circle, radius: 0.01}}
bodies: {beam: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 10, material: rubber, section: thick, section_end: thin}}
joints: {pin: {type: spherical, between: [ground, beam.start]}}
analysis: {type: dynamics, duration: 0.1, output_step: 0.01, integrator: {type: hht-i3, tolerance: 1e-4}}
`);
  const path = join(work, 'taper.html');
  execFileSync(sinew, ['report', simulate(model), '-o', path, '--rows', '5']);
  const page = await openPage(`file://${path}`);
  const [rows, radii, time] = await page.evaluate(() => {
    const [result] = window.sinew.app.results;
    return [result.rows, [...result.bodies.find((b) => b.name === 'beam').sections].filter((_, i) => i % 4 === 0), [...result.time]];
  });
  assert.equal(rows, 5);
  [0, 0.03, 0.06, 0.09, 0.1].forEach((t, i) => assert.ok(Math.abs(time[i] - t) < 1e-6, `time of row ${i}: ${time[i]}, every third and the last`));
  assert.equal(radii.length, 11);
  radii.forEach((r, i) => assert.ok(Math.abs(r - (0.02 - 0.001 * i)) < 1e-6, `radius of node ${i}: ${r}`));
  await page.context().close();
});

const render = (...args) => spawnSync(sinew, ['render', simulate('pendulum'), ...args], { cwd: work, timeout: 120_000 });

test('a picture has the size that was asked for', () => {
  const run = render('--time', '0.5', '--size', '320x200', '--color', 'strain', '-o', 'frame.png');
  assert.equal(run.status, 0, String(run.stderr));
  const png = readFileSync(join(work, 'frame.png'));
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [320, 200]);
  assert.ok(png.length > 4000, 'there is something in it');
});

test('videos', async () => {
  assert.equal(render('--video', 'p.gif', '--size', '160x120', '--from', '0', '--to', '0.5', '--fps', '10', '--speed', '1').status, 0);
  const gif = readFileSync(join(work, 'p.gif'));
  assert.equal(gif.subarray(0, 6).toString(), 'GIF89a');
  assert.equal(gif.at(-1), 0x3b);
  const webm = render('--video', 'p.webm', '--size', '160x120', '--to', '0.5', '--fps', '10', '--speed', '1');
  assert.equal(webm.status, 0, String(webm.stderr));
  const page = await openPage(await (async () => `file://${report()}`)());
  const played = await page.evaluate(async ([video, picture]) => {
    const load = (tag, event, url) =>
      new Promise((done, failed) => {
        const element = document.createElement(tag);
        element.addEventListener(event, () => done(element));
        element.addEventListener('error', () => failed(new Error(`${tag} cannot be read`)));
        element.src = url;
      });
    const v = await load('video', 'loadeddata', video);
    const g = await load('img', 'load', picture);
    return [v.videoWidth, v.videoHeight, v.duration, g.naturalWidth, g.naturalHeight];
  }, [`data:video/webm;base64,${readFileSync(join(work, 'p.webm')).toString('base64')}`, `data:image/gif;base64,${gif.toString('base64')}`]);
  assert.deepEqual([played[0], played[1], played[3], played[4]], [160, 120, 160, 120]);
  assert.ok(Math.abs(played[2] - 0.6) < 0.11, `it lasts ${played[2]} s`);
  // Without a word about the speed, a film lasts ten seconds: of a run, of a part of it, of a mode.
  const small = ['--size', '64x48', '--fps', '4', '--no-caption'];
  const modes = spawnSync(sinew, ['render', simulate('pinned-modes'), '--mode', '1', '--video', 'modes.webm', ...small], { cwd: work });
  assert.deepEqual([render('--video', 'whole.webm', ...small).status, render('--video', 'part.webm', '--to', '0.1', ...small).status, modes.status], [0, 0, 0]);
  for (const name of ['whole', 'part', 'modes']) {
    const length = await page.evaluate(async (data) => {
      const v = document.createElement('video');
      v.src = data;
      await new Promise((done) => v.addEventListener('loadedmetadata', done));
      return v.duration;
    }, `data:video/webm;base64,${readFileSync(join(work, `${name}.webm`)).toString('base64')}`);
    assert.ok(Math.abs(length - 10) < 0.6, `${name} lasts ${length} s`);
  }
  await page.context().close();
});

function report() {
  const path = join(work, 'small.html');
  execFileSync(sinew, ['report', simulate('pendulum'), '-o', path, '--rows', '5']);
  return path;
}

test('where it cannot be done, it says why', () => {
  const rigid = spawnSync(sinew, ['render', simulate('slider-crank'), '--color', 'force', '-o', 'x.png'], { cwd: work });
  assert.notEqual(rigid.status, 0);
  assert.match(String(rigid.stderr), /no body of this result has an axial force/);
  const none = spawnSync(sinew, ['render', simulate('pendulum'), '-o', 'x.png'], { cwd: work, env: { ...process.env, SINEW_BROWSER: '/nowhere' } });
  assert.equal(none.status, 1);
  assert.match(String(none.stderr), /needs a browser: install chromium/);
  for (const [args, said] of [
    [['-o', 'x.jpg'], /images must be \.png/],
    [['--video', 'x.mp4'], /videos must be \.webm or \.gif/],
    [['--color', 'heat'], /one of none\|strain/],
    [['--size', '10'], /WIDTHxHEIGHT/],
    [['--mode', '3'], /no mode 3/],
    [['--time', 'now'], /needs a number/],
  ]) {
    const run = render(...args);
    assert.equal(run.status, 1, args.join(' '));
    assert.match(String(run.stderr), said);
  }
});
