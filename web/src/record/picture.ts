// The 3D view as a picture, with what a reader needs to know written on it.

import type { Clock } from '../data/clock';
import { quantities, readable, scaleColor } from '../scene/colors';
import type { Store } from '../state';
import type { View3D } from '../view3d';

export interface PictureOptions {
  caption: boolean; // title, time and color scale
}

/** Draw now and copy: with its caption, onto a canvas of the same size. */
export function drawPicture(view: View3D, store: Store, clock: Clock, options: PictureOptions, onto: HTMLCanvasElement): void {
  view.draw();
  const source = view.stage.canvas;
  [onto.width, onto.height] = [source.width, source.height];
  const context = onto.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.drawImage(source, 0, 0);
  if (options.caption) writeCaption(context, view, store, clock);
}

export async function pictureOf(view: View3D, store: Store, clock: Clock, options: PictureOptions): Promise<Blob> {
  const canvas = document.createElement('canvas');
  drawPicture(view, store, clock, options, canvas);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('cannot make the image'))), 'image/png'),
  );
}

function writeCaption(context: CanvasRenderingContext2D, view: View3D, store: Store, clock: Clock): void {
  const { state } = store;
  const unit = Math.max(0.75, Math.min(context.canvas.width / 960, context.canvas.height / 600));
  const ink = state.dark ? '#dfe6ee' : '#2b3640';
  context.textBaseline = 'top';
  context.fillStyle = ink;
  context.font = `600 ${15 * unit}px system-ui, sans-serif`;
  context.fillText(view.results[0].title, 16 * unit, 13 * unit);
  context.font = `${13 * unit}px system-ui, sans-serif`;
  const mode = state.mode ? `mode ${state.mode.number + 1}` : `t = ${readable(clock.time(state.row), 's')}`;
  context.fillText(mode, 16 * unit, 34 * unit);
  if (state.quantity !== 'none') writeScale(context, view, store, unit, ink);
}

function writeScale(context: CanvasRenderingContext2D, view: View3D, store: Store, unit: number, ink: string): void {
  const info = quantities[store.state.quantity];
  const [low, high] = view.ranges[store.state.quantity];
  const [w, h] = [190 * unit, 10 * unit];
  const x = context.canvas.width - w - 20 * unit;
  const y = context.canvas.height - 46 * unit;
  for (let i = 0; i < w; ++i) {
    context.fillStyle = `rgb(${scaleColor(info.signed, i / w).join()})`;
    context.fillRect(x + i, y, 1.5, h);
  }
  context.fillStyle = ink;
  context.font = `${12 * unit}px system-ui, sans-serif`;
  context.fillText(`${info.label}${info.unit ? ` [${info.unit}]` : ''}`, x, y - 18 * unit);
  context.fillText(readable(low), x, y + h + 4 * unit);
  context.textAlign = 'right';
  context.fillText(readable(high), x + w, y + h + 4 * unit);
  context.textAlign = 'left';
}
