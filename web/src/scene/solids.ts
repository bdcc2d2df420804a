// Many copies of one solid with their own places and colors: rigid bodies, and the symbols of joints and forces.

import {
  Color, InstancedBufferAttribute, InstancedMesh, Matrix4, Quaternion, ShaderMaterial, Vector3, type BufferGeometry,
} from 'three';
import { fragment, vertexStart, type Shared } from './shading';

const firstSymbol = 1_000_000; // ids of bodies are less, see symbols.ts

const vertex = /* glsl */ `
${vertexStart}
attribute float id, scalar, look;
void main() {
  vec4 seen = lookOf(look);
  vec4 at = modelViewMatrix * instanceMatrix * vec4(position, 1.0);
  mat3 m = mat3(instanceMatrix);
  vec3 n = normal / max(vec3(1e-20), vec3(dot(m[0], m[0]), dot(m[1], m[1]), dot(m[2], m[2])));
  vNormal = normalMatrix * (m * n);
  vScalar = scalar;
  vChosen = abs(id - selected) < 0.5 ? 1.0 : 0.0;
  #ifdef USE_INSTANCING_COLOR
  vTint = instanceColor;
  #else
  vTint = seen.rgb;
  #endif
  vOpacity = seen.a;
  vEdge = vec2(0.5);
  vAway = at.xyz;
  gl_Position = seen.a == 0.0 ? nowhere : projectionMatrix * at;
}
`;

export class Solids {
  readonly mesh: InstancedMesh<BufferGeometry, ShaderMaterial>;
  private readonly scalar: InstancedBufferAttribute;
  private readonly m = new Matrix4();
  private readonly v = new Vector3();
  private readonly q = new Quaternion();
  private readonly s = new Vector3();

  /** plain: never colored by a quantity; looks: numbers in the texture of looks, otherwise those of bodies are their ids. */
  constructor(geometry: BufferGeometry, ids: number[], shared: Shared, plain: boolean, looks?: number[]) {
    const own = geometry.clone();
    own.setAttribute('id', new InstancedBufferAttribute(Float32Array.from(ids), 1));
    own.setAttribute('look', new InstancedBufferAttribute(Float32Array.from(looks ?? ids.map((id) => (id < firstSymbol ? id : -1))), 1));
    this.scalar = new InstancedBufferAttribute(new Float32Array(ids.length), 1);
    own.setAttribute('scalar', this.scalar);
    const uniforms = plain ? { ...shared, quantity: { value: 0 }, mesh: { value: 0 } } : { ...shared, quantity: shared.solidQuantity, mesh: { value: 0 } };
    const material = new ShaderMaterial({ vertexShader: vertex, fragmentShader: fragment, uniforms });
    this.mesh = new InstancedMesh(own, material, Math.max(1, ids.length));
    this.mesh.count = ids.length;
    this.mesh.frustumCulled = false;
  }

  color(i: number, color: Color): void {
    this.mesh.setColorAt(i, color);
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  /** Place copy i: position, turn (x, y, z, w), size along its axes. */
  place(i: number, r: ArrayLike<number>, q: Quaternion, size: ArrayLike<number>): void {
    this.m.compose(this.v.set(r[0], r[1], r[2]), this.q.copy(q), this.s.set(size[0], size[1], size[2]));
    this.mesh.setMatrixAt(i, this.m);
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  value(i: number, scalar: number): void {
    this.scalar.array[i] = scalar;
    this.scalar.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.dispose();
  }
}
