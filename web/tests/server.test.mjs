// What the server refuses.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { closeAll, exported, serve, simulate } from './support.mjs';

let server, result;
before(async () => {
  result = simulate('pendulum');
  server = await serve(result);
});
after(async () => {
  await server.stop();
  await closeAll();
});

/** Send bytes as they are; the status of the answer. */
function raw(text) {
  return new Promise((done, failed) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (d) => (answer += d));
    socket.on('end', () => done(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)));
    socket.on('error', failed);
  });
}
/** A request behind the key: 'GET /api/state'. */
const ask = (line, host = `127.0.0.1:${server.port}`, more = '') => askAt(line.replace(' /', ` ${new URL(server.address).pathname}`), host, more);
const askAt = (line, host = `127.0.0.1:${server.port}`, more = '') => raw(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`);

test('what it is for', async () => {
  assert.equal(await ask('GET /'), 200);
  assert.equal(await ask('GET /', `localhost:${server.port}`), 200);
  assert.equal(await ask('GET /api/results'), 200);
  const rows = await fetch(`${server.address}api/rows?path=/outputs/tip&first=10&count=3&stride=5&type=f8`);
  const numbers = new Float64Array(await rows.arrayBuffer());
  const data = exported(result);
  assert.deepEqual([numbers[0], numbers[9], numbers[18]], [10, 15, 20].map((i) => data['tip.x'][i]));
});

test('paths that go elsewhere', async () => {
  for (const path of ['/../etc/passwd', '/..%2f..%2fetc/passwd', '//etc/passwd', '/etc/passwd', '/api/../../etc/passwd', '/models/pendulum.yaml', '/index.html'])
    assert.ok([400, 404].includes(await ask(`GET ${path}`)), path);
  for (const path of ['../time', '/../time', '/time/../time', 'time', '/', '/nothing', '/model', '/bodies', '%00', `/${'a'.repeat(2000)}`])
    assert.ok([400, 404].includes(await ask(`GET /api/rows?path=${path}`)), path);
});

test('rows that are not there', async () => {
  for (const [query, status] of [['first=500', 416], ['count=9999', 416], ['count=0', 416], ['stride=0', 400], ['first=-1', 400], ['count=1e3', 400], ['result=1', 404], ['count=18446744073709551615', 400]])
    assert.equal(await ask(`GET /api/rows?path=/time&${query}`), status, query);
});

test('other hosts', async () => {
  for (const host of ['example.org', `example.org:${server.port}`, '127.0.0.1', `127.0.0.1:${server.port + 1}`, '', `127.0.0.1:${server.port}.example.org`])
    assert.ok([400, 403].includes(await ask('GET /', host)), host);
  assert.ok([400, 403].includes(await raw('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')));
});

test('other machines', () => {
  // Where the port is listened at, by the kernel's own table: 0100007F is 127.0.0.1.
  const port = server.port.toString(16).toUpperCase().padStart(4, '0');
  const places = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []))
    .map((line) => line.trim().split(/\s+/)).filter((w) => w[3] === '0A' && w[1]?.endsWith(`:${port}`)).map((w) => w[1]);
  assert.deepEqual(places, [`0100007F:${port}`]);
});

test('without the key', async () => {
  const key = new URL(server.address).pathname.slice(1, -1);
  assert.match(key, /^[0-9a-f]{32}$/);
  const wrong = key.replace(/.$/, (c) => (c === '0' ? '1' : '0'));
  for (const path of ['/', '/api/results', '/api/state', '/api/rows?path=/time', `/${wrong}/`, `/${wrong}/api/results`, `/${key}`, `/${key.slice(1)}/`, `/x${key}/`, `//${key}/`, `/api/results?key=${key}`])
    assert.equal(await askAt(`GET ${path}`), 403, path);
  assert.equal(await askAt('POST /picture'), 403);
  const other = await serve(result);
  assert.notEqual(new URL(other.address).pathname.slice(1, -1), key, 'every server has a key of its own');
  await other.stop();
});

/** Milliseconds until a normal request is answered. */
async function answered() {
  const begin = performance.now();
  assert.equal(await ask('GET /api/state'), 200);
  return performance.now() - begin;
}

test('slow clients do not keep others out', async () => {
  const slow = [];
  let slowest = 0;
  const open = () => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x'));
    socket.on('error', () => {});
    socket.on('close', () => slow.splice(slow.indexOf(socket), 1));
    slow.push(socket);
  };
  const count = Number(process.env.TORTURE_COUNT ?? 500);
  const drip = setInterval(() => slow.forEach((s) => s.writable && s.write('\r\nX: y')), 500);
  for (let i = 0; i < count; ++i) {
    open();
    if (i % 25 === 0) slowest = Math.max(slowest, await answered());
  }
  for (let i = 0; i < 20; ++i) slowest = Math.max(slowest, await answered());
  // And some that ask for much and read nothing.
  for (let i = 0; i < 300; ++i) {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(`GET ${new URL(server.address).pathname} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`));
    socket.pause();
    socket.on('error', () => {});
    slow.push(socket);
    if (i % 25 === 0) slowest = Math.max(slowest, await answered());
  }
  clearInterval(drip);
  for (const s of [...slow]) s.destroy();
  console.log(`tried ${count}, survived ${slowest < 1000 ? count : 0}; the slowest answer took ${slowest.toFixed()} ms`);
  assert.ok(slowest < 1000, `${slowest} ms`);
});

test('malformed requests', async () => {
  // A generator of its own: the same requests every time.
  let seed = 1 + Number(process.env.TORTURE_SEED ?? 0);
  const next = (n) => ((seed = (seed * 48271) % 2147483647), seed % n);
  const pieces = ['GET ', 'POST ', '/', server.address.slice(-34), 'api/rows?path=', '%', '%00', '&&', ' HTTP/1.1\r\n', ' HTTP/9.9\r\n', 'Host: ', `127.0.0.1:${server.port}`, '\r\n', '\n', '\r', ':', 'Content-Length: 99999999999\r\n', 'Transfer-Encoding: chunked\r\n', 'Expect: 100-continue\r\n', 'Range: bytes=9-1\r\n', '\0', 'a'.repeat(300), '\x80\xff', 'Connection: close\r\n', 'ffffffffffffffffff\r\n'];
  const count = Number(process.env.TORTURE_COUNT ?? 2000);
  let slowest = 0;
  for (let i = 0; i < count; i += 20) {
    await Promise.all(
      Array.from({ length: 20 }, () => {
        const text = Array.from({ length: 1 + next(12) }, () => pieces[next(pieces.length)]).join('');
        return new Promise((done) => {
          const socket = connect(server.port, '127.0.0.1', () => socket.end(Buffer.from(text, 'latin1')));
          socket.resume();
          socket.on('error', () => {});
          socket.on('close', done);
          setTimeout(() => socket.destroy(), 60).unref();
        });
      }),
    );
    if (i % 400 === 0) slowest = Math.max(slowest, await answered());
  }
  slowest = Math.max(slowest, await answered());
  console.log(`tried ${count}, survived ${slowest < 1000 ? count : 0}; the slowest answer took ${slowest.toFixed()} ms`);
  assert.ok(slowest < 1000, `${slowest} ms`);
});

test('other methods', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT', 'BREW'])
    assert.equal(await ask(`${method} /`), 405, method);
  assert.equal(await ask('POST /picture'), 405);
});

test('headers of any size', async () => {
  for (const size of [20_000, 500_000]) {
    const status = await ask('GET /', undefined, `X-Long: ${'a'.repeat(size)}\r\n`).catch(() => 431);
    assert.ok([0, 400, 413, 431].includes(status), `${size}: ${status}`);
  }
  const long = await ask(`GET /${'a'.repeat(30_000)}`).catch(() => 414);
  assert.ok([0, 400, 414, 431].includes(long), String(long));
  assert.equal(await ask('GET /'), 200, 'it still answers');
});
