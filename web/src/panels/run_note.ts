// How a run goes on while it is computed, and how and why it ended.

import type { Result } from '../data/result';
import { numberOf, textOf } from '../data/tree';
import { readable } from '../scene/colors';
import { button, h, icon } from './dom';

const quietFor = 30; // seconds without a new row after which the page says so

export class RunNote {
  readonly element = h('div', { class: 'run-note', hidden: true });
  private readonly text = h('span', { role: 'status' });
  private readonly bar = h('progress', { max: '1', 'aria-label': 'Progress of the run' });
  private grown = performance.now();
  private rows = 0;

  constructor(private readonly result: Result) {
    this.element.append(this.bar, this.text, button('Close this message', icon('close'), () => (this.element.hidden = true), { class: 'plain' }));
    if (!['done', 'running', ''].includes(result.status)) this.over();
  }

  private say(text: string, kind: string, share?: number): void {
    this.element.hidden = false;
    this.element.className = `run-note ${kind}`;
    this.text.textContent = text;
    this.bar.hidden = share === undefined;
    if (share !== undefined) this.bar.value = share;
  }

  /** Rows have been read, or the run is over. */
  async update(steps?: number): Promise<void> {
    const { result } = this;
    if (result.status !== 'running') return this.over();
    if (result.rows !== this.rows) [this.rows, this.grown] = [result.rows, performance.now()];
    const silent = (performance.now() - this.grown) / 1000;
    const parts = [this.progress().text];
    if (steps !== undefined) parts.push(`${steps} steps`);
    const error = (await result.column('energy.error'))?.value.at(-1);
    if (error !== undefined && Number.isFinite(error)) parts.push(`energy error ${readable(error, 'J')}`);
    if (silent > quietFor) parts.push(`no new row for ${silent.toFixed(0)} s: the program that writes this result is busy or has ended`);
    this.say(parts.join(' · '), silent > quietFor ? 'doubt' : '', this.progress().share);
  }

  /** Of time, or of the load where time stands still. */
  private progress(): { text: string; share: number } {
    const { result } = this;
    const settings = result.group('settings');
    const [begin, end, t] = [numberOf(settings, 'start'), numberOf(settings, 'end', NaN), result.time.at(-1) ?? 0];
    const share = end > begin ? (t - begin) / (end - begin) : (result.load.at(-1) ?? 0);
    const of = end > begin ? `t = ${readable(t)} of ${readable(end, 's')}` : `load ${(100 * share).toFixed(0)} %`;
    return { text: `${of}${end > begin ? ` (${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %)` : ''}`, share: Math.max(0, Math.min(1, share)) };
  }

  private over(): void {
    const { result } = this;
    const at = readable(result.time.at(-1) ?? 0, 's');
    const message = textOf(result.tree, 'message');
    const why = message ? `: ${message}` : '.';
    if (result.status === 'failed') this.say(`The run failed at t = ${at}${why}`, 'bad');
    else if (result.status === 'interrupted') this.say(`The run was interrupted at t = ${at}${why}`, 'bad');
    else this.say(`The run is done${result.trust ? `; its verdict is ${result.trust}` : ''}.`, result.trust);
  }

  /** The program does not answer any more. */
  lost(): void {
    const at = readable(this.result.time.at(-1) ?? 0, 's');
    this.say(`The program does not respond: it has been ended from outside, or this computer was disconnected. Shown is what it computed until t = ${at}; "sinew info ${this.result.name}" tells what is in the file.`, 'bad');
  }
}
