// Light and colors shared by everything that is drawn: cheap enough for machines without graphics hardware.

import { Color, DataTexture, FloatType, NearestFilter, RGBAFormat, Vector2, Vector4 } from 'three';
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
  looks: { value: DataTexture | null }; // see looks.ts
  cut: { value: Vector4 }; // n, d in the axes of the camera: what has n r + d > 0 is cut off
  edges: { value: number }; // 1: outlines
  shadow: { value: number }; // 1: drawn as a shadow, in this color
  shade: { value: Color };
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
    looks: { value: null },
    cut: { value: new Vector4() },
    edges: { value: 0 },
    shadow: { value: 0 },
    shade: { value: new Color('#d5dade') },
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
uniform float opacity, mesh, edges, shadow, least;
uniform vec4 cut;
uniform vec3 shade;
varying vec3 vNormal, vAway;
varying float vScalar, vChosen, vOpacity;
varying vec3 vTint;
varying vec2 vEdge;

// Ordered dither of 4 x 4 pixels: bodies that are seen through need no order.
float dither2(vec2 p) {
  p = floor(p);
  return fract(0.5 * p.x + 0.75 * p.y * p.y);
}

void main() {
  float seen = vOpacity * opacity;
  if (seen < 0.99 && seen <= 0.25 * dither2(0.5 * gl_FragCoord.xy) + dither2(gl_FragCoord.xy)) discard;
  if (dot(cut.xyz, vAway) + cut.w > 0.0) discard;
  if (shadow > 0.5) {
    gl_FragColor = vec4(shade, 1.0);
    #include <colorspace_fragment>
    return;
  }
  vec3 n = normalize(vNormal), v = normalize(-vAway);
  if (dot(n, v) < 0.0) n = -n;
  vec3 base = vTint;
  // Bodies are closed: where one sees the inside of a wall, one looks through the face of the cut. It is drawn there, hatched, in the color
  // of the body: what quantities have on the wall, they do not have on the face.
  bool section = dot(cut.xyz, cut.xyz) > 0.0 && !gl_FrontFacing && seen >= 0.99;
  if (section) {
    n = cut.xyz;
    base *= mix(0.55, 1.0, smoothstep(0.5, 1.5, abs(mod((gl_FragCoord.x + gl_FragCoord.y) / least, 9.0) - 4.5)));
  } else if (quantity > 0 && !(quantity == 5 && vScalar < 0.0)) base = texture2D(scale, vec2(clamp((vScalar - range.x) / (range.y - range.x), 0.002, 0.998), 0.25 + 0.5 * signed)).rgb;
  if (mesh > 0.5 && !section) {
    vec2 d = min(vEdge, 1.0 - vEdge) / max(fwidth(vEdge), 1e-6);
    base *= mix(0.45, 1.0, smoothstep(0.4, 1.4, min(d.x, d.y)));
  }
  base = mix(base, strong, 0.75 * vChosen);
  base *= 1.0 - 0.5 * edges * smoothstep(0.38, 0.12, abs(dot(n, v)));
  float sky = 0.5 + 0.5 * n.y;
  float key = max(0.0, dot(n, normalize(vec3(-0.35, 0.65, 0.7))));
  float shine = pow(max(0.0, dot(reflect(-normalize(vec3(-0.35, 0.65, 0.7)), n), v)), 24.0);
  vec3 color = base * (0.42 + 0.18 * sky + 0.52 * key) + 0.10 * shine;
  gl_FragColor = vec4(color, 1.0); // the page shows through any other
  #include <colorspace_fragment>
}
`;

export const vertexStart = /* glsl */ `
uniform float pixels, least;
uniform int quantity;
uniform float selected;
uniform vec3 tint;
uniform highp sampler2D looks;
varying vec3 vNormal, vAway;
varying float vScalar, vChosen, vOpacity;
varying vec3 vTint;
varying vec2 vEdge;

// Color and opacity of a body or surface by its number; without one: the color of the result.
vec4 lookOf(float number) {
  if (number < 0.0) return vec4(tint, 1.0);
  int i = int(number);
  return texelFetch(looks, ivec2(i & ${textureWidth - 1}, i >> ${Math.log2(textureWidth)}), 0);
}
const vec4 nowhere = vec4(0.0, 0.0, 2.0, 1.0); // what is hidden is put there
`;

export const fetchShader = /* glsl */ `
uniform highp sampler2D numbers;
vec4 fetch(int i) { return texelFetch(numbers, ivec2(i & ${textureWidth - 1}, i >> ${Math.log2(textureWidth)}), 0); }
`;
