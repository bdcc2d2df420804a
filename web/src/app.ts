// The page: panels around the 3D view, tied together by the state.

import { Clock } from './data/clock';
import type { Result } from './data/result';
import type { Source } from './data/source';
import { Display, type DisplayActions } from './panels/display';
import { fragmentOf, keptOf, viewOf, type SavedView } from './data/view_link';
import { h, saveFile } from './panels/dom';
import { keyTable, makeHelp, watchKeys } from './panels/keys';
import { Overlay } from './panels/overlay';
import { Plots } from './panels/plots';
import { RunNote } from './panels/run_note';
import { makeSplitter } from './panels/splitter';
import { makeModelText, makeSummary } from './panels/summary';
import { Timeline } from './panels/timeline';
import { Toolbar } from './panels/toolbar';
import { Tree } from './panels/tree';
import { Player } from './player';
import { plainState, Store } from './state';
import { quantitiesOf } from './scene/colors';
import { View3D } from './view3d';
import { pictureOf } from './record/picture';

const below = matchMedia('(max-width: 900px) and (orientation: portrait)'); // plots are under the view: see style.css

export class App {
  readonly store: Store;
  readonly clock: Clock;
  readonly view: View3D;
  readonly player: Player;
  plots!: Plots;
  private toolbar!: Toolbar;
  private timeline!: Timeline;
  private overlay!: Overlay;
  private run!: RunNote;
  private help!: HTMLDialogElement;
  private tab = 0; // open on the left
  private readonly canvas = h('canvas', { class: 'stage', tabindex: '0', 'aria-label': '3D view: drag to rotate, right drag to pan, wheel to zoom' });
  private readonly left = h('aside', { class: 'left', 'aria-label': 'Model' });

  constructor(
    private readonly root: HTMLElement,
    private readonly source: Source,
    readonly results: Result[],
  ) {
    const [main] = results;
    this.clock = new Clock(main);
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'; // plots take their colors from it
    this.store = new Store({
      row: 0, playing: false, speed: this.clock.pleasantSpeed(), loop: true, quantity: 'none', selection: null, follow: null,
      mode: null, layout: 'overlay', dark, grid: true, mesh: false, symbols: true, ...plainState,
    });
    this.view = new View3D(this.canvas, results, this.clock, this.store);
    this.player = new Player(this.store, this.clock, () => this.view.draw());
  }

  async start(): Promise<void> {
    const { store, view, clock, results } = this;
    const [main] = results;
    await view.load();
    const firstPoint = main.outputs.find((o) => o.kind === 'point');
    if (firstPoint) await view.showTrail(firstPoint.name, true);
    const help = (): void => this.help.showModal();
    this.toolbar = new Toolbar(store, results, {
      ...this.displayActions,
      panel: (side) => this.root.classList.toggle(`no-${side}`),
      help,
      copyLink: () => void this.copyLink(),
    });
    this.timeline = new Timeline(store, clock, main);
    this.plots = new Plots(store, results, {
      time: () => clock.time(store.state.row),
      row: () => Math.min(store.state.row, main.rows - 1),
      seekRow: (row) => store.set({ playing: false, mode: null, row }),
      seek: (t) => store.set({ playing: false, mode: null, row: clock.rowOfTime(t) }),
    });
    this.overlay = new Overlay(store, view, () => this.player.fps);
    view.onDrawn = () => this.overlay.update();
    this.run = new RunNote(main);
    const center = h('main', { class: 'center' }, {}, this.canvas, this.overlay.element, this.run.element);
    this.root.className = 'app';
    const table = keyTable(store, this.timeline, view, { help, copyLink: () => void this.copyLink(), keepView: () => this.keepView() });
    this.help = makeHelp(table);
    this.root.replaceChildren(this.toolbar.element, this.left, center, this.plots.element, this.timeline.element, this.help);
    if (innerWidth <= 900) this.root.classList.add('no-left');
    this.plots.element.prepend(makeSplitter({ label: 'Size of the plots', variable: '--plots', panel: this.plots.element, root: this.root, side: () => (below.matches ? 'below' : 'right') }));
    await this.fillLeft();
    this.theme();
    view.stage.look(main.planar ? 'front' : 'iso');
    new ResizeObserver(() => this.fitCanvas(center)).observe(center);
    this.fitCanvas(center);
    view.stage.look(main.planar ? 'front' : 'iso');
    store.on((changed) => changed.has('dark') && this.theme());
    watchKeys(table);
    await this.openLink();
    addEventListener('hashchange', () => void this.openLink());
    view.draw();
    if (main.status !== 'running' || !this.source.live) return;
    store.set({ row: Math.max(0, main.rows - 1) });
    this.watch();
  }

  private fitCanvas(center: HTMLElement): void {
    const ratio = this.view.stage.software ? 1 : Math.min(2, devicePixelRatio);
    this.view.stage.resize(center.clientWidth, center.clientHeight, ratio);
    this.view.draw();
  }

  private async fillLeft(): Promise<void> {
    const { store, view, results } = this;
    const [main] = results;
    const tree = new Tree(store, main, {
      follow: (body) => store.set({ follow: store.state.follow === body ? null : body }),
      trail: (output) => {
        const shown = view.trails.includes(output);
        void view.showTrail(output, !shown);
        return !shown;
      },
      hasTrail: (output) => view.trails.includes(output),
      plot: (output) => this.plots.showOutput(output),
      color: (body) => view.scenes[0].looks.color(view.scenes[0].poser.ids.get(body) ?? 0),
      mode: (stage, number) => {
        const same = store.state.mode?.stage === stage && store.state.mode.number === number;
        store.set({ mode: same ? null : { stage, number }, playing: false });
      },
    });
    const panels: [string, HTMLElement][] = [
      ['Tree', tree.element],
      ['Summary', h('div', { class: 'pages' }, {}, ...(await Promise.all(results.map(makeSummary))))],
      ['Model', makeModelText(main)],
      ['Display', new Display(store, results, this.displayActions).element],
    ];
    const tabs = h('div', { class: 'tabs', role: 'tablist' });
    const body = h('div', { class: 'tab-body', role: 'tabpanel', tabindex: '0', 'aria-label': 'Chosen panel' });
    const open = (i: number): void => {
      this.tab = i;
      body.replaceChildren(panels[i][1]);
      [...tabs.children].forEach((t, k) => {
        t.classList.toggle('on', k === i);
        t.setAttribute('aria-selected', String(k === i));
        t.setAttribute('tabindex', k === i ? '0' : '-1');
      });
    };
    const arrows = (e: KeyboardEvent, i: number): void => {
      const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
      if (!by) return;
      e.stopPropagation();
      const next = (i + by + panels.length) % panels.length;
      open(next);
      (tabs.children[next] as HTMLElement).focus();
    };
    panels.forEach(([title], i) => tabs.append(h('button', { type: 'button', role: 'tab' }, { click: () => open(i), keydown: (e) => arrows(e, i) }, title)));
    const edge = makeSplitter({ label: 'Size of the panel of the model', variable: '--left', panel: this.left, root: this.root, side: () => 'left' });
    this.left.replaceChildren(tabs, body, edge);
    open(this.tab);
  }

  private get displayActions(): DisplayActions {
    const { view } = this;
    return {
      look: (v) => (view.stage.look(v), view.redraw()),
      fit: () => (view.stage.fit(), view.redraw()),
      picture: () => void this.savePicture(),
      keepView: () => this.keepView(),
    };
  }

  private keepView(): void {
    this.view.keepView();
    const { path } = this.store.state;
    this.overlay.say(`The camera path has ${path.length} ${path.length > 1 ? 'views; P flies along it' : 'view; go to another time and add the next'}.`);
  }

  // ---- links ----

  /** What is seen now. */
  savedView(): SavedView {
    const { store, view, clock, results } = this;
    const { camera, controls } = view.stage;
    return {
      state: keptOf(store.state), row: store.state.row, rows: results[0].rows, time: clock.time(store.state.row),
      eye: camera.position.toArray(), target: controls.target.toArray(), trails: view.trails, plots: this.plots.saved,
      closed: ['no-left', 'no-right'].filter((c) => this.root.classList.contains(c)),
    };
  }

  private async copyLink(): Promise<void> {
    history.replaceState(null, '', fragmentOf(this.savedView()));
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    this.overlay.say(copied ? 'The link to this view is copied.' : 'The link to this view is in the address bar.');
  }

  /** Show what the fragment of the address asks for, if it does. */
  private async openLink(): Promise<void> {
    const saved = viewOf(location.hash);
    if (!saved) return;
    const { store, view, clock, results } = this;
    for (const side of ['no-left', 'no-right']) this.root.classList.toggle(side, saved.closed.includes(side));
    const { state } = saved;
    if (state.quantity && !quantitiesOf(results).includes(state.quantity)) state.quantity = 'none'; // the link of another result
    if (state.mode && !results[0].modes.some((m) => m.stage === state.mode?.stage && state.mode.number < m.count)) state.mode = null;
    store.set({ ...state, playing: false, row: saved.rows === results[0].rows ? saved.row : clock.rowOfTime(saved.time) });
    for (const name of new Set([...view.trails, ...saved.trails])) await view.showTrail(name, saved.trails.includes(name));
    this.plots.restore(saved.plots);
    view.stage.place(saved.eye, saved.target);
    await this.fillLeft();
    view.redraw();
  }

  theme(): void {
    const { dark } = this.store.state;
    document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
    this.view.background.set(dark ? '#171c22' : '#f4f6f8');
    this.view.stage.theme(dark);
    this.view.redraw();
  }

  async savePicture(): Promise<void> {
    const blob = await pictureOf(this.view, this.store, this.clock, { caption: true });
    saveFile(`${this.results[0].name.replace(/\.\w+$/, '')}.png`, blob);
  }

  /** A run that goes on: ask once a second, and show its end unless someone looks at something else. */
  private watch(): void {
    const [main] = this.results;
    const ask = async (): Promise<void> => {
      const atEnd = this.store.state.row >= main.rows - 2 && !this.store.state.playing;
      const [state] = await this.source.state();
      if (state && (state.rows > main.rows || state.status !== main.status)) {
        await main.grow(state.rows, state.status);
        this.clock.read();
        if (state.status !== 'running') await this.ended();
        this.plots.reload();
        await this.view.grown();
        if (atEnd) this.store.set({ row: Math.max(0, main.rows - 1) });
        this.timeline.update();
        this.view.redraw();
      }
      this.toolbar.update();
      await this.run.update(state?.steps);
    };
    const lost = (): void => {
      this.toolbar.update(false);
      this.run.lost();
    };
    const again = (): void => {
      if (main.status === 'running') setTimeout(() => void ask().catch(lost).then(again), 1000);
    };
    void this.run.update();
    again();
  }

  /** What a run says only when it is over: verdict, statistics, message. */
  private async ended(): Promise<void> {
    const listed = await this.source.results();
    this.results.forEach((r, i) => (r.tree = listed[i]?.tree ?? r.tree));
    await this.fillLeft();
  }
}
