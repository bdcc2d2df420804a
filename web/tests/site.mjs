// The manual in Chromium, opened as files: `node web/tests/site.mjs BUILD/SITE`. 77: there is no browser.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
if (!existsSync(join(here, '../node_modules/playwright-core'))) process.exit(77);
const { findBrowser } = await import('./browser.mjs');
if (!findBrowser()) process.exit(77);
const { chromium } = await import('playwright-core');

const site = resolve(process.argv[2]);
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
const troubles = [];
const open = async (path, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && troubles.push(`${path}: ${m.text()}`));
  page.on('pageerror', (e) => troubles.push(`${path}: ${e.message}`));
  page.on('request', (r) => !/^(file|data|blob):/.test(r.url()) && troubles.push(`${path} asks for ${r.url()}`));
  await page.goto(`${pathToFileURL(site)}/${path}`);
  return page;
};

/** What axe finds that is serious or critical. */
const axe = readFileSync(join(here, '../node_modules/axe-core/axe.min.js'), 'utf8');
async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await window.axe.run({ resultTypes: ['violations'], preload: false })).violations);
  return found.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(' | ')}`);
}

try {
  const found = await open('search.html?q=capstan');
  await found.waitForSelector('#search-results li a', { timeout: 15_000 });
  const hits = await found.locator('#search-results li a').count();
  assert.ok(hits > 0, 'search finds pages');
  await found.locator('#search-results li a').first().click();
  await found.waitForSelector('article');
  assert.match((await found.locator('article').textContent()).toLowerCase(), /capstan/, 'and they have the word');

  const theory = await open('theory.html');
  const set = await theory.evaluate(async () => {
    await document.fonts.ready;
    const boxes = [...document.querySelectorAll('.katex-display')].map((e) => e.getBoundingClientRect());
    return { count: boxes.length, seen: boxes.filter((b) => b.height > 8 && b.width > 8).length, font: document.fonts.check('16px KaTeX_Main'), raw: document.querySelectorAll('.katex-error').length };
  });
  const torn = await theory.evaluate(() => [...document.querySelectorAll('.whole')].filter((e) => e.getClientRects().length > 1).length);
  assert.equal(torn, 0, 'signs stay with their equations');
  assert.ok((await theory.locator('.whole').count()) > 20);
  assert.ok(set.count > 50 && set.seen === set.count && set.font && !set.raw, `equations: ${JSON.stringify(set)}`);

  for (const path of ['README.html', 'start.html', 'gallery.html', 'reference.html', 'tutorials/01-pendulum.html', 'theory.html'])
    for (const [size, scheme] of [[{ width: 390, height: 844 }, 'dark'], [{ width: 1440, height: 900 }, 'light']]) {
      const page = await open(path, { viewport: size, colorScheme: scheme });
      const { width, missing } = await page.evaluate(() => ({ width: document.documentElement.scrollWidth, missing: [...document.images].filter((i) => i.complete && !i.naturalWidth && i.loading !== 'lazy').map((i) => i.src) }));
      assert.ok(width <= size.width + 1, `${path} is ${width} pixels wide in a window of ${size.width}`);
      assert.deepEqual(missing, [], `${path}: pictures`);
      if (!/^(reference|theory)/.test(path)) assert.deepEqual(await violations(page), [], `${path}, ${scheme}`); // those take minutes
      await page.context().close();
    }
  assert.deepEqual(troubles, []);
  console.log('the site works in the browser');
} finally {
  await browser.close();
}
