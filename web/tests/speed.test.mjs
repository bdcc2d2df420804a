// Pictures per second without graphics hardware: 2,000 elements play at 15 or more, 10,000 are scrubbed without stalls.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeAll, openPage, serve, simulate, work } from './support.mjs';

after(closeAll);

/** Cables side by side, falling from the horizontal: `count` of them with n elements each. */
function curtain(count, n, duration, step) {
  const cables = Array.from({ length: count }, (_, i) => i);
  const path = join(work, `curtain-${count}-${n}.yaml`);
  writeFileSync(path, `sinew: 1
title: ${count} cables of ${n} elements
gravity: [0, -9.81, 0]
materials: {rubber: {density: 1100, young: 2e6, poisson: 0.3}}
sections: {round: {type: circle, radius: 0.006}}
bodies:
${cables.map((i) => `  c${i}: {type: cable, from: [0, 0, ${0.05 * i}], to: [2, 0, ${0.05 * i}], elements: ${n}, material: rubber, section: round}`).join('\n')}
joints:
${cables.map((i) => `  p${i}: {type: spherical, between: [ground, c${i}.start]}`).join('\n')}
outputs: {tip: {point: c0.end}}
analysis: {type: dynamics, duration: ${duration}, output_step: 0.01, integrator: {type: hht-i3, alpha: -0.3, step: ${step}}}
`);
  return path;
}

/** The best of some tries: the machine may be busy with something else. */
async function best(tries, better, measure) {
  let found;
  for (let i = 0; i < tries; ++i) {
    const x = await measure();
    if (found === undefined || better(x, found)) found = x;
  }
  return found;
}

test('2,000 cable elements play at 15 pictures per second or more', async (t) => {
  const server = await serve(simulate(curtain(40, 50, 1, 0.002)));
  const page = await openPage(server.address);
  const fps = await best(4, (a, b) => a > b, () =>
    page.evaluate(async () => {
      const { store, player } = window.sinew.app;
      store.set({ playing: true, quantity: 'speed' });
      await new Promise((r) => setTimeout(r, 2500));
      store.set({ playing: false });
      return player.fps;
    }),
  );
  const about = await page.evaluate(() => {
    const { view } = window.sinew.app;
    return { triangles: view.scenes[0].lines.triangles, software: view.stage.software, size: view.stage.size };
  });
  t.diagnostic(`${fps.toFixed(1)} pictures per second, ${about.triangles} triangles, view ${about.size.join(' x ')}`);
  assert.equal(about.software, true);
  assert.ok(about.triangles >= 4000, 'every element is drawn');
  assert.ok(fps >= 15, `${fps.toFixed(1)} pictures per second`);
  await page.context().close();
  await server.stop();
});

test('10,000 cable elements are scrubbed without stalls', async (t) => {
  const server = await serve(simulate(curtain(100, 100, 0.4, 0.01)));
  const page = await openPage(server.address);
  const worst = await best(4, (a, b) => a < b, () =>
    page.evaluate(async () => {
      const { app } = window.sinew;
      const { rows } = app.results[0];
      let longest = 0;
      for (let k = 0; k < 25; ++k) {
        const row = (k * 17) % rows;
        const begin = performance.now();
        app.store.set({ row });
        do await new Promise(requestAnimationFrame);
        while (Math.abs(app.view.scenes[0].drawnRow - row) > 1e-9);
        longest = Math.max(longest, performance.now() - begin);
      }
      return longest;
    }),
  );
  t.diagnostic(`longest wait for a row ${worst.toFixed(0)} ms`);
  assert.ok(worst < 500, `${worst.toFixed(0)} ms`);
  await page.context().close();
  await server.stop();
});
