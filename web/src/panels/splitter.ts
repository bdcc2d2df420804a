// The edge of a panel that can be dragged, or moved by the arrow keys.

import { h } from './dom';

export interface SplitterOptions {
  label: string;
  variable: string; // of the style of the page, its size in pixels
  panel: HTMLElement;
  root: HTMLElement;
  /** Where the panel lies: on the left or right of the view, or below it. */
  side: () => 'left' | 'right' | 'below';
}

const least = 160;

export function makeSplitter({ label, variable, panel, root, side }: SplitterOptions): HTMLElement {
  const lies = (): boolean => side() === 'below';
  const size = (): number => (lies() ? panel.clientHeight : panel.clientWidth);
  const most = (): number => (lies() ? root.clientHeight : root.clientWidth) * 0.7;
  const name = (): string => (lies() ? `${variable}-height` : variable);
  const set = (pixels: number): void => {
    root.style.setProperty(name(), `${Math.round(Math.max(Math.min(least, most()), Math.min(most(), pixels)))}px`);
    say();
  };
  const say = (): void => {
    splitter.setAttribute('aria-orientation', lies() ? 'horizontal' : 'vertical');
    splitter.setAttribute('aria-valuenow', String(Math.round((100 * size()) / Math.max(1, lies() ? root.clientHeight : root.clientWidth))));
  };
  const grows = (e: PointerEvent | KeyboardEvent, from: PointerEvent): number => {
    const by = lies() ? from.clientY - (e as PointerEvent).clientY : (e as PointerEvent).clientX - from.clientX;
    return side() === 'right' ? -by : by;
  };
  const splitter = h('div', { class: 'splitter', role: 'separator', tabindex: '0', 'aria-label': label, 'aria-valuemin': '0', 'aria-valuemax': '100', 'aria-valuenow': '30' }, {
    pointerdown: (down) => {
      const before = size();
      splitter.setPointerCapture(down.pointerId);
      const move = (e: PointerEvent): void => set(before + grows(e, down));
      const end = (): void => {
        splitter.removeEventListener('pointermove', move);
        splitter.classList.remove('on');
      };
      splitter.classList.add('on');
      splitter.addEventListener('pointermove', move);
      splitter.addEventListener('pointerup', end, { once: true });
      splitter.addEventListener('pointercancel', end, { once: true });
      down.preventDefault();
    },
    keydown: (e) => {
      const [less, more] = lies() ? ['ArrowDown', 'ArrowUp'] : side() === 'right' ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'];
      if (e.key !== less && e.key !== more) return;
      e.preventDefault();
      e.stopPropagation();
      set(size() + (e.key === more ? 24 : -24));
    },
    dblclick: () => {
      root.style.removeProperty(name());
      say();
    },
    focus: () => say(),
  });
  return splitter;
}
