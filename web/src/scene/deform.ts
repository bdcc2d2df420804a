// The undeformed shape, and exaggerated deformations. Either the shape at the start, or, for bodies that bend, the shape at
// the start moved along: turned and shifted by the rigid motion that fits the nodes best.

import { Quaternion, Vector3 } from 'three';
import { lineNode } from './line_nodes';
import { pose, surfaceNode, type Frame, type Poser } from './pose';

export type Reference = 'start' | 'moving';

/** Turn q and shift: r(start) turned about the center `from`, then moved to the center `to`. */
interface Motion {
  q: Quaternion;
  from: Vector3;
  to: Vector3;
}

/** Horn's method: q is the eigenvector of the largest eigenvalue of a symmetric 4 x 4 matrix, here by the power method. */
function fit(start: Float32Array, now: Float32Array, first: number, count: number, node: number): Motion {
  const [from, to, a, b] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  for (let i = first; i < first + count; ++i) {
    from.add(a.fromArray(start, node * i));
    to.add(b.fromArray(now, node * i));
  }
  from.divideScalar(count);
  to.divideScalar(count);
  const S = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  const add = (x: Vector3, y: Vector3, w: number): void => {
    for (let k = 0; k < 9; ++k) S[k] += w * x.getComponent(Math.floor(k / 3)) * y.getComponent(k % 3);
  };
  let size = 0;
  for (let i = first; i < first + count; ++i) {
    a.fromArray(start, node * i).sub(from);
    add(a, b.fromArray(now, node * i).sub(to), 1);
    size += a.lengthSq();
  }
  // The other vectors of the nodes (slopes, axes of the section) say how a straight body is turned about itself.
  for (let i = first; i < first + count; ++i)
    for (let v = 4; v < node; v += 4) add(a.fromArray(start, node * i + v), b.fromArray(now, node * i + v), (0.05 * size) / count || 1);
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = S;
  const N = [
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, yy - xx - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, zz - xx - yy],
  ];
  const shift = Math.max(...N.map((row) => row.reduce((sum, v) => sum + Math.abs(v), 0))) || 1;
  let q = [1, 0.01, 0.02, 0.03];
  for (let k = 0; k < 200; ++k) {
    const p = N.map((row, i) => row.reduce((sum, v, j) => sum + v * q[j], shift * q[i]));
    const length = Math.hypot(...p) || 1;
    q = p.map((v) => v / length);
  }
  return { q: new Quaternion(q[1], q[2], q[3], q[0]), from, to };
}

function move(start: Float32Array, m: Motion, first: number, count: number, node: number, out: Float32Array): void {
  const v = new Vector3();
  for (let i = first; i < first + count; ++i)
    for (let k = 0; k < node; k += 4) {
      v.fromArray(start, node * i + k);
      if (k === 0) v.sub(m.from).applyQuaternion(m.q).add(m.to);
      else v.applyQuaternion(m.q);
      v.toArray(out, node * i + k);
      out[node * i + k + 3] = start[node * i + k + 3];
    }
}

/** The undeformed shape for what is drawn now. */
export function undeformed(poser: Poser, start: Frame, now: Frame, reference: Reference, out: Frame): void {
  out.lines.set(start.lines);
  out.surfaces.set(start.surfaces);
  out.poses.set(reference === 'start' ? start.poses : now.poses);
  out.points.set(reference === 'start' ? start.points : now.points);
  if (reference === 'start') return;
  for (const l of poser.lines) move(start.lines, fit(start.lines, now.lines, l.first, l.nodes, lineNode), l.first, l.nodes, lineNode, out.lines);
  for (const s of poser.surfaces) move(start.surfaces, fit(start.surfaces, now.surfaces, s.first, s.nodes, surfaceNode), s.first, s.nodes, surfaceNode, out.surfaces);
}

/** frame = shape + factor (frame - shape); rotations are repeated. Every fourth number of a node (speed, sizes) stays. */
export function exaggerate(shape: Frame, factor: number, frame: Frame): void {
  for (const [a, b] of [[shape.lines, frame.lines], [shape.surfaces, frame.surfaces]])
    for (let i = 0; i < b.length; ++i) if (i % 4 < 3) b[i] = a[i] + factor * (b[i] - a[i]);
  for (let i = 0; i < frame.points.length; ++i) frame.points[i] = shape.points[i] + factor * (frame.points[i] - shape.points[i]);
  const [from, to] = [new Quaternion(), new Quaternion()];
  for (let i = 0; i < frame.poses.length; i += pose) {
    const [a, b] = [shape.poses, frame.poses];
    for (let k = 0; k < 3; ++k) b[i + k] = a[i + k] + factor * (b[i + k] - a[i + k]);
    from.set(a[i + 4], a[i + 5], a[i + 6], a[i + 3]);
    to.set(b[i + 4], b[i + 5], b[i + 6], b[i + 3]).multiply(from.clone().invert());
    if (to.w < 0) to.set(-to.x, -to.y, -to.z, -to.w);
    const angle = factor * 2 * Math.acos(Math.min(1, to.w));
    const axis = new Vector3(to.x, to.y, to.z);
    to.setFromAxisAngle(axis.lengthSq() > 0 ? axis.normalize() : axis.set(1, 0, 0), angle).multiply(from);
    b.set([to.w, to.x, to.y, to.z], i + 3);
  }
}
