// Pictures compared with those that were looked at: the 3D view of three models, and the whole page with tree, plots and settings on a
// desk, on a phone and on a phone on its side, by light and dark, served and as a report. Without graphics hardware the view is drawn by
// the same code everywhere; blocks of 4 x 4 pixels are compared, so that smooth edges may differ. Pictures with text are compared where
// the fonts are those of the pictures. SINEW_PICTURES=write makes the pictures again.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { closeAll, goTo, openPage, serve, simulate, sinew, work } from './support.mjs';

const { PNG } = createRequire(import.meta.url)('playwright-core/lib/utilsBundle');
const folder = join(dirname(fileURLToPath(import.meta.url)), 'pictures');
after(closeAll);

/** Means of blocks of pixels. */
function blocks(png) {
  const [w, h] = [Math.floor(png.width / 4), Math.floor(png.height / 4)];
  const out = new Float64Array(3 * w * h);
  for (let y = 0; y < 4 * h; ++y)
    for (let x = 0; x < 4 * w; ++x)
      for (let k = 0; k < 3; ++k) out[3 * (w * (y >> 2) + (x >> 2)) + k] += png.data[4 * (png.width * y + x) + k] / 16;
  return out;
}

const cases = {
  crank: ['crank-stress', [], 8, { dark: true, quantity: 'stress' }],
  solids: ['solids', ['--until', '0.3'], 20, { dark: false, shadows: true }],
  pendulum: ['pendulum', ['--until', '0.5'], 40, { dark: false, ghost: true, mesh: true }],
  cut: ['solids', ['--until', '0.3'], 20, { dark: true, cutAxis: 'x', cutAt: 0.5 }],
};

/** The picture is the committed one, but for smooth edges. */
async function compare(name, png) {
  const shot = PNG.sync.read(png);
  const file = join(folder, `${name}.png`);
  if (process.env.SINEW_PICTURES === 'write') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, png);
  }
  assert.ok(existsSync(file), `${file}: make it with SINEW_PICTURES=write`);
  const known = PNG.sync.read(readFileSync(file));
  assert.deepEqual([shot.width, shot.height], [known.width, known.height]);
  const [a, b] = [blocks(shot), blocks(known)];
  const differ = a.reduce((sum, v, i) => sum + (Math.abs(v - b[i]) > 12 ? 1 : 0), 0) / a.length;
  if (differ >= 0.002) writeFileSync(join(tmpdir(), `sinew-${name}.png`), png);
  assert.ok(differ < 0.002, `${(100 * differ).toFixed(2)} % of the picture differs from ${file}; the new one is ${join(tmpdir(), `sinew-${name}.png`)}`);
}

/** The picture that a view at rest gets: with twice the pixels. */
const still = (page) => page.waitForFunction(() => window.sinew.app.view.stage.renderer.getPixelRatio() === 2);

for (const [name, [model, args, row, state]] of Object.entries(cases))
  test(`${name} looks as it did`, async () => {
    const server = await serve(simulate(model, ...args));
    const page = await openPage(server.address, { viewport: { width: 560, height: 460 } });
    await page.evaluate((s) => window.sinew.app.store.set(s), state);
    await page.addStyleTag({ content: '.overlay { visibility: hidden }' });
    await page.evaluate(() => window.sinew.app.root.classList.add('no-left', 'no-right'));
    await goTo(page, row);
    await still(page);
    await compare(name, await page.locator('canvas.stage').screenshot());
    assert.deepEqual(page.troubles, []);
    await page.context().close();
    await server.stop();
  });

// ---- the whole page ----

/** Widths of two texts: do the pictures have these fonts? */
const fonts = (page) => page.evaluate(() => {
  const pen = document.createElement('canvas').getContext('2d');
  return ['system-ui', 'ui-monospace'].map((family) => ((pen.font = `100px ${family}, sans-serif`), Math.round(pen.measureText('Energy error 0.123').width)));
});

/** The page at a row, all plots drawn, nothing moving. */
async function settle(page, row) {
  await goTo(page, row);
  await page.waitForFunction(() => window.sinew.app.plots.plots.every((p) => p.curves.length && p.element.querySelector('canvas')));
  await page.waitForTimeout(300); // of panels whose size has changed
  await still(page);
}

/** name: [width, height, dark, panel on the left or none] */
const pages = {
  'page-desk': [1200, 720, false, 'Tree'],
  'page-desk-dark': [1200, 720, true, 'Display'],
  'page-phone': [390, 844, false, null],
  'page-phone-dark': [390, 844, true, 'Tree'],
  'page-phone-side': [844, 390, false, null],
  'page-phone-side-dark': [844, 390, true, null],
};

test('the page looks as it did: tree, plots, settings, on desk and phone, by light and dark, and as a report', async (context) => {
  const result = simulate('solids', '--until', '0.3');
  const server = await serve(result);
  const page = await openPage(server.address, { viewport: { width: 1200, height: 720 } });
  const known = join(folder, 'fonts.json');
  if (process.env.SINEW_PICTURES === 'write') writeFileSync(known, `${JSON.stringify(await fonts(page))}\n`);
  if (JSON.stringify(await fonts(page)) !== readFileSync(known, 'utf8').trim()) return context.skip('other fonts than those of the pictures');
  for (const [name, [width, height, dark, panel]] of Object.entries(pages)) {
    await page.setViewportSize({ width, height });
    await page.evaluate(([d, open]) => {
      window.sinew.app.store.set({ dark: d });
      window.sinew.app.root.classList.toggle('no-left', !open);
    }, [dark, panel !== null]);
    if (panel) await page.click(`.tabs button:has-text("${panel}")`);
    await page.evaluate(() => window.sinew.app.view.stage.look('iso'));
    await settle(page, 20);
    await compare(name, await page.screenshot());
  }
  assert.deepEqual(page.troubles, []);
  await page.context().close();
  await server.stop();
  const report = join(work, 'report.html');
  execFileSync(sinew, ['report', result, '-o', report]);
  const alone = await openPage(`file://${report}`, { viewport: { width: 1200, height: 720 } });
  await alone.evaluate(() => window.sinew.app.view.stage.look('iso'));
  await settle(alone, 20);
  await compare('page-desk', await alone.screenshot()); // a report looks as the page that is served
  assert.deepEqual(alone.troubles, []);
  await alone.context().close();
});
