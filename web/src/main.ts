// Where the page starts: results from the program or from the report it is part of.

import 'uplot/dist/uPlot.min.css';
import './style.css';
import { App } from './app';
import { Result } from './data/result';
import { findSource, type Listed, type Source } from './data/source';
import { textOf } from './data/tree';
import { csvText, svgText } from './panels/plot_export';
import { h } from './panels/dom';
import { render, renderFailed } from './record/render';
import { scaleColor } from './scene/colors';

declare global {
  interface Window {
    sinew?: { app: App; csvText: typeof csvText; svgText: typeof svgText; scaleColor: typeof scaleColor };
  }
}

const wanted = new URLSearchParams(location.search);

async function start(root: HTMLElement): Promise<void> {
  root.replaceChildren(h('p', { class: 'loading' }, {}, 'Loading…'));
  const source = findSource();
  let app: App | undefined;
  const listed = await firstRows(source);
  const results = listed.map((l, i) => new Result(source, i, l, () => app?.view.redraw()));
  await Promise.all(results.map((r) => r.open()));
  if (wanted.has('render')) return render(wanted, results);
  document.title = `${results[0].title} – Sinew`;
  app = new App(root, source, results);
  await app.start();
  window.sinew = { app, csvText, svgText, scaleColor };
  document.documentElement.dataset['ready'] = 'yes';
}

/** The results, once they have something to show: a run that has just begun has nothing. */
async function firstRows(source: Source): Promise<Listed[]> {
  for (;;) {
    const listed = await source.results();
    const waits = (l: Listed): boolean => !l.tree || (textOf(l.tree, 'status') === 'running' && (l.tree.datasets['time']?.shape?.[0] ?? 0) < 2);
    if (!source.live || !listed.some(waits)) return listed;
    await new Promise((r) => setTimeout(r, 300));
  }
}

const root = document.getElementById('app');
if (root)
  start(root).catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    root.replaceChildren(h('p', { class: 'loading' }, {}, `This result cannot be shown: ${text}`));
    document.documentElement.dataset['failed'] = text;
    if (wanted.has('render')) void renderFailed(text);
  });
