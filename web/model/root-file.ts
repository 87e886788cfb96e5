import type { CallOptions, FileInfo, KeyInfo } from '../api/api';
import type { TreeLayout } from '../api/layout';
import type { FileRecords, WalkedRecords } from '../api/records';
import { argumentError, toXylemError, XylemError } from '../base/errors';
import { didYouMean, similar } from '../base/suggest';
import { trimSlashes } from '../base/text';
import type { Core } from '../core/core';
import {
  type ClassRecord,
  CoreFile,
  type FileHeader,
  type KeyRecord,
  readDirectory,
  readKeys,
  readStart,
  walkRecords,
} from '../core/file-core';
import { lostReferences, type TapeValue } from '../core/tape';
import { isDamage, readSound } from '../io/doubt';
import { createExtentBudget } from '../io/extents';
import { type ByteReader, createByteReader, type ReadOptions } from '../io/fetch/reader';
import { totalLength, union } from '../io/ranges';
import type { Range } from '../io/source';
import type { DataModel } from './data-model';
import { type EndAhead, readEndAhead } from './end-ahead';
import {
  beginsAsRoot,
  checkInside,
  cutOffFile,
  MAX_DIRECTORY_DEPTH,
  otherRecord,
  preRelease,
  tooDeep,
} from './file-errors';
import { cyclePath, depthFirst, findKey, isTree, type Key, toKey } from './keys';
import { NtupleModel, type ReadParts, readAnchor } from './ntuple-model';
import { otherFile, unknownFile } from './other-files';
import { fileRecords, walkRanges } from './records';
import { recoverKeys } from './recover';
import { BEFORE_TAIL_BYTES, type LastTrees, metadataOf, tailOf } from './tail';
import { TreeModel } from './tree-model';

/** Size of the first read. It has all of a small file; the header needs a few hundred bytes. */
const HEAD_BYTES = 64 * 1024;
/** Size of the same read when it is not known where they begin, in a file of a few classes and keys. */
const END_BYTES = BEFORE_TAIL_BYTES + 16 * 1024;
/** A file that is cut off is walked over a network up to this size: all of it would be read. */
const MAX_WALK_BYTES = 16 * 1024 * 1024;
/** Bytes in memory of what is copied: it is used once. */
const COPY_BYTES = 16 * 1024 * 1024;

export interface OpenOptions extends ReadOptions {
  /** Decides whether to read the end of the file before its head has arrived, when that takes long. */
  endAhead?: (() => Promise<boolean>) | undefined;
  /** Says where trees of the files before begin, and learns where those of this file do. */
  lastTrees?: LastTrees | undefined;
  /** Called with the header and the bytes it was read from, before more is read. */
  onHeader?: ((header: FileHeader, head: Uint8Array) => Promise<void>) | undefined;
}

/** A defect of a file as a whole that does not prevent reading it. */
export interface Flaw {
  kind: 'truncated' | 'not-closed' | 'streamers-missing';
  /** The name that people see. */
  text: string;
}

const OFFLINE =
  'The server cannot be reached: shown is what is kept on this machine, which may not be what the server has now.';

/** The file's objects in the core's instance. */
interface InCore {
  file: CoreFile;
  trees: Map<string, Promise<DataModel>>;
  streamers: Promise<void> | undefined;
}

interface KeyList {
  /** Path of the directory. */
  path: string;
  seekKeys: number;
  nbytesKeys: number;
}

/** An open ROOT file: its header, keys and classes; objects and trees on demand. */
export class RootFile {
  #own: InCore;
  #keys: Promise<Key[]> | undefined;
  /** Places of the directories' lists of keys, once they were read. */
  /** Streamer infos of another file, in place of its own. */
  #classes: Uint8Array | undefined;
  #keyLists: KeyList[] = [];
  #treeRecords: Range[] = [];
  #lastTrees: LastTrees | undefined;
  /** Reads what is copied. */
  #copies: ByteReader | undefined;
  readonly flaws: Flaw[] = [];
  /** See FileInfo. */
  offline = false;

  private constructor(
    readonly core: Core,
    readonly reader: ByteReader,
    readonly header: FileHeader,
  ) {
    this.#own = this.#openInCore();
  }

  #openInCore(): InCore {
    return { file: new CoreFile(this.core, this.header.version), trees: new Map(), streamers: undefined };
  }

  /** The file's objects in the core; they are made again when the instance was replaced. */
  async #inCore(): Promise<InCore> {
    await this.core.ready();
    if (!this.#own.file.alive) this.#own = this.#openInCore();
    return this.#own;
  }

  /**
   * Reads the header (one request) and, in a second, the tail with keys and streamer infos; both at the same
   * time when `endAhead` says so.
   */
  static async open(
    core: Core,
    reader: ByteReader,
    { endAhead, ...options }: OpenOptions = {},
  ): Promise<RootFile> {
    await core.ready();
    const end = endAhead && readEndAhead(reader, END_BYTES, endAhead, options.signal);
    try {
      return await RootFile.#open(core, reader, options, end);
    } finally {
      end?.drop();
    }
  }

  static async #open(
    core: Core,
    reader: ByteReader,
    { onHeader, lastTrees, ...options }: OpenOptions,
    ahead: EndAhead | undefined,
  ): Promise<RootFile> {
    const place = { offset: 0, length: HEAD_BYTES };
    const asHead = { ...options, purpose: 'head' };
    const reading = reader.read([place], asHead).catch((thrown: unknown) => {
      if (reader.source.info().size === 0) return [];
      throw thrown;
    });
    const [start = new Uint8Array(0)] = await reading;
    const other = beginsAsRoot(start) ? undefined : otherFile(start);
    if (other) throw other;
    let isMended = false;
    const [header, head] = await readSound(
      reader,
      [place],
      asHead,
      ([bytes = new Uint8Array(0)]) => {
        const read = startOf(core, bytes, reader.source.info().size);
        ({ isMended } = read);
        return [read.header, read.start] as const;
      },
      reading,
    );
    await onHeader?.(header, head);
    const file = new RootFile(core, reader, header);
    file.#lastTrees = lastTrees;
    const size = reader.source.info().size;
    if (isMended) {
      await file.#recover(header.end, 'The header of the file is overwritten.', options);
      return file;
    }
    if (size !== undefined && size < header.end) {
      const why = `The file has ${size} bytes, but its header says that it ends at byte ${header.end}.`;
      const whole = header.seekKeys > 0 && header.seekKeys + header.nbytesKeys <= size;
      const far = (reader.source.origin ?? 'network') === 'network';
      if (!whole && far && size > MAX_WALK_BYTES) throw cutOffFile(why, size);
      if (!whole) {
        await file.#recover(size, why, options);
        return file;
      }
      header.end = size;
      file.flaws.push({ kind: 'truncated', text: `${why} The rest of the file is lost.` });
    }
    if (header.seekKeys <= 0 || header.seekKeys >= header.end) {
      await file.#recover(size ?? header.end, 'The file has no list of keys: it was never closed.', options);
    } else if (header.end > HEAD_BYTES) {
      const end = await ahead?.take();
      if (end) reader.keep(end);
      const starts = metadataOf(header).map(({ offset }) => offset);
      if (end && end.offset <= Math.min(...starts) && end.offset + end.length >= header.end) return file;
      const before = lastTrees?.before(header) ?? BEFORE_TAIL_BYTES;
      // A file of a list shares the connections with others.
      const shares = before > BEFORE_TAIL_BYTES ? 1 : undefined;
      await reader.read(tailOf(header, before), { ...options, purpose: 'tail', shares });
    }
    return file;
  }

  /**
   * Lists the keys that a walk over the records finds; a cut-off file without any whole record is refused.
   */
  async #recover(size: number, why: string, options: ReadOptions): Promise<void> {
    const found = await recoverKeys(this.core, this.reader, this.header, size, options);
    if (found.keys.length === 0 && size < this.header.end) throw cutOffFile(why, size);
    this.header.end = size;
    if (found.streamers) {
      this.header.seekInfo = found.streamers.seekKey;
      this.header.nbytesInfo = found.streamers.nbytes;
    } else if (this.header.seekInfo + this.header.nbytesInfo > size) this.header.seekInfo = 0;
    const keys = found.keys.map(({ prefix, record }) => toKey(record, prefix));
    const skipped = found.skipped > 0 ? `, over ${found.skipped} bytes that are no records` : '';
    this.#keys = Promise.resolve(depthFirst(keys));
    this.flaws.push({
      kind: 'not-closed',
      text: `${why} ${keys.length} keys were recovered by walking its records up to byte ${found.end}${skipped}; others may be lost.`,
    });
  }

  /**
   * Takes keys and streamer infos that a walk over the records finds, instead of those of the file's lists; `classes` is a
   * record of streamer infos that is taken in place of the file's.
   */
  async recover(options: ReadOptions = {}, classes?: Uint8Array): Promise<void> {
    await this.forget();
    this.#classes = classes;
    this.#keyLists = [];
    this.flaws.length = 0;
    this.header.seekFree = 0;
    const { size = this.header.end } = this.reader.source.info();
    await this.#recover(size, 'The lists of keys of the file were not used.', options);
  }

  /** See ByteReader. */
  verifyUnchanged(signal?: AbortSignal): Promise<void> {
    return this.reader.verifyUnchanged(signal);
  }

  info(id: number): FileInfo {
    const { header } = this;
    const { validator } = this.reader.source.info();
    return {
      id,
      name: this.reader.source.name,
      title: header.title,
      size: header.end,
      rootVersion: header.rootVersion,
      compression: header.compression,
      created: header.created,
      modified: header.modified,
      uuid: header.uuid,
      ...(validator !== undefined && { validator }),
      ...(this.offline && { offline: true }),
      notes: [...(this.offline ? [OFFLINE] : []), ...this.flaws.map(({ text }) => text)],
    };
  }

  /** All keys of all directories and cycles. Throws the errors of reading and parsing them. */
  keys(options: ReadOptions = {}): Promise<Key[]> {
    this.#keys ??= forgetFailure(this.#readAllKeys(options), () => {
      this.#keys = undefined;
    });
    return this.#keys;
  }

  /** The key at a path, which may end in ";cycle"; without a cycle the highest one. Throws NOT_FOUND. */
  async key(path: string, options: ReadOptions = {}): Promise<Key> {
    const keys = await this.keys(options);
    const found = findKey(keys, path);
    if (found) return found;
    const there = keys.map((key) => key.path);
    throw new XylemError({
      code: 'NOT_FOUND',
      message: `There is no "${path}" in ${this.reader.source.name}.`,
      where: { path },
      fix: didYouMean(similar(trimSlashes(path), there)) ?? 'The list of keys shows what the file has.',
    });
  }

  /** The object at a path as plain data. */
  async object(path: string, options: ReadOptions = {}): Promise<TapeValue> {
    const key = await this.key(path, options);
    const own = await this.#inCore();
    const object = await this.#record(own, key, options, (record) => own.file.object(record));
    await this.#nameProcesses(object);
    return object;
  }

  /** Why an object cannot be decoded to its end; undefined where it can. Throws for damage. */
  async undecoded(path: string, options: ReadOptions = {}): Promise<string | undefined> {
    const key = await this.key(path, options);
    const own = await this.#inCore();
    return this.#record(own, key, options, (record) => own.file.undecoded(record));
  }

  /**
   * TRefs to objects that were not read are described by number and process; the process has a key in the
   * file.
   */
  async #nameProcesses(object: TapeValue): Promise<void> {
    const refs = lostReferences(object);
    if (refs.length === 0) return;
    const keys = (await this.keys()).filter(({ className }) => className === 'TProcessID');
    const uuids = new Map(keys.map(({ path, title }) => [path, title]));
    for (const ref of refs) {
      const uuid = uuids.get(`ProcessID${String(ref.fPID)}`);
      if (uuid !== undefined) ref.$process = uuid;
    }
  }

  /** The record in the file at the place of a key; undefined when none begins there. */
  async recordAt(key: KeyInfo, options: ReadOptions = {}): Promise<KeyRecord | undefined> {
    const place = { offset: key.offset, length: key.storedBytes };
    await this.core.ready();
    let found: KeyRecord | undefined;
    try {
      await this.#sound([place], options, key.path, ([bytes = new Uint8Array(0)]) => {
        found = walkRecords(this.core, bytes, key.offset).keys[0];
        if (found?.name !== key.name || found.nbytes !== key.storedBytes) throw otherRecord(key);
      });
    } catch (thrown) {
      if (!isDamage(toXylemError(thrown))) throw thrown;
    }
    return found;
  }

  /** The classes that the streamer infos describe; empty when the file has no streamer infos. */
  async types(options: ReadOptions = {}): Promise<ClassRecord[]> {
    const own = await this.#inCore();
    await this.#loadStreamers(own, options);
    return own.file.types();
  }

  /** The TTree or RNTuple at a path. */
  async tree(path: string, options: ReadOptions = {}): Promise<DataModel> {
    const key = await this.key(path, options);
    if (!isTree(key)) {
      throw argumentError(
        `"${key.path}" is a ${key.className}, not a TTree or RNTuple.`,
        'Choose a key of class TTree or ROOT::RNTuple.',
        { path: key.path },
      );
    }
    if (key.className === 'ROOT::Experimental::RNTuple') throw preRelease(key.path);
    const id = cyclePath(key);
    const own = await this.#inCore();
    let tree = own.trees.get(id);
    if (!tree) {
      tree = forgetFailure(this.#openTree(own, key, options), () => own.trees.delete(id));
      own.trees.set(id, tree);
    }
    return tree;
  }

  /** Places of the baskets of a tree. */
  async layout(path: string, options: ReadOptions = {}): Promise<TreeLayout> {
    const { offset, storedBytes, objectBytes } = await this.key(path, options);
    const tree = await this.tree(path, options);
    await tree.prepare(undefined, options);
    return { ...tree.layout(), record: { offset, length: storedBytes, objectBytes } };
  }

  /** The records that the file's header and lists name. */
  async records(options: ReadOptions = {}): Promise<FileRecords> {
    const keys = await this.keys(options);
    const { core, reader, header } = this;
    await core.ready();
    return fileRecords({ core, reader, header, keys, keyLists: this.#keyLists }, options);
  }

  /** Walks the records of ranges, each of which begins with one; of the whole file without ranges. */
  async walk(ranges: readonly Range[] | undefined, options: CallOptions = {}): Promise<WalkedRecords> {
    const { begin, end } = this.header;
    await this.core.ready();
    return walkRanges(this, ranges ?? [{ offset: begin, length: end - begin }], end, options);
  }

  /** The bytes of ranges, one after another: see EngineApi. */
  async bytes(
    ranges: readonly Range[],
    {
      into,
      again,
      ...options
    }: ReadOptions & { into?: Uint8Array<ArrayBuffer> | undefined; again?: boolean | undefined } = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    for (const range of ranges) checkInside(range, this.header.end, 'What is copied');
    if (again) for (const reader of [this.reader, this.#copies]) reader?.distrust(ranges);
    const length = totalLength(ranges);
    const all = into && into.length >= length ? into.subarray(0, length) : new Uint8Array(length);
    // Metadata are there from the opening of the file.
    const isThere = ranges.every((range) => this.reader.holds(range));
    if (!isThere)
      this.#copies ??= createByteReader(this.reader.source, {
        trace: this.reader.trace,
        budget: createExtentBudget(COPY_BYTES),
      });
    const from = isThere ? this.reader : (this.#copies ?? this.reader);
    await from.fill(ranges, all, { purpose: 'copy', ...options });
    return all;
  }

  /** Drops trees and classes, which must not be in use; they are parsed again when they are needed. */
  async forget(): Promise<void> {
    const { file, trees, streamers } = this.#own;
    // Synchronously, so that callers who use the file in the meantime get the new objects.
    if (!this.core.lost) this.#own = this.#openInCore();
    await streamers?.catch(() => {});
    for (const tree of trees.values()) await tree.then((model) => model.close()).catch(() => {});
    file.close();
  }

  async close(): Promise<void> {
    await this.forget();
    this.#own.file.close();
    await this.#copies?.close();
    await this.reader.close();
  }

  async #openTree(own: InCore, key: Key, options: ReadOptions): Promise<DataModel> {
    this.#treeRecords = union([...this.#treeRecords, { offset: key.offset, length: key.storedBytes }]);
    this.#lastTrees?.note(this.header, this.#treeRecords);
    if (key.kind === 'ntuple') return this.#openNtuple(own, key, options);
    return this.#record(
      own,
      key,
      options,
      (record) => new TreeModel(own.file, record, key.path, this, cyclePath(key), key.objectBytes),
    );
  }

  async #openNtuple(own: InCore, key: Key, options: ReadOptions): Promise<DataModel> {
    const read: ReadParts = (ranges, purpose, given, decode) =>
      this.#sound(ranges, given, `${key.path}: ${purpose}`, decode);
    try {
      const anchor = await this.#record(own, key, options, (record) => readAnchor(own.file, record));
      return await NtupleModel.open(own.file, anchor, key.path, this.reader, read, options);
    } catch (thrown) {
      throw thrown instanceof XylemError ? thrown.at({ path: key.path }) : thrown;
    }
  }

  /** Decodes the record of a key, once the classes are known. */
  async #record<T>(
    own: InCore,
    key: Key,
    options: ReadOptions,
    decode: (record: Uint8Array) => T,
  ): Promise<T> {
    const place = [{ offset: key.offset, length: key.storedBytes }];
    const reading = this.#read(place, options, key.path);
    await Promise.all([reading, this.#loadStreamers(own, options)]);
    const withPath = ([record = new Uint8Array(0)]: Uint8Array[]) => inside(key.path, () => decode(record));
    try {
      return await this.#sound(place, options, key.path, withPath, reading);
    } catch (thrown) {
      throw this.#withoutEnd(thrown);
    }
  }

  /** In a file without its end, classes are not described because of that. */
  #withoutEnd(thrown: unknown): unknown {
    const isLost = this.header.seekInfo === 0 && this.flaws.some(({ kind }) => kind === 'not-closed');
    if (!isLost || !(thrown instanceof XylemError) || thrown.code !== 'NO_STREAMER') return thrown;
    const message = `${thrown.message} The end of the file, which describes its classes, is missing.`;
    return new XylemError({ ...thrown.toRecord(), code: 'TRUNCATED', message, cause: thrown });
  }

  #loadStreamers(own: InCore, options: ReadOptions): Promise<void> {
    own.streamers ??= forgetFailure(this.#readStreamers(own.file, options), () => {
      own.streamers = undefined;
    });
    return own.streamers;
  }

  async #readStreamers(file: CoreFile, options: ReadOptions): Promise<void> {
    const others = this.#classes;
    if (others) {
      inside('streamer infos', () => file.addStreamers(others));
      return;
    }
    const { seekInfo, nbytesInfo, end } = this.header;
    if (seekInfo <= 0 || nbytesInfo <= 0 || seekInfo + nbytesInfo > end) {
      const text = "The file has no streamer infos: only ROOT's basic classes can be read.";
      const told = this.flaws.some(({ kind }) => kind === 'streamers-missing');
      if (!told) this.flaws.push({ kind: 'streamers-missing', text });
      return;
    }
    const place = { offset: seekInfo, length: nbytesInfo };
    await this.#sound([place], options, 'streamer infos', ([record = new Uint8Array(0)]) =>
      inside('streamer infos', () => file.addStreamers(record)),
    );
  }

  #read(ranges: Range[], options: ReadOptions, purpose: string): Promise<Uint8Array[]> {
    for (const range of ranges) checkInside(range, this.header.end, purpose);
    return this.reader.read(ranges, { ...options, purpose });
  }

  /** Reads and decodes ranges: see `readSound`. */
  #sound<T>(
    ranges: Range[],
    options: ReadOptions,
    purpose: string,
    decode: (bytes: Uint8Array[]) => T,
    reading?: Promise<Uint8Array[]>,
  ): Promise<T> {
    for (const range of ranges) checkInside(range, this.header.end, purpose);
    return readSound(this.reader, ranges, { ...options, purpose }, decode, reading);
  }

  async #readAllKeys(options: ReadOptions): Promise<Key[]> {
    const { seekKeys, nbytesKeys } = this.header;
    const all: Key[] = [];
    const keyLists: KeyList[] = [];
    if (seekKeys <= 0 || nbytesKeys <= 0) return all;
    const seen = new Set<number>([seekKeys]);
    let level: KeyList[] = [{ path: '', seekKeys, nbytesKeys }];
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > MAX_DIRECTORY_DEPTH) throw tooDeep(level[0]?.path ?? '');
      await this.core.ready();
      const paths = level.map(({ path }) => path);
      const lists = await this.#sound(
        level.map((directory) => ({ offset: directory.seekKeys, length: directory.nbytesKeys })),
        options,
        'keys',
        (found) => found.map((bytes, i) => inside(paths[i] || 'keys', () => readKeys(this.core, bytes))),
      );
      keyLists.push(...level);
      const directories: Key[] = [];
      for (const [i, records] of lists.entries()) {
        const path = paths[i] ?? '';
        const prefix = path === '' ? '' : `${path}/`;
        for (const record of records) {
          const key = toKey(record, prefix);
          all.push(key);
          if (key.kind === 'directory' && !seen.has(key.offset)) {
            seen.add(key.offset);
            directories.push(key);
          }
        }
      }
      const found = await this.#sound(
        directories.map((key) => ({ offset: key.offset, length: key.storedBytes })),
        options,
        'directories',
        (records) =>
          records.map((bytes, i) =>
            inside(directories[i]?.path ?? '', () => readDirectory(this.core, bytes)),
          ),
      );
      level = found.flatMap((directory, i) => {
        const path = directories[i]?.path ?? '';
        if (directory.seekKeys <= 0 || directory.nbytesKeys <= 0 || seen.has(directory.seekKeys)) return [];
        seen.add(directory.seekKeys);
        return [{ path, seekKeys: directory.seekKeys, nbytesKeys: directory.nbytesKeys }];
      });
    }
    this.#keyLists = keyLists;
    return depthFirst(all);
  }
}

/** Adds the path to errors of the core. */
function inside<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw thrown instanceof XylemError ? thrown.at({ path }) : thrown;
  }
}

/** Keeps a promise for later callers, unless it fails. */
function forgetFailure<T>(promise: Promise<T>, forget: () => void): Promise<T> {
  promise.catch(forget);
  return promise;
}

/** The header of a file: see `readStart`. Throws NOT_ROOT, with what the file begins with, and CORRUPT. */
function startOf(core: Core, bytes: Uint8Array, size: number | undefined): ReturnType<typeof readStart> {
  try {
    return readStart(core, bytes, size ?? 0);
  } catch (why) {
    throw unknownFile(bytes) ?? why;
  }
}
