// From a phone to a wall: nothing is cut off, touch works, panels can be resized, and all of it can be reached and read
// without a mouse, in the light and in the dark.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { closeAll, cutOff, openPage, serve, simulate } from './support.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const sizes = { desk: [1280, 800], phone: [390, 844], 'phone on its side': [844, 390] };
let server;

before(async () => {
  server = await serve(simulate('pendulum'));
});
after(closeAll);

/** What axe finds that is serious or critical. */
async function violations(page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const found = await page.evaluate(async () => (await window.axe.run({ resultTypes: ['violations'] })).violations);
  return found.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(' | ')}`);
}

for (const [name, [width, height]] of Object.entries(sizes))
  test(`${name}: everything fits, and can be read, by light and dark`, async () => {
    const page = await openPage(server.address, { viewport: { width, height }, hasTouch: width < 900 });
    await page.evaluate(() => window.sinew.app.root.classList.remove('no-left'));
    for (const dark of [false, true]) {
      await page.evaluate((d) => window.sinew.app.store.set({ dark: d, quantity: 'stress', selection: { kind: 'body', name: 'beam' } }), dark);
      for (const tab of await page.locator('.tabs button').all()) {
        await tab.click();
        assert.deepEqual(await page.evaluate(cutOff), [], `${await tab.textContent()}, ${dark ? 'dark' : 'light'}`);
        assert.deepEqual(await violations(page), [], `${await tab.textContent()}, ${dark ? 'dark' : 'light'}`);
      }
      await page.click('.help-button');
      assert.deepEqual(await page.evaluate(cutOff), [], 'keys');
      assert.deepEqual(await violations(page), [], 'keys');
      await page.keyboard.press('Escape');
    }
    await page.evaluate(() => window.sinew.app.root.classList.add('no-left'));
    assert.deepEqual(await page.evaluate(cutOff), [], 'without the tree');
    const canvas = await page.locator('canvas.stage').boundingBox();
    assert.ok(canvas.width > 0.35 * width && canvas.height > 0.35 * height, `the view has room: ${canvas.width} x ${canvas.height}`);
    if (width < 900) await touch(page, canvas);
    await resize(page);
    assert.deepEqual(page.troubles, []);
    await page.context().close();
  });

/** One finger turns the view, two of them zoom. */
async function touch(page, box) {
  const client = await page.context().newCDPSession(page);
  const camera = () => page.evaluate(() => {
    const { camera: c, controls } = window.sinew.app.view.stage;
    const away = c.position.clone().sub(controls.target);
    return { distance: away.length(), direction: away.normalize().toArray() };
  });
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const drag = async (places) => {
    const points = (k) => places.map(([from, to], id) => ({ id, x: from[0] + ((to[0] - from[0]) * k) / 5, y: from[1] + ((to[1] - from[1]) * k) / 5 }));
    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(0) });
    for (let k = 1; k <= 5; ++k) await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(k) });
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  const before_ = await camera();
  await drag([[[x, y], [x + 60, y]]]);
  const turned = await camera();
  assert.ok(turned.direction[0] < before_.direction[0] - 0.1, 'one finger turns');
  assert.ok(Math.abs(turned.distance / before_.distance - 1) < 1e-3);
  await drag([[[x - 20, y], [x - 70, y]], [[x + 20, y], [x + 70, y]]]);
  const near = await camera();
  assert.ok(near.distance < 0.6 * turned.distance, `two fingers zoom: ${turned.distance} to ${near.distance}`);
}

/** By the pointer and by keys. */
async function resize(page) {
  const splitter = page.locator('.plots > .splitter');
  const size = () => page.locator('.plots').evaluate((e) => [e.clientWidth, e.clientHeight]);
  const [before_, box] = [await size(), await splitter.boundingBox()];
  const below = box.width > box.height;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(below ? x : x - 40, below ? y - 40 : y, { steps: 3 });
  await page.mouse.up();
  const wide = await size();
  assert.ok(Math.abs(wide[below ? 1 : 0] - before_[below ? 1 : 0] - 40) < 3, `dragged by 40 pixels: ${before_} to ${wide}`);
  await splitter.focus();
  await page.keyboard.press(below ? 'ArrowDown' : 'ArrowRight');
  assert.ok((await size())[below ? 1 : 0] < wide[below ? 1 : 0] - 10, 'and back by a key');
  assert.deepEqual(await page.evaluate(cutOff), []);
}

test('everything can be reached by the keyboard', async () => {
  const page = await openPage(server.address);
  // Controls of plots appear when these have been drawn.
  const count = () => page.evaluate(() => {
    window.controls = () => [...document.querySelectorAll('button, select, input, summary')].filter((e) => e.checkVisibility() && e.getAttribute('role') !== 'tab');
    window.reached = new Set();
    return window.controls().length;
  });
  let all = -1;
  for (let same = 0, now; same < 5; all = now) {
    now = await count();
    same = now === all ? same + 1 : 0;
    await page.waitForTimeout(100);
  }
  for (let i = 0; i < all + 12; ++i) {
    await page.keyboard.press('Tab');
    await page.evaluate(() => window.reached.add(document.activeElement));
  }
  assert.deepEqual(await page.evaluate(() => window.controls().filter((e) => !window.reached.has(e)).map((e) => e.outerHTML.slice(0, 120))), []);
  await page.focus('.entry[data-name="beam"] .name');
  await page.keyboard.press('Enter');
  assert.deepEqual(await page.evaluate(() => window.sinew.app.store.state.selection), { kind: 'body', name: 'beam' });
  const eye = () => page.evaluate(() => window.sinew.app.view.stage.camera.position.toArray());
  const [x, y] = await eye();
  for (const key of ['e', 'e', 'w', 'w']) await page.keyboard.press(key);
  const turned = await eye();
  assert.ok(turned[0] > x + 0.05 && turned[1] > y + 0.05, `the view turns to the right and up: ${[x, y]} to ${turned}`);
  await page.keyboard.press('?');
  const listed = await page.locator('dialog[open] kbd').allTextContents();
  for (const key of ['Space', 'Q E', 'F', '?']) assert.ok(listed.includes(key), key);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('dialog[open]').count(), 0);
  assert.deepEqual(page.troubles, []);
  await page.context().close();
});
