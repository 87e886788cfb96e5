import type { CallOptions, FileInfo } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { Sink } from '../../../../api/sink';
import type { Merged, SchemaOption, SmallFile } from '../../../../api/write';
import { throwIfAborted } from '../../../../base/abort';
import { internal } from '../../../../base/data-errors';
import { argumentError } from '../../../../base/errors';
import { Core } from '../../../../core/core';
import type { WriterExports } from '../../../../core/module';
import { cyclePath, newestKeys } from '../../../../model/keys';
import { throttle } from '../../../../pass/throttle';
import { ClassCodec } from '../encode/class-codec';
import { directoryAt, parentOf } from '../file/directories';
import { type Directory, FileWriter, packDate } from '../file/file-writer';
import { identityOf, randomIdentity } from '../file/identity';
import { DIRECTORY_BYTES, Records } from '../file/records';
import type { CopiedSpan } from '../input/copy';
import { type Input, readInput } from '../input/input';
import { readParts } from '../ntuple/ntuple-input';
import { chosenInput, type MergePart } from './chosen-part';
import { CommonBranches } from './common-branches';
import { InputClasses } from './input-classes';
import { KeptObjects } from './kept-objects';
import { MergedNtuples } from './merged-ntuples';
import { MergedTrees } from './merged-trees';
import { type ListedKey, makeRecord } from './new-records';
import { smallInput } from './small-file';
import { StreamerUnion } from './streamer-union';
import { Contents, checkStamp, named, survey, withMergeSource } from './survey';
import { UnionBranches } from './union-branches';
import { verifyMerged } from './verify-merged';
import { ZeroBudget } from './zero-budget';

/**
 * A file that is merged. Only one is open at a time. It is opened once; or twice, if all files have to be examined
 * first: for a merge that may be resumed, and if branches are left out.
 */
export interface MergeSource {
  name: string;
  open(): Promise<{ reader: EngineApi; info: FileInfo; close(): Promise<void> }>;
  /** Reads it whole, if it is small; undefined if it has to be opened. The bytes are valid until the next call. */
  small?: (() => SmallFile | undefined) | undefined;
}

export interface MergeOptions extends CallOptions, SchemaOption {
  /** xylem-write.wasm. */
  writer: WebAssembly.Module;
  /** Name of the new file, without folders. */
  name: string;
  /**
   * Writes the same bytes for the same inputs: without dates, and with a UUID made from the content. Default: false.
   */
  reproducible?: boolean | undefined;
}

/** Options of a merge that depend on where it runs. */
export interface MergeRun {
  /**
   * Opens the written file in order to verify it; undefined if it cannot be read. Without this function the file is
   * not verified.
   */
  written?: (() => Promise<Awaited<ReturnType<MergeSource['open']>> | undefined>) | undefined;
  /** The part of the inputs that is merged. Default: all. */
  part?: MergePart | undefined;
}

/** The state of the output, shared by the parts of a merge. */
export interface Merging {
  records: Records;
  out: FileWriter;
  /** Directories by their paths; '' is the root. */
  directories: Map<string, Directory>;
  /** Date of new records, fVersion and fCompress. */
  date: number;
  version: number;
  compress: number;
  notes: string[];
  leftOut: string[];
  /** The branches that all inputs have, if others are left out. */
  common: CommonBranches | undefined;
  /** The branches that any input has, if none is left out. */
  union: UnionBranches | undefined;
  zeros: ZeroBudget;
  core: Core<WriterExports>;
  /** Checksums of what was written, if it will be verified. */
  spans: CopiedSpan[] | undefined;
}

/** An input that is open. */
export interface MergeInput extends Input {
  name: string;
  codec: ClassCodec;
  /** Number added to the offset of the process ids in its baskets and objects; 0 if it has none. */
  pid: number;
}

/**
 * Merges files: trees are chained by copying their baskets; histograms, profiles and graphs are added; other objects
 * are kept as cycles. Memory grows with the numbers of baskets and of different objects, not with the number of
 * files. Without a sink only the sizes are computed, and no basket is read. Throws the errors of reading and of the
 * sink, UNSUPPORTED for trees that differ, and FILE_CHANGED.
 */
export async function mergeFiles(
  sources: readonly MergeSource[],
  sink: Sink | undefined,
  options: MergeOptions,
  { written, part = {} }: MergeRun = {},
): Promise<Merged> {
  const journal = sink?.journal;
  const { signal, reproducible = false, schema = 'strict' } = options;
  const core = await Core.create<WriterExports>(options.writer);
  const records = new Records(core);
  const classes = new InputClasses(core, records);
  const common = schema === 'filter' ? new CommonBranches() : undefined;
  const union = schema === 'union' ? new UnionBranches() : undefined;
  if (sources.length === 0) throw argumentError('There is no file to merge.');
  // All inputs are opened first only if the first bytes depend on them.
  const stamps =
    journal || common || union
      ? await survey(sources, records, signal, async (input, { name }) => {
          if (!common && !union) return;
          const { codec } = await classes.of(input, { signal });
          if (common) await addCommon(common, input, name, codec, { signal });
          if (union) await addAll(union, input, name, codec, { signal });
          classes.release(() => false);
        })
      : [];
  const fresh = { date: reproducible ? 1 : packDate(new Date()), uuid: randomIdentity() };
  const inputs = sources.map(({ name }, i) => ({ name, stamp: stamps[i] ?? '' }));
  const settings = { name: options.name, reproducible, schema, inputs };
  const { date, uuid, kept } = journal ? await journal.begin(settings, fresh) : { ...fresh, kept: 0 };
  const spans: CopiedSpan[] | undefined = written && [];
  const contents = new Contents();

  /** Starts the output. Header and title are those of the first file. */
  function begin({ header: { version, compress }, title }: Input) {
    const out = new FileWriter(sink, records, {
      ...{ kept, spans },
      ...{ name: options.name, title, version, compress: part.compress ?? compress, created: date, date },
      uuid: async (lists) => (reproducible ? await identityOf(contents.identity, lists) : uuid),
    });
    const merging: Merging = {
      records,
      out,
      directories: new Map([['', out.root]]),
      ...{ date, version, compress },
      notes: [],
      leftOut: [],
      ...{ common, union, core },
      zeros: new ZeroBudget(),
      spans,
    };
    return {
      merging,
      trees: new MergedTrees(merging, part),
      ntuples: new MergedNtuples(merging, part),
      objects: new KeptObjects(merging),
    };
  }

  let made: ReturnType<typeof begin> | undefined;
  const streamers = new StreamerUnion();
  const report = throttle(options.onProgress);
  let bytesDone = 0;
  let known: ClassCodec | undefined;
  // Entries are chosen, and missing branches are filled, by the reader of an open file.
  const isPlain = !journal && schema === 'strict' && !part.entries && part.compress === undefined;

  async function add(source: MergeSource, index: number): Promise<void> {
    const small = isPlain ? source.small?.() : undefined;
    const inMemory = small && smallInput(source, small, core, records);
    if (inMemory) {
      try {
        return await addInput(source, inMemory.input);
      } catch (thrown) {
        throw named(source, thrown);
      } finally {
        await inMemory.close();
      }
    }
    await withMergeSource(source, async (reader, info) => {
      checkStamp(stamps[index], source, info);
      await addInput(source, await readInput(reader, info.id, info, records, { signal }));
    });
  }

  async function addInput(source: MergeSource, whole: Input): Promise<void> {
    const input = chosenInput(whole, part.selection);
    made ??= begin(input);
    const { merging, trees, ntuples, objects } = made;
    // Its notes say, for example, that keys were recovered and others may be lost.
    merging.leftOut.push(...input.info.notes.map((note) => `${source.name}: ${note}`));
    merging.zeros.addInput(input.info.size);
    await contents.add(input, source.name, merging.out, merging.directories);
    const { codec, infos } = await classes.of(input, { signal });
    if (infos && known !== codec) streamers.add(infos, codec);
    known = codec;
    const refers = input.keys.some(({ className }) => className === 'TProcessID');
    const from: MergeInput = { ...input, name: source.name, codec, pid: refers ? objects.processes : 0 };
    const newest = newestKeys(input.keys.filter(({ kind }) => kind !== 'directory'));
    const onBytes = (more: number): void => {
      bytesDone += more;
      const label = `Merging ${source.name}`;
      // Files that were not opened yet are assumed to have the average size.
      const bytesTotal = (contents.bytes / contents.files) * sources.length;
      report(() => ({ label, bytesDone, bytesTotal, entriesDone: 0, entriesTotal: 0 }));
    };
    for (const key of newest.values())
      if (key.kind === 'tree') await trees.add(from, key, { signal, onBytes, writer: options.writer });
      else if (key.kind === 'ntuple') await ntuples.add(from, key, { signal, onBytes });
    await objects.add(from, newest, { signal });
    const users = [trees, ntuples, objects];
    classes.release((one) => one === streamers.codec || users.some((user) => user.uses(one)));
  }

  try {
    for (const [index, source] of sources.entries()) {
      throwIfAborted(signal);
      await add(source, index);
    }
    if (!made) throw internal('No input was merged.');
    const { merging, trees, ntuples, objects } = made;
    const listed = new Map<string, ListedKey[]>();
    await objects.finish(listed);
    const chains = await trees.finish(
      listed,
      () => new ClassCodec(core, merging.version, streamerRecord(merging, streamers)),
    );
    const columnar = await ntuples.finish(listed);
    await writeStreamers(merging, streamers);
    listKeys(merging, contents, listed);
    const bytes = await merging.out.finish();
    const { notes, leftOut } = merging;
    const open = await written?.();
    if (open && spans) {
      try {
        await verifyMerged({ ...open, spans, listed, trees: chains, ntuples: columnar }, options);
      } finally {
        await open.close();
      }
    }
    const merged = chains.map(({ path, chain }) => {
      const { entries, parts, baskets, bytes: basketBytes, reads, clusters, clustersClaimed } = chain;
      return { path, entries, parts, baskets, basketBytes, reads, clusters, clustersClaimed };
    });
    return {
      bytes,
      trees: [...merged, ...columnar],
      sums: objects.sums,
      objects: objects.kept,
      notes,
      leftOut,
    };
  } finally {
    made?.ntuples.free();
    made?.objects.free();
    classes.free();
  }
}

/** Examines the branches of the trees of a file, and the fields of its RNTuples. */
async function addCommon(
  common: CommonBranches,
  input: Input,
  name: string,
  codec: ClassCodec,
  options: CallOptions,
): Promise<void> {
  for (const key of newestKeys(input.keys).values()) {
    const { path, kind, offset, storedBytes } = key;
    if (kind === 'tree') {
      const record = await input.reader.bytes(input.id, [{ offset, length: storedBytes }], options);
      common.add(path, name, codec.read(record));
    } else if (kind === 'ntuple') {
      const { metadata } = await readParts(input, key, codec, options);
      try {
        common.addFields(path, name, metadata.structure());
      } finally {
        metadata.free();
      }
    }
  }
}

/** Examines the branches of the trees of a file. */
async function addAll(
  union: UnionBranches,
  input: Input,
  name: string,
  codec: ClassCodec,
  options: CallOptions,
): Promise<void> {
  for (const key of newestKeys(input.keys).values()) {
    if (key.kind !== 'tree') continue;
    const { offset, storedBytes } = key;
    const record = await input.reader.bytes(input.id, [{ offset, length: storedBytes }], options);
    const { branches } = await input.reader.tree(input.id, cyclePath(key), options);
    union.add(key.path, name, codec.read(record), branches, input.streamers !== undefined);
  }
}

/** Returns the record with the descriptions of all classes. */
function streamerRecord(merging: Merging, streamers: StreamerUnion): Uint8Array<ArrayBuffer> | undefined {
  const result = streamers.result();
  if (!result || !streamers.codec) return undefined;
  const { record, object } = result;
  if (record && merging.out.canAppend(record)) return record.slice();
  const names = { className: 'TList', name: 'StreamerInfo', title: 'Doubly linked list' };
  return makeRecord(merging, names, 1, object, streamers.codec);
}

async function writeStreamers(merging: Merging, streamers: StreamerUnion): Promise<void> {
  const record = streamerRecord(merging, streamers);
  if (record) await merging.out.streamers(record);
}

/** Lists all keys, in the order of the inputs. */
function listKeys(
  { out, directories }: Merging,
  { paths, directories: known }: Contents,
  listed: ReadonlyMap<string, readonly ListedKey[]>,
): void {
  const parents = new Map([...known].map(([path, key]) => [path, parentOf(key)]));
  for (const path of new Set([...paths, ...listed.keys()])) {
    const own = path === '' ? undefined : directories.get(path);
    const above = directoryAt(directories, parents.get(path) ?? folderOf(path, directories));
    if (own) {
      const key = known.get(path)?.header ?? own.key;
      out.list(above, key, { seek: own.at, nbytes: own.bytes, objlen: DIRECTORY_BYTES });
    }
    for (const { key, seek } of listed.get(path) ?? []) out.list(above, key, { seek });
  }
}

/** Returns the directory of an object. Names may contain slashes, so the known directories are searched. */
function folderOf(path: string, directories: ReadonlyMap<string, Directory>): string {
  let folder = path;
  do folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
  while (folder !== '' && !directories.has(folder));
  return folder;
}
