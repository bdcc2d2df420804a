// What the page shows, and who wants to know when it changes.

import type { CameraKey } from './scene/camera_path';
import type { Quantity } from './scene/colors';
import type { Layout } from './scene/stage';

export interface Selection {
  kind: 'body' | 'joint' | 'force' | 'output' | 'surface';
  name: string;
}

export interface State {
  row: number; // of the first result; may lie between two rows
  playing: boolean;
  speed: number; // seconds of the run per second
  loop: boolean;
  quantity: Quantity;
  selection: Selection | null;
  follow: string | null; // a body
  mode: { stage: string; number: number } | null;
  layout: Layout;
  dark: boolean;
  grid: boolean;
  mesh: boolean;
  symbols: boolean;
  edges: boolean; // outlines
  shadows: boolean;
  names: boolean; // labels of bodies
  frames: boolean; // axes of the markers of what is chosen; of all joints without a choice
  measuring: boolean; // clicks choose points
  ghost: boolean; // the undeformed shape
  reference: 'start' | 'moving'; // where it is: as at the start, or moved along with the body
  exaggeration: number; // of what differs from it
  cutAxis: 'none' | 'x' | 'y' | 'z';
  cutAt: number; // from 0 to 1
  hidden: string[]; // of things as "body/beam"; "contacts/forces" are the arrows
  faded: string[];
  path: CameraKey[]; // of the camera
  flying: boolean; // along it
}

export const plainState = {
  edges: true, shadows: false, names: false, frames: false, measuring: false, ghost: false, reference: 'start' as const, exaggeration: 1,
  cutAxis: 'none' as const, cutAt: 0.5, hidden: [] as string[], faded: [] as string[], path: [] as CameraKey[], flying: false,
};

export function keyOf(s: Selection): string {
  return `${s.kind}/${s.name}`;
}

type Listener = (changed: Set<keyof State>) => void;

export class Store {
  private readonly listeners: Listener[] = [];

  constructor(readonly state: State) {}

  on(listener: Listener): void {
    this.listeners.push(listener);
  }

  set(patch: Partial<State>): void {
    const changed = new Set<keyof State>();
    for (const key of Object.keys(patch) as (keyof State)[]) {
      if (this.state[key] === patch[key]) continue;
      Object.assign(this.state, { [key]: patch[key] });
      changed.add(key);
    }
    if (changed.size) for (const listener of this.listeners) listener(changed);
  }
}

/** Hide what is chosen, make it transparent, or undo that. */
export function toggleChosen(store: Store, list: 'hidden' | 'faded'): void {
  const { selection } = store.state;
  if (selection) toggle(store, list, keyOf(selection));
}

export function toggle(store: Store, list: 'hidden' | 'faded', key: string): void {
  const now = store.state[list];
  store.set({ [list]: now.includes(key) ? now.filter((k) => k !== key) : [...now, key] });
}

/** Hide all bodies but the chosen one; where that is so, show them again. */
export function isolateChosen(store: Store, result: { bodies: { name: string }[]; surfaces: { name: string; body: string }[] }): void {
  const { selection, hidden } = store.state;
  if (selection?.kind !== 'body') return;
  const others = [
    ...result.bodies.filter((b) => b.name !== selection.name).map((b) => `body/${b.name}`),
    ...result.surfaces.filter((x) => x.body !== selection.name).map((x) => `surface/${x.name}`),
  ];
  const alone = others.every((key) => hidden.includes(key));
  store.set({ hidden: alone ? hidden.filter((key) => !others.includes(key)) : [...new Set([...hidden.filter((key) => key !== keyOf(selection)), ...others])] });
}
