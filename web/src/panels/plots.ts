// The column of plots, and the audits one click away.

import type { Result } from '../data/result';
import type { Store } from '../state';
import { button, h } from './dom';
import type { PlotView } from './curves';
import { Plot, type PlotActions, type Zoom } from './plot';

/** A plot in a link to a view. */
export type SavedPlot = PlotView & { zoom?: Zoom };

// Besides those of every run: where they are not zero, without them the sum of the others is not the total.
const otherEnergies = ['spring', 'contact', 'applied_work', 'driver_work', 'damping_work', 'friction_work'].map((n) => `energy.${n}`);
const audits: Record<string, string[]> = {
  Energy: ['energy.kinetic', 'energy.strain', 'energy.gravity', 'energy.total'],
  'Energy error': ['energy.error'],
  Constraints: ['constraint.position', 'constraint.velocity'],
  Step: ['step'],
};

export class Plots {
  readonly element = h('aside', { class: 'plots', 'aria-label': 'Plots' });
  readonly plots: Plot[] = [];
  private readonly list = h('div', { class: 'plot-list' });
  private due = false;

  constructor(
    private readonly store: Store,
    private readonly results: Result[],
    private readonly actions: Pick<PlotActions, 'time' | 'seek' | 'row' | 'seekRow'>,
  ) {
    const bar = h('div', { class: 'audits' });
    for (const [title, names] of Object.entries(audits)) bar.append(button(`Plot: ${title}`, title, () => this.add(names, true)));
    const first = results[0].outputs[0];
    bar.append(button('New plot', '+ Plot', () => this.add(first ? [`${first.name}.${first.columns[0]}`] : ['energy.total'], false)));
    this.element.append(bar, this.list);
    for (const names of this.atFirst()) this.add(names, true);
    store.on((changed) => {
      if (changed.has('row')) this.later();
      if (changed.has('dark')) requestAnimationFrame(() => this.plots.forEach((p) => p.themed()));
      if (changed.has('selection')) this.showSelection();
    });
  }

  /** The first output and the energies. */
  private atFirst(): string[][] {
    const first = this.results[0].outputs.find((o) => o.kind === 'point') ?? this.results[0].outputs[0];
    const shown = first?.columns.filter((_, k) => first.units[k] === first.units[0]).slice(0, 3) ?? [];
    return [...(first ? [shown.map((c) => `${first.name}.${c}`)] : []), audits['Energy']];
  }

  private later(): void {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.plots.forEach((p) => p.update());
    });
  }

  /** once: if there is such a plot, show that one. */
  add(names: string[], once: boolean): Plot | undefined {
    const known = this.results[0].series;
    const shown = names.filter((n) => known.has(n));
    if (!shown.length) return undefined;
    const same = once ? this.plots.find((p) => p.names.slice(0, shown.length).join() === shown.join()) : undefined;
    if (same) {
      this.flash(same);
      return same;
    }
    const plot = this.make({ names: shown });
    if (names === audits['Energy']) void this.addEnergies(plot);
    if (this.plots.length > 2) this.flash(plot);
    return plot;
  }

  private async addEnergies(plot: Plot): Promise<void> {
    const columns = await Promise.all(otherEnergies.map((n) => this.results[0].column(n)));
    const some = otherEnergies.filter((_, k) => columns[k]?.value.some((v) => v !== 0));
    if (some.length) plot.change({ names: [...plot.names, ...some] });
  }

  /** Time; where it stands still the load, as in statics. */
  private get over(): string {
    const [{ time, rows, series }] = this.results;
    return rows > 1 && time[rows - 1] === time[0] && series.has('load') ? 'load' : 't';
  }

  private make(view: Partial<SavedPlot> & { names: string[] }): Plot {
    const { zoom, ...rest } = view;
    const plot = new Plot(this.results, { x: this.over, ...rest }, {
      ...this.actions,
      remove: (p) => this.remove(p),
      changed: () => this.element.dispatchEvent(new Event('plotted')),
    }, zoom);
    this.plots.push(plot);
    this.list.append(plot.element);
    return plot;
  }

  get saved(): SavedPlot[] {
    return this.plots.map((p) => ({ ...p.view, zoom: p.zoom() }));
  }

  /** The plots of a link, in place of those that are there. */
  restore(saved: SavedPlot[]): void {
    for (const p of [...this.plots]) this.remove(p);
    for (const view of saved) this.make(view);
  }

  private flash(plot: Plot): void {
    plot.element.scrollIntoView({ block: 'nearest' });
    plot.element.classList.remove('flash');
    void plot.element.offsetWidth;
    plot.element.classList.add('flash');
  }

  /** An output: its plot. Anything else: the plots of outputs that are about it. */
  private showSelection(): void {
    const { selection } = this.store.state;
    if (selection?.kind === 'output') return this.showOutput(selection.name);
    if (!selection) return;
    const about = this.results[0].outputs.filter((o) => o.of === selection.name || o.of.startsWith(`${selection.name}.`));
    for (const plot of this.plots) if (about.some((o) => plot.names.some((n) => n.startsWith(`${o.name}.`)))) this.flash(plot);
  }

  /** Choosing an output shows a plot that has it, or makes one. */
  showOutput(name: string): void {
    const having = this.plots.find((p) => p.names.some((n) => n.startsWith(`${name}.`)));
    if (having) {
      this.flash(having);
      return;
    }
    const output = this.results[0].outputs.find((o) => o.name === name);
    if (!output) return;
    const unit = output.units[0];
    this.add(output.columns.filter((_, k) => output.units[k] === unit).slice(0, 3).map((c) => `${name}.${c}`), true);
  }

  remove(plot: Plot): void {
    const i = this.plots.indexOf(plot);
    if (i >= 0) this.plots.splice(i, 1);
    plot.dispose();
  }

  reload(): void {
    for (const p of this.plots) void p.build();
  }
}
