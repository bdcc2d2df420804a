// What the tests share: results made by the program, a server, a browser, a page whose errors count.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findBrowser } from './browser.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const sinew = process.env.SINEW ?? join(root, 'build/release/sinew');
export const work = mkdtempSync(join(tmpdir(), 'sinew-web-'));

const made = new Map();

/** The result of a model of models/, or of a file; arguments go to `sinew run`. */
export function simulate(model, ...args) {
  const key = [model, ...args].join(' ');
  if (!made.has(key)) {
    const path = join(work, `${made.size}.h5`);
    const file = model.includes('/') ? model : join(root, 'models', `${model}.yaml`);
    execFileSync(sinew, ['run', '-q', file, '-o', path, ...args]);
    made.set(key, path);
  }
  return made.get(key);
}

/** Columns of a result by name, as the program exports them. */
export function exported(result) {
  const [head, ...rows] = execFileSync(sinew, ['export', result, '--csv'], { maxBuffer: 1 << 28 }).toString().trim().split('\n');
  const names = head.split(',');
  const columns = Object.fromEntries(names.map((n) => [n, new Float64Array(rows.length)]));
  rows.forEach((row, i) => row.split(',').forEach((v, k) => (columns[names[k]][i] = Number(v))));
  return columns;
}

/** `sinew view` of results; to be stopped. */
export async function serve(...results) {
  const process_ = spawn(sinew, ['view', ...results, '--no-browser'], { stdio: ['ignore', 'pipe', 'inherit'] });
  servers.add(process_);
  const address = await new Promise((found, failed) => {
    process_.stdout.on('data', (d) => found(/http:\S+/.exec(String(d))?.[0] ?? ''));
    process_.on('exit', (code) => failed(new Error(`sinew view ended with ${code}`)));
  });
  const stop = () =>
    new Promise((done) => {
      servers.delete(process_);
      process_.removeAllListeners('exit');
      process_.on('exit', done);
      process_.kill('SIGTERM');
    });
  return { address, port: Number(new URL(address).port), stop };
}

const servers = new Set();

let browser;
export async function openBrowser() {
  browser ??= await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
  });
  return browser;
}

export async function closeAll() {
  for (const server of servers) server.removeAllListeners('exit').kill('SIGTERM');
  await browser?.close();
  rmSync(work, { recursive: true, force: true });
}

/** A page at an address, ready; its console errors and failed requests are in page.troubles. */
export async function openPage(address, options = {}) {
  const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 720 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.troubles = [];
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && page.troubles.push(`${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => page.troubles.push(`error: ${e.message}`));
  page.on('request', (r) => !r.url().startsWith(address.replace(/[^/]*$/, '')) && !/^(data|blob):/.test(r.url()) && page.troubles.push(`request: ${r.url()}`));
  await page.goto(address);
  await page.waitForFunction(() => document.documentElement.dataset.ready ?? document.documentElement.dataset.failed, null, { timeout: 60_000 });
  const failed = await page.evaluate(() => document.documentElement.dataset.failed);
  if (failed) throw new Error(`the page says: ${failed}`);
  return page;
}

/** Go to a row and wait until it is drawn. */
export function goTo(page, row) {
  return page.evaluate(async (r) => {
    const { app } = window.sinew;
    app.store.set({ playing: false, row: r });
    const drawn = () => app.view.scenes.every((s, i) => i > 0 || !s.result.coordinates.width || Math.abs(s.drawnRow - r) < 1e-9);
    do await new Promise(requestAnimationFrame);
    while (!drawn());
  }, row);
}

/** Elements that stick out of the window, or out of a part of the page that neither scrolls nor shortens its text. To be run in the page. */
export const cutOff = () => {
  const scrolls = (e) => /auto|scroll/.test(getComputedStyle(e).overflowX + getComputedStyle(e).overflowY);
  const shortens = (e) => getComputedStyle(e).textOverflow === 'ellipsis';
  const name = (e) => `${e.tagName.toLowerCase()}.${e.className?.baseVal ?? e.className} "${(e.textContent ?? '').slice(0, 20)}"`;
  const found = [];
  for (const e of document.body.querySelectorAll('*')) {
    if (!e.checkVisibility() || e.closest('.u-over, .overlay, svg, option')) continue;
    const box = e.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    let within = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    let scrolled = false;
    for (let p = e.parentElement; p; p = p.parentElement) {
      if (scrolls(p) || shortens(p)) scrolled = true;
      if (scrolled) break;
      if (getComputedStyle(p).overflow === 'hidden') within = p.getBoundingClientRect();
    }
    if (!scrolled && (box.left < within.left - 1 || box.top < within.top - 1 || box.right > within.right + 1 || box.bottom > within.bottom + 1)) found.push(`${name(e)} sticks out`);
    if (/^(BUTTON|SELECT|LABEL|OUTPUT|H1|H2|H3)$/.test(e.tagName) && e.scrollWidth > e.clientWidth + 1 && !shortens(e)) found.push(`${name(e)} is too narrow for its text`);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
  return found;
};
