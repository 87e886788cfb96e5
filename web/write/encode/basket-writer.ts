import type { Core } from '../../core/core';
import type { WriterExports } from '../../core/module';
import type { BasketMaker, BasketOptions, MadeBasket } from './types';

/** Bytes at the end of a basket's key: version, fBufferSize, fNevBufSize, fNevBuf, fLast and a flag. */
const HEAD_BYTES = 19;

/** A basket that is being made. It ends with `finish` or `free`. */
export class BasketWriter implements BasketMaker {
  readonly #core: Core<WriterExports>;
  readonly #file: number;
  readonly #pack: (object: Uint8Array) => Uint8Array<ArrayBuffer>;
  #basket: number;

  constructor(
    core: Core<WriterExports>,
    file: number,
    { keyLength, offsets, references }: BasketOptions,
    pack: (object: Uint8Array) => Uint8Array<ArrayBuffer>,
  ) {
    this.#core = core;
    this.#file = file;
    this.#pack = pack;
    this.#basket = core.make((x, ctx) => x.xw_basket_create(ctx, keyLength, +offsets, +references));
  }

  get entries(): number {
    return this.#core.exports.xw_basket_entries(this.#basket);
  }

  add(record: Uint8Array, ranges?: Uint32Array): void {
    const numbers = new Uint8Array(
      ranges?.buffer ?? new ArrayBuffer(0),
      ranges?.byteOffset,
      ranges?.byteLength,
    );
    this.#core.withBytes(numbers, (at) => {
      const input = this.#core.input(record);
      this.#core.run((x, ctx) =>
        x.xw_basket_add(
          ctx,
          this.#basket,
          this.#file,
          input,
          record.length,
          ranges ? at : 0,
          (ranges?.length ?? 0) / 2,
        ),
      );
    });
  }

  finish(): MadeBasket {
    const entries = this.entries;
    const made = this.#core.call((x, ctx) => x.xw_basket_finish(ctx, this.#basket));
    this.free();
    const object = made.subarray(HEAD_BYTES);
    return {
      head: made.slice(0, HEAD_BYTES),
      data: this.#pack(object),
      objectLength: object.length,
      entries,
    };
  }

  /** Ends a basket that is not finished. */
  free(): void {
    const basket = this.#basket;
    this.#basket = 0;
    this.#core.free((x) => x.xw_basket_destroy(basket));
  }
}
