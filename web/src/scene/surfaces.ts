// Plates as surfaces with thickness, bent in the vertex shader by the shape functions of their elements.

import {
  BufferAttribute, BufferGeometry, DoubleSide, Group, InstancedBufferAttribute, InstancedBufferGeometry, Mesh,
  ShaderMaterial, type DataTexture,
} from 'three';
import { surfaceShapes } from '../data/layouts';
import { surfaceNode, type Frame, type Poser, type SurfaceBody } from './pose';
import { fetchShader, fragment, makeNumbers, vertexStart, type Shared } from './shading';
import { derivativeOf, shaderOf } from './shapes';

/** The shape functions with their derivatives by s and h. */
const plateShader = `
void plate(float s, float h, out float S[12], out float Ss[12], out float Sh[12]) {
${surfaceShapes.map((p, k) => `  S[${k}] = ${shaderOf(p)}; Ss[${k}] = ${shaderOf(derivativeOf(p, 0))}; Sh[${k}] = ${shaderOf(derivativeOf(p, 1))};`).join('\n')}
}
`;

const vertex = /* glsl */ `
${vertexStart}
${fetchShader}
${plateShader}
attribute vec4 node;  // corners
attribute vec2 edges; // lengths a, b
attribute float id, half_, rim; // rim: 1 south, 2 east, 3 north, 4 west
attribute vec2 elastic; // Young's modulus (0: the stress is not known), Poisson's ratio

void bend(float s, float h, out vec3 r, out vec3 rs, out vec3 rh, out float speed) {
  float S[12], Ss[12], Sh[12];
  plate(s, h, S, Ss, Sh);
  r = rs = rh = vec3(0.0);
  speed = 0.0;
  for (int k = 0; k < 4; k++) {
    int i = 3 * int(k == 0 ? node.x : k == 1 ? node.y : k == 2 ? node.z : node.w);
    vec4 a = fetch(i);
    vec3 b = edges.x * fetch(i + 1).xyz, c = edges.y * fetch(i + 2).xyz;
    r += S[3*k] * a.xyz + S[3*k+1] * b + S[3*k+2] * c;
    rs += Ss[3*k] * a.xyz + Ss[3*k+1] * b + Ss[3*k+2] * c;
    rh += Sh[3*k] * a.xyz + Sh[3*k+1] * b + Sh[3*k+2] * c;
    float w = (k == 0 || k == 3 ? 1.0 - s : s) * (k < 2 ? 1.0 - h : h);
    speed += w * a.w;
  }
}

// Membrane strains (xx, yy, xy) at a place.
vec3 membrane(float s, float h) {
  vec3 r, rs, rh;
  float unused;
  bend(s, h, r, rs, rh, unused);
  vec3 x = rs / edges.x, y = rh / edges.y;
  return 0.5 * vec3(dot(x, x) - 1.0, dot(y, y) - 1.0, dot(x, y));
}

// The strain of a bent element swings about its mean; through its 2 x 2 Gauss points goes what makes forces.
vec3 fitted(vec2 p) {
  vec2 w = (p - 0.2113248654) / 0.5773502692;
  return mix(mix(membrane(0.2113248654, 0.2113248654), membrane(0.7886751346, 0.2113248654), w.x),
             mix(membrane(0.2113248654, 0.7886751346), membrane(0.7886751346, 0.7886751346), w.x), w.y);
}

// Curvatures (xx, yy, xy) from the normals nearby, n at p.
vec3 curvatures(vec2 p, vec3 n, vec3 x, vec3 y) {
  vec3 q, qs, qh;
  float unused, ds = p.x > 0.5 ? -0.02 : 0.02, dh = p.y > 0.5 ? -0.02 : 0.02;
  bend(p.x + ds, p.y, q, qs, qh, unused);
  vec3 nx = (normalize(cross(qs, qh)) - n) / (ds * edges.x);
  bend(p.x, p.y + dh, q, qs, qh, unused);
  vec3 ny = (normalize(cross(qs, qh)) - n) / (dh * edges.y);
  return -vec3(dot(nx, x), dot(ny, y), 0.5 * (dot(nx, y) + dot(ny, x)));
}

// Von Mises stress of plane stress.
float mises(vec3 e) {
  float c = elastic.x / (1.0 - elastic.y * elastic.y);
  vec3 t = c * vec3(e.x + elastic.y * e.y, e.y + elastic.y * e.x, (1.0 - elastic.y) * e.z);
  return sqrt(max(0.0, t.x * t.x - t.x * t.y + t.y * t.y + 3.0 * t.z * t.z));
}

void main() {
  vec2 p = position.xy;
  float side = position.z;
  if (rim == 1.0) p = vec2(1.0 - position.x, 0.0); // around, so that all triangles face outwards
  if (rim == 2.0) p = vec2(1.0, 1.0 - position.x);
  if (rim == 3.0) p = vec2(position.x, 1.0);
  if (rim == 4.0) p = vec2(0.0, position.x);
  vec3 r, rs, rh;
  float speed;
  bend(p.x, p.y, r, rs, rh, speed);
  vec3 n = normalize(cross(rs, rh));
  vScalar = speed;
  if (quantity == 1) { // the principal membrane strain that is larger
    vec3 x = rs / edges.x, y = rh / edges.y;
    float e = 0.5 * (dot(x, x) - 1.0), f = 0.5 * (dot(y, y) - 1.0), g = 0.5 * dot(x, y);
    float m = 0.5 * (e + f), d = sqrt(0.25 * (e - f) * (e - f) + g * g);
    vScalar = m >= 0.0 ? m + d : m - d;
  } else if (quantity == 2) {
    vec3 q, qs, qh;
    float unused;
    bend(min(1.0, p.x + 0.02), p.y, q, qs, qh, unused);
    float k = length(normalize(cross(qs, qh)) - n) / max(1e-9, length(q - r));
    bend(p.x, min(1.0, p.y + 0.02), q, qs, qh, unused);
    vScalar = max(k * step(p.x, 0.98), length(normalize(cross(qs, qh)) - n) / max(1e-9, length(q - r)) * step(p.y, 0.98));
  }
  if (quantity == 5)
    vScalar = elastic.x > 0.0 ? mises(fitted(p) - side * half_ * curvatures(p, n, rs / edges.x, rh / edges.y)) : -1.0;
  vec3 out_ = rim == 0.0 ? side * n : (rim == 1.0 ? -rh : rim == 2.0 ? rs : rim == 3.0 ? rh : -rs);
  vec4 at = modelViewMatrix * vec4(r + side * half_ * n, 1.0);
  vChosen = abs(id - selected) < 0.5 ? 1.0 : 0.0;
  vec4 look = lookOf(id);
  vTint = look.rgb;
  vOpacity = look.a;
  vEdge = p;
  vNormal = normalMatrix * normalize(out_);
  vAway = at.xyz;
  gl_Position = look.a == 0.0 ? nowhere : projectionMatrix * at;
}
`;

interface Item {
  s: SurfaceBody;
  i: number;
  j: number;
  rim: number;
}

export class Surfaces {
  readonly group = new Group();
  private readonly numbers: DataTexture;
  private readonly material: ShaderMaterial;
  private readonly sheets?: Mesh;
  private readonly pieces = new Map<number, BufferGeometry>();
  private readonly elements: number = 0;
  private readonly longest: number = 0;

  constructor(poser: Poser, shared: Shared) {
    this.numbers = makeNumbers(surfaceNode * poser.surfaceNodes);
    this.material = new ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: { ...shared, quantity: shared.sheetQuantity, numbers: { value: this.numbers } },
      side: DoubleSide,
    });
    const sheets: Item[] = [];
    const rims: Item[] = [];
    for (const s of poser.surfaces) {
      const [nx, ny] = s.body.grid;
      for (let j = 0; j < ny; ++j) for (let i = 0; i < nx; ++i) sheets.push({ s, i, j, rim: 0 });
      for (let i = 0; i < nx; ++i) rims.push({ s, i, j: 0, rim: 1 }, { s, i, j: ny - 1, rim: 3 });
      for (let j = 0; j < ny; ++j) rims.push({ s, i: nx - 1, j, rim: 2 }, { s, i: 0, j, rim: 4 });
    }
    if (!sheets.length) return;
    this.elements = sheets.length;
    this.longest = Math.max(...poser.surfaces.map((s) => Math.max(...s.body.edges)));
    this.sheets = this.make(sheets, this.piece(4));
    this.make(rims, rimPiece(6));
  }

  get triangles(): number {
    return ((this.sheets?.geometry.index?.count ?? 0) / 3) * this.elements;
  }

  private make(items: Item[], piece: BufferGeometry): Mesh {
    const geometry = new InstancedBufferGeometry();
    const corner = (x: Item, di: number, dj: number): number => x.s.first + x.i + di + (x.s.body.grid[0] + 1) * (x.j + dj);
    const array = (size: number, f: (x: Item) => number[]): InstancedBufferAttribute =>
      new InstancedBufferAttribute(Float32Array.from(items.flatMap(f)), size);
    geometry.setAttribute('node', array(4, (x) => [corner(x, 0, 0), corner(x, 1, 0), corner(x, 1, 1), corner(x, 0, 1)]));
    geometry.setAttribute('edges', array(2, (x) => [x.s.body.edges[0], x.s.body.edges[1]]));
    geometry.setAttribute('id', array(1, (x) => [x.s.id]));
    geometry.setAttribute('half_', array(1, (x) => [x.s.body.size[0] / 2]));
    geometry.setAttribute('elastic', array(2, (x) => [x.s.body.young, x.s.body.poisson]));
    geometry.setAttribute('rim', array(1, (x) => [x.rim]));
    geometry.instanceCount = items.length;
    const mesh = new Mesh(geometry, this.material);
    mesh.frustumCulled = false;
    setPiece(mesh, piece);
    this.group.add(mesh);
    return mesh;
  }

  private piece(n: number): BufferGeometry {
    const known = this.pieces.get(n);
    if (known) return known;
    const made = sheetPiece(n);
    this.pieces.set(n, made);
    return made;
  }

  refine(pixelsPerMeter: number, budget: number): void {
    if (!this.sheets) return;
    const size = this.longest * pixelsPerMeter;
    let n = size < 8 ? 1 : size < 24 ? 2 : size < 60 ? 4 : 8;
    while (n > 1 && 4 * n * n * this.elements > budget) n /= 2;
    setPiece(this.sheets, this.piece(n));
  }

  update(frame: Frame): void {
    if (!this.sheets) return;
    (this.numbers.image.data as unknown as Float32Array).set(frame.surfaces);
    this.numbers.needsUpdate = true;
  }

  dispose(): void {
    this.numbers.dispose();
    this.material.dispose();
  }
}

function setPiece(mesh: Mesh, piece: BufferGeometry): void {
  if (mesh.geometry.index === piece.index) return;
  mesh.geometry.setAttribute('position', piece.getAttribute('position'));
  mesh.geometry.setIndex(piece.index);
}

function fromPoints(points: number[][], index: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(points.flat()), 3));
  geometry.setIndex(index);
  return geometry;
}

/** Both faces, outwards: s, h, side. */
function sheetPiece(n: number): BufferGeometry {
  const points: number[][] = [];
  const index: number[] = [];
  for (const side of [1, -1]) {
    const first = points.length;
    for (let j = 0; j <= n; ++j) for (let i = 0; i <= n; ++i) points.push([i / n, j / n, side]);
    for (let j = 0; j < n; ++j)
      for (let i = 0; i < n; ++i) {
        const a = first + i + (n + 1) * j;
        index.push(...(side > 0 ? [a, a + 1, a + n + 2, a, a + n + 2, a + n + 1] : [a, a + n + 2, a + 1, a, a + n + 1, a + n + 2]));
      }
  }
  return fromPoints(points, index);
}

/** A strip along an edge: place along it, 0, side. */
function rimPiece(n: number): BufferGeometry {
  const points: number[][] = [];
  const index: number[] = [];
  for (let i = 0; i <= n; ++i) points.push([i / n, 0, -1], [i / n, 0, 1]);
  for (let i = 0; i < n; ++i) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2);
  return fromPoints(points, index);
}
