// Light and colors shared by everything that is drawn: cheap enough for machines without graphics hardware.

import { Color, DataTexture, FloatType, NearestFilter, RGBAFormat, Vector2 } from 'three';
import { scaleTexture } from './colors';

export const textureWidth = 1024; // texels; a multiple of 4

/** What all materials of a result share. */
export interface Shared {
  scale: { value: DataTexture };
  quantity: { value: number }; // of lines
  sheetQuantity: { value: number }; // of surfaces, which have no axial force
  solidQuantity: { value: number }; // of rigid bodies, which have a speed only
  signed: { value: number };
  range: { value: Vector2 };
  selected: { value: number }; // id of a body; -1: none
  tint: { value: Color };
  strong: { value: Color }; // of what is selected
  opacity: { value: number };
  mesh: { value: number }; // 1: show the borders of elements
  pixels: { value: number }; // pixels per unit of size/distance
  least: { value: number }; // half width in pixels below which nothing gets
}

export function makeShared(): Shared {
  return {
    scale: { value: scaleTexture() },
    quantity: { value: 0 },
    sheetQuantity: { value: 0 },
    solidQuantity: { value: 0 },
    signed: { value: 0 },
    range: { value: new Vector2(0, 1) },
    selected: { value: -1 },
    tint: { value: new Color('#4a7fb5') },
    strong: { value: new Color('#e8912d') },
    opacity: { value: 1 },
    mesh: { value: 0 },
    pixels: { value: 1000 },
    least: { value: 1 },
  };
}

/** Numbers, four to a texel, as a texture that is written anew for every picture. */
export function makeNumbers(count: number): DataTexture {
  const height = Math.max(1, Math.ceil(count / 4 / textureWidth));
  const texture = new DataTexture(new Float32Array(4 * textureWidth * height), textureWidth, height, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  return texture;
}

export const fragment = /* glsl */ `
uniform sampler2D scale;
uniform int quantity;
uniform float signed;
uniform vec2 range;
uniform vec3 tint, strong;
uniform float opacity, mesh;
varying vec3 vNormal, vAway;
varying float vScalar, vChosen;
varying vec3 vTint;
varying vec2 vEdge;

void main() {
  vec3 n = normalize(vNormal), v = normalize(-vAway);
  if (dot(n, v) < 0.0) n = -n;
  vec3 base = vTint;
  if (quantity > 0 && !(quantity == 5 && vScalar < 0.0)) base = texture2D(scale, vec2(clamp((vScalar - range.x) / (range.y - range.x), 0.002, 0.998), 0.25 + 0.5 * signed)).rgb;
  if (mesh > 0.5) {
    vec2 d = min(vEdge, 1.0 - vEdge) / max(fwidth(vEdge), 1e-6);
    base *= mix(0.45, 1.0, smoothstep(0.4, 1.4, min(d.x, d.y)));
  }
  base = mix(base, strong, 0.75 * vChosen);
  float sky = 0.5 + 0.5 * n.y;
  float key = max(0.0, dot(n, normalize(vec3(-0.35, 0.65, 0.7))));
  float shine = pow(max(0.0, dot(reflect(-normalize(vec3(-0.35, 0.65, 0.7)), n), v)), 24.0);
  vec3 color = base * (0.42 + 0.18 * sky + 0.52 * key) + 0.10 * shine;
  gl_FragColor = vec4(color, opacity);
  #include <colorspace_fragment>
}
`;

export const vertexStart = /* glsl */ `
uniform float pixels, least;
uniform int quantity;
uniform float selected;
uniform vec3 tint;
varying vec3 vNormal, vAway;
varying float vScalar, vChosen;
varying vec3 vTint;
varying vec2 vEdge;
`;

export const fetchShader = /* glsl */ `
uniform highp sampler2D numbers;
vec4 fetch(int i) { return texelFetch(numbers, ivec2(i & ${textureWidth - 1}, i >> ${Math.log2(textureWidth)}), 0); }
`;
