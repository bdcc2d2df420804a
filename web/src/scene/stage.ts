// The 3D view: renderer, camera, layout of one or two results. It draws only when something has changed.

import {
  Box3, Color, DoubleSide, FrontSide, InstancedMesh, Matrix4, PerspectiveCamera, Raycaster, Scene, Sphere, Vector2, Vector3, WebGLRenderer,
  type Group, type Material,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { makeAxes, makeFloor, type Floor } from './floor';
import { stoneColor } from './looks';
import type { ResultScene } from './result_scene';

export type Layout = 'overlay' | 'side';
export type View = 'iso' | 'front' | 'side' | 'top';

const softwareBudget = 20_000; // triangles of bodies
const hardwareBudget = 200_000;

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  readonly software: boolean;
  readonly box = new Box3();
  layout: Layout = 'overlay';
  floor?: Floor;
  showGrid = true;
  moved = false; // by hand
  cut?: { normal: Vector3; at: number }; // what lies beyond is not drawn
  shadows = false;
  private readonly scene = new Scene();
  private axes = makeAxes(false);
  private readonly axesCamera = new PerspectiveCamera(35, 1, 0.1, 10);
  private dark = false;
  private width = 1;
  private height = 1;

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly up: Vector3,
    private readonly planar: boolean,
    onChange: () => void,
  ) {
    this.software = isSoftware();
    this.renderer = new WebGLRenderer({ canvas, antialias: !this.software, powerPreference: 'high-performance' });
    this.renderer.setPixelRatio(1);
    this.renderer.autoClear = false;
    this.camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', onChange);
    this.controls.addEventListener('start', () => (this.moved = true));
    this.controls.zoomToCursor = true;
  }

  get triangleBudget(): number {
    return this.software ? softwareBudget : hardwareBudget;
  }

  add(group: Group, box: Box3): void {
    this.scene.add(group);
    this.box.union(box);
  }

  theme(dark: boolean): void {
    this.dark = dark;
    this.axes = makeAxes(dark);
    this.makeGrid();
  }

  private makeGrid(): void {
    if (this.floor) this.scene.remove(this.floor.lines);
    this.floor = makeFloor(this.box, this.planar ? new Vector3(0, 0, 1) : this.up, this.dark);
    this.scene.add(this.floor.lines);
  }

  /** In CSS pixels, each of them `ratio` pixels wide. */
  resize(width: number, height: number, ratio: number): void {
    if (this.width === width && this.height === height && this.renderer.getPixelRatio() === ratio) return;
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(this.width, this.height, false);
  }

  sharpen(ratio: number): void {
    this.resize(this.width, this.height, ratio);
  }

  /** CSS pixels of the canvas. */
  get size(): [number, number] {
    return [this.width, this.height];
  }

  // ---- camera ----

  look(view: View): void {
    const up = this.up;
    const aside = Math.abs(up.x) > 0.5 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
    const toward = aside.clone().cross(up).normalize();
    const from = {
      front: toward,
      side: aside,
      top: up.clone().addScaledVector(toward, 1e-3),
      iso: toward.clone().addScaledVector(aside, 0.65).addScaledVector(up, 0.5),
    }[view].clone().normalize();
    this.fitFrom(from);
  }

  /** The camera of a link. */
  place(eye: number[], target: number[]): void {
    if ([...eye, ...target].some((v) => !Number.isFinite(v)) || eye.length !== 3 || target.length !== 3) return;
    this.camera.position.fromArray(eye);
    this.controls.target.fromArray(target);
    this.moved = true;
    this.controls.update();
  }

  /** All of it, from where the camera is. */
  fit(): void {
    this.fitFrom(this.camera.position.clone().sub(this.controls.target).normalize());
  }

  private fitFrom(direction: Vector3): void {
    const center = this.box.getCenter(new Vector3());
    const sphere = this.box.getBoundingSphere(new Sphere());
    const aspect = this.layout === 'side' ? this.width / 2 / this.height : this.width / this.height;
    this.camera.aspect = aspect;
    this.camera.position.copy(center).addScaledVector(direction, sphere.radius * 4 + 1e-6);
    this.camera.lookAt(center);
    this.camera.updateMatrixWorld();
    // The farthest corner of the box on the screen decides the distance.
    const tan = Math.tan((this.camera.fov * Math.PI) / 360);
    const view = this.camera.matrixWorldInverse.copy(this.camera.matrixWorld).invert();
    let distance = 0;
    for (let i = 0; i < 8; ++i) {
      const corner = new Vector3(i & 1 ? this.box.max.x : this.box.min.x, i & 2 ? this.box.max.y : this.box.min.y, i & 4 ? this.box.max.z : this.box.min.z);
      const p = corner.applyMatrix4(view);
      const depth = p.z + (sphere.radius * 4 + 1e-6);
      distance = Math.max(distance, Math.abs(p.y) / tan + depth, Math.abs(p.x) / (tan * aspect) + depth);
    }
    distance = Math.max(distance * 1.12, sphere.radius * 0.5);
    this.camera.position.copy(center).addScaledVector(direction, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 40 + sphere.radius * 10;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(center);
    this.controls.update();
  }

  zoom(factor: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(1 / factor);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  /** Turn the camera about what it looks at: around the vertical, and up (radians). */
  orbit(around: number, up: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target).applyAxisAngle(this.up, -around);
    const height = offset.angleTo(this.up);
    const aside = new Vector3().crossVectors(this.up, offset).normalize();
    offset.applyAxisAngle(aside, Math.max(0.02, Math.min(Math.PI - 0.02, height - up)) - height);
    this.camera.position.copy(this.controls.target).add(offset);
    this.moved = true;
    this.controls.update();
  }

  shift(by: Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  // ---- drawing ----

  draw(scenes: ResultScene[], background: Color): void {
    const side = this.layout === 'side' && scenes.length > 1;
    const [width, height] = [side ? this.width / scenes.length : this.width, this.height];
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    const pixels = (height * this.renderer.getPixelRatio()) / (2 * Math.tan((this.camera.fov * Math.PI) / 360));
    const distance = this.camera.position.distanceTo(this.controls.target);
    const { renderer } = this;
    if (this.floor) {
      this.floor.lines.visible = this.showGrid;
      this.floor.strength(renderer.getPixelRatio(), background);
    }
    renderer.setClearColor(background, 1);
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, this.width, this.height);
    renderer.clear();
    for (const s of scenes) this.cutScene(s);
    for (const s of scenes) s.prepare(this.camera, this.canvas, pixels, renderer.getPixelRatio(), distance, this.triangleBudget / scenes.length);
    if (side) {
      renderer.setScissorTest(true);
      scenes.forEach((shown, i) => {
        for (const s of scenes) s.group.visible = s === shown;
        renderer.setViewport(i * width, 0, width, height);
        renderer.setScissor(i * width, 0, width, height);
        renderer.render(this.scene, this.camera);
        this.drawShadows([shown], background);
      });
      for (const s of scenes) s.group.visible = true;
      renderer.setScissorTest(false);
    } else {
      renderer.render(this.scene, this.camera);
      this.drawShadows(scenes, background);
    }
    this.drawAxes();
  }

  /** The plane of the cut, n r = d, in the axes of the camera. */
  private cutScene(s: ResultScene): void {
    const { value } = s.shared.cut;
    value.set(0, 0, 0, 0);
    if (this.cut) {
      const n = this.cut.normal.clone().transformDirection(this.camera.matrixWorldInverse);
      value.set(n.x, n.y, n.z, this.cut.normal.dot(this.camera.position) - this.cut.at);
    }
    const side = this.cut ? DoubleSide : FrontSide; // the inside of a cut solid is drawn as the face of the cut
    s.group.traverse((part) => {
      if (part instanceof InstancedMesh) (part.material as Material).side = side;
    });
  }

  /** Everything once more, pressed flat along the light onto the ground where there is one, otherwise onto the grid. */
  private drawShadows(scenes: ResultScene[], background: Color): void {
    if (!this.shadows || this.planar || !this.floor) return;
    const light = this.up.clone().multiplyScalar(-1).addScaledVector(new Vector3(0.25, 0.25, 0.25).projectOnPlane(this.up), 1);
    const { renderer } = this;
    const above = this.up.clone().multiplyScalar(1e-3 * this.camera.position.distanceTo(this.controls.target));
    this.floor.lines.visible = false;
    for (const s of scenes) {
      const ground = s.contacts.grounds.find((g) => g.normal.dot(this.up) > 0.999 && s.looks.opacity(s.result.bodies.length + g.surface) > 0)?.point;
      const flat = flatten(this.up, (ground ?? this.floor.origin).clone().add(above), light);
      const hidden = [s.symbols.group, s.trails.group, s.frames.group, s.contacts.group].filter((g) => g.visible);
      for (const g of hidden) g.visible = false;
      s.shared.shadow.value = 1;
      if (ground) s.shared.shade.value.set(stoneColor(this.dark)).multiplyScalar(0.6);
      else s.shared.shade.value.copy(background).multiplyScalar(this.dark ? 0.45 : 0.8);
      s.group.matrixAutoUpdate = false;
      s.group.matrix.copy(flat);
      const cut = s.shared.cut.value.clone();
      s.shared.cut.value.set(0, 0, 0, 0);
      renderer.render(this.scene, this.camera);
      s.shared.cut.value.copy(cut);
      s.group.matrix.identity();
      s.group.matrixAutoUpdate = true;
      s.shared.shadow.value = 0;
      for (const g of hidden) g.visible = true;
    }
    this.floor.lines.visible = this.showGrid;
  }

  private drawAxes(): void {
    const away = this.camera.position.clone().sub(this.controls.target).normalize();
    this.axesCamera.position.copy(away).multiplyScalar(4.6);
    this.axesCamera.up.copy(this.camera.up);
    this.axesCamera.lookAt(0, 0, 0);
    const size = 84;
    this.renderer.setViewport(6, 6, size, size);
    this.renderer.clearDepth();
    this.renderer.render(this.axes, this.axesCamera);
    this.renderer.setViewport(0, 0, this.width, this.height);
  }

  // ---- picking ----

  /** Place on the canvas (CSS pixels) of a point; undefined: behind the camera. */
  project(point: ArrayLike<number>): [number, number] | undefined {
    const v = new Vector3(point[0], point[1], point[2]).project(this.camera);
    return v.z > 1 ? undefined : [((v.x + 1) / 2) * this.width, ((1 - v.y) / 2) * this.height];
  }

  ray(x: number, y: number): Raycaster {
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((2 * x) / this.width - 1, 1 - (2 * y) / this.height), this.camera);
    return caster;
  }
}

/** r - (n (r - o))/(n l) l: along l onto the plane through o with the normal n. */
function flatten(n: Vector3, o: Vector3, l: Vector3): Matrix4 {
  const [a, d] = [n.dot(l), n.dot(o)];
  const row = (k: 0 | 1 | 2): [number, number, number, number] => {
    const f = l.getComponent(k) / a;
    return [(k === 0 ? 1 : 0) - f * n.x, (k === 1 ? 1 : 0) - f * n.y, (k === 2 ? 1 : 0) - f * n.z, f * d];
  };
  return new Matrix4().set(...row(0), ...row(1), ...row(2), 0, 0, 0, 1);
}

/** Is there no graphics hardware? Then smooth edges come from drawing larger when nothing moves. */
function isSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) throw new Error('this browser has no WebGL 2');
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
