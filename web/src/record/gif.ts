// Animated GIF: one palette for all pictures, LZW, unchanged pixels left out.

/** A palette of at most 255 colors that fits the pixels given (RGBA), by splitting the widest box at its median. */
export function makePalette(pixels: Uint8ClampedArray): Uint8Array {
  const counts = new Map<number, number>();
  for (let i = 0; i < pixels.length; i += 4) {
    const key = ((pixels[i] >> 2) << 12) | ((pixels[i + 1] >> 2) << 6) | (pixels[i + 2] >> 2);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  type Entry = { c: number[]; n: number };
  const entries: Entry[] = [...counts].map(([k, n]) => ({ c: [(k >> 12) << 2, ((k >> 6) & 63) << 2, (k & 63) << 2], n }));
  const boxes: Entry[][] = [entries];
  const spread = (box: Entry[]): [number, number] => {
    let best: [number, number] = [0, 0];
    for (let k = 0; k < 3; ++k) {
      let [low, high] = [255, 0];
      for (const e of box) [low, high] = [Math.min(low, e.c[k]), Math.max(high, e.c[k])];
      if (high - low > best[1]) best = [k, high - low];
    }
    return best;
  };
  while (boxes.length < 255) {
    const ranked = boxes.map((box, i) => ({ i, s: spread(box), w: Math.sqrt(box.reduce((sum, e) => sum + e.n, 0)) }));
    const widest = ranked.reduce((a, b) => (b.s[1] * b.w > a.s[1] * a.w ? b : a));
    if (widest.s[1] === 0) break;
    const box = boxes[widest.i].sort((a, b) => a.c[widest.s[0]] - b.c[widest.s[0]]);
    const half = box.reduce((sum, e) => sum + e.n, 0) / 2;
    let [at, sum] = [0, 0];
    while (at < box.length - 1 && sum + box[at].n <= half) sum += box[at++].n;
    boxes.splice(widest.i, 1, box.slice(0, Math.max(1, at)), box.slice(Math.max(1, at)));
  }
  const palette = new Uint8Array(256 * 3);
  boxes.forEach((box, i) => {
    const total = box.reduce((sum, e) => sum + e.n, 0) || 1;
    for (let k = 0; k < 3; ++k) palette[3 * i + k] = Math.min(255, Math.round(box.reduce((s, e) => s + e.c[k] * e.n, 0) / total) + 2);
  });
  return palette;
}

export class GifEncoder {
  private readonly bytes: number[] = [];
  private readonly nearest = new Map<number, number>();
  private before?: Uint8Array;

  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly palette: Uint8Array,
  ) {
    this.text('GIF89a');
    this.word(width);
    this.word(height);
    this.bytes.push(0xf7, 0, 0, ...palette);
    this.bytes.push(0x21, 0xff, 11);
    this.text('NETSCAPE2.0');
    this.bytes.push(3, 1, 0, 0, 0); // for ever
  }

  private text(s: string): void {
    for (const c of s) this.bytes.push(c.charCodeAt(0));
  }

  private word(x: number): void {
    this.bytes.push(x & 255, x >> 8);
  }

  private index(r: number, g: number, b: number): number {
    const key = ((r >> 1) << 14) | ((g >> 1) << 7) | (b >> 1);
    const known = this.nearest.get(key);
    if (known !== undefined) return known;
    let [best, least] = [0, Infinity];
    for (let i = 0; i < 255; ++i) {
      const d = 2 * (this.palette[3 * i] - r) ** 2 + 4 * (this.palette[3 * i + 1] - g) ** 2 + 3 * (this.palette[3 * i + 2] - b) ** 2;
      if (d < least) [best, least] = [i, d];
    }
    this.nearest.set(key, best);
    return best;
  }

  /** delay: hundredths of a second. */
  add(pixels: Uint8ClampedArray, delay: number): void {
    const n = this.width * this.height;
    const now = new Uint8Array(n);
    for (let i = 0; i < n; ++i) now[i] = this.index(pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2]);
    const shown = this.before ? now.map((v, i) => (this.before?.[i] === v ? 255 : v)) : now; // 255: as before
    this.before = now;
    this.bytes.push(0x21, 0xf9, 4, 0x05);
    this.word(delay);
    this.bytes.push(255, 0, 0x2c);
    for (const v of [0, 0, this.width, this.height]) this.word(v);
    this.bytes.push(0, 8);
    this.compress(shown);
  }

  /** LZW with codes of 9 to 12 bits, in blocks of at most 255 bytes. */
  private compress(data: Uint8Array): void {
    const block: number[] = [];
    let [buffer, bits, size] = [0, 0, 9];
    const flush = (): void => {
      this.bytes.push(block.length, ...block);
      block.length = 0;
    };
    const emit = (code: number): void => {
      buffer |= code << bits;
      bits += size;
      while (bits >= 8) {
        block.push(buffer & 255);
        buffer >>>= 8;
        bits -= 8;
        if (block.length === 255) flush();
      }
    };
    let table = new Map<number, number>();
    let next = 258;
    emit(256);
    let prefix = data[0];
    for (let i = 1; i < data.length; ++i) {
      const key = (prefix << 8) | data[i];
      const known = table.get(key);
      if (known !== undefined) {
        prefix = known;
        continue;
      }
      emit(prefix);
      if (next < 4096) {
        table.set(key, next++);
        if (next - 1 === 1 << size && size < 12) ++size;
      } else {
        emit(256);
        table = new Map();
        [next, size] = [258, 9];
      }
      prefix = data[i];
    }
    emit(prefix);
    emit(257);
    if (bits > 0) block.push(buffer & 255);
    if (block.length) flush();
    this.bytes.push(0);
  }

  finish(): Blob {
    this.bytes.push(0x3b);
    return new Blob([Uint8Array.from(this.bytes)], { type: 'image/gif' });
  }
}
