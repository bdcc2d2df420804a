// What is drawn is where the result says it is: by the page's own numbers, and by the pixels.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeAll, exported, goTo, openPage, serve, simulate, work } from './support.mjs';

after(closeAll);

const models = [
  ['pendulum'], ['beam-pendulum'], ['hussein-pendulum'], ['plate-pendulum'], ['flexible-slider-crank'], ['satellite'],
  ['four-bar'], ['pendulum-weight'], ['spin-up'], ['elastica'],
  ...['bar', 'euler-bernoulli', 'timoshenko'].flatMap((theory) =>
    ['irf', 'ancf-s', 'frf'].map((f) => ['huang-pendulum', '--set', `theory=${theory}`, '--set', `formulation=${f}`, '--until', '0.4']),
  ),
];

/** Where the page draws the point outputs of result i at a row. */
const drawnPoints = (page, i, row) =>
  page.evaluate(async ([k, r]) => {
    const scene = window.sinew.app.view.scenes[k];
    while (!scene.show(r)) await new Promise((next) => setTimeout(next, 10));
    const points = scene.result.outputs.filter((o) => o.kind === 'point');
    return points.map((o) => ({ name: o.name, at: scene.outputPoint(o.name) }));
  }, [i, row]);

test('points are drawn where they were computed', async (t) => {
  const results = models.map(([model, ...args]) => simulate(model, ...args));
  const server = await serve(...results);
  const page = await openPage(server.address);
  for (const [i, model] of models.entries())
    await t.test(model.filter((a) => !a.startsWith('--')).join(' '), async () => {
      const data = exported(results[i]);
      const rows = data.t.length;
      let size = 0;
      for (const [name, values] of Object.entries(data)) if (/\.[xyz]$/.test(name)) for (const v of values) size = Math.max(size, Math.abs(v));
      for (const row of [0, Math.floor(rows / 3), Math.floor((2 * rows) / 3), rows - 1]) {
        const points = await drawnPoints(page, i, row);
        assert.ok(points.length, 'the model has point outputs');
        for (const { name, at } of points)
          ['x', 'y', 'z'].forEach((c, k) => {
            const want = data[`${name}.${c}`]?.[row] ?? 0;
            assert.ok(Math.abs(at[k] - want) <= 1e-6 * size, `${name}.${c} of row ${row}: drawn at ${at[k]}, computed ${want}`);
          });
      }
    });
  assert.deepEqual(page.troubles, []);
  await page.context().close();
  await server.stop();
});

/** Share of points along a body whose pixel is not the background. */
const covered = (page, places) =>
  page.evaluate((list) => {
    const { view, store } = window.sinew.app;
    const [scene] = view.scenes;
    Object.assign(store.state, { grid: false });
    scene.symbols.group.visible = false;
    scene.trails.group.visible = false;
    view.fixedRatio = true;
    view.stage.sharpen(1);
    view.draw();
    const gl = view.stage.renderer.getContext();
    const [back, seen] = [new Uint8Array(4), new Uint8Array(4)];
    gl.readPixels(gl.drawingBufferWidth - 2, gl.drawingBufferHeight - 2, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, back);
    let hits = 0;
    for (const m of list) {
      const point = scene.markers.at({ position: [0, 0, 0], ...m }, scene.frame);
      const at = view.stage.project(point);
      gl.readPixels(Math.floor(at[0]), gl.drawingBufferHeight - 1 - Math.floor(at[1]), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, seen);
      if ([0, 1, 2].some((k) => Math.abs(seen[k] - back[k]) > 12)) ++hits;
    }
    return hits / list.length;
  }, places);

test('the shaders bend lines and surfaces along the shape functions', async () => {
  const cases = [
    ['pendulum', 120, Array.from({ length: 40 }, (_, i) => ({ body: 'beam', element: i % 10, local: [(i % 7) / 7 + 0.05, 0, 0] }))],
    ['beam-pendulum', 120, Array.from({ length: 40 }, (_, i) => ({ body: 'beam', element: i % 10, local: [(i % 7) / 7 + 0.05, 0, 0] }))],
    ['plate-pendulum', 60, Array.from({ length: 64 }, (_, i) => ({ body: 'sheet', element: i, local: [0.35, 0.6, 0] }))],
  ];
  for (const [model, row, places] of cases) {
    const server = await serve(simulate(model));
    try {
      const page = await openPage(server.address);
      await goTo(page, row);
      const share = await covered(page, places);
      assert.ok(share > 0.97, `${model}: ${(100 * share).toFixed(0)} % of the points along it are drawn`);
      await page.context().close();
    } finally {
      await server.stop();
    }
  }
});

/** What the vertex shader of lines or surfaces makes of places in elements (element, s, h): position and colored value. It runs
 *  as it is, on the numbers of the picture, with its outputs caught by transform feedback. */
const shaded = (page, what, places, quantity) =>
  page.evaluate(([part, list, wanted]) => {
    const [scene] = window.sinew.app.view.scenes;
    const { material, numbers } = scene[part];
    const gl = document.createElement('canvas').getContext('webgl2');
    const head = `#version 300 es
#define attribute in
#define varying out
#define texture2D texture
precision highp float;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform mat3 normalMatrix;
in vec3 position, normal;
`;
    const program = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, head + material.vertexShader], [gl.FRAGMENT_SHADER, '#version 300 es\nvoid main() {}']]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.transformFeedbackVaryings(program, ['vAway', 'vScalar'], gl.INTERLEAVED_ATTRIBS);
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    gl.useProgram(program);
    const at = (name) => gl.getUniformLocation(program, name);
    const one = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    gl.uniformMatrix4fv(at('modelViewMatrix'), false, one);
    gl.uniformMatrix4fv(at('projectionMatrix'), false, one);
    gl.uniformMatrix3fv(at('normalMatrix'), false, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
    gl.uniform1i(at('quantity'), wanted);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, numbers.image.width, numbers.image.height, 0, gl.RGBA, gl.FLOAT, numbers.image.data);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    const attributes =
      part === 'lines'
        ? ({ body, first }, [e, s, y = 0, z = 0]) => {
            const sort = 'r_y' in body.layout.at ? 2 : 0;
            return { normal: [0, 1, 0], across: [s, y, z], span: [first + e, first + e + 1, body.elementLength, 0], kind: [sort, body.coupling, body.young] };
          }
        : ({ body, first }, [e, s, h, side = 0]) => {
            const n = body.grid[0];
            const corner = first + (e % n) + (n + 1) * Math.floor(e / n);
            const elastic = [body.young, body.poisson];
            return { position: [s, h, side], node: [corner, corner + 1, corner + n + 2, corner + n + 1], edges: body.edges, rim: [0], half_: [body.size[0] / 2], elastic };
          };
    const values = list.map((p) => attributes(scene.poser[part][0], p));
    for (const name of Object.keys(values[0])) {
      const place = gl.getAttribLocation(program, name);
      if (place < 0) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(values.flatMap((v) => v[name])), gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, values[0][name].length, gl.FLOAT, false, 0, 0);
    }
    const out = new Float32Array(4 * list.length);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, gl.createBuffer());
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, out.byteLength, gl.STATIC_READ);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, list.length);
    gl.endTransformFeedback();
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out);
    gl.getExtension('WEBGL_lose_context')?.loseContext();
    return list.map((_, i) => ({ at: [...out.subarray(4 * i, 4 * i + 3)], value: out[4 * i + 3] }));
  }, [what, places, quantity]);

/** The pendulum of the models with outputs at these places; `kind` is that of its beam. */
function measured(kind, output, places, options = '') {
  const path = join(work, `${kind}-${output}${options}.yaml`.replace(/[^a-z.-]/g, ''));
  writeFileSync(path, `sinew: 1
gravity: [0, -9.81, 0]
materials: {rubber: {density: 7200, young: 2e7, poisson: 0.3}}
sections: {square: {type: rectangle, width: 0.02, height: 0.02}}
bodies: {beam: {type: ${kind}, from: [0, 0, 0], to: [1, 0, 0], elements: 10, material: rubber, section: square}}
joints: {pin: {type: spherical, between: [ground, beam.start]}}
outputs:
${places.map(([e, s], i) => `  p${i}: {${output}: "beam.at(${(e + s) / 10})"${options}}`).join('\n')}
analysis: {type: dynamics, duration: 1, output_step: 0.01, integrator: {type: hht-i3, tolerance: 1e-5}}
`);
  return simulate(path);
}

const along = [[0, 0.3], [2, 0.6], [4, 0.15], [5, 0.5], [7, 0.85], [9, 0.9]];

test('the shader of lines puts points where the program does', async () => {
  for (const kind of ['cable', 'beam']) {
    const result = measured(kind, 'point', along);
    const data = exported(result);
    const server = await serve(result);
    const page = await openPage(server.address);
    for (const row of [0, 55, 90]) {
      await goTo(page, row);
      (await shaded(page, 'lines', along, 0)).forEach(({ at }, i) =>
        ['x', 'y', 'z'].forEach((c, k) => assert.ok(Math.abs(at[k] - data[`p${i}.${c}`][row]) < 2e-6, `${kind}: ${c} of place ${i}, row ${row}: ${at[k]}`)),
      );
    }
    await page.context().close();
    await server.stop();
  }
});

test('the shader of surfaces puts points where the program does', async () => {
  const server = await serve(simulate('plate-pendulum'));
  const page = await openPage(server.address);
  const places = Array.from({ length: 12 }, (_, i) => [5 * i, 0.15 + 0.06 * i, 0.9 - 0.07 * i]);
  for (const row of [10, 60]) {
    await goTo(page, row);
    // Markers are where outputs are (first test); here they say where any place of the sheet is.
    const wanted = await page.evaluate((list) => {
      const [scene] = window.sinew.app.view.scenes;
      return list.map(([element, s, h]) => scene.markers.at({ body: 'sheet', element, local: [s, h, 0], position: [0, 0, 0] }, scene.frame));
    }, places);
    (await shaded(page, 'surfaces', places, 0)).forEach(({ at }, i) => {
      for (let k = 0; k < 3; ++k) assert.ok(Math.abs(at[k] - wanted[i][k]) < 2e-6, `place ${i} of row ${row}: ${at} is not ${wanted[i]}`);
    });
  }
  await page.context().close();
  await server.stop();
});

test('colors are the stress resultants of the program', async () => {
  const result = measured('cable', 'resultant', along);
  const data = exported(result);
  const server = await serve(result);
  const page = await openPage(server.address);
  for (const row of [20, 55, 90]) {
    await goTo(page, row);
    // what single precision leaves: 1e-7 m over elements of 0.1 m, times EA = 8000 N; outputs of forces also count weight and
    // inertia within an element, up to 2.9 kg/m * 4 g * 0.05 m = 5.6 N at its ends, which colors of the deformation do not know
    for (const [quantity, column, tolerance] of [[1, 'strain', 5e-6], [2, 'curvature', 2e-3], [3, 'N', 0.5]])
      (await shaded(page, 'lines', along, quantity)).forEach(({ value }, i) => {
        const want = data[`p${i}.${column}`][row];
        assert.ok(Math.abs(value - want) < tolerance, `${column} of place ${i}, row ${row}: colored by ${value}, computed ${want}`);
      });
  }
  const range = await page.evaluate(() => window.sinew.app.view.ranges.force[1]);
  const largest = Math.max(...along.flatMap((_, i) => [...data[`p${i}.N`]].map(Math.abs)));
  assert.ok(range > 0.8 * largest && range < 3 * largest, `the scale ends at ${range} N, the largest force at the outputs is ${largest} N`);
  await page.context().close();
  await server.stop();
});

test('colors are the surface stress of the program', async () => {
  // Colors are those of the deformation of an element. Outputs also count weight and inertia within it, which change its moments by
  // the square of its length; those of a beam balance in the mean of an element.
  const line = 'beam, elastic: elastic-line';
  for (const [kind, fiber, y, z, share] of [['cable', 'top, about: [0, 0, 1]', 1, 0, 0.03], ['cable', 'bottom, about: [0, 0, 1]', -1, 0, 0.03], [line, 'top', 1, 0, 0.06]]) {
    const result = measured(kind, 'stress', along, `, fiber: ${fiber}`);
    const data = exported(result);
    const server = await serve(result);
    const page = await openPage(server.address);
    const largest = Math.max(...along.flatMap((_, i) => [...data[`p${i}.sigma`]].map(Math.abs)));
    for (const row of [20, 55, 90]) {
      await goTo(page, row);
      (await shaded(page, 'lines', along.map(([e, s]) => [e, s, y, z]), 5)).forEach(({ value }, i) => {
        const want = Math.abs(data[`p${i}.sigma`][row]);
        assert.ok(Math.abs(value - want) < share * largest, `${kind}, ${fiber}: place ${i}, row ${row}: colored by ${value}, computed ${want}`);
      });
    }
    const range = await page.evaluate(() => window.sinew.app.view.ranges.stress[1]);
    assert.ok(range > 0.8 * largest && range < 3 * largest, `the scale ends at ${range} Pa, the largest stress at the outputs is ${largest} Pa`);
    await page.context().close();
    await server.stop();
  }
});

test('colors are the surface stress of plates', async () => {
  const places = [[9, 0.5, 0.5], [20, 0.3, 0.6], [27, 0.5, 0.4], [36, 0.7, 0.5], [45, 0.4, 0.3]];
  const path = join(work, 'sheet.yaml');
  const at = ([e, s, h]) => `"sheet.at(${((e % 8) + s) / 8}, ${(Math.floor(e / 8) + h) / 8})"`;
  writeFileSync(path, `sinew: 1
gravity: [0, 0, -9.81]
materials: {rubber: {density: 1500, young: 2e7, poisson: 0.3}}
bodies: {sheet: {type: plate, along: [1, 0, 0], across: [0, 1, 0], elements: [8, 8], thickness: 0.02, material: rubber}}
joints: {clamp: {type: fixed, between: [ground, sheet.west]}}
outputs:
${places.flatMap((p, i) => ['top', 'bottom'].map((f) => `  ${f}${i}: {stress: ${at(p)}, fiber: ${f}}`)).join('\n')}
analysis: statics
`);
  const result = simulate(path);
  const data = exported(result);
  const server = await serve(result);
  const page = await openPage(server.address);
  const row = data.t.length - 1;
  await goTo(page, row);
  const largest = Math.max(...places.flatMap((_, i) => [data[`top${i}.von_mises`][row], data[`bottom${i}.von_mises`][row]]));
  for (const [fiber, side] of [['top', 1], ['bottom', -1]])
    (await shaded(page, 'surfaces', places.map((p) => [...p, side]), 5)).forEach(({ value }, i) => {
      const want = data[`${fiber}${i}.von_mises`][row];
      assert.ok(Math.abs(value - want) < 0.05 * largest, `${fiber} of place ${i}: colored by ${value}, computed ${want}, largest ${largest}`);
    });
  const range = await page.evaluate(() => window.sinew.app.view.ranges.stress[1]);
  assert.ok(range > 0.8 * largest && range < 3 * largest, `the scale ends at ${range} Pa, the largest stress at the outputs is ${largest} Pa`);
  await page.context().close();
  await server.stop();
});

test('a value has its color on the scale', async () => {
  const result = simulate('pendulum');
  const server = await serve(result);
  const page = await openPage(server.address);
  await goTo(page, 60);
  const data = exported(result);
  const way = Math.hypot(...['x', 'y', 'z'].map((c) => data[`tip.${c}`][61] - data[`tip.${c}`][60]));
  const speed = way / (data.t[61] - data.t[60]);
  const [tip] = await shaded(page, 'lines', [[9, 1]], 4);
  assert.ok(Math.abs(tip.value - speed) < 1e-4 * speed, `the tip is colored by ${tip.value} m/s, it moves at ${speed}`);
  for (const [quantity, number, signed] of [['curvature', 2, false], ['strain', 1, true]]) {
    const [{ value }] = await shaded(page, 'lines', [[4, 0.5]], number);
    const [seen, expected] = await page.evaluate(async ([q, v]) => {
      const { view, store } = window.sinew.app;
      const [scene] = view.scenes;
      store.set({ quantity: q, grid: false, symbols: false });
      await new Promise(requestAnimationFrame);
      view.stage.look('front');
      const gl = view.stage.renderer.getContext();
      const marker = (element, s) => ({ body: 'beam', element, local: [s, 0, 0], position: [0, 0, 0] });
      const pixel = (element, s) => {
        const at = view.stage.project(scene.markers.at(marker(element, s), scene.frame));
        const ratio = view.stage.renderer.getPixelRatio();
        const c = new Uint8Array(4);
        gl.readPixels(Math.floor(at[0] * ratio), gl.drawingBufferHeight - 1 - Math.floor(at[1] * ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, c);
        return [...c.subarray(0, 3)];
      };
      const pixels = [];
      for (const [low, high] of [[-1e9, -0.9e9], [0.9e9, 1e9], [v - 30, v + 70], [v - 0.3, v + 0.7]]) {
        scene.shared.range.value.set(low, high);
        view.stage.draw(view.scenes, view.background);
        pixels.push(pixel(4, 0.5));
      }
      return [pixels, [0, 1].map((x) => window.sinew.scaleColor(q === 'strain', x))];
    }, [quantity, value]);
    // Above the range: the last color; below: the first. Light changes how bright it is, not which channel is strongest.
    const order = (a) => a.map((_, i) => i).sort((i, j) => a[i] - a[j]).join();
    for (const [k, x] of [[0, 1], [1, 0]])
      assert.equal(order(seen[k]), order(expected[x]), `${quantity}, ${x ? 'top' : 'bottom'} of the ${signed ? 'two' : 'one'}-sided scale: ${seen[k]} for ${expected[x]}`);
    seen[2].forEach((c, k) => assert.ok(Math.abs(c - seen[3][k]) < 6, `${quantity}: the same place on the scale has the same color: ${seen[2]}, ${seen[3]}`));
  }
  await page.context().close();
  await server.stop();
});

test('what has no strain or force keeps its own color', async () => {
  const server = await serve(simulate('plate-pendulum'), simulate('slider-crank'));
  const page = await openPage(server.address);
  assert.deepEqual(await page.locator('.color-by option').allTextContents(), ['Plain', 'Strain', 'Curvature', 'Speed', 'Stress']);
  const quantity = () => page.evaluate(() => window.sinew.app.view.scenes.map((s) => [s.surfaces.material.uniforms.quantity.value, ...s.rigid.meshes.map((m) => m.material.uniforms.quantity.value)]));
  await page.selectOption('.color-by', 'strain');
  assert.deepEqual(await quantity(), [[1], [1, 0]]);
  await page.selectOption('.color-by', 'speed');
  assert.deepEqual(await quantity(), [[4], [4, 4]]);
  await page.context().close();
  await server.stop();
});
