// How bodies and surfaces are seen: their own colors, hidden or transparent. The shaders read it from a texture, by number.

import { Color, type DataTexture } from 'three';
import { makeNumbers } from './shading';

/** Colors of bodies, told apart by people with any color vision, by light and dark. */
export const palette = ['#4f86bd', '#d98f3c', '#5aa56f', '#a263b4', '#c9605f', '#3f9fa8', '#8a7a3d', '#c77fb0', '#6b75c9', '#7d9a3a'];

export const faded = 0.3;

/** Of the ground: no lamp at night. */
export function stoneColor(dark: boolean): string {
  return dark ? '#3b4650' : '#aab4be';
}

export class Looks {
  readonly texture: DataTexture;
  private readonly numbers: Float32Array;

  /** count: bodies, then surfaces. */
  constructor(private readonly count: number) {
    this.texture = makeNumbers(4 * Math.max(1, count));
    this.numbers = this.texture.image.data as unknown as Float32Array;
  }

  set(i: number, color: Color, opacity: number): void {
    if (i >= 0 && i < this.count) this.numbers.set([color.r, color.g, color.b, opacity], 4 * i);
    this.texture.needsUpdate = true;
  }

  /** 0: hidden. */
  opacity(i: number): number {
    return i >= 0 && i < this.count ? this.numbers[4 * i + 3] : 1;
  }

  color(i: number): string {
    const [r, g, b] = this.numbers.subarray(4 * i, 4 * i + 3);
    return `#${new Color(r, g, b).getHexString()}`;
  }
}
