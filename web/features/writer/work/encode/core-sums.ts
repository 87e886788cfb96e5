import { joined } from '../../../../base/bytes';
import { ALGORITHMS, type Codec } from '../../../../core/compression';
import type { Core } from '../../../../core/core';
import type { WriterExports } from '../../../../core/module';
import { readExactTape } from '../../../../core/tape';
import { type ClassCodec, tapeIn } from './class-codec';
import type { ObjectData } from './types';

export interface WrittenSum {
  /** Its index in the module. */
  number: number;
  /** The key with its texts. */
  key: Uint8Array;
  cycle: number;
  /** Position of its directory. */
  dir: number;
  /** Number added to the offset of its process ids, if it has any. */
  pid: number;
}

/** Sums of objects of several files in the writing module (xw_sums of xylem-write.h). */
export class CoreSums {
  readonly #core: Core<WriterExports>;
  readonly #sums: number;
  readonly #packer: number;
  /** Index of the next sum. */
  #next = 0;

  constructor(core: Core<WriterExports>) {
    this.#core = core;
    this.#sums = core.make((x) => x.xw_sums_create());
    this.#packer = core.make((x) => x.xw_packer_create());
  }

  /**
   * Adds consecutive records of a file. `sums` has the index of the sum for each record, undefined for a new one.
   * Returns the index of the sum for each; undefined if the record has to be added as generic data.
   */
  add(
    codec: ClassCodec,
    bytes: Uint8Array,
    lengths: readonly number[],
    sums: readonly (number | undefined)[],
  ): (number | undefined)[] {
    const core = this.#core;
    const listed = new Uint32Array(2 * lengths.length);
    let next = this.#next;
    // Loops over numbers, because an array for each would take longer.
    for (let i = 0; i < lengths.length; i++) {
      listed[2 * i] = lengths[i] as number;
      listed[2 * i + 1] = sums[i] ?? next++;
    }
    const size = listed.byteLength;
    const at = core.room(size + bytes.length);
    core.view(at, size).set(new Uint8Array(listed.buffer));
    core.view(at + size, bytes.length).set(bytes);
    const left = core.call((x, ctx) =>
      x.xw_sums_add(ctx, this.#sums, codec.file, at + size, bytes.length, at, lengths.length),
    );
    return lengths.map((_, i) => {
      if (left[i] !== 0) return undefined;
      return sums[i] ?? this.#next++;
    });
  }

  /**
   * Raises the number of bytes that may be unpacked; a negative number counts an object that was unpacked elsewhere.
   * Returns what is left. If that is negative, all objects have to be added as data.
   */
  allow(bytes: number): number {
    return this.#core.exports.xw_sums_allow(this.#sums, bytes);
  }

  /** Returns the object of a sum as data. Throws as ClassCodec.read. */
  object(sum: number): ObjectData {
    const object = this.#core.read((x, ctx) => x.xw_sums_object(ctx, this.#sums, sum), readExactTape);
    return object as ObjectData;
  }

  /** Replaces the object of a sum, and keeps it compressed. `object` returns it. */
  keep(sum: number, object: ObjectData): void {
    const core = this.#core;
    const { at, length } = tapeIn(core, object);
    core.run((x, ctx) => x.xw_sums_keep(ctx, this.#sums, sum, at, length));
  }

  /** Returns the offset of the process ids of an object that only one file has, from its key. */
  pid(sum: number): number {
    return this.#core.exports.xw_sums_pid(this.#sums, sum);
  }

  /** Returns how many objects were added to the first one of a sum. */
  added(sum: number): number {
    return this.#core.exports.xw_sums_added(this.#sums, sum);
  }

  /** Frees the memory of a sum. */
  drop(sum: number): void {
    this.#core.exports.xw_sums_drop(this.#sums, sum);
  }

  /**
   * Writes consecutive records of sums, which will start at `seek`. They are compressed again; an object that only
   * one file has is written as it was stored. Also returns the lengths of the records and of their keys. Stops after
   * `room` bytes, and before a sum that has to be written from its data.
   */
  write(
    sums: readonly WrittenSum[],
    { algorithm, level }: Codec,
    { seek, date, room }: { seek: number; date: number; room: number },
  ): { bytes: Uint8Array<ArrayBuffer>; lengths: number[]; keyLengths: number[] } {
    const core = this.#core;
    const numbers = Float64Array.from(
      sums.flatMap(({ number, key, cycle, dir, pid }) => [number, key.length, cycle, dir, pid, 0]),
    );
    return core.withDoubles(numbers, (list) => {
      const keys = core.input(joined(sums.map(({ key }) => key)));
      const bytes = core.call((x, ctx) =>
        x.xw_sums_write(
          ctx,
          this.#sums,
          this.#packer,
          ALGORITHMS[algorithm],
          level,
          seek,
          date,
          room,
          keys,
          list,
          sums.length,
        ),
      );
      const results = core.doubles(list, numbers.length);
      const each = (place: number) => sums.map((_, i) => results[6 * i + place] ?? 0);
      const lengths = each(5);
      const end = lengths.indexOf(0);
      const done = end < 0 ? lengths.length : end;
      return { bytes, lengths: lengths.slice(0, done), keyLengths: each(1).slice(0, done) };
    });
  }

  free(): void {
    this.#core.free((x) => {
      x.xw_sums_destroy(this.#sums);
      x.xw_packer_destroy(this.#packer);
    });
  }
}
