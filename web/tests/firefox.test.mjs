// The page in Firefox, where it is installed: it is drawn and plays, by light and dark, on desk and phone. Firefox has WebGL 2 only where
// there is a screen; Xvfb is one without hardware, drawn on by Mesa. Without that, the page has to say that it has no WebGL 2.
// Spoken to by WebDriver BiDi, which Debian's Firefox understands; the Firefox of Playwright is another one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeAll, cutOff, serve, simulate, work } from './support.mjs';

const { ws: Socket } = createRequire(import.meta.url)('playwright-core/lib/utilsBundle');
const program = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync);
let firefox, screen;
after(async () => {
  for (const process_ of [firefox, screen]) if (process_) await new Promise((done) => process_.on('exit', done).kill());
  await closeAll();
});

/** The name of a screen without hardware; undefined: there is none. */
async function findScreen() {
  if (!existsSync('/usr/bin/Xvfb')) return undefined;
  screen = spawn('/usr/bin/Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const number = await new Promise((found, failed) => {
    screen.stdio[3].on('data', (d) => found(String(d).trim()));
    screen.on('exit', () => failed(new Error('Xvfb ended')));
  });
  screen.removeAllListeners('exit');
  return `:${number}`;
}

/** Firefox without a window, and a way to send it commands; errors of pages are in `troubles`. */
async function launch(display) {
  const profile = mkdtempSync(join(work, 'firefox-'));
  writeFileSync(join(profile, 'user.js'), 'user_pref("webgl.force-enabled", true);\nuser_pref("webgl.forbid-software", false);\n');
  firefox = spawn(program, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...(display && { DISPLAY: display }) },
  });
  const address = await new Promise((found, failed) => {
    firefox.stderr.on('data', (d) => /ws:\S+/.test(d) && found(/ws:\S+/.exec(d)[0]));
    firefox.on('exit', () => failed(new Error('Firefox ended')));
    setTimeout(() => failed(new Error('Firefox does not answer')), 30_000).unref();
  });
  firefox.removeAllListeners('exit');
  const socket = new Socket(`${address}/session`);
  await new Promise((done, failed) => socket.on('open', done).on('error', failed));
  const [asked, troubles] = [new Map(), []];
  socket.on('message', (text) => {
    const m = JSON.parse(text);
    if (m.method === 'log.entryAdded' && m.params.level === 'error') troubles.push(m.params.text);
    const [done, failed] = asked.get(m.id) ?? [];
    if (m.type === 'success') done?.(m.result);
    else if (m.type === 'error') failed?.(new Error(m.message));
  });
  let id = 0;
  const send = (method, params) => new Promise((done, failed) => {
    asked.set(++id, [done, failed]);
    socket.send(JSON.stringify({ id, method, params }));
  });
  return { send, troubles };
}

test('Firefox draws and plays a result at all sizes, by light and dark', { skip: program ? false : 'there is no Firefox here' }, async () => {
  const display = await findScreen();
  const { send, troubles } = await launch(display);
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts: [{ context }] } = await send('browsingContext.getTree', {});
  const server = await serve(simulate('pendulum', '--until', '0.5'));
  await send('browsingContext.navigate', { context, url: server.address, wait: 'complete' });
  const run = async (f, argument = null) => {
    const answer = await send('script.evaluate', { expression: `(${f})(${JSON.stringify(argument)})`, target: { context }, awaitPromise: true });
    assert.equal(answer.type, 'success', answer.exceptionDetails?.text);
    return answer.result.value;
  };
  const said = await run(`async () => {
    while (!document.documentElement.dataset.ready && !document.documentElement.dataset.failed) await new Promise((r) => setTimeout(r, 50));
    return document.documentElement.dataset.failed ? document.body.innerText : 'ready';
  }`);
  if (!display) return assert.match(said, /this browser has no WebGL 2/);
  assert.equal(said, 'ready');
  for (const [width, height] of [[1280, 800], [390, 844], [844, 390]])
    for (const dark of [false, true]) {
      const where = `${width} x ${height}, ${dark ? 'dark' : 'light'}`;
      await send('browsingContext.setViewport', { context, viewport: { width, height } });
      assert.equal(await run(play, dark), 'drawn', where);
      assert.equal(await run(`() => JSON.stringify((${cutOff})())`), '[]', where);
    }
  assert.deepEqual(troubles, []);
});

/** Does it play, and are there pixels of the bar, which is blue? */
const play = `async (dark) => {
  const { app } = window.sinew;
  app.store.set({ dark, row: 0, playing: true });
  const from = performance.now();
  while (app.store.state.row === 0 && performance.now() - from < 10_000) await new Promise(requestAnimationFrame);
  const moved = app.store.state.row;
  app.store.set({ playing: false, row: 20, grid: false });
  app.view.draw();
  const gl = app.view.stage.renderer.getContext();
  const c = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
  gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, c);
  let blue = 0;
  for (let i = 0; i < c.length; i += 4) if (c[i + 2] > c[i] + 40) ++blue;
  return moved > 0 && blue > 200 ? 'drawn' : 'row ' + moved + ', ' + blue + ' pixels';
}`;
