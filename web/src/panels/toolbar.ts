// The bar at the top.

import type { Result } from '../data/result';
import type { Store } from '../state';
import { colorChoice, flagButton, layoutChoice, views, type DisplayActions } from './display';
import { button, h, icon } from './dom';

export interface ToolbarActions extends DisplayActions {
  panel(side: 'left' | 'right'): void;
  help(): void;
  copyLink(): void;
}

export class Toolbar {
  readonly element: HTMLElement;
  private readonly status = h('span', { class: 'status', role: 'status' });

  constructor(
    store: Store,
    private readonly results: Result[],
    actions: ToolbarActions,
  ) {
    this.element = h(
      'header',
      { class: 'bar' },
      {},
      button('Show or hide the tree', icon('left'), () => actions.panel('left'), { class: 'panel-toggle' }),
      h('strong', { class: 'brand' }, {}, 'Sinew'),
      h('h1', { title: results.map((r) => r.name).join(', ') }, {}, results[0].title),
      this.status,
      h('span', { class: 'space' }),
      // What does not fit on a phone is in the panel Display.
      h('label', { class: 'field wide' }, {}, h('span', {}, {}, 'Color'), colorChoice(store, results)),
      h('div', { class: 'buttons wide' }, {}, flagButton(store, 'Grid (G)', 'Grid', 'grid'), flagButton(store, 'Element edges (M)', 'Mesh', 'mesh'), flagButton(store, 'Joints, forces, points (J)', 'Symbols', 'symbols')),
      h('div', { class: 'buttons wide' }, {}, ...views.map(([v, text]) => button(`View: ${text}`, text, () => actions.look(v)))),
      results.length > 1 ? h('span', { class: 'wide' }, {}, layoutChoice(store)) : null,
      button('Save as image', 'PNG', () => actions.picture(), { class: 'save wide' }),
      button('Fit to window (F)', icon('fit'), () => actions.fit()),
      button('Copy the link to this view (C)', icon('link'), () => actions.copyLink(), { class: 'copy-link' }),
      button('Light or dark theme (D)', icon('sun'), () => store.set({ dark: !store.state.dark })),
      button('Keys (?)', '?', () => actions.help(), { class: 'help-button' }),
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
