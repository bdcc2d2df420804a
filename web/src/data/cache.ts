// Rows of coordinates, fetched in blocks and kept as long as there is room: a result of any size needs the same memory.

import type { Source } from './source';

const blockBytes = 1 << 20;
const longestBlock = 256;
const mostBytes = 48 << 20; // of one result

export class Coordinates {
  private readonly blocks = new Map<number, Float32Array>(); // in the order of their last use
  private readonly pending = new Map<number, Promise<void>>();
  readonly rowsPerBlock: number;
  bytes = 0;

  constructor(
    private readonly source: Source,
    private readonly result: number,
    readonly width: number,
    public rows: number,
    private readonly onArrival: () => void,
  ) {
    this.rowsPerBlock = Math.max(1, Math.min(longestBlock, Math.floor(blockBytes / Math.max(1, 4 * width))));
  }

  /** A row if it is here; otherwise it is sent for. */
  row(index: number): Float32Array | undefined {
    const block = Math.floor(index / this.rowsPerBlock);
    const data = this.blocks.get(block);
    if (!data) {
      void this.fetch(block);
      return undefined;
    }
    this.blocks.delete(block);
    this.blocks.set(block, data);
    const at = (index - block * this.rowsPerBlock) * this.width;
    return at + this.width <= data.length ? data.subarray(at, at + this.width) : undefined;
  }

  async need(index: number): Promise<Float32Array> {
    await this.fetch(Math.floor(index / this.rowsPerBlock));
    const row = this.row(index);
    if (!row) throw new Error(`row ${index} is missing`);
    return row;
  }

  /** Send for the block after this row before it is needed. */
  ahead(index: number): void {
    const block = Math.floor(index / this.rowsPerBlock) + 1;
    if (block * this.rowsPerBlock < this.rows && this.pending.size < 3) void this.fetch(block);
  }

  /** The run has gone on: the last block may be longer now. */
  grow(rows: number): void {
    const last = Math.floor(Math.max(0, this.rows - 1) / this.rowsPerBlock);
    const data = this.blocks.get(last);
    if (data && rows > this.rows && data.length < this.rowsPerBlock * this.width) {
      this.blocks.delete(last);
      this.bytes -= data.byteLength;
    }
    this.rows = rows;
  }

  private fetch(block: number): Promise<void> {
    const first = block * this.rowsPerBlock;
    if (this.blocks.has(block) || first >= this.rows || first < 0) return Promise.resolve();
    const running = this.pending.get(block);
    if (running) return running;
    const count = Math.min(this.rowsPerBlock, this.rows - first);
    const work = this.source
      .coordinates(this.result, { first, count, stride: 1 })
      .then((data) => {
        this.blocks.set(block, data);
        this.bytes += data.byteLength;
        this.makeRoom(block);
        this.onArrival();
      })
      .finally(() => this.pending.delete(block));
    this.pending.set(block, work);
    return work;
  }

  private makeRoom(keep: number): void {
    for (const [block, data] of this.blocks) {
      if (this.bytes <= mostBytes) return;
      if (block === keep) continue;
      this.blocks.delete(block);
      this.bytes -= data.byteLength;
    }
  }
}
