// A view as the fragment of an address: whoever opens it sees the same picture and the same plots.

import type { SavedPlot } from '../panels/plots';
import type { State } from '../state';

/** The parts of the state that a link contains. */
const kept = ['speed', 'loop', 'quantity', 'selection', 'follow', 'mode', 'layout', 'dark', 'grid', 'mesh', 'symbols', 'edges', 'shadows', 'names', 'frames', 'ghost', 'reference', 'exaggeration', 'cutAxis', 'cutAt', 'hidden', 'faded', 'path', 'flying'] as const;

export interface SavedView {
  state: Partial<State>;
  row: number;
  rows: number; // of the result; another number of them: the time counts
  time: number;
  eye: number[];
  target: number[];
  trails: string[];
  plots: SavedPlot[];
  closed: string[]; // panels
}

export function keptOf(state: State): Partial<State> {
  return Object.fromEntries(kept.map((key) => [key, state[key]]));
}

const start = '#view=';

export function fragmentOf(view: SavedView): string {
  const short = (_: string, v: unknown): unknown => (typeof v === 'number' ? Number(v.toPrecision(9)) : v);
  return start + encodeURIComponent(JSON.stringify(view, short)).replace(/%(2C|3A|5B|5D|7B|7D)/g, (c) => decodeURIComponent(c));
}

/** undefined: the fragment is none of ours, or is damaged. */
export function viewOf(fragment: string): SavedView | undefined {
  if (!fragment.startsWith(start)) return undefined;
  try {
    const view = JSON.parse(decodeURIComponent(fragment.slice(start.length))) as Partial<SavedView>;
    const lists = [view.eye, view.target, view.trails, view.plots, view.closed].every((l) => Array.isArray(l));
    return lists && typeof view.state === 'object' ? (view as SavedView) : undefined;
  } catch {
    return undefined;
  }
}
