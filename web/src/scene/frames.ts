// The axes of markers: of what is chosen, otherwise of all joints.

import { Color, CylinderGeometry, Group, Quaternion, Vector3 } from 'three';
import type { Marker } from '../data/result';
import type { Markers } from './markers';
import type { Frame } from './pose';
import { alongX } from './rigid';
import type { Shared } from './shading';
import { Solids } from './solids';

const most = 100; // markers
const colors = ['#d0424f', '#3a9c57', '#3b76d0'];
const axisX = new Vector3(1, 0, 0);

export class Frames {
  readonly group = new Group();
  private readonly rods: Solids;
  private list: Marker[] = [];

  constructor(
    private readonly markers: Markers,
    shared: Shared,
    private readonly start: Frame,
  ) {
    this.rods = new Solids(alongX(new CylinderGeometry(1, 1, 1, 6)).translate(0.5, 0, 0), Array<number>(3 * most).fill(-2), shared, true);
    for (let i = 0; i < 3 * most; ++i) this.rods.color(i, new Color(colors[i % 3]));
    this.rods.mesh.count = 0;
    this.group.add(this.rods.mesh);
  }

  show(list: Marker[]): void {
    this.list = list.slice(0, most);
  }

  get shown(): number {
    return this.list.length;
  }

  /** pixels: of a unit length at unit distance from the eye. */
  update(frame: Frame, eye: Vector3, pixels: number): void {
    const turn = new Quaternion();
    this.list.forEach((m, i) => {
      const at = new Vector3(...this.markers.at(m, frame));
      const unit = at.distanceTo(eye) / pixels;
      for (let k = 0; k < 3; ++k) {
        const axis = new Vector3(...this.markers.direction(m, [0, 1, 2].map((j) => (j === k ? 1 : 0)), frame, this.start)).normalize();
        turn.setFromUnitVectors(axisX, axis);
        this.rods.place(3 * i + k, at.toArray(), turn, [26 * unit, 1.3 * unit, 1.3 * unit]);
      }
    });
    this.rods.mesh.count = 3 * this.list.length;
  }

  dispose(): void {
    this.rods.dispose();
  }
}
