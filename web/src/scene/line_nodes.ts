// Nodes of lines from the coordinates of cables, beams, links and floating bodies.

import { sectionRow } from '../data/layouts';
import type { Body } from '../data/result';
import type { LineBody } from './pose';

export const lineNode = 16;

type Numbers = Float32Array | Float64Array;

export function fillNodes(line: LineBody, dim: number, q: Float32Array, out: Float32Array): void {
  const { body } = line;
  if (body.layout.owner === 'element') fromElementFrames(line, q, out);
  else if (body.primitive === 'floating') fromFrame(line, dim, q, out);
  else if (body.primitive === 'chain') fromChain(line, q, out);
  else fromVectors(line, dim, q, out);
  writeSections(line, out);
}

function writeSections(line: LineBody, out: Float32Array): void {
  const { sections, size, stiffness } = line.body;
  for (let i = 0; i < line.nodes; ++i) {
    const at = lineNode * (line.first + i);
    const row = sectionRow.width * i;
    const height = sections ? sections[row + sectionRow.size] : size[0];
    const round = line.body.section === 'circle';
    out[at + 7] = round ? height : height / 2;
    out[at + 11] = round ? height : (sections ? sections[row + sectionRow.size + 1] : size[1]) / 2;
    out[at + 15] = sections ? sections[row + sectionRow.stiffness] : stiffness;
  }
}

/** Of the elements between two nodes. */
export function couplingOf({ sections, coupling }: Body, from: number, to: number): number {
  const at = (node: number): number => sectionRow.width * node + sectionRow.coupling;
  return sections ? (sections[at(from)] + sections[at(to)]) / 2 : coupling;
}

/** Young's modulus of a line whose stress can be seen from its nodes, else 0: straight links do not show their bending. */
export function stressOf({ body, straight }: LineBody): number {
  return straight && body.kind !== 'planar-bar' ? 0 : body.young;
}

function put(out: Float32Array | number[], at: number, x: number, y: number, z: number): void {
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
}

/** r and r' of a node in the plane, with the section's height across and its width out of the plane. */
function putPlane(out: Float32Array, at: number, x: number, y: number, tx: number, ty: number): void {
  const l = Math.hypot(tx, ty) || 1;
  put(out, at, x, y, 0);
  put(out, at + 4, tx, ty, 0);
  put(out, at + 8, -ty / l, tx / l, 0);
  put(out, at + 12, 0, 0, 1);
}

// ---- cables and ANCF beams: r, r', and perhaps r_y, r_z ----

function fromVectors(line: LineBody, dim: number, q: Float32Array, out: Float32Array): void {
  const { body, nodes } = line;
  const { at: column, width } = body.layout;
  const { r = 0, r_x = 0, r_y, r_z } = column;
  for (let i = 0; i < nodes; ++i) {
    const from = body.first + width * i;
    const at = lineNode * (line.first + i);
    if (dim === 2) {
      putPlane(out, at, q[from + r], q[from + r + 1], q[from + r_x], q[from + r_x + 1]);
      if (r_y !== undefined) put(out, at + 8, q[from + r_y], q[from + r_y + 1], 0);
    } else {
      [r, r_x, r_y, r_z].forEach((v, k) => {
        if (v !== undefined) put(out, at + 4 * k, q[from + v], q[from + v + 1], q[from + v + 2]);
      });
    }
  }
  if (dim === 3 && r_z === undefined) carryFrames(line, out);
}

/** A cable knows no twist: carry a frame along it by the shortest turns from tangent to tangent. */
function carryFrames(line: LineBody, out: Float32Array): void {
  const d = [0, 0, 1];
  for (let i = 0; i < line.nodes; ++i) {
    const at = lineNode * (line.first + i);
    let [tx, ty, tz] = [out[at + 4], out[at + 5], out[at + 6]];
    const l = Math.hypot(tx, ty, tz) || 1;
    tx /= l;
    ty /= l;
    tz /= l;
    if (i === 0 && Math.abs(tz) > 0.9) d.splice(0, 3, 1, 0, 0);
    const along = d[0] * tx + d[1] * ty + d[2] * tz;
    put(d, 0, d[0] - along * tx, d[1] - along * ty, d[2] - along * tz);
    const n = Math.hypot(d[0], d[1], d[2]) || 1;
    put(d, 0, d[0] / n, d[1] / n, d[2] / n);
    put(out, at + 12, d[0], d[1], d[2]);
    put(out, at + 8, d[1] * tz - d[2] * ty, d[2] * tx - d[0] * tz, d[0] * ty - d[1] * tx); // y = z x t
  }
}

// ---- links through nodes with r, or r and an angle ----

function fromChain(line: LineBody, q: Float32Array, out: Float32Array): void {
  const { body, nodes } = line;
  const { at: column, width } = body.layout;
  const { r = 0, angle } = column;
  for (let i = 0; i < nodes; ++i) {
    const from = body.first + width * i + r;
    const at = lineNode * (line.first + i);
    if (angle !== undefined) {
      const turned = q[body.first + width * i + angle];
      putPlane(out, at, q[from], q[from + 1], Math.cos(turned), Math.sin(turned));
    } else {
      const a = body.first + width * Math.max(0, i - 1) + r;
      const b = body.first + width * Math.min(nodes - 1, i + 1) + r;
      const l = body.elementLength * (Math.min(nodes - 1, i + 1) - Math.max(0, i - 1)) || 1;
      putPlane(out, at, q[from], q[from + 1], (q[b] - q[a]) / l, (q[b + 1] - q[a + 1]) / l);
    }
  }
}

// ---- a frame for every element, at its first node, and the deformation of its second ----

function fromElementFrames(line: LineBody, q: Float32Array, out: Float32Array): void {
  const { body } = line;
  const { at: column, width } = body.layout;
  const { r = 0, angle = 0, u = 0, v, t } = column;
  for (let i = 0; i <= body.elements; ++i) {
    const from = body.first + width * Math.max(0, i - 1);
    const [c, s] = [Math.cos(q[from + angle]), Math.sin(q[from + angle])];
    const x = i ? body.elementLength + q[from + u] : 0;
    const y = i && v !== undefined ? q[from + v] : 0;
    const turn = i && t !== undefined ? q[from + t] : 0;
    const [tx, ty] = [c - s * turn, s + c * turn];
    putPlane(out, lineNode * (line.first + i), q[from + r] + c * x - s * y, q[from + r + 1] + s * x + c * y, tx, ty);
  }
}

// ---- one frame and small deformations of the nodes ----

function fromFrame(line: LineBody, dim: number, q: Float32Array, out: Float32Array): void {
  const { body, nodes } = line;
  const space = dim === 3;
  const { at: column, width, deformation } = body.layout;
  const { r = 0, p = 0, angle = 0 } = column;
  const A = space ? rotation(q, body.first + p) : planarRotation(q[body.first + angle]);
  const R = [q[body.first + r], q[body.first + r + 1], space ? q[body.first + r + 2] : 0];
  const z = deformationOf(line, q, body.first + width);
  const of = deformation.at;
  const value = (node: number, at?: number): number => (at === undefined ? 0 : z[deformation.width * node + at]);
  const turn = (at: number, x: number, y: number, w: number, add: boolean): void =>
    put(
      out,
      at,
      A[0] * x + A[1] * y + A[2] * w + (add ? R[0] : 0),
      A[3] * x + A[4] * y + A[5] * w + (add ? R[1] : 0),
      A[6] * x + A[7] * y + A[8] * w + (add ? R[2] : 0),
    );
  for (let i = 0; i < nodes; ++i) {
    const at = lineNode * (line.first + i);
    const [tx, ty, tz] = [value(i, of.tx), value(i, of.ty), value(i, space ? of.tz : of.t)];
    turn(at, i * body.elementLength + value(i, of.u), value(i, of.v), value(i, of.w), true);
    turn(at + 4, 1, tz, -ty, false);
    turn(at + 8, -tz, 1, tx, false);
    turn(at + 12, ty, -tx, 1, false);
  }
}

/** Displacements and turns of all nodes: those that are held are 0, the others are coordinates or follow from them. */
function deformationOf(line: LineBody, q: Float32Array, first: number): Float32Array {
  const { freedom, basis, count } = line.body;
  const out = new Float32Array(freedom?.length ?? 0);
  const columns = count - (first - line.body.first);
  for (let i = 0; freedom && i < out.length; ++i) {
    const z = freedom[i];
    if (z < 0) continue;
    if (!basis) {
      out[i] = q[first + z];
      continue;
    }
    for (let k = 0; k < columns; ++k) out[i] += basis[z * columns + k] * q[first + k];
  }
  return out;
}

/** Rotation matrix of Euler parameters at `at`, row by row. */
export function rotation(q: Numbers, at: number): number[] {
  const [a, b, c, d] = [q[at], q[at + 1], q[at + 2], q[at + 3]];
  return [
    1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c),
    2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b),
    2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c),
  ];
}

function planarRotation(angle: number): number[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c, -s, 0, s, c, 0, 0, 0, 1];
}
