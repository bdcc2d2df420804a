// What coordinates, words and tables of a result mean, and the shape functions between nodes.
// Written by the program, from src/model/body_layout.c and src/result/drawing.h: do not edit, renew it with
//   build/release/tests/test_drawing --layouts > web/src/data/layouts.ts

/** How many numbers a column has; 0: as many as the model has dimensions. */
export const columnSizes = {
  r: 0, // position
  r_x: 0, // derivative of r along the line, or along the first edge of the surface
  r_y: 0, // derivative of r along the height of the section, or along the second edge of the surface
  r_z: 0, // derivative of r along the width of the section
  p: 4, // Euler parameters, scalar first
  angle: 1, // rotation about z
  u: 1, // displacement along x of the frame
  v: 1, // displacement along y of the frame
  w: 1, // displacement along z of the frame
  t: 1, // small rotation about z
  tx: 1, // small rotation about x of the frame
  ty: 1, // small rotation about y of the frame
  tz: 1, // small rotation about z of the frame
};
export type Column = keyof typeof columnSizes;

export interface Layout {
  owner: 'body' | 'node' | 'element'; // what has the columns, one after the other
  straight: boolean; // between nodes; otherwise a cubic
  columns: Column[];
  deformation: Column[]; // of each node in the frame of the body
}

/** By the attribute `layout` of a body. */
export const layouts: Partial<Record<string, Layout>> = {
  "r":
    { owner: 'body', straight: false, columns: ['r'], deformation: [] },
  "r(3) p(4)":
    { owner: 'body', straight: false, columns: ['r', 'p'], deformation: [] },
  "x y angle":
    { owner: 'body', straight: false, columns: ['r', 'angle'], deformation: [] },
  "nodes of r r'":
    { owner: 'node', straight: false, columns: ['r', 'r_x'], deformation: [] },
  "nodes of r r_x r_y":
    { owner: 'node', straight: false, columns: ['r', 'r_x', 'r_y'], deformation: [] },
  "nodes of r r_x r_y r_z":
    { owner: 'node', straight: false, columns: ['r', 'r_x', 'r_y', 'r_z'], deformation: [] },
  "nodes of x y":
    { owner: 'node', straight: true, columns: ['r'], deformation: [] },
  "nodes of x y angle":
    { owner: 'node', straight: false, columns: ['r', 'angle'], deformation: [] },
  "elements of x y angle u":
    { owner: 'element', straight: true, columns: ['r', 'angle', 'u'], deformation: [] },
  "elements of x y angle u v t":
    { owner: 'element', straight: false, columns: ['r', 'angle', 'u', 'v', 't'], deformation: [] },
  "r(3) p(4), then u v w tx ty tz of each node without those held, or reduced coordinates":
    { owner: 'body', straight: false, columns: ['r', 'p'], deformation: ['u', 'v', 'w', 'tx', 'ty', 'tz'] },
  "x y angle, then u v t of each node without those held, or reduced coordinates":
    { owner: 'body', straight: false, columns: ['r', 'angle'], deformation: ['u', 'v', 't'] },
};

export type Primitive = 'none' | 'point' | 'line' | 'chain' | 'floating' | 'box' | 'sphere' | 'cylinder' | 'ellipsoid' | 'convex' | 'surface';
export type Outline = '' | 'rectangle' | 'circle';
export const solidShapes = { sphere: 0, capsule: 1, cylinder: 2, box: 3, plane: 4, ellipsoid: 5, convex: 6 };
/** Columns of the attribute `places` of markers. */
export const placeRow = { element: 0, local: 1, width: 4 };
/** Columns of /bodies/NAME/sections. */
export const sectionRow = { size: 0, stiffness: 2, coupling: 3, width: 4 };
/** Columns of /contacts/solids. */
export const solidRow = { surface: 0, shape: 1, center: 2, axis: 5, half: 11, width: 14 };

/** A polynomial: terms c s^i h^j as [c, i, j]. */
export type Polynomial = [number, number, number][];

/** Of lines, for r and dr/ds of the two ends. */
export const lineShapes: Polynomial[] = [
  [[1, 0, 0], [-3, 2, 0], [2, 3, 0]],
  [[1, 1, 0], [-2, 2, 0], [1, 3, 0]],
  [[3, 2, 0], [-2, 3, 0]],
  [[-1, 2, 0], [1, 3, 0]],
];

/** Of surfaces, for r, dr/ds and dr/dh of the corners (0,0), (1,0), (1,1), (0,1). */
export const surfaceShapes: Polynomial[] = [
  [[1, 0, 0], [-3, 2, 0], [-1, 1, 1], [-3, 0, 2], [2, 3, 0], [3, 2, 1], [3, 1, 2], [2, 0, 3], [-2, 3, 1], [-2, 1, 3]],
  [[1, 1, 0], [-2, 2, 0], [-1, 1, 1], [1, 3, 0], [2, 2, 1], [-1, 3, 1]],
  [[1, 0, 1], [-1, 1, 1], [-2, 0, 2], [2, 1, 2], [1, 0, 3], [-1, 1, 3]],
  [[3, 2, 0], [1, 1, 1], [-2, 3, 0], [-3, 2, 1], [-3, 1, 2], [2, 3, 1], [2, 1, 3]],
  [[-1, 2, 0], [1, 3, 0], [1, 2, 1], [-1, 3, 1]],
  [[1, 1, 1], [-2, 1, 2], [1, 1, 3]],
  [[-1, 1, 1], [3, 2, 1], [3, 1, 2], [-2, 3, 1], [-2, 1, 3]],
  [[-1, 2, 1], [1, 3, 1]],
  [[-1, 1, 2], [1, 1, 3]],
  [[1, 1, 1], [3, 0, 2], [-3, 2, 1], [-3, 1, 2], [-2, 0, 3], [2, 3, 1], [2, 1, 3]],
  [[1, 1, 1], [-2, 2, 1], [1, 3, 1]],
  [[-1, 0, 2], [1, 1, 2], [1, 0, 3], [-1, 1, 3]],
];
