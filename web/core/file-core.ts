import { abortError, XylemError } from '../base/errors';
import { type Core, lostCore } from './core';
import type { Schema } from './decoder';
import type { BaseExports, CoreExports } from './module';
import type { TapeValue } from './tape';
import { readTape } from './tape';

/** The file header and the root directory. Offsets and sizes in bytes. */
export interface FileHeader {
  version: number;
  rootVersion: string;
  begin: number;
  /** Length of the first record, which holds the root directory. */
  beginBytes: number;
  end: number;
  seekInfo: number;
  nbytesInfo: number;
  seekFree: number;
  nbytesFree: number;
  compression: string;
  title: string;
  uuid: string;
  created: string;
  modified: string;
  seekKeys: number;
  nbytesKeys: number;
}

export interface DirectoryRecord {
  seekKeys: number;
  nbytesKeys: number;
}

export interface KeyRecord {
  name: string;
  title: string;
  className: string;
  cycle: number;
  nbytes: number;
  keylen: number;
  objlen: number;
  seekKey: number;
}

/** Header and root directory of almost all files are within this many bytes. All that are parsed are copied to the core. */
const USUAL_BYTES = 4096;

/** Parses the file header. `bytes` begins with the first byte of the file. */
export function readHeader(core: Core<BaseExports>, bytes: Uint8Array): FileHeader {
  const input = core.input(bytes);
  return parse<FileHeader>(core.call((x, ctx) => x.xy_header(ctx, input, bytes.length)));
}

/**
 * Parses the header at the start of a file. Returns it with the start of the file. If the header contradicts the format
 * but the first record is complete and in its place, the header is replaced by one without lists of keys and streamer
 * infos, which a walk through the records then finds. If the first record is missing, throws the error of the header.
 */
export function readStart(
  core: Core<BaseExports>,
  bytes: Uint8Array,
  size: number,
): { header: FileHeader; start: Uint8Array; isMended: boolean } {
  try {
    return { header: readHeader(core, bytes.subarray(0, USUAL_BYTES)), start: bytes, isMended: false };
  } catch {
    // It has a long name or title, or damage.
  }
  try {
    return { header: readHeader(core, bytes), start: bytes, isMended: false };
  } catch (why) {
    try {
      const input = core.input(bytes);
      const start = core.call((x, ctx) => x.xy_mend_header(ctx, input, bytes.length, size));
      return { header: readHeader(core, start), start, isMended: true };
    } catch {
      throw why;
    }
  }
}

export function readDirectory(core: Core, record: Uint8Array): DirectoryRecord {
  const input = core.input(record);
  return parse<DirectoryRecord>(core.call((x, ctx) => x.xy_subdirectory(ctx, input, record.length)));
}

export function readKeys(core: Core<BaseExports>, record: Uint8Array): KeyRecord[] {
  // Bytes that were never written are zeros, which would be a list of no keys.
  if (record.length >= 4 && record.subarray(0, 4).every((byte) => byte === 0))
    throw new XylemError({
      code: 'CORRUPT',
      message: 'The list of keys of the file is lost: there are only zeros in its place.',
      fix: 'Compare its size and checksum with those of the original, and copy it again.',
    });
  const input = core.input(record);
  return parse<KeyRecord[]>(core.call((x, ctx) => x.xy_keys(ctx, input, record.length)));
}

/** Free segments of a file: first and last byte of each. The last segment begins at the end of the file. */
export interface FreeList {
  first: Float64Array;
  last: Float64Array;
}

export function readFreeList(core: Core, record: Uint8Array): FreeList {
  const input = core.input(record);
  return parse<FreeList>(core.call((x, ctx) => x.xy_free_list(ctx, input, record.length)));
}

export type WalkedRecord = KeyRecord & { at: number; seekDir: number };

/** A gap: the space of a deleted record. `nbytes` is negative. */
export interface WalkedGap {
  at: number;
  nbytes: number;
  className?: undefined;
}

/** Records in a part of a file. */
export interface WalkedRecords<T = WalkedRecord> {
  keys: T[];
  /** Offset in the file at which the walk continues. */
  next: number;
  /** Reason why the walk cannot continue; empty if it can. */
  stopped: string;
}

/**
 * Walks through the records of a part of a file that begins with a record at offset `at`. Baskets and gaps are left
 * out.
 */
export function walkRecords(core: Core, bytes: Uint8Array, at: number): WalkedRecords {
  const input = core.input(bytes);
  return parse<WalkedRecords>(core.call((x, ctx) => x.xy_walk(ctx, input, bytes.length, at, 0)));
}

/**
 * Finds the first offset at which a record begins whose key contains this offset. `at` is the offset of `bytes` in the
 * file. Returns undefined if there is none.
 */
export function findRecord(core: Core, bytes: Uint8Array, at: number): number | undefined {
  const input = core.input(bytes);
  const found = core.exports.xy_find_record(input, bytes.length, at);
  return found < 0 ? undefined : found;
}

/** Walks through all records, including baskets and gaps. */
export function walkEverything(
  core: Core,
  bytes: Uint8Array,
  at: number,
): WalkedRecords<WalkedRecord | WalkedGap> {
  const input = core.input(bytes);
  return parse(core.call((x, ctx) => x.xy_walk(ctx, input, bytes.length, at, 1)));
}

/** A field of a record as it is stored. Its offset is relative to the record. */
export interface FieldRecord {
  group: string;
  item: number;
  name: string;
  type: string;
  offset: number;
  length: number;
  value?: number | string;
}

/** Kinds of records by their fields, numbered as XY_RECORD_HEADER and the others in xylem.h. */
export const RECORD_SHAPES = ['header', 'key', 'root', 'keys', 'free'] as const;
export type RecordShape = (typeof RECORD_SHAPES)[number];

/** Lists the fields at the beginning of a record. The last one has no value if `bytes` ends before it does. */
export function readFields(core: Core, bytes: Uint8Array, shape: RecordShape): FieldRecord[] {
  const input = core.input(bytes);
  const kind = RECORD_SHAPES.indexOf(shape);
  return parse<FieldRecord[]>(core.call((x, ctx) => x.xy_record_fields(ctx, input, bytes.length, kind)));
}

/** A class as the streamer infos of a file describe it. */
export interface ClassRecord {
  name: string;
  version: number;
  checksum: number;
  elements: ElementRecord[];
}

/** A base class or member, in the order in which they are streamed. */
export interface ElementRecord {
  name: string;
  title: string;
  /** C++ type; for a base class its name. */
  typeName: string;
  /** ROOT's TStreamerElement::fType. */
  type: number;
  /** Fixed dimensions of an array, outermost first. */
  dimensions: number[];
  /** Name of the member with the number of values; empty if there is none. */
  counter: string;
  /** Whether it is a base class. */
  base: boolean;
  /** Version of the base class, if the file contains it. */
  baseVersion?: number;
}

/** The class table of a closed file. The next file with the same classes reuses it. */
interface IdleClasses {
  pointer: number;
  generation: number;
  rootVersion: number;
}

const idle = new WeakMap<Core, IdleClasses>();

/** An open file in the core, with its class table. It becomes invalid with the core's instance. */
export class CoreFile {
  #pointer: number;
  readonly #core: Core;
  readonly #generation: number;
  readonly #rootVersion: number;
  #described = false;

  /** @param rootVersion fVersion of the file header, because the encoding of some objects depends on it */
  constructor(core: Core, rootVersion: number) {
    this.#pointer = core.make((x) => x.xy_file_create(rootVersion));
    this.#core = core;
    this.#generation = core.generation;
    this.#rootVersion = rootVersion;
  }

  /**
   * Its address in the core. It changes once, when streamer infos are added. Throws ABORTED if the file was closed
   * while it was being read.
   */
  get pointer(): number {
    if (this.#pointer === 0) throw abortError();
    return this.#pointer;
  }

  /** Whether the instance in which the file was opened still exists. */
  get alive(): boolean {
    return !this.#core.lost && this.#generation === this.#core.generation;
  }

  /** The core, for calls about this file. Throws CORE_LOST if the file is no longer open. */
  get core(): Core {
    if (!this.alive) throw lostCore();
    return this.#core;
  }

  /** Calls `run` to free objects of this file. Does nothing if the instance was dropped. */
  free(run: (exports: CoreExports) => void): void {
    if (this.alive) this.#core.free(run);
  }

  /** Adds streamer infos. Must be called before anything else is created in this file. */
  addStreamers(record: Uint8Array): void {
    const own = this.pointer;
    const input = this.core.input(record);
    const known = idle.get(this.#core);
    const same =
      known?.generation === this.#generation &&
      known.rootVersion === this.#rootVersion &&
      this.#core.exports.xy_streamers_same(known.pointer, input, record.length) === 1;
    if (known && same) {
      // Decoding the streamer infos and compiling the classes takes longer than everything else in a small file.
      idle.delete(this.#core);
      this.free((x) => x.xy_file_destroy(own));
      this.#pointer = known.pointer;
    } else this.core.call((x, ctx) => x.xy_streamers(ctx, own, input, record.length));
    this.#described = true;
  }

  /** Returns the classes that were added. */
  types(): ClassRecord[] {
    return parse<ClassRecord[]>(this.core.call((x, ctx) => x.xy_types(ctx, this.pointer)));
  }

  /** Returns the structure of objects of a class, in its newest version; null if it is unknown. */
  classSchema(name: string): Schema | null {
    const bytes = new TextEncoder().encode(name);
    const input = this.core.input(bytes);
    return parse<Schema | null>(
      this.core.call((x, ctx) => x.xy_class_schema(ctx, this.pointer, input, bytes.length)),
    );
  }

  /**
   * Returns the reason why the object of a record cannot be completely decoded although it is not damaged; undefined if
   * it can. The decoded object is not kept. Throws for damage.
   */
  undecoded(record: Uint8Array): string | undefined {
    const input = this.core.input(record);
    const why = this.core.call((x, ctx) => x.xy_object_check(ctx, this.pointer, input, record.length));
    return why.length > 0 ? new TextDecoder().decode(why) : undefined;
  }

  /** Returns the object of a record as plain data. */
  object(record: Uint8Array): TapeValue {
    const input = this.core.input(record);
    return this.core.read((x, ctx) => x.xy_object(ctx, this.pointer, input, record.length), readTape);
  }

  close(): void {
    if (!this.alive || this.#pointer === 0) return;
    const pointer = this.#pointer;
    this.#pointer = 0;
    if (!this.#described) {
      this.#core.free((x) => x.xy_file_destroy(pointer));
      return;
    }
    const before = idle.get(this.#core);
    idle.set(this.#core, { pointer, generation: this.#generation, rootVersion: this.#rootVersion });
    if (before?.generation === this.#generation) this.#core.free((x) => x.xy_file_destroy(before.pointer));
  }
}

/** Reads a tape of the core as a type documented in xylem.h. */
export function parse<T>(tape: Uint8Array): T {
  return readTape(tape) as T;
}
