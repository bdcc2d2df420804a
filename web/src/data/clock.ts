// The time line. Rows of one time (load steps of statics) take a little of it too, so that they can be played.

import type { Result } from './result';

export class Clock {
  private at = new Float64Array(1); // of every row, growing

  constructor(private readonly result: Result) {
    this.read();
  }

  read(): void {
    const { time, rows } = this.result;
    const span = rows ? time[rows - 1] - time[0] : 0;
    const still = span > 0 ? span / 60 : 0.1;
    this.at = new Float64Array(Math.max(1, rows));
    for (let i = 1; i < rows; ++i) {
      const dt = time[i] - time[i - 1];
      const same = this.result.stage[i] !== this.result.stage[i - 1];
      this.at[i] = this.at[i - 1] + (dt > 0 ? dt : same ? 0 : still);
    }
  }

  get length(): number {
    return this.at[this.at.length - 1];
  }

  /** Place on the line of a row, which may lie between two. */
  ofRow(row: number): number {
    const i = Math.max(0, Math.min(this.at.length - 1, Math.floor(row)));
    const k = Math.min(this.at.length - 1, i + 1);
    return this.at[i] + (row - i) * (this.at[k] - this.at[i]);
  }

  rowAt(place: number): number {
    return search(this.at, place);
  }

  /** Time of a row. */
  time(row: number): number {
    const { time } = this.result;
    const i = Math.max(0, Math.min(time.length - 1, Math.floor(row)));
    const k = Math.min(time.length - 1, i + 1);
    return time.length ? time[i] + (row - i) * (time[k] - time[i]) : 0;
  }

  /** The first row (or place between two) of a time. */
  rowOfTime(t: number): number {
    return search(this.result.time, t);
  }

  /** So that the run takes about ten seconds. */
  pleasantSpeed(): number {
    if (this.length >= 1 && this.length <= 30) return 1;
    const wanted = this.length / 10;
    const speeds = Array.from({ length: 31 }, (_, k) => [1, 2, 5][((k % 3) + 3) % 3] * 10 ** (Math.floor(k / 3) - 5));
    return speeds.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best), 1);
  }
}

function search(list: Float64Array, x: number): number {
  let [low, high] = [0, list.length - 1];
  if (high < 0 || x <= list[0]) return 0;
  if (x >= list[high]) return high;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] <= x) low = middle;
    else high = middle;
  }
  const step = list[high] - list[low];
  return low + (step > 0 ? (x - list[low]) / step : 0);
}
