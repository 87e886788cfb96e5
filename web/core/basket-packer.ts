import { internal } from '../base/data-errors';
import { toXylemError, XylemError } from '../base/errors';
import { splitCompress } from './compression';
import { Core } from './core';
import type { WriterExports } from './module';

/** Baskets that are made of others, or compressed anew, and pages of RNTuples that are made of values. */
export interface BasketTask {
  kind: 'baskets';
  /** xylem-write.wasm. */
  writer: WebAssembly.Module;
  /** The records or values that they are made of, one after another; a record may serve several times. */
  input: Uint8Array<ArrayBuffer>;
  baskets: (BasketRecipe | PageRecipe)[];
}

/** How a page of an RNTuple is made, as xw_page of wasm/include/xylem-write.h does it. */
export interface PageRecipe extends PageForm {
  /** Place of its values in the input, and their length. */
  at: number;
  bytes: number;
  /** 100 × algorithm + level. */
  compress: number;
}

export interface PageForm {
  /** Type of its column in the format. */
  columnType: number;
  elements: number;
}

/** How a basket is made. */
export interface BasketRecipe {
  parts: BasketPart[];
  /** 100 × algorithm + level as in fCompress; undefined takes the record of the only part as it is. */
  compress?: number | undefined;
  /** Makes a new basket of entries of the parts. Undefined: the record of the only part, compressed anew. */
  form?: BasketForm | undefined;
}

/** Parts of a new basket besides the values of its entries. */
export interface BasketForm {
  /** Whether the branch has fEntryOffsetLen > 0, so that a basket has the offsets of its entries. */
  offsets: boolean;
  /**
   * Finds the pointers in entries (xw_entry_plans), which are stored as offsets in the basket, so that they change where an
   * entry moves; undefined where entries hold none.
   */
  plan?: Uint8Array | undefined;
  /** For errors: the path of the branch in its file. */
  path: string;
}

/** A record of which a basket is made. */
export interface BasketPart {
  /** Place in the input, and length. */
  at: number;
  bytes: number;
  /** Pairs of first and end index of entries in it; all where it is undefined. */
  ranges?: Uint32Array | undefined;
}

export interface BasketResult {
  /**
   * The records of all baskets, one after another, with the places of the sources in their keys; and pages, with their
   * checksums.
   */
  bytes: Uint8Array<ArrayBuffer>;
  /** Length of each. */
  lengths: number[];
}

/** Makes baskets with one instance of xylem-write.wasm. */
export class BasketPacker {
  readonly #core: Core<WriterExports>;
  readonly #file: number;
  readonly #packer: number;

  private constructor(core: Core<WriterExports>) {
    this.#core = core;
    // Baskets are unpacked, not decoded: the version of the file does not matter.
    this.#file = core.make((x) => x.xy_file_create(0));
    this.#packer = core.make((x) => x.xw_packer_create());
  }

  static async create(writer: WebAssembly.Module): Promise<BasketPacker> {
    return new BasketPacker(await Core.create<WriterExports>(writer));
  }

  get memoryBytes(): number {
    return this.#core.memoryBytes;
  }

  /**
   * Throws CORRUPT and COMPRESSION for damaged records, and UNSUPPORTED where a basket does not say where its entries
   * begin, the pointers in an entry cannot be found, or baskets cannot become one.
   */
  run({ input, baskets }: Pick<BasketTask, 'input' | 'baskets'>): BasketResult {
    const entries = new Map<Uint8Array, number>();
    let records: Uint8Array[];
    try {
      records = baskets.map((recipe) =>
        'columnType' in recipe ? this.#page(input, recipe) : this.#make(input, recipe, entries),
      );
    } finally {
      for (const one of entries.values()) this.#core.free((x) => x.xw_entries_destroy(one));
    }
    const bytes = new Uint8Array(records.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const record of records) {
      bytes.set(record, at);
      at += record.length;
    }
    return { bytes, lengths: records.map(({ length }) => length) };
  }

  #make(
    input: Uint8Array,
    { parts, compress, form }: BasketRecipe,
    entries: Map<Uint8Array, number>,
  ): Uint8Array {
    const recordOf = ({ at, bytes }: BasketPart) => input.subarray(at, at + bytes);
    const [only, ...others] = parts;
    if (form && compress !== undefined) return this.#regroup(parts, recordOf, compress, form, entries);
    if (!only || others.length > 0 || only.ranges || form)
      throw internal('Only a whole basket can be kept or compressed anew.');
    const record = recordOf(only);
    if (compress === undefined) return record;
    const at = this.#core.input(record);
    const { algorithm, level } = splitCompress(compress);
    return this.#core.call((x, ctx) =>
      x.xw_repack(ctx, this.#file, this.#packer, algorithm, level, at, record.length),
    );
  }

  #page(input: Uint8Array, { at, bytes, compress, columnType, elements }: PageRecipe): Uint8Array {
    const { algorithm, level } = splitCompress(compress);
    const values = this.#core.input(input.subarray(at, at + bytes));
    return this.#core.call((x, ctx) =>
      x.xw_page(ctx, this.#packer, algorithm, level, columnType, elements, values, bytes),
    );
  }

  #regroup(
    parts: readonly BasketPart[],
    recordOf: (part: BasketPart) => Uint8Array,
    compress: number,
    { offsets, plan, path }: BasketForm,
    entries: Map<Uint8Array, number>,
  ): Uint8Array {
    const core = this.#core;
    const moves = plan ? this.#entries(plan, entries) : 0;
    const basket = core.make((x, ctx) => x.xw_basket_create(ctx, +offsets, moves));
    try {
      for (const part of parts) {
        const record = recordOf(part);
        const { ranges = EMPTY } = part;
        const numbers = new Uint8Array(ranges.buffer, ranges.byteOffset, ranges.byteLength);
        core.withBytes(numbers, (list) => {
          const at = core.input(record);
          const pairs = part.ranges ? list : 0;
          core.run((x, ctx) =>
            x.xw_basket_add(ctx, basket, this.#file, at, record.length, pairs, ranges.length / 2),
          );
        });
      }
      const { algorithm, level } = splitCompress(compress);
      return core.call((x, ctx) => x.xw_basket_finish(ctx, basket, this.#packer, algorithm, level));
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code !== 'UNSUPPORTED') throw thrown;
      throw new XylemError({
        code: 'UNSUPPORTED',
        message: `Entries of "${path}" cannot be moved to other baskets: ${error.message}`,
        where: { path },
        fix: 'Copy its baskets whole (skim of all entries, heal --level order), or leave the branch out.',
        cause: error,
      });
    } finally {
      core.free((x) => x.xw_basket_destroy(basket));
    }
  }

  #entries(plan: Uint8Array, known: Map<Uint8Array, number>): number {
    const found = known.get(plan);
    if (found !== undefined) return found;
    const core = this.#core;
    const at = core.input(plan);
    const made = core.make((x, ctx) => x.xw_entries_create(ctx, at, plan.length));
    known.set(plan, made);
    return made;
  }
}

const EMPTY = new Uint32Array(0);

/** An instance with more memory than this is dropped, because its memory never shrinks. */
const WATERMARK_BYTES = 64 * 1024 * 1024;

/** Makes a function that runs tasks in this thread, with one instance of the module for all. */
export function makeBasketsHere(): (task: BasketTask) => Promise<BasketResult> {
  let made: Promise<BasketPacker> | undefined;
  return async (task) => {
    made ??= BasketPacker.create(task.writer);
    try {
      const packer = await made;
      const result = packer.run(task);
      if (packer.memoryBytes > WATERMARK_BYTES) made = undefined;
      return result;
    } catch (thrown) {
      made = undefined;
      throw thrown;
    }
  };
}
