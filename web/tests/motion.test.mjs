// Damped modes: the motion is Im((a + i b) e^(lambda t)) with the eigenvalue's own ratio of decay and frequency.
// Wheels of gears: radii that touch.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { root, work } from './support.mjs';

after(() => rmSync(work, { recursive: true, force: true }));

const bundle = join(work, 'motion.mjs');
buildSync({
  stdin: {
    contents: `export * from './scene/mode_motion'; export { wheelsOf } from './scene/guides';`,
    resolveDir: join(root, 'web/src'),
    loader: 'ts',
  },
  bundle: true, format: 'esm', outfile: bundle,
});
const { modeMotion, swingsOf, wheelsOf } = await import(pathToFileURL(bundle));

test('a damped mode decays by the factor of its eigenvalue from swing to swing, out of phase parts a quarter apart', () => {
  const zeta = 0.05;
  const [sigma, omega] = [-zeta, Math.sqrt(1 - zeta * zeta)]; // of an eigenvalue of size 1
  for (const phase of [0.1, 0.37, 1.2, 2.9]) {
    const t = (2 * Math.PI * phase) / omega;
    const [a, b] = modeMotion(phase, zeta);
    assert.ok(Math.abs(a - Math.exp(sigma * t) * Math.sin(omega * t)) < 1e-12);
    assert.ok(Math.abs(b - Math.exp(sigma * t) * Math.cos(omega * t)) < 1e-12);
  }
  assert.deepEqual(modeMotion(swingsOf(zeta) + 0.3, zeta).map((x) => x.toFixed(9)), modeMotion(0.3, zeta).map((x) => x.toFixed(9)));
});

test('undamped modes keep their size, growing ones end at it, overdamped ones do not swing', () => {
  assert.ok(Math.abs(Math.hypot(...modeMotion(0.8, 0)) - 1) < 1e-12);
  assert.ok(Math.hypot(...modeMotion(0.1, -0.1)) < Math.hypot(...modeMotion(3.9, -0.1)));
  assert.ok(Math.hypot(...modeMotion(3.99, -0.1)) <= 1);
  assert.equal(modeMotion(0.5, 1)[1], 0);
  assert.ok(modeMotion(1.5, 1)[0] < modeMotion(0.5, 1)[0] && modeMotion(1.5, 1)[0] > 0);
});

test('wheels of gears with backlash touch', () => {
  const joint = (name, x) => ({ name, kind: 'revolute', radius: 0, markers: [{}, { position: [x, 0, 0] }] });
  const joints = [joint('a', 0), joint('b', 0.15)];
  const radii = (factors) => wheelsOf({ joints: ['a', 'b'], factors }, joints).map((j) => j.radius);
  assert.deepEqual(radii([1, 2]).map((r) => r.toFixed(6)), ['0.050000', '0.100000']);
  assert.deepEqual(radii([1, -4]).map((r) => r.toFixed(6)), ['0.050000', '0.200000']); // one inside the other
  assert.deepEqual(radii([1]), []);
});
