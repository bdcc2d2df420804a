// Cables and beams as tubes with their section. Every element is a straight piece that the vertex shader bends along the
// cubic through its two nodes. How fine the piece is follows the size of elements on the screen. All pieces are one mesh:
// without graphics hardware, drawing thousands of small instances costs many times as much.

import { BufferAttribute, BufferGeometry, DoubleSide, Group, Mesh, ShaderMaterial, type DataTexture } from 'three';
import { lineShapes } from '../data/layouts';
import { couplingOf, lineNode, stressOf } from './line_nodes';
import type { Frame, LineBody, Poser } from './pose';
import { fetchShader, fragment, makeNumbers, vertexStart, type Shared } from './shading';
import { derivativeOf, shaderOf } from './shapes';

// Shape functions and their derivatives by s, as text. S1 + S3 = 1: derivatives act on the difference of the ends.
const S = lineShapes.map(shaderOf);
const Ss = lineShapes.map((p) => shaderOf(derivativeOf(p)));
const Sss = lineShapes.map((p) => shaderOf(derivativeOf(derivativeOf(p))));

const vertex = /* glsl */ `
${vertexStart}
${fetchShader}
attribute vec3 across; // s; place in the section, in units of its half sizes
attribute vec4 span;   // the two nodes, the length between them, the body
attribute vec3 kind;   // 1: straight, 2: the frame may strain; what bending adds to the axial force (docs/results.md); Young's
                       // modulus, 0: the stress is not known

// Slope along the element, d between the nodes over the length.
vec3 slope(float s, vec3 d, vec3 a, vec3 b) {
  return ${Ss[2]} * d + ${Ss[1]} * a + ${Ss[3]} * b;
}

// The strain of a bent cubic swings about its mean. What makes forces is the straight line that fits it best, as in the
// resultants of the program: a + b (2 s - 1), a = int eps ds, b = 3 int (2 s - 1) eps ds; three Gauss points are exact.
float fitted(float s, vec3 d, vec3 a, vec3 b) {
  float mean = 0.0, tilt = 0.0;
  for (int i = -1; i <= 1; i++) {
    float x = 0.7745966692 * float(i), w = i == 0 ? 0.4444444444 : 0.2777777778;
    vec3 u = slope(0.5 + 0.5 * x, d, a, b);
    float eps = 0.5 * (dot(u, u) - 1.0);
    mean += w * eps;
    tilt += 3.0 * w * x * eps;
  }
  return mean + tilt * (2.0 * s - 1.0);
}

void main() {
  int i = 4 * int(span.x), j = 4 * int(span.y);
  vec4 a0 = fetch(i), a1 = fetch(i + 1), a2 = fetch(i + 2), a3 = fetch(i + 3);
  vec4 b0 = fetch(j), b1 = fetch(j + 1), b2 = fetch(j + 2), b3 = fetch(j + 3);
  float s = across.x, l = span.z;
  vec3 r, rx, rxx = vec3(0.0), d = (b0.xyz - a0.xyz) / l;
  if (kind.x == 1.0) {
    r = mix(a0.xyz, b0.xyz, s);
    rx = d;
  } else {
    r = ${S[0]} * a0.xyz + l * ${S[1]} * a1.xyz + ${S[2]} * b0.xyz + l * ${S[3]} * b1.xyz;
    rx = slope(s, d, a1.xyz, b1.xyz);
    rxx = (${Sss[2]} * d + ${Sss[1]} * a1.xyz + ${Sss[3]} * b1.xyz) / l;
  }
  float stretch = length(rx);
  vec3 t = rx / max(stretch, 1e-12);
  vec3 y = mix(a2.xyz, b2.xyz, s), z = mix(a3.xyz, b3.xyz, s);
  if (kind.x != 2.0) {
    y = normalize(y - t * dot(y, t));
    z = cross(t, y);
  }
  float height = mix(a1.w, b1.w, s), width = mix(a2.w, b2.w, s);
  vec4 center = modelViewMatrix * vec4(r, 1.0);
  float thin = max(height, width) * pixels / max(1e-6, -center.z);
  float grow = max(1.0, least / max(thin, 1e-9));
  vec3 n = normal.x * t + normal.y * y + normal.z * z;
  vec4 at;
  if (normal.x > 1.5) { // a band that faces the camera, shaded as if it were round
    vec3 aside = normalize(cross((modelViewMatrix * vec4(t, 0.0)).xyz, center.xyz) + vec3(1e-9));
    at = center + vec4(grow * max(height, width) * across.y * aside, 0.0);
    vNormal = 0.6 * across.y * aside - 0.8 * normalize(center.xyz);
  } else {
    at = modelViewMatrix * vec4(r + grow * (height * across.y * y + width * across.z * z), 1.0);
    vNormal = normalMatrix * n;
  }

  float curvature = length(cross(rx, rxx)) / max(1e-12, stretch * stretch * stretch);
  vScalar = mix(a0.w, b0.w, s);
  if (quantity == 2) vScalar = curvature;
  else if (quantity == 1 || quantity == 3 || quantity == 5) {
    vScalar = kind.x == 1.0 ? 0.5 * (stretch * stretch - 1.0) : fitted(s, d, a1.xyz, b1.xyz);
    float axial = vScalar * stretch + kind.y * curvature * curvature / max(1e-12, stretch); // N/EA
    if (quantity == 3) vScalar = mix(a3.w, b3.w, s) * axial;
    if (quantity == 5) { // along the line, where the vertex is: E (N/EA - kz y + ky z); of a band its largest value
      vec3 k = cross(rx, rxx) / max(1e-12, stretch * stretch * stretch);
      vec2 bend = vec2(-dot(k, z) * height, dot(k, y) * width);
      vScalar = kind.z * (normal.x > 1.5 ? abs(axial) + length(bend) : abs(axial + dot(bend, across.yz)));
      if (!(kind.z > 0.0)) vScalar = -1.0;
    }
  }
  vChosen = abs(span.w - selected) < 0.5 ? 1.0 : 0.0;
  vec4 look = lookOf(span.w);
  vTint = look.rgb;
  vOpacity = look.a;
  vEdge = vec2(s, 0.5);
  vAway = at.xyz;
  gl_Position = look.a == 0.0 ? nowhere : projectionMatrix * at;
}
`;

/** A piece of a line: some elements that are drawn as one, from node to node. */
interface Span {
  line: LineBody;
  from: number;
  to: number;
}

interface Batch {
  round: boolean;
  lines: LineBody[];
  body: Mesh;
  caps: Mesh[];
  key: string; // of what its mesh is made of
  longest: number; // element
  thickest: number; // half size
}

/** A piece: rows of s; normal along, across y, across z; place y, z. */
interface Piece {
  vertices: number[][];
  index: number[];
}

export class Lines {
  readonly group = new Group();
  private readonly numbers: DataTexture;
  private readonly material: ShaderMaterial;
  private readonly batches: Batch[] = [];

  constructor(poser: Poser, shared: Shared) {
    this.numbers = makeNumbers(lineNode * poser.lineNodes);
    this.material = new ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: { ...shared, numbers: { value: this.numbers } },
      side: DoubleSide,
    });
    for (const round of [true, false]) {
      const lines = poser.lines.filter((l) => (l.body.section === 'circle') === round);
      if (lines.length) this.batches.push(this.makeBatch(round, lines));
    }
  }

  get triangles(): number {
    return this.batches.reduce((sum, b) => sum + (b.body.geometry.index?.count ?? 0) / 3, 0);
  }

  private makeMesh(spans: Span[], piece: Piece): Mesh {
    const mesh = new Mesh(makeGeometry(spans, piece), this.material);
    mesh.frustumCulled = false;
    this.group.add(mesh);
    return mesh;
  }

  private makeBatch(round: boolean, lines: LineBody[]): Batch {
    const thick = (l: LineBody): number => (round ? l.body.size[0] : Math.max(l.body.size[0], l.body.size[1]) / 2);
    const ends = [
      this.makeMesh(lines.map((line) => ({ line, from: 0, to: 1 })), capPiece(round, 0)),
      this.makeMesh(lines.map((line) => ({ line, from: line.body.elements - 1, to: line.body.elements })), capPiece(round, 1)),
    ];
    return {
      round,
      lines,
      body: this.makeMesh([], bandPiece(1)),
      caps: ends,
      key: '',
      longest: Math.max(...lines.map((l) => l.body.elementLength)),
      thickest: Math.max(...lines.map(thick)),
    };
  }

  /** pixelsPerMeter where the camera looks; budget: triangles. */
  refine(pixelsPerMeter: number, budget: number): void {
    for (const b of this.batches) {
      const thick = b.thickest * pixelsPerMeter;
      const element = b.longest * pixelsPerMeter;
      let merged = 1; // what is shorter than a few pixels is drawn with its neighbors
      while (merged < 256 && 2 * merged * element < 5) merged *= 2;
      const spans = b.lines.reduce((sum, l) => sum + Math.ceil(l.body.elements / merged), 0);
      const long = merged * element;
      let steps = long < 8 ? 1 : long < 20 ? 2 : long < 48 ? 4 : long < 120 ? 8 : 16;
      let around = thick < 2 ? 1 : b.round ? (thick < 4 ? 6 : thick < 12 ? 12 : 24) : 4;
      while (2 * steps * around * spans > budget && (steps > 1 || around > 1)) {
        if (steps > 1) steps /= 2;
        else around = around > 6 ? Math.floor(around / 2) : 1;
      }
      for (const cap of b.caps) cap.visible = around > 1;
      const key = `${merged} ${steps} ${around}`;
      if (key === b.key) continue;
      b.key = key;
      const piece = around === 1 ? bandPiece(steps) : b.round ? roundPiece(steps, around) : boxPiece(steps);
      b.body.geometry.dispose();
      b.body.geometry = makeGeometry(spansOf(b.lines, merged), piece);
    }
  }

  update(frame: Frame): void {
    (this.numbers.image.data as unknown as Float32Array).set(frame.lines);
    this.numbers.needsUpdate = true;
  }

  dispose(): void {
    this.numbers.dispose();
    this.material.dispose();
    for (const b of this.batches) for (const mesh of [b.body, ...b.caps]) mesh.geometry.dispose();
  }
}

function spansOf(lines: LineBody[], merged: number): Span[] {
  const spans: Span[] = [];
  for (const line of lines)
    for (let from = 0; from < line.body.elements; from += merged)
      spans.push({ line, from, to: Math.min(line.body.elements, from + merged) });
  return spans;
}

/** All spans, each with its own copy of the piece. */
function makeGeometry(spans: Span[], { vertices, index }: Piece): BufferGeometry {
  const count = spans.length * vertices.length;
  const [across, normal, span] = [new Float32Array(3 * count), new Float32Array(3 * count), new Float32Array(4 * count)];
  const kind = new Float32Array(3 * count);
  const triangles = new Uint32Array(spans.length * index.length);
  spans.forEach(({ line, from, to }, i) => {
    const { body } = line;
    const sort = line.straight ? 1 : 'r_y' in body.layout.at ? 2 : 0;
    const coupling = couplingOf(body, from, to);
    const first = i * vertices.length;
    vertices.forEach(([s, n, ny, nz, y, z], k) => {
      across.set([s, y, z], 3 * (first + k));
      normal.set([n, ny, nz], 3 * (first + k));
      span.set([line.first + from, line.first + to, (to - from) * body.elementLength, line.id], 4 * (first + k));
      kind.set([sort, coupling, stressOf(line)], 3 * (first + k));
    });
    for (let k = 0; k < index.length; ++k) triangles[i * index.length + k] = first + index[k];
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('across', new BufferAttribute(across, 3));
  geometry.setAttribute('normal', new BufferAttribute(normal, 3));
  geometry.setAttribute('span', new BufferAttribute(span, 4));
  geometry.setAttribute('kind', new BufferAttribute(kind, 3));
  geometry.setIndex(new BufferAttribute(triangles, 1));
  return geometry;
}

function strips(rows: number, columns: number, closed: boolean): number[] {
  const index: number[] = [];
  const width = closed ? columns : columns + 1;
  for (let i = 0; i < rows; ++i)
    for (let k = 0; k < columns; ++k) {
      const [a, b] = [i * width + k, i * width + ((k + 1) % width)];
      index.push(a, b, a + width, b, b + width, a + width);
    }
  return index;
}

function roundPiece(steps: number, around: number): Piece {
  const vertices: number[][] = [];
  for (let i = 0; i <= steps; ++i)
    for (let k = 0; k < around; ++k) {
      const angle = (2 * Math.PI * k) / around;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      vertices.push([i / steps, 0, c, s, c, s]);
    }
  return { vertices, index: strips(steps, around, true) };
}

/** A flat band, turned to the camera by the shader. */
function bandPiece(steps: number): Piece {
  const vertices: number[][] = [];
  for (let i = 0; i <= steps; ++i) for (const e of [1, -1]) vertices.push([i / steps, 2, 0, 0, e, 0]);
  return { vertices, index: strips(steps, 1, false) };
}

/** Four flat sides. */
function boxPiece(steps: number): Piece {
  const vertices: number[][] = [];
  const index: number[] = [];
  for (const [ny, nz] of [[1, 0], [0, 1], [-1, 0], [0, -1]]) {
    const first = vertices.length;
    for (let i = 0; i <= steps; ++i)
      for (const e of [-1, 1]) vertices.push([i / steps, 0, ny, nz, ny - e * nz, nz + e * ny]);
    index.push(...strips(steps, 1, false).map((k) => k + first));
  }
  return { vertices, index };
}

function capPiece(round: boolean, s: number): Piece {
  const rim = round
    ? Array.from({ length: 24 }, (_, k) => [Math.cos((2 * Math.PI * k) / 24), Math.sin((2 * Math.PI * k) / 24)])
    : [[1, 1], [-1, 1], [-1, -1], [1, -1]];
  const vertices = rim.map(([y, z]) => [s, s ? 1 : -1, 0, 0, y, z]);
  const index = rim.slice(2).flatMap((_, k) => (s ? [0, k + 1, k + 2] : [0, k + 2, k + 1])); // outwards
  return { vertices, index };
}
