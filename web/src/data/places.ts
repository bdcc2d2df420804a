// Where the numbers of a body stand in a row of coordinates, from what the program says of its layout.

import { columnSizes, layouts, type Column, type Layout } from './layouts';

/** Columns one after the other: where each begins, and how many numbers they are together. */
export interface Places {
  at: Partial<Record<Column, number>>;
  width: number;
}

export interface BodyLayout extends Places {
  owner: Layout['owner'];
  straight: boolean;
  deformation: Places; // of each node of a floating body
}

function place(columns: Column[], dimension: number): Places {
  const at: Places['at'] = {};
  let width = 0;
  for (const column of columns) {
    at[column] = width;
    width += columnSizes[column] || dimension;
  }
  return { at, width };
}

/** name: the attribute `layout` of a body; one that is not known has no columns, and its body is not drawn. */
export function layoutOf(name: string, dimension: number): BodyLayout {
  const { owner, straight, columns, deformation } = layouts[name] ?? { owner: 'body', straight: false, columns: [], deformation: [] };
  return { owner, straight, ...place(columns, dimension), deformation: place(deformation, dimension) };
}
