// The grid that things stand over (or, in the plane, lie on) and the axes in the corner.

import {
  BufferAttribute, BufferGeometry, CanvasTexture, Color, Group, LineBasicMaterial, LineSegments, Scene, Sprite, SpriteMaterial,
  Vector3, type Box3,
} from 'three';

export interface Floor {
  lines: Group;
  step: number; // between lines [m]
  origin: Vector3; // a point of it
  /** Lines are one pixel wide: stronger where pixels are small. They are mixed with the background here, not when drawn. */
  strength(factor: number, background: Color): void;
}

export function roundStep(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const f = x / power;
  return (f < 1.5 ? 1 : f < 3.5 ? 2 : f < 7.5 ? 5 : 10) * power;
}

/** normal: of the grid; it lies at the side of the box that the normal points away from. */
export function makeFloor(box: Box3, normal: Vector3, dark: boolean): Floor {
  const size = box.getSize(new Vector3());
  const center = box.getCenter(new Vector3());
  const reach = Math.max(size.x, size.y, size.z) * 0.95 + 1e-9;
  const step = roundStep((2 * reach) / 16);
  const n = Math.ceil(reach / step);
  const axes = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].filter((a) => Math.abs(a.dot(normal)) < 0.5);
  const drop = (Math.abs(size.x * normal.x) + Math.abs(size.y * normal.y) + Math.abs(size.z * normal.z)) / 2 + 0.02 * reach;
  const origin = center.clone().addScaledVector(normal, -drop);
  for (const a of axes) origin.addScaledVector(a, Math.round(origin.dot(a) / step) * step - origin.dot(a));
  const lines = new Group();
  const materials: { material: LineBasicMaterial; color: Color; opacity: number }[] = [];
  for (const strong of [false, true]) {
    const points: number[] = [];
    for (const [a, b] of [[axes[0], axes[1]], [axes[1], axes[0]]])
      for (let i = -n; i <= n; ++i) {
        const place = Math.round(origin.dot(b) / step) + i;
        if ((place % 5 === 0) !== strong) continue;
        const p = origin.clone().addScaledVector(b, i * step);
        // In pieces: software rendering drops lines that begin behind the camera.
        for (let k = -n; k < n; ++k) points.push(...p.clone().addScaledVector(a, k * step).toArray(), ...p.clone().addScaledVector(a, (k + 1) * step).toArray());
      }
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
    const color = new Color(dark ? '#8fa3b8' : '#5d7186');
    const material = new LineBasicMaterial({ depthWrite: false });
    materials.push({ material, color, opacity: (strong ? 0.34 : 0.15) * (dark ? 0.65 : 1) });
    const mesh = new LineSegments(geometry, material);
    mesh.renderOrder = -1;
    lines.add(mesh);
  }
  const strength = (factor: number, background: Color): void => {
    for (const m of materials) m.material.color.copy(background).lerp(m.color, Math.min(0.8, m.opacity * factor));
  };
  return { lines, step, origin, strength };
}

export function makeAxes(dark: boolean): Scene {
  const scene = new Scene();
  const colors = ['#d0424f', '#3a9c57', '#3b76d0'];
  ['x', 'y', 'z'].forEach((name, k) => {
    const tip = new Vector3().setComponent(k, 1);
    const geometry = new BufferGeometry().setFromPoints([new Vector3(), tip]);
    scene.add(new LineSegments(geometry, new LineBasicMaterial({ color: colors[k] })));
    const label = new Sprite(new SpriteMaterial({ map: letter(name, colors[k], dark), depthTest: false }));
    label.position.copy(tip).multiplyScalar(1.28);
    label.scale.setScalar(0.62);
    scene.add(label);
  });
  return scene;
}

const lighter: Record<string, string> = { '#d0424f': '#f0707c', '#3a9c57': '#62c783', '#3b76d0': '#74a9f5' };

function letter(text: string, color: string, dark: boolean): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const context = canvas.getContext('2d');
  if (context) {
    context.font = '600 44px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = dark ? lighter[color] ?? color : color;
    context.fillText(text, 32, 32);
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = 'srgb';
  return texture;
}
