import type { CallOptions, FileInfo, KeyInfo } from '../api/api';
import type { TreeLayout } from '../api/layout';
import type { FileRecords, RecordFields, WalkedRecords } from '../api/records';
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
import { BEFORE_TAIL_BYTES, firstBytes, type LastTrees, metadataOf, tailOf } from './tail';
import { TreeModel } from './tree-model';

/**
 * Size of the read of the end if the positions of the metadata are not known; enough for a file with few classes and
 * keys.
 */
export const END_BYTES = BEFORE_TAIL_BYTES + 16 * 1024;
/** Maximum size of a cut-off file that is walked over a network, because all of it has to be read. */
const MAX_WALK_BYTES = 16 * 1024 * 1024;
/** Memory for bytes that are copied. They are used once. */
const COPY_BYTES = 16 * 1024 * 1024;

export interface OpenOptions extends ReadOptions {
  /** Decides whether to read the end of the file before its head has arrived, if that takes long. */
  endAhead?: (() => Promise<boolean>) | undefined;
  /** Knows where trees begin in earlier files, and records it for this file. */
  lastTrees?: LastTrees | undefined;
  /** Called with the header and the bytes it was read from, before more is read. */
  onHeader?: ((header: FileHeader, head: Uint8Array) => Promise<void>) | undefined;
}

/** A defect of a whole file that does not prevent reading it. */
export interface Flaw {
  kind: 'truncated' | 'not-closed' | 'streamers-missing';
  /** Shown to the user. */
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

/** An open ROOT file: its header, keys and classes, and on demand its objects and trees. */
export class RootFile {
  #own: InCore;
  #keys: Promise<Key[]> | undefined;
  /** Streamer infos of another file that replace its own. */
  #classes: Uint8Array | undefined;
  /** Locations of the lists of keys of all directories, after they were read. */
  #keyLists: KeyList[] = [];
  #treeRecords: Range[] = [];
  #lastTrees: LastTrees | undefined;
  /** Reads bytes that are copied. */
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

  /** Returns the file's objects in the core. They are created again if the core instance was replaced. */
  async #inCore(): Promise<InCore> {
    await this.core.ready();
    if (!this.#own.file.alive) this.#own = this.#openInCore();
    return this.#own;
  }

  /**
   * Reads the header in one request, and the tail with keys and streamer infos in a second one; both at the same time
   * if `endAhead` says so.
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
    const place = { offset: 0, length: firstBytes(reader.source) };
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
    } else if (header.end > place.length) {
      const end = await ahead?.take();
      if (end) reader.keep(end);
      const starts = metadataOf(header).map(({ offset }) => offset);
      if (end && end.offset <= Math.min(...starts) && end.offset + end.length >= header.end) return file;
      const before = lastTrees?.before(header) ?? BEFORE_TAIL_BYTES;
      // Files of a list share their connections.
      const shares = before > BEFORE_TAIL_BYTES ? 1 : undefined;
      await reader.read(tailOf(header, before), { ...options, purpose: 'tail', shares });
    }
    return file;
  }

  /** Lists the keys found by a walk over the records. Throws for a cut-off file without a complete record. */
  async #recover(size: number, why: string, options: ReadOptions): Promise<void> {
    const { recoverKeys } = await import('./recover');
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
   * Replaces the lists of keys by the keys found by a walk over the records. `classes` is a record of streamer infos
   * that replaces the file's own.
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

  /** Returns all keys of all directories and cycles. Throws the errors of reading and parsing them. */
  keys(options: ReadOptions = {}): Promise<Key[]> {
    this.#keys ??= forgetFailure(this.#readAllKeys(options), () => {
      this.#keys = undefined;
    });
    return this.#keys;
  }

  /** Returns the key at a path, which may end in ";cycle"; without a cycle the highest one. Throws NOT_FOUND. */
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

  /** Returns the object at a path as plain data. */
  async object(path: string, options: ReadOptions = {}): Promise<TapeValue> {
    const key = await this.key(path, options);
    const own = await this.#inCore();
    const object = await this.#record(own, key, options, (record) => own.file.object(record));
    await this.#nameProcesses(object);
    return object;
  }

  /** Returns why an object cannot be decoded completely; undefined if it can. Throws for damage. */
  async undecoded(path: string, options: ReadOptions = {}): Promise<string | undefined> {
    const key = await this.key(path, options);
    const own = await this.#inCore();
    return this.#record(own, key, options, (record) => own.file.undecoded(record));
  }

  /** Adds the name of the process to TRefs of objects that were not read. The process has a key in the file. */
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

  /** Returns the record at the position of a key; undefined if no record begins there. */
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

  /** Returns the classes in the streamer infos; empty if the file has none. */
  async types(options: ReadOptions = {}): Promise<ClassRecord[]> {
    const own = await this.#inCore();
    await this.#loadStreamers(own, options);
    return own.file.types();
  }

  /** Returns the TTree or RNTuple at a path. */
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

  /** Returns the positions of the baskets of a tree. With `ordered`, reads a basket of each branch of objects. */
  async layout(path: string, ordered = false, options: ReadOptions = {}): Promise<TreeLayout> {
    const { offset, storedBytes, objectBytes } = await this.key(path, options);
    const tree = await this.tree(path, options);
    await tree.prepare(undefined, options);
    const orders = ordered && tree instanceof TreeModel && (await tree.orders(options));
    const record = { offset, length: storedBytes, objectBytes };
    return { ...tree.layout(), ...(orders && { orders }), record };
  }

  /** Returns the records named by the file's header and lists. */
  async records(options: ReadOptions = {}): Promise<FileRecords> {
    const keys = await this.keys(options);
    const { core, reader, header } = this;
    const [{ fileRecords }] = await Promise.all([import('./records'), core.ready()]);
    return fileRecords({ core, reader, header, keys, keyLists: this.#keyLists }, options);
  }

  /** Walks the records of ranges, each of which begins with a record. Without ranges walks the whole file. */
  async walk(ranges: readonly Range[] | undefined, options: CallOptions = {}): Promise<WalkedRecords> {
    const { begin, end } = this.header;
    const [{ walkRanges }] = await Promise.all([import('./records'), this.core.ready()]);
    return walkRanges(this, ranges ?? [{ offset: begin, length: end - begin }], end, options);
  }

  /** Returns the fields of the record that begins at a byte: see EngineApi. */
  async fields(at: number, options: ReadOptions = {}): Promise<RecordFields> {
    // Lists of keys that cannot be read are not in the way of looking at bytes.
    if (at !== 0) await this.keys(options).catch(() => {});
    const [{ recordFields }] = await Promise.all([import('./record-fields'), this.core.ready()]);
    return recordFields(this, this.#keyLists, at, options);
  }

  /** Returns the bytes of ranges, concatenated: see EngineApi. */
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
    // Metadata have been in memory since the file was opened.
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

  /** Drops trees and classes, which must not be in use. They are parsed again when needed. */
  async forget(): Promise<void> {
    const own = this.#own;
    if (own.trees.size === 0 && !own.streamers) return;
    // Synchronous, so that callers who use the file meanwhile get the new objects.
    if (!this.core.lost) this.#own = this.#openInCore();
    await dropInCore(own);
  }

  async close(): Promise<void> {
    await dropInCore(this.#own);
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

  /** Decodes the record of a key, after loading the classes. */
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

  /** Explains that classes are not described because the end of the file is missing. */
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

async function dropInCore({ file, trees, streamers }: InCore): Promise<void> {
  await streamers?.catch(() => {});
  for (const tree of trees.values()) await tree.then((model) => model.close()).catch(() => {});
  file.close();
}

/** Adds the path to errors of the core. */
function inside<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw thrown instanceof XylemError ? thrown.at({ path }) : thrown;
  }
}

/** Calls `forget` if a promise fails, so that it is not kept for later callers. */
function forgetFailure<T>(promise: Promise<T>, forget: () => void): Promise<T> {
  promise.catch(forget);
  return promise;
}

/**
 * Returns the header of a file: see `readStart`. Throws NOT_ROOT, whose message says what the file begins with, and
 * CORRUPT.
 */
function startOf(core: Core, bytes: Uint8Array, size: number | undefined): ReturnType<typeof readStart> {
  try {
    return readStart(core, bytes, size ?? 0);
  } catch (why) {
    throw unknownFile(bytes) ?? why;
  }
}
