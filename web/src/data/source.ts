// Where results come from: the program that serves them, or the report the page is part of.

import type { DatasetNode, GroupNode } from './tree';

export interface Listed {
  name: string;
  tree: GroupNode;
}

export interface RunState {
  rows: number;
  status: string;
  steps?: number; // of a run that is watched
}

/** Rows first, first + stride, ... of a dataset (count of them), row by row. */
export interface RowRange {
  first: number;
  count: number;
  stride: number;
}

export interface Source {
  readonly live: boolean;
  results(): Promise<Listed[]>;
  /** Rows and status of every result, for runs that go on. */
  state(): Promise<RunState[]>;
  rows(result: number, path: string, range: RowRange): Promise<Float64Array>;
  /** The coordinates of all bodies side by side. */
  coordinates(result: number, range: RowRange): Promise<Float32Array>;
}

// ---- the program ----

class Served implements Source {
  readonly live = true;

  private async get(path: string): Promise<Response> {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${(await response.text()).trim()} (${response.status})`);
    return response;
  }

  async results(): Promise<Listed[]> {
    const answer = (await (await this.get('api/results')).json()) as { results: Listed[] };
    return answer.results;
  }

  async state(): Promise<RunState[]> {
    const answer = (await (await this.get('api/state')).json()) as { results: RunState[] };
    return answer.results;
  }

  async rows(result: number, path: string, r: RowRange): Promise<Float64Array> {
    const query = `result=${result}&path=${encodeURIComponent(path)}&first=${r.first}&count=${r.count}&stride=${r.stride}`;
    return new Float64Array(await (await this.get(`api/rows?${query}&type=f8`)).arrayBuffer());
  }

  async coordinates(result: number, r: RowRange): Promise<Float32Array> {
    const query = `result=${result}&first=${r.first}&count=${r.count}&stride=${r.stride}`;
    return new Float32Array(await (await this.get(`api/coordinates?${query}&type=f4`)).arrayBuffer());
  }
}

// ---- a report ----

interface Inlined {
  results: (Listed & { data: Record<string, string> })[];
}

function decode(text: string): Float32Array {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

class Inline implements Source {
  readonly live = false;
  private readonly data: Map<string, Float32Array>[];

  constructor(private readonly inlined: Inlined) {
    this.data = inlined.results.map((r) => new Map(Object.entries(r.data).map(([path, text]) => [path, decode(text)])));
    // A report keeps some of the rows: the shapes are those of what it holds.
    inlined.results.forEach((r, i) => {
      for (const [path, numbers] of this.data[i]) {
        const shape = datasetOf(r.tree, path)?.shape;
        if (shape) shape[0] = numbers.length / shape[1];
      }
    });
  }

  async results(): Promise<Listed[]> {
    return this.inlined.results;
  }

  async state(): Promise<RunState[]> {
    return [];
  }

  private pick(result: number, path: string, r: RowRange): Float32Array {
    const all = this.data[result]?.get(path);
    if (!all) throw new Error(`the report does not contain ${path}`);
    const node = this.inlined.results[result];
    const width = path === 'coordinates' ? all.length / rowsOf(node.tree) : (datasetOf(node.tree, path)?.shape?.[1] ?? 1);
    if (r.stride === 1) return all.slice(r.first * width, (r.first + r.count) * width);
    const out = new Float32Array(r.count * width);
    for (let i = 0; i < r.count; ++i) {
      const at = (r.first + i * r.stride) * width;
      out.set(all.subarray(at, at + width), i * width);
    }
    return out;
  }

  async rows(result: number, path: string, range: RowRange): Promise<Float64Array> {
    return Float64Array.from(this.pick(result, path, range));
  }

  async coordinates(result: number, range: RowRange): Promise<Float32Array> {
    return this.pick(result, 'coordinates', range);
  }
}

function rowsOf(tree: GroupNode): number {
  return tree.datasets['time']?.shape?.[0] ?? 0;
}

function datasetOf(tree: GroupNode, path: string): DatasetNode | undefined {
  const parts = path.split('/').slice(1);
  const name = parts.pop() ?? '';
  let group: GroupNode | undefined = tree;
  for (const part of parts) group = group?.groups[part];
  return group?.datasets[name];
}

export function findSource(): Source {
  const inlined = document.getElementById('sinew-data');
  return inlined ? new Inline(JSON.parse(inlined.textContent ?? '') as Inlined) : new Served();
}
