// The result file as the program describes it: groups, datasets, attributes (docs/results.md).

export type Value = string | number | null | (string | number | null)[];

export interface DatasetNode {
  shape?: [number, number];
  text?: string | null;
  attributes?: Record<string, Value>;
}

export interface GroupNode {
  attributes: Record<string, Value>;
  groups: Record<string, GroupNode>;
  datasets: Record<string, DatasetNode>;
}

export function textOf(node: { attributes?: Record<string, Value> }, name: string): string {
  const value = node.attributes?.[name];
  return typeof value === 'string' ? value : '';
}

export function numberOf(node: { attributes?: Record<string, Value> }, name: string, missing = 0): number {
  const value = node.attributes?.[name];
  return typeof value === 'number' ? value : missing;
}

export function numbersOf(node: { attributes?: Record<string, Value> }, name: string): number[] {
  const value = node.attributes?.[name];
  if (typeof value === 'number') return [value];
  return Array.isArray(value) ? value.map((v) => (typeof v === 'number' ? v : NaN)) : [];
}

export function textsOf(node: { attributes?: Record<string, Value> }, name: string): string[] {
  const value = node.attributes?.[name];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.map((v) => (typeof v === 'string' ? v : '')) : [];
}

export const emptyGroup: GroupNode = { attributes: {}, groups: {}, datasets: {} };
