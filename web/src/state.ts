// What the page shows, and who wants to know when it changes.

import type { Quantity } from './scene/colors';
import type { Layout } from './scene/stage';

export interface Selection {
  kind: 'body' | 'joint' | 'force' | 'output';
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
