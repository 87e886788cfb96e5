import { internal } from '../base/data-errors';
import { toXylemError, XylemError } from '../base/errors';
import { splitCompress } from './compression';
import { Core } from './core';
import type { WriterExports } from './module';

/** A task that makes baskets from other baskets, compresses baskets again, or makes pages of RNTuples from values. */
export interface BasketTask {
  kind: 'baskets';
  /** xylem-write.wasm. Default: the module of the reader. */
  writer?: WebAssembly.Module | undefined;
  /** The input records or values, one after another. Several recipes may use the same record. */
  input: Uint8Array<ArrayBuffer>;
  baskets: (BasketRecipe | PageRecipe | TrialRecipe)[];
}

/** Stored bytes with which codecs are tried. Its result is that of xw_try in wasm/include/xylem-write.h. */
export interface TrialRecipe {
  /** Offset in the input and number of bytes of the record of a basket, or of a stored page. */
  at: number;
  bytes: number;
  /** Uncompressed bytes of a page; undefined for a record. */
  pageBytes?: number | undefined;
  /** Each 100 × algorithm + level. */
  codecs: readonly number[];
}

/** Describes a page of an RNTuple that is made: see xw_page in wasm/include/xylem-write.h. */
export interface PageRecipe extends PageForm {
  /** Offset of its values in the input, and their number of bytes. */
  at: number;
  bytes: number;
  /** 100 × algorithm + level. */
  compress: number;
}

export interface PageForm {
  /** Type of its column, as the RNTuple format numbers it. */
  columnType: number;
  elements: number;
}

/** Describes a basket that is made. */
export interface BasketRecipe {
  parts: BasketPart[];
  /** 100 × algorithm + level, as in fCompress. If undefined, the record of the only part is copied unchanged. */
  compress?: number | undefined;
  /** Set for a new basket with entries of the parts. If undefined, the record of the only part is compressed again. */
  form?: BasketForm | undefined;
}

/** Properties of a new basket. */
export interface BasketForm {
  /** Whether the branch has fEntryOffsetLen > 0, so that a basket has the offsets of its entries. */
  offsets: boolean;
  /**
   * Plan that finds the pointers in entries (xw_entry_plans). They are stored as offsets in the basket, so they change
   * if an entry moves. Undefined if the entries contain no pointers.
   */
  plan?: Uint8Array | undefined;
  /** Path of the branch in its file, for error messages. */
  path: string;
}

/** A record that provides entries for a basket. */
export interface BasketPart {
  /** Offset and number of bytes in the input. */
  at: number;
  bytes: number;
  /**
   * Pairs of indices: the first entry to take, and the entry after the last one. If undefined, all entries are taken.
   */
  ranges?: Uint32Array | undefined;
}

export interface BasketResult {
  /**
   * The records of all baskets, one after another, with the offsets of their sources in the keys; or pages with their
   * checksums.
   */
  bytes: Uint8Array<ArrayBuffer>;
  /** Number of bytes of each record or page. */
  lengths: number[];
}

/** Makes baskets with one instance of xylem-write.wasm. */
export class BasketPacker {
  readonly #core: Core<WriterExports>;
  readonly #file: number;
  readonly #packer: number;

  private constructor(core: Core<WriterExports>) {
    this.#core = core;
    // Baskets are decompressed but not decoded, so the version of the file does not matter.
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
   * Makes the baskets. Throws CORRUPT and COMPRESSION for damaged records. Throws UNSUPPORTED if a basket does not say
   * where its entries begin, if the pointers in an entry cannot be found, or if baskets cannot be joined.
   */
  run({ input, baskets }: Pick<BasketTask, 'input' | 'baskets'>): BasketResult {
    const entries = new Map<Uint8Array, number>();
    let records: Uint8Array[];
    try {
      records = baskets.map((recipe) =>
        'columnType' in recipe
          ? this.#page(input, recipe)
          : 'codecs' in recipe
            ? this.#try(input, recipe)
            : this.#make(input, recipe, entries),
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

  #try(input: Uint8Array, { at, bytes, pageBytes = 0, codecs }: TrialRecipe): Uint8Array {
    const pairs = Int32Array.from(
      codecs.flatMap((codec) => {
        const { algorithm, level } = splitCompress(codec);
        return [algorithm, level];
      }),
    );
    return this.#core.withBytes(new Uint8Array(pairs.buffer), (list) => {
      const stored = this.#core.input(input.subarray(at, at + bytes));
      return this.#core.call((x, ctx) =>
        x.xw_try(ctx, this.#packer, list, codecs.length, stored, bytes, pageBytes),
      );
    });
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

/** Returns a function that runs tasks in this thread with one shared instance of the module. */
export function makeBasketsHere(): (task: BasketTask) => Promise<BasketResult> {
  let made: Promise<BasketPacker> | undefined;
  return async (task) => {
    if (task.writer === undefined) throw internal('A task without the module that runs it.');
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
