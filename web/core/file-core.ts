import { abortError } from '../base/errors';
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

/** Reads the file header; `bytes` starts at the file's first byte. */
export function readHeader(core: Core<BaseExports>, bytes: Uint8Array): FileHeader {
  const input = core.input(bytes);
  return parse<FileHeader>(core.call((x, ctx) => x.xy_header(ctx, input, bytes.length)));
}

/**
 * The header of a file, and the start of the file with it. Where it contradicts the format and the first record is whole
 * and in its place, it is overwritten: another one stands in for it, which has neither lists nor streamer infos, because a
 * walk finds them. Where that record is not there, throws what is wrong with the header.
 */
export function readStart(
  core: Core<BaseExports>,
  bytes: Uint8Array,
  size: number,
): { header: FileHeader; start: Uint8Array; isMended: boolean } {
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

export function readKeys(core: Core, record: Uint8Array): KeyRecord[] {
  const input = core.input(record);
  return parse<KeyRecord[]>(core.call((x, ctx) => x.xy_keys(ctx, input, record.length)));
}

/** Free pieces of a file: first and last byte of each; the last piece begins at the file's end. */
export interface FreeList {
  first: Float64Array;
  last: Float64Array;
}

export function readFreeList(core: Core, record: Uint8Array): FreeList {
  const input = core.input(record);
  return parse<FreeList>(core.call((x, ctx) => x.xy_free_list(ctx, input, record.length)));
}

export type WalkedRecord = KeyRecord & { at: number; seekDir: number };

/** A gap: the space of a deleted record. `nbytes` is below zero. */
export interface WalkedGap {
  at: number;
  nbytes: number;
  className?: undefined;
}

/** Records of a piece of a file. */
export interface WalkedRecords<T = WalkedRecord> {
  keys: T[];
  /** Byte of the file where the walk goes on. */
  next: number;
  /** Why the walk cannot go on; empty when it can. */
  stopped: string;
}

/** Walks the records of a piece that begins with one, at byte `at` of the file; baskets and gaps are left out. */
export function walkRecords(core: Core, bytes: Uint8Array, at: number): WalkedRecords {
  const input = core.input(bytes);
  return parse<WalkedRecords>(core.call((x, ctx) => x.xy_walk(ctx, input, bytes.length, at, 0)));
}

/** The first byte of a piece at byte `at` of the file where a record begins that gives this place as its own. */
export function findRecord(core: Core, bytes: Uint8Array, at: number): number | undefined {
  const input = core.input(bytes);
  const found = core.exports.xy_find_record(input, bytes.length, at);
  return found < 0 ? undefined : found;
}

/** Walks all records, baskets and gaps too. */
export function walkEverything(
  core: Core,
  bytes: Uint8Array,
  at: number,
): WalkedRecords<WalkedRecord | WalkedGap> {
  const input = core.input(bytes);
  return parse(core.call((x, ctx) => x.xy_walk(ctx, input, bytes.length, at, 1)));
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
  /** The member that holds the number of values; empty when there is none. */
  counter: string;
  /** Whether it is a base class. */
  base: boolean;
  /** Version of the base class, where the file says it. */
  baseVersion?: number;
}

/** The class table of a file that was closed, for the next one that describes the same classes. */
interface IdleClasses {
  pointer: number;
  generation: number;
  rootVersion: number;
}

const idle = new WeakMap<Core, IdleClasses>();

/** An open file in the core: its class table. It ends with the core's instance. */
export class CoreFile {
  #pointer: number;
  readonly #core: Core;
  readonly #generation: number;
  readonly #rootVersion: number;
  #described = false;

  /** @param rootVersion the fVersion of the file's header: some forms depend on it */
  constructor(core: Core, rootVersion: number) {
    this.#pointer = core.make((x) => x.xy_file_create(rootVersion));
    this.#core = core;
    this.#generation = core.generation;
    this.#rootVersion = rootVersion;
  }

  /** It changes once, when streamer infos are added. Throws ABORTED for a file that was closed while it was read. */
  get pointer(): number {
    if (this.#pointer === 0) throw abortError();
    return this.#pointer;
  }

  /** Whether the instance in which it was opened is still there. */
  get alive(): boolean {
    return !this.#core.lost && this.#generation === this.#core.generation;
  }

  /** The core, for calls about this file. Throws CORE_LOST when the file is not open any more. */
  get core(): Core {
    if (!this.alive) throw lostCore();
    return this.#core;
  }

  /** Frees what belongs to this file, if it is still there. */
  free(run: (exports: CoreExports) => void): void {
    if (this.alive) this.#core.free(run);
  }

  /** Adds streamer infos, before anything else is made with it. */
  addStreamers(record: Uint8Array): void {
    const own = this.pointer;
    const input = this.core.input(record);
    const known = idle.get(this.#core);
    const same =
      known?.generation === this.#generation &&
      known.rootVersion === this.#rootVersion &&
      this.#core.exports.xy_streamers_same(known.pointer, input, record.length) === 1;
    if (known && same) {
      // Decoding the infos and compiling the classes costs more than all else of a small file.
      idle.delete(this.#core);
      this.free((x) => x.xy_file_destroy(own));
      this.#pointer = known.pointer;
    } else this.core.call((x, ctx) => x.xy_streamers(ctx, own, input, record.length));
    this.#described = true;
  }

  /** The classes that were added. */
  types(): ClassRecord[] {
    return parse<ClassRecord[]>(this.core.call((x, ctx) => x.xy_types(ctx, this.pointer)));
  }

  /** The shape of objects of a class (the newest of several versions); null when it is not known. */
  classSchema(name: string): Schema | null {
    const bytes = new TextEncoder().encode(name);
    const input = this.core.input(bytes);
    return parse<Schema | null>(
      this.core.call((x, ctx) => x.xy_class_schema(ctx, this.pointer, input, bytes.length)),
    );
  }

  /**
   * Why the object of a record cannot be decoded to its end, though it is not damaged; undefined where it can. Nothing of
   * it is kept. Throws for damage.
   */
  undecoded(record: Uint8Array): string | undefined {
    const input = this.core.input(record);
    const why = this.core.call((x, ctx) => x.xy_object_check(ctx, this.pointer, input, record.length));
    return why.length > 0 ? new TextDecoder().decode(why) : undefined;
  }

  /** The object of a record as plain data. */
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

/** Reads a tape of the core as the type that xylem.h documents. */
export function parse<T>(tape: Uint8Array): T {
  return readTape(tape) as T;
}
