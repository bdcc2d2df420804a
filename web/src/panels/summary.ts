// What the run was: model, integrator, settings, cost, warnings; and the text of the model.

import type { Result } from '../data/result';
import { readable } from '../scene/colors';
import { numberOf, textOf, type Value } from '../data/tree';
import { h } from './dom';

function table(title: string, rows: [string, string][]): HTMLElement | string {
  const kept = rows.filter(([, value]) => value !== '');
  if (!kept.length) return '';
  const body = h('tbody');
  for (const [name, value] of kept) body.append(h('tr', {}, {}, h('th', { scope: 'row' }, {}, name), h('td', {}, {}, value)));
  return h('section', {}, {}, h('h3', {}, {}, title), h('table', {}, {}, body));
}

function show(value: Value): string {
  if (typeof value === 'number') return readable(value);
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(show).join(', ') : '–';
}

export async function makeSummary(result: Result): Promise<HTMLElement> {
  const root = result.tree;
  const stats = result.group('statistics');
  const rest = (g: { attributes: Record<string, Value> }, skip: string[] = []): [string, string][] =>
    Object.entries(g.attributes).filter(([k]) => !skip.includes(k)).map(([k, v]) => [k.replace(/_/g, ' '), show(v)]);
  const panel = h('div', { class: 'summary' });
  const message = textOf(root, 'message');
  const notes = textOf(stats, 'notes').trim();
  if (message) panel.append(h('p', { class: 'warning' }, {}, message));
  for (const reason of result.reasons) panel.append(h('p', { class: 'warning' }, {}, reason));
  for (const note of notes.split('\n').filter(Boolean)) panel.append(h('p', { class: 'remark' }, {}, note));
  panel.append(
    table('Run', [
      ['title', textOf(root, 'title')],
      ['file', result.name],
      ['status', result.status],
      ['analysis', textOf(root, 'analysis')],
      ['integrator', textOf(root, 'integrator')],
      ['rows', String(result.rows)],
      ['time', result.rows ? `${readable(result.time[0])} to ${readable(result.time[result.rows - 1], 's')}` : ''],
      ['coordinates', String(result.coordinates.width)],
      ['written', `${textOf(root, 'created')} by sinew ${textOf(root, 'sinew_version')}`],
    ]),
    table('Verdict', await audit(result)),
    table('Cost', [
      ['steps', `${numberOf(stats, 'steps')} (${numberOf(stats, 'error_rejections') + numberOf(stats, 'newton_rejections')} repeated)`],
      ['iterations', String(numberOf(stats, 'iterations'))],
      ['matrices', String(numberOf(stats, 'jacobians'))],
      ['step', `${readable(numberOf(stats, 'smallest_step'))} to ${readable(numberOf(stats, 'largest_step'), 's')}`],
      ['CPU', readable(numberOf(stats, 'cpu'), 's')],
      ['wall', readable(numberOf(stats, 'wall'), 's')],
    ]),
    table('Parameters', rest(result.group('parameters'))),
    table('Settings', rest(result.group('settings'))),
  );
  return panel;
}

async function audit(result: Result): Promise<[string, string][]> {
  const largest = async (name: string): Promise<number> => {
    const column = await result.column(name);
    return column ? column.value.reduce((most, v) => Math.max(most, Math.abs(v)), 0) : NaN;
  };
  const [error, kinetic] = [await largest('energy.error'), await largest('energy.kinetic')];
  const relative = kinetic > 0 ? ` (${readable((100 * error) / kinetic)} % of the kinetic energy)` : '';
  return [
    ['verdict', result.trust],
    ['energy error', `${readable(error, 'J')}${relative}`],
    ['position drift', readable(await largest('constraint.position'), 'm')],
    ['velocity drift', readable(await largest('constraint.velocity'), 'm/s')],
  ];
}

export function makeModelText(result: Result): HTMLElement {
  const text = result.tree.datasets['model']?.text ?? '';
  const code = h('pre', { class: 'model', tabindex: '0', 'aria-label': 'Model file' });
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const comment = /(^|\s)#.*$/.exec(line);
    const plain = comment ? line.slice(0, comment.index) : line;
    const key = /^(\s*(?:- )?[\w-]+)(:.*)?$/.exec(plain);
    const row = h('span', { class: 'line' });
    if (key?.[2] !== undefined) row.append(h('b', {}, {}, key[1]), key[2]);
    else row.append(plain);
    if (comment) row.append(h('i', {}, {}, line.slice(comment.index)));
    code.append(row, '\n');
  }
  return code;
}
