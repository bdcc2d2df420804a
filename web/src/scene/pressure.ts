// Contact pressure on cables, beams and plates: the normal forces of contacts, shared out to the nodes beside them and
// divided by the area that belongs to each node (of a line: length times width of the section).

import { lineNode } from './line_nodes';
import { surfaceNode, type Frame, type LineBody, type Poser, type SurfaceBody } from './pose';

/** Contacts of one row; three numbers each, and two surfaces. */
export interface Touches {
  points: Float64Array;
  forces: Float64Array;
  normals: Float64Array;
  surfaces: Float64Array;
}

/** Nodes of a body as a grid; a line has one row of them. */
interface Net {
  numbers: Float32Array;
  stride: number;
  first: number;
  nodes: [number, number];
  step: [number, number]; // lengths between nodes
  width: (node: number) => number; // across a line; of a surface 1
}

function lineNet({ first, nodes, body }: LineBody, frame: Frame): Net {
  return {
    numbers: frame.lines, stride: lineNode, first, nodes: [nodes, 1], step: [body.elementLength, 1],
    width: (node) => 2 * frame.lines[lineNode * (first + node) + 11],
  };
}

function surfaceNet({ first, body }: SurfaceBody, frame: Frame): Net {
  return { numbers: frame.surfaces, stride: surfaceNode, first, nodes: [body.grid[0] + 1, body.grid[1] + 1], step: [body.edges[0], body.edges[1]], width: () => 1 };
}

const place = (n: Net, node: number, k: number): number => n.numbers[n.stride * (n.first + node) + k];

function nearestNode(n: Net, p: ArrayLike<number>): number {
  let [best, least] = [0, Infinity];
  for (let i = 0; i < n.nodes[0] * n.nodes[1]; ++i) {
    const d = (place(n, i, 0) - p[0]) ** 2 + (place(n, i, 1) - p[1]) ** 2 + (place(n, i, 2) - p[2]) ** 2;
    if (d < least) [best, least] = [i, d];
  }
  return best;
}

/** The neighbor of a node in direction k toward a point, and how far the point is on the way to it. */
function toward(n: Net, node: number, k: number, p: ArrayLike<number>): { next: number; part: number } {
  const at = k ? Math.floor(node / n.nodes[0]) : node % n.nodes[0];
  const by = k ? n.nodes[0] : 1;
  let found = { next: node, part: 0 };
  for (const side of [-1, 1]) {
    if (at + side < 0 || at + side >= n.nodes[k]) continue;
    const next = node + side * by;
    const e = [0, 1, 2].map((i) => place(n, next, i) - place(n, node, i));
    const part = e.reduce((sum, v, i) => sum + v * (p[i] - place(n, node, i)), 0) / (e.reduce((sum, v) => sum + v * v, 0) || 1);
    if (part > found.part) found = { next, part: Math.min(1, part) };
  }
  return found;
}

function share(n: Net, p: ArrayLike<number>, force: number): void {
  const node = nearestNode(n, p);
  const [x, y] = [toward(n, node, 0, p), n.nodes[1] > 1 ? toward(n, node, 1, p) : { next: node, part: 0 }];
  const corner = x.next + y.next - node;
  for (const [i, w] of [[node, (1 - x.part) * (1 - y.part)], [x.next, x.part * (1 - y.part)], [y.next, (1 - x.part) * y.part], [corner, x.part * y.part]])
    n.numbers[n.stride * (n.first + i) + 3] += w * force;
}

/** The area that belongs to a node: half of every element beside it. */
export function areaOf(n: Net, node: number): number {
  const halves = (at: number, count: number): number => (count < 2 ? 1 : at > 0 && at < count - 1 ? 1 : 0.5);
  return halves(node % n.nodes[0], n.nodes[0]) * n.step[0] * halves(Math.floor(node / n.nodes[0]), n.nodes[1]) * n.step[1] * n.width(node);
}

export function netsOf(poser: Poser, frame: Frame): Map<string, Net> {
  const nets = new Map<string, Net>();
  for (const l of poser.lines) nets.set(l.body.name, lineNet(l, frame));
  for (const s of poser.surfaces) nets.set(s.body.name, surfaceNet(s, frame));
  return nets;
}

/** Pressures [Pa] into the places of speeds; returns the largest. */
export function fillPressure(poser: Poser, bodies: string[], touches: Touches, frame: Frame): number {
  const nets = netsOf(poser, frame);
  for (const n of nets.values()) for (let i = 0; i < n.nodes[0] * n.nodes[1]; ++i) n.numbers[n.stride * (n.first + i) + 3] = 0;
  const { points, forces, normals, surfaces } = touches;
  for (let i = 0; 3 * i < normals.length; ++i) {
    const force = Math.abs([0, 1, 2].reduce((sum, k) => sum + forces[3 * i + k] * normals[3 * i + k], 0));
    for (const side of new Set([bodies[surfaces[2 * i]], bodies[surfaces[2 * i + 1]]])) {
      const net = nets.get(side);
      if (net) share(net, points.subarray(3 * i, 3 * i + 3), force);
    }
  }
  let most = 0;
  for (const n of nets.values())
    for (let i = 0; i < n.nodes[0] * n.nodes[1]; ++i) {
      const at = n.stride * (n.first + i) + 3;
      n.numbers[at] /= areaOf(n, i) || 1;
      most = Math.max(most, n.numbers[at]);
    }
  return most;
}
