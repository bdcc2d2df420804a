// Pictures compared with those that were looked at: the 3D view of three models, by light and dark. Without graphics hardware the
// view is drawn by the same code everywhere; blocks of 4 x 4 pixels are compared, so that smooth edges may differ.
// SINEW_PICTURES=write makes the pictures again.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { closeAll, goTo, openPage, serve, simulate } from './support.mjs';

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
};

for (const [name, [model, args, row, state]] of Object.entries(cases))
  test(`${name} looks as it did`, async () => {
    const server = await serve(simulate(model, ...args));
    const page = await openPage(server.address, { viewport: { width: 560, height: 460 } });
    await page.evaluate((s) => window.sinew.app.store.set(s), state);
    await page.addStyleTag({ content: '.overlay { visibility: hidden }' });
    await page.evaluate(() => window.sinew.app.root.classList.add('no-left', 'no-right'));
    await goTo(page, row);
    await page.waitForFunction(() => window.sinew.app.view.stage.renderer.getPixelRatio() === 2); // the still picture
    const shot = PNG.sync.read(await page.locator('canvas.stage').screenshot());
    const file = join(folder, `${name}.png`);
    if (process.env.SINEW_PICTURES === 'write') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, PNG.sync.write(shot));
    }
    assert.ok(existsSync(file), `${file}: make it with SINEW_PICTURES=write`);
    const known = PNG.sync.read(readFileSync(file));
    assert.deepEqual([shot.width, shot.height], [known.width, known.height]);
    const [a, b] = [blocks(shot), blocks(known)];
    const differ = a.reduce((sum, v, i) => sum + (Math.abs(v - b[i]) > 12 ? 1 : 0), 0) / a.length;
    assert.ok(differ < 0.002, `${(100 * differ).toFixed(2)} % of the picture differs from ${file}`);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
    await server.stop();
  });
