// The bar at the top.

import type { Result } from '../data/result';
import { quantities, quantitiesOf, type Quantity } from '../scene/colors';
import type { View } from '../scene/stage';
import type { Store } from '../state';
import { button, choice, h, icon } from './dom';

export interface ToolbarActions {
  look(view: View): void;
  fit(): void;
  picture(): void;
  panel(side: 'left' | 'right'): void;
}

export class Toolbar {
  readonly element: HTMLElement;
  private readonly status = h('span', { class: 'status' });

  constructor(
    store: Store,
    private readonly results: Result[],
    actions: ToolbarActions,
  ) {
    const toggle = (label: string, text: string, key: 'grid' | 'mesh' | 'symbols'): HTMLButtonElement => {
      const b = button(label, text, () => store.set({ [key]: !store.state[key] }));
      const show = (): boolean => b.classList.toggle('on', store.state[key]);
      store.on((changed) => changed.has(key) && show());
      show();
      return b;
    };
    const colors = quantitiesOf(results.flatMap((r) => r.bodies)).map((q): [string, string] => [q, quantities[q].label]);
    const color = choice('Color by', colors, store.state.quantity, (v) => store.set({ quantity: v as Quantity }), { class: 'color-by' });
    store.on((changed) => changed.has('quantity') && (color.value = store.state.quantity));
    const layout = choice('Two results', [['overlay', 'Overlaid'], ['side', 'Side by side']], store.state.layout, (v) => store.set({ layout: v === 'side' ? 'side' : 'overlay' }), { class: 'layout' });
    store.on((changed) => changed.has('layout') && (layout.value = store.state.layout));
    const views: [View, string][] = [['iso', 'Iso'], ['front', 'Front'], ['side', 'Side'], ['top', 'Top']];
    this.element = h(
      'header',
      { class: 'bar' },
      {},
      button('Show or hide the tree', icon('left'), () => actions.panel('left'), { class: 'panel-toggle' }),
      h('strong', { class: 'brand' }, {}, 'Sinew'),
      h('h1', { title: results.map((r) => r.name).join(', ') }, {}, results[0].title),
      this.status,
      h('span', { class: 'space' }),
      h('label', { class: 'field' }, {}, h('span', {}, {}, 'Color'), color),
      h('div', { class: 'buttons' }, {}, toggle('Grid (G)', 'Grid', 'grid'), toggle('Element edges (M)', 'Mesh', 'mesh'), toggle('Joints, forces, points (J)', 'Symbols', 'symbols')),
      h('div', { class: 'buttons' }, {}, ...views.map(([v, text]) => button(`View: ${text}`, text, () => actions.look(v))), button('Fit to window (F)', icon('fit'), () => actions.fit())),
      results.length > 1 ? layout : null,
      button('Save as image', 'PNG', () => actions.picture(), { class: 'save' }),
      button('Light or dark theme (D)', icon('sun'), () => store.set({ dark: !store.state.dark })),
      button('Show or hide the plots', icon('right'), () => actions.panel('right'), { class: 'panel-toggle' }),
    );
    this.update();
  }

  /** How the run stands; of one that is done, whether it can be trusted, and why not. */
  update(answers = true): void {
    const worst = ['good', 'doubtful', 'bad'];
    const words = this.results.map((r) => (r.status === 'done' && r.trust ? r.trust : r.status));
    const level = Math.max(...words.map((w) => worst.indexOf(w)));
    const [first] = words;
    const lost = first === 'running' && !answers;
    this.status.textContent = lost ? 'not responding' : words.join(' | ');
    this.status.className = `status ${lost ? 'lost' : first === 'running' || level < 0 ? first : worst[level]}`;
    const reasons = this.results.flatMap((r) => r.reasons);
    this.status.title = lost
      ? 'the program has ended or hangs; sinew info shows what was recorded'
      : reasons.length ? reasons.join('\n') : level === 0 ? 'no rule is violated (sinew describe trust)' : '';
  }
}
