import type { CallOptions, FileInfo, ReaderApi } from '../../api/api';
import { throwIfAborted } from '../../base/abort';
import { Core } from '../../core/core';
import type { WriterExports } from '../../core/module';
import { throttle } from '../../decode/throttle';
import { newestKeys } from '../../model/find-key';
import { ClassCodec } from '../encode/class-codec';
import { type Directory, FileWriter, packDate } from '../file-writer';
import { identityOf, randomIdentity } from '../identity';
import { type Input, readInput } from '../input';
import { Records } from '../records';
import type { Sink } from '../sink';
import { KeptObjects } from './kept-objects';
import { MergedTrees } from './merged-trees';
import { type ListedKey, makeRecord } from './new-records';
import { StreamerUnion } from './streamer-union';
import { checkStamp, makeDirectories, parentOf, survey, withMergeSource } from './survey';

/** A file that is merged. It is opened twice, and only one is open at a time. */
export interface MergeSource {
  name: string;
  open(): Promise<{ reader: ReaderApi; info: FileInfo; close(): Promise<void> }>;
}

export interface MergeOptions extends CallOptions {
  /** xylem-write.wasm. */
  writer: WebAssembly.Module;
  /** Name of the new file, without folders. */
  name: string;
  /** The same bytes for the same inputs: no dates, and an identity made of the content. Default: false. */
  reproducible?: boolean | undefined;
}

/** A file that was written. */
export interface Merged {
  bytes: number;
  trees: { path: string; entries: number; parts: number; baskets: number; clusters: number }[];
  /** Number of sums of histograms, profiles and graphs, and of other objects, each cycle counted. */
  sums: number;
  objects: number;
  /** Changes that lose no value of the inputs: the index of a tree is dropped, for instance. */
  notes: string[];
  /** Parts of the inputs that are missing in the output, or kept but not added. */
  leftOut: string[];
}

/** The output of a merge, which its parts share. */
export interface Merging {
  records: Records;
  out: FileWriter;
  /** Directories by their paths; '' is the root. */
  directories: Map<string, Directory>;
  /** Date of new records, and fCompress. */
  date: number;
  compress: number;
  notes: string[];
  leftOut: string[];
}

/** An input that is open. */
export interface MergeInput extends Input {
  name: string;
  codec: ClassCodec;
  /** Number that is added to the process ids in its baskets. */
  pid: number;
}

/**
 * Merges files: trees are chained by copying their baskets, histograms, profiles and graphs are added, and other
 * objects are kept as cycles. Memory grows with the numbers of baskets and of different objects, not with the number
 * of files. Throws the errors of reading and of the sink, UNSUPPORTED for trees that differ, and FILE_CHANGED.
 */
export async function mergeFiles(
  sources: readonly MergeSource[],
  sink: Sink,
  options: MergeOptions,
): Promise<Merged> {
  const { signal, reproducible } = options;
  const core = await Core.create<WriterExports>(options.writer);
  const records = new Records(core);
  const plan = await survey(sources, records, signal);
  const date = reproducible ? 1 : packDate(new Date());
  const { version, compress } = plan.header;
  const out = new FileWriter(sink, records, {
    ...{ name: options.name, title: plan.title, version, compress, created: date, date },
    uuid: async (lists) => (reproducible ? await identityOf(plan.identity, lists) : randomIdentity()),
  });
  const directories = makeDirectories(plan, out);
  const merging: Merging = { records, out, directories, date, compress, notes: [], leftOut: [] };
  const trees = new MergedTrees(merging);
  const objects = new KeptObjects(merging);
  const streamers = new StreamerUnion();
  const codecs = new Set<ClassCodec>();
  const report = throttle(options.onProgress);
  let bytesDone = 0;

  async function add(source: MergeSource, index: number, reader: ReaderApi, info: FileInfo): Promise<void> {
    checkStamp(plan, index, source, info);
    const input = await readInput(reader, info.id, info, records, { signal });
    const infos = input.streamers && (await reader.bytes(info.id, [input.streamers], { signal })).slice();
    const codec = new ClassCodec(core, input.header.version, infos);
    codecs.add(codec);
    const from: MergeInput = { ...input, name: source.name, codec, pid: objects.processes };
    if (infos) streamers.add(infos, codec);
    const newest = newestKeys(input.keys.filter(({ kind }) => kind !== 'directory'));
    const onBytes = (more: number): void => {
      bytesDone += more;
      const label = `Merging ${source.name}`;
      report(() => ({ label, bytesDone, bytesTotal: plan.bytes, entriesDone: 0, entriesTotal: 0 }));
    };
    for (const key of newest.values())
      if (key.kind === 'tree') await trees.add(from, key, { signal, onBytes });
    await objects.add(from, newest, { signal });
    if (trees.uses(codec) || objects.uses(codec) || streamers.codec === codec) return;
    codecs.delete(codec);
    codec.free();
  }

  try {
    for (const [index, source] of sources.entries()) {
      throwIfAborted(signal);
      await withMergeSource(source, (reader, info) => add(source, index, reader, info));
    }
    const listed = new Map<string, ListedKey[]>();
    await objects.finish(listed);
    const chains = await trees.finish(listed);
    await writeStreamers(merging, streamers);
    listKeys(merging, plan, listed);
    const bytes = await out.finish();
    const { notes, leftOut } = merging;
    const written = chains.map(({ path, chain: { entries, parts, baskets, clusters } }) => ({
      ...{ path, entries, parts, baskets, clusters },
    }));
    return { bytes, trees: written, sums: objects.sums, objects: objects.kept, notes, leftOut };
  } finally {
    for (const codec of codecs) codec.free();
  }
}

async function writeStreamers(merging: Merging, streamers: StreamerUnion): Promise<void> {
  const result = streamers.result();
  if (!result || !streamers.codec) return;
  const { out } = merging;
  if (!result.object) return await out.streamers(result.record);
  const names = { className: 'TList', name: 'StreamerInfo', title: 'Doubly linked list' };
  await out.streamers(makeRecord(merging, names, 1, result.object, streamers.codec));
}

/** Lists all keys, in the order in which the inputs have them. */
function listKeys(
  { out, directories }: Merging,
  { paths, directories: surveyed }: Awaited<ReturnType<typeof survey>>,
  listed: ReadonlyMap<string, readonly ListedKey[]>,
): void {
  const parents = new Map(surveyed.map(({ path, key }) => [path, parentOf(key)]));
  for (const path of new Set([...paths, ...listed.keys()])) {
    const own = path === '' ? undefined : directories.get(path);
    const above = directories.get(parents.get(path) ?? folderOf(path, directories)) ?? out.root;
    if (own) out.list(above, own.key, { seek: own.at });
    for (const { key, seek } of listed.get(path) ?? []) out.list(above, key, { seek });
  }
}

/** The directory of an object: names may have slashes themselves, and directories are known. */
function folderOf(path: string, directories: ReadonlyMap<string, Directory>): string {
  let folder = path;
  do folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
  while (folder !== '' && !directories.has(folder));
  return folder;
}
