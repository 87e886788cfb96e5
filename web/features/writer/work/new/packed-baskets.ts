import type { BasketResult, BasketTask, PageForm } from '../../../../core/basket-packer';

/** Makes baskets, in workers if there are some: see `EngineApi.makeBaskets`. */
export type MakeBaskets = (task: BasketTask) => Promise<BasketResult>;

/** A basket, or a page of an RNTuple, before compression. */
export interface PlainBasket {
  /** The record of the basket, or the values of the page. */
  record: Uint8Array;
  page?: PageForm | undefined;
  /** Appends its compressed record to the file. */
  append(record: Uint8Array<ArrayBuffer>): Promise<void>;
}

/** Bytes of baskets in one task, and of all running tasks. */
const TASK_BYTES = 512 * 1024;
const AHEAD_BYTES = 16 * 1024 * 1024;

/**
 * Compresses baskets and appends them in the order in which they came, so that the output does not depend on the
 * number of workers.
 */
export class PackedBaskets {
  readonly #make: MakeBaskets;
  readonly #writer: WebAssembly.Module;
  readonly #compress: number;
  readonly #before: ((bytes: number) => Promise<void>) | undefined;
  #next: PlainBasket[] = [];
  #nextBytes = 0;
  /** Baskets that are being compressed. Their plain records are not kept. */
  readonly #running: { appends: PlainBasket['append'][]; bytes: number; result: Promise<BasketResult> }[] =
    [];
  #runningBytes = 0;

  /**
   * `compress`: 100 × algorithm + level. `before` is called before several baskets are appended, with their total
   * bytes.
   */
  constructor(
    make: MakeBaskets,
    writer: WebAssembly.Module,
    compress: number,
    before?: (bytes: number) => Promise<void>,
  ) {
    this.#make = make;
    this.#writer = writer;
    this.#compress = compress;
    this.#before = before;
  }

  /** Compresses a basket, and appends earlier ones. Throws the errors of those. */
  async add(basket: PlainBasket): Promise<void> {
    this.#next.push(basket);
    this.#nextBytes += basket.record.length;
    if (this.#nextBytes >= TASK_BYTES) await this.#start();
  }

  /** Appends all remaining baskets. */
  async flush(): Promise<void> {
    if (this.#next.length > 0) await this.#start();
    while (this.#running.length > 0) await this.#append();
  }

  async #start(): Promise<void> {
    const baskets = this.#next;
    const bytes = this.#nextBytes;
    this.#next = [];
    this.#nextBytes = 0;
    while (this.#running.length > 0 && this.#runningBytes + bytes > AHEAD_BYTES) await this.#append();
    const input = new Uint8Array(bytes);
    let at = 0;
    const recipes = baskets.map(({ record, page }) => {
      input.set(record, at);
      at += record.length;
      const part = { at: at - record.length, bytes: record.length };
      return page
        ? { ...part, ...page, compress: this.#compress }
        : { parts: [part], compress: this.#compress };
    });
    const result = this.#make({ kind: 'baskets', writer: this.#writer, input, baskets: recipes });
    // It is awaited when its turn comes.
    result.catch(() => {});
    this.#running.push({ appends: baskets.map(({ append }) => append), bytes, result });
    this.#runningBytes += bytes;
  }

  async #append(): Promise<void> {
    const task = this.#running.shift();
    if (!task) return;
    const { bytes, lengths } = await task.result;
    this.#runningBytes -= task.bytes;
    await this.#before?.(bytes.length);
    let at = 0;
    for (const [i, append] of task.appends.entries()) {
      const length = lengths[i] ?? 0;
      await append(bytes.subarray(at, at + length));
      at += length;
    }
  }
}
