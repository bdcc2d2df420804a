// What the page makes of coordinates is what the program makes of them: shape functions, and points of every kind of body.
// The program states both in random places (tests/unit/test_drawing.c); no browser is needed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { root, sinew, work } from './support.mjs';

after(() => rmSync(work, { recursive: true, force: true }));

const samples = JSON.parse(execFileSync(join(dirname(sinew), 'tests/test_drawing'), ['--samples'], { cwd: root, maxBuffer: 1 << 28 }));
const bundle = join(work, 'page.mjs');
buildSync({
  stdin: {
    contents: `export * from './data/places'; export * from './data/layouts'; export * from './scene/shapes';
export { Markers } from './scene/markers'; export { Poser } from './scene/pose';`,
    resolveDir: join(root, 'web/src'),
    loader: 'ts',
  },
  bundle: true, format: 'esm', outfile: bundle,
});
const page = await import(pathToFileURL(bundle));

const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a}, the program has ${b}`);

test('shape functions and their derivatives', () => {
  for (const [name, shapes] of [['lines', page.lineShapes], ['surfaces', page.surfaceShapes]])
    for (const { s, h = 0, S, Ss, Sh } of samples[name]) {
      assert.equal(shapes.length, S.length);
      shapes.forEach((p, k) => {
        near(page.valueOf(p, s, h), S[k], 1e-14, `${name}: S${k + 1} at ${s}, ${h}`);
        near(page.valueOf(page.derivativeOf(p, 0), s, h), Ss[k], 1e-13, `${name}: dS${k + 1}/ds at ${s}, ${h}`);
        if (Sh) near(page.valueOf(page.derivativeOf(p, 1), s, h), Sh[k], 1e-13, `${name}: dS${k + 1}/dh at ${s}, ${h}`);
      });
    }
});

test('shape functions as text for shaders', () => {
  for (const p of [...page.lineShapes, ...page.surfaceShapes].flatMap((p) => [p, page.derivativeOf(p, 0), page.derivativeOf(p, 1)])) {
    const text = new Function('s', 'h', `return ${page.shaderOf(p)};`);
    for (const { s, h } of samples.surfaces) near(text(s, h), page.valueOf(p, s, h), 1e-13, page.shaderOf(p));
  }
});

// Between nodes a picture is the cubic through them. So is the line of the program, but of floating frames, where
// displacements along the line are interpolated linearly, and of beams with shear: there by a part of the deformation,
// 0.03 m here, along elements of 0.3 m or more.
for (const { name, dimension, shear, q, bodies, points } of samples.cases)
  test(`points of bodies: ${name}`, () => {
    const own = bodies.map((b) => ({ ...b, layout: page.layoutOf(b.layout, dimension) }));
    for (const b of own.filter((x) => x.count)) {
      assert.ok(b.layout.width, `the layout of ${b.name} is known`);
      const count = { body: 1, node: b.elements ? b.elements + 1 : (b.grid[0] + 1) * (b.grid[1] + 1), element: b.elements }[b.layout.owner];
      if (!b.layout.deformation.width) assert.equal(b.layout.width * count, b.count, `numbers of ${b.name}`);
    }
    const poser = new page.Poser({ bodies: own, dimension });
    const frame = poser.frame();
    poser.fill(Float32Array.from(q), frame);
    const markers = new page.Markers(poser);
    for (const { marker, at } of points) {
      const body = own.find((b) => b.name === marker.body);
      const node = marker.local[0] === 0 || marker.local[0] === 1;
      const tolerance = node || (body.primitive !== 'floating' && !shear) ? 2e-6 : 0.015;
      markers.at(marker, frame).forEach((x, k) => near(x, at[k], tolerance, `${marker.body}, element ${marker.element}, ${marker.local}: ${'xyz'[k]}`));
    }
  });
