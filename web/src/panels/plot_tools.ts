// The controls of a plot.

import { hasCampbell, speedOf } from './campbell';
import { forms, type Form } from './curves';
import { button, choice, h, icon } from './dom';
import type { Plot } from './plot';

export function makePlotTools(plot: Plot, actions: { remove(): void }): { element: HTMLElement; update(): void } {
  const { results, view } = plot;
  const all = [...results[0].series.keys()];
  const add = choice('Add a series', [['', '+ series'], ...all.map((n): [string, string] => [n, n])], '', (v) => {
    add.value = '';
    if (v && !plot.names.includes(v)) plot.change({ names: [...plot.names, v] });
  }, { class: 'add-series' });
  const x = choice('Horizontal axis', [['t', 'over time'], ...all.map((n): [string, string] => [n, `over ${n}`])], view.x, (v) => plot.change({ x: v }), { class: 'x-axis' });
  const form = choice('What is plotted', forms.filter(([f]) => f !== 'campbell' || hasCampbell(results)), view.form, (v) => plot.change({ form: v as Form, span: undefined, ...(v === 'campbell' && view.x === 't' ? { x: speedOf(results[0]) } : {}) }), { class: 'form' });
  const span = h('input', { type: 'number', class: 'span', min: '0', step: 'any', 'aria-label': 'Window or period in seconds', title: 'Window of the mean, or period of the section [s]' }, {
    change: () => Number(span.value) > 0 && plot.change({ span: Number(span.value) }),
  });
  const toggle = (label: string, text: string, key: 'logX' | 'logY' | 'delta'): HTMLButtonElement => button(label, text, () => plot.change({ [key]: !view[key] }), { class: key });
  const logX = toggle('Logarithmic horizontal axis', 'log x', 'logX');
  const logY = toggle('Logarithmic vertical axis', 'log y', 'logY');
  const delta = toggle('Difference of the two results', 'A−B', 'delta');
  const save = choice('Export', [['', 'Export'], ['png', 'PNG'], ['svg', 'SVG'], ['csv', 'CSV']], '', (v) => {
    save.value = '';
    plot.export(v);
  }, { class: 'export' });
  const element = h('div', { class: 'plot-tools' }, {}, add, x, form, span, logX, logY, results.length > 1 ? delta : null,
    button('See all of the curves', icon('fit'), () => plot.fit(), { class: 'fit' }), save,
    button('Close this plot', icon('close'), () => actions.remove(), { class: 'plain' }));
  const update = (): void => {
    x.value = view.x;
    form.value = view.form;
    x.hidden = view.form !== 'plain' && view.form !== 'mean' && view.form !== 'campbell';
    add.hidden = view.form === 'campbell';
    delta.hidden = view.form === 'phase' || view.form === 'section' || view.form === 'campbell';
    span.hidden = view.form !== 'mean' && view.form !== 'section';
    span.value = String(view.span ?? (plot.span || ''));
    for (const [b, key] of [[logX, 'logX'], [logY, 'logY'], [delta, 'delta']] as const) {
      b.classList.toggle('on', view[key]);
      b.setAttribute('aria-pressed', String(view[key]));
    }
  };
  update();
  return { element, update };
}
