// The keyboard.

import type { Store } from '../state';
import type { View3D } from '../view3d';
import type { Timeline } from './timeline';

export function watchKeys(store: Store, timeline: Timeline, view: View3D): void {
  const keys: Record<string, (e: KeyboardEvent) => void> = {
    ' ': () => store.set({ playing: !store.state.playing }),
    ArrowLeft: (e) => timeline.step(e.shiftKey ? -10 : -1),
    ArrowRight: (e) => timeline.step(e.shiftKey ? 10 : 1),
    Home: () => store.set({ row: 0 }),
    End: () => store.set({ row: Math.max(0, view.results[0].rows - 1), playing: false }),
    l: () => store.set({ loop: !store.state.loop }),
    f: () => (view.stage.fit(), view.redraw()),
    g: () => store.set({ grid: !store.state.grid }),
    m: () => store.set({ mesh: !store.state.mesh }),
    j: () => store.set({ symbols: !store.state.symbols }),
    d: () => store.set({ dark: !store.state.dark }),
    '1': () => (view.stage.look('iso'), view.redraw()),
    '2': () => (view.stage.look('front'), view.redraw()),
    '3': () => (view.stage.look('side'), view.redraw()),
    '4': () => (view.stage.look('top'), view.redraw()),
    '+': () => (view.stage.zoom(1.2), view.redraw()),
    '-': () => (view.stage.zoom(1 / 1.2), view.redraw()),
    Escape: () => store.set({ selection: null, mode: null, follow: null }),
  };
  addEventListener('keydown', (e) => {
    const target = e.target as HTMLElement;
    if (e.ctrlKey || e.metaKey || e.altKey || /^(SELECT|TEXTAREA)$/.test(target.tagName)) return;
    if (target instanceof HTMLInputElement && target.type !== 'range') return;
    const act = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!act) return;
    e.preventDefault();
    act(e);
  });
}
