// The undeformed shape, drawn so that one sees through it.

import { Color, Group } from 'three';
import { Lines } from './lines';
import type { Looks } from './looks';
import { Markers } from './markers';
import type { Frame, Poser } from './pose';
import { RigidBodies } from './rigid';
import { makeShared, type Shared } from './shading';
import { Surfaces } from './surfaces';

export class Ghost {
  readonly group = new Group();
  readonly shared: Shared = makeShared();
  private readonly lines: Lines;
  private readonly surfaces: Surfaces;
  private readonly rigid: RigidBodies;

  constructor(poser: Poser, looks: Looks, size: number) {
    this.shared.looks.value = looks.texture;
    this.shared.opacity.value = 0.35;
    this.shared.strong.value = new Color('#9aa5b1');
    this.lines = new Lines(poser, this.shared);
    this.surfaces = new Surfaces(poser, this.shared);
    this.rigid = new RigidBodies(poser, new Markers(poser), this.shared, 0.005 * size);
    this.group.add(this.lines.group, this.surfaces.group, this.rigid.group);
  }

  show(frame: Frame): void {
    this.lines.update(frame);
    this.surfaces.update(frame);
    this.rigid.update(frame, () => 0);
  }

  /** Just before drawing, as the scene. */
  prepare(like: Shared, pixelsPerMeter: number, budget: number): void {
    for (const name of ['pixels', 'least'] as const) this.shared[name].value = like[name].value;
    this.shared.cut.value.copy(like.cut.value);
    this.lines.refine(pixelsPerMeter, budget);
    this.surfaces.refine(pixelsPerMeter, budget);
  }

  dispose(): void {
    for (const part of [this.lines, this.surfaces, this.rigid]) part.dispose();
  }
}
