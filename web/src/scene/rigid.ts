// Rigid bodies as their shapes. A body without one is drawn as rods between the points where something acts on it.

import { BoxGeometry, BufferAttribute, BufferGeometry, CylinderGeometry, Group, Quaternion, SphereGeometry, Vector3 } from 'three';
import type { Marker, Result } from '../data/result';
import type { Markers } from './markers';
import { pose, type Frame, type Poser, type RigidBody } from './pose';
import type { Shared } from './shading';
import { Solids } from './solids';

const axisX = new Vector3(1, 0, 0);

export function alongX(geometry: BufferGeometry): BufferGeometry {
  return geometry.rotateZ(-Math.PI / 2);
}

/** Triangles of a convex hull, flat: rows of surface, x, y, z of their corners. */
export function hullGeometry(corners: Float64Array): BufferGeometry {
  const position = new Float32Array((corners.length / 4) * 3);
  for (let i = 0; i < corners.length / 4; ++i) for (let k = 0; k < 3; ++k) position[3 * i + k] = corners[4 * i + 1 + k];
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.computeVertexNormals();
  return geometry;
}

interface Rod {
  id: number;
  from: Marker;
  to: Marker;
}

export class RigidBodies {
  readonly group = new Group();
  private readonly shapes: { solids: Solids; list: RigidBody[]; size: (b: RigidBody) => number[] }[] = [];
  private readonly rods: Rod[];
  private readonly rodSolids: Solids;
  private readonly dots: Solids;
  private readonly dotList: { id: number; marker: Marker }[];

  constructor(
    poser: Poser,
    private readonly markers: Markers,
    shared: Shared,
    private readonly thickness: number,
  ) {
    const add = (primitive: string, geometry: BufferGeometry, size: (b: RigidBody) => number[]): void => {
      const list = poser.rigid.filter((r) => r.body.primitive === primitive);
      if (!list.length) return;
      const solids = new Solids(geometry, list.map((r) => r.id), shared, false);
      this.shapes.push({ solids, list, size });
      this.group.add(solids.mesh);
    };
    add('box', new BoxGeometry(1, 1, 1), (b) => b.body.size);
    add('sphere', new SphereGeometry(1, 28, 18), (b) => [b.body.size[0], b.body.size[0], b.body.size[0]]);
    add('ellipsoid', new SphereGeometry(1, 40, 28), (b) => b.body.size);
    add('cylinder', alongX(new CylinderGeometry(1, 1, 1, 28)), (b) => [b.body.size[1], b.body.size[0], b.body.size[0]]);

    for (const r of poser.rigid.filter((b) => b.body.primitive === 'convex' && b.body.triangles)) {
      const solids = new Solids(hullGeometry(r.body.triangles!), [r.id], shared, false);
      this.shapes.push({ solids, list: [r], size: () => [1, 1, 1] });
      this.group.add(solids.mesh);
    }

    const bare = poser.rigid.filter((r) => r.body.primitive === 'point');
    this.rods = bare.flatMap((r) => skeleton(poser.result, r));
    this.rodSolids = new Solids(alongX(new CylinderGeometry(1, 1, 1, 10)), this.rods.map((r) => r.id), shared, true);
    this.dotList = [...bare, ...poser.points].map((p) => ({ id: p.id, marker: centerOf(p.body.name) }));
    this.dots = new Solids(new SphereGeometry(1, 18, 12), this.dotList.map((d) => d.id), shared, true);
    this.group.add(this.rodSolids.mesh, this.dots.mesh);
  }

  update(frame: Frame, speeds: (r: RigidBody) => number): void {
    const turn = new Quaternion();
    for (const { solids, list, size } of this.shapes)
      list.forEach((r, i) => {
        const at = pose * r.index;
        const p = frame.poses;
        turn.set(p[at + 4], p[at + 5], p[at + 6], p[at + 3]);
        solids.place(i, p.subarray(at, at + 3), turn, size(r));
        solids.value(i, speeds(r));
      });
    const [a, b] = [new Vector3(), new Vector3()];
    this.rods.forEach((rod, i) => {
      a.set(...this.markers.at(rod.from, frame));
      b.set(...this.markers.at(rod.to, frame));
      const middle = a.clone().add(b).multiplyScalar(0.5);
      const length = b.sub(a).length();
      turn.setFromUnitVectors(axisX, b.normalize());
      this.rodSolids.place(i, middle.toArray(), turn, [length, this.thickness, this.thickness]);
    });
    const size = 2.2 * this.thickness;
    turn.identity();
    this.dotList.forEach((d, i) => this.dots.place(i, this.markers.at(d.marker, frame), turn, [size, size, size]));
  }

  /** Points of a body for picking. */
  rodEnds(frame: Frame): { id: number; marker: Marker; points: [number, number, number][] }[] {
    return [
      ...this.rods.map((r) => ({ id: r.id, marker: r.from, points: [this.markers.at(r.from, frame), this.markers.at(r.to, frame)] })),
      ...this.dotList.map((d) => ({ id: d.id, marker: d.marker, points: [this.markers.at(d.marker, frame)] })),
    ];
  }

  get meshes(): Solids['mesh'][] {
    return this.shapes.map((s) => s.solids.mesh);
  }

  idOf(mesh: object, instance: number): number {
    return this.shapes.find((s) => s.solids.mesh === mesh)?.list[instance]?.id ?? -1;
  }

  dispose(): void {
    for (const s of [...this.shapes.map((x) => x.solids), this.rodSolids, this.dots]) s.dispose();
  }
}

function centerOf(body: string): Marker {
  return { body, element: 0, local: [0, 0, 0], position: [0, 0, 0] };
}

/** Everything attached to a body, joined by rods. */
function skeleton(result: Result, r: RigidBody): Rod[] {
  const attached = [...result.joints, ...result.forces]
    .flatMap((x) => x.markers)
    .filter((m) => m.body === r.body.name);
  const points: Marker[] = [];
  for (const m of attached)
    if (!points.some((p) => Math.hypot(...p.local.map((x, k) => x - m.local[k])) < 1e-9)) points.push(m);
  if (points.length === 1) points.unshift(centerOf(r.body.name));
  const rods: Rod[] = [];
  for (let i = 0; i + 1 < points.length; ++i) rods.push({ id: r.id, from: points[i], to: points[i + 1] });
  if (points.length > 2) rods.push({ id: r.id, from: points[points.length - 1], to: points[0] });
  return rods.filter((x) => x.from.local.some((v, k) => v !== x.to.local[k]));
}
