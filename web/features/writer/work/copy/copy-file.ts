import type { BranchInfo, CallOptions, FileInfo } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { TreeLayout } from '../../../../api/layout';
import type { Sink } from '../../../../api/sink';
import type { Selection, WrittenFile } from '../../../../api/write';
import { joined } from '../../../../base/bytes';
import { corrupt, internal } from '../../../../base/data-errors';
import { toXylemError, type XylemError } from '../../../../base/errors';
import { formatCount } from '../../../../base/format';
import { codecOf } from '../../../../core/compression';
import { Core } from '../../../../core/core';
import type { WriterExports } from '../../../../core/module';
import type { Range } from '../../../../io/source';
import { cyclePath, newestKeys } from '../../../../model/keys';
import { ClassCodec } from '../encode/class-codec';
import { directoryAt, parentOf } from '../file/directories';
import { type Directory, FileWriter, packDate } from '../file/file-writer';
import { identityOf, randomIdentity } from '../file/identity';
import { DIRECTORY_BYTES, type KeyNumbers, Records } from '../file/records';
import { type Copied, type CopiedSpan, copyRecords, type Piece } from '../input/copy';
import { type Input, type InputKey, readInput } from '../input/input';
import { refuseNestedTrees } from '../input/nested-trees';
import { otherFilesNotes } from '../input/other-files';
import { progressOf } from '../input/progress';
import { branchesNote, selectKeys } from '../input/selection';
import {
  type BasketOrder,
  type BasketPiece,
  basketPieces,
  jobAt,
  placeIn,
  placesOf,
  referencesOf,
  type TreeJob,
  type TreePart,
  treeJob,
  treeObject,
} from '../input/tree-copy';
import { copyNtuple, notesOfNtuple, pagePieces } from '../ntuple/ntuple-copy';
import { type NtupleInput, type NtuplePart, readNtuple } from '../ntuple/ntuple-input';
import { firstStuck } from '../regroup/movable';
import { type RegroupedTrees, type RegroupPlan, regroupTrees } from '../regroup/regroup-trees';
import { verifyCopy } from './verify';

/** How a file is copied. */
export interface CopyOptions extends CallOptions {
  /** xylem-write.wasm. */
  writer: WebAssembly.Module;
  /** Name of the new file, without folders. */
  name: string;
  /**
   * Writes the same bytes for the same input: without dates, and with a UUID made from the content. Default: false.
   */
  reproducible?: boolean | undefined;
  /** Whether the output can be verified afterwards, which needs checksums. Default: true. */
  verify?: boolean | undefined;
}

/** The part of a file that is copied, and the order. */
export interface CopyPlan {
  order: BasketOrder;
  /** Changes the clusters that trees claim to their true ones. */
  trueClusters: boolean;
  /** Copies only the highest cycle of each name. */
  newest: boolean;
  /** Undefined copies everything. */
  selection?: Selection | undefined;
  /** How baskets are made again; undefined copies them as they are stored. */
  regroup?: RegroupPlan | undefined;
  /** Returns the part of a tree that is copied; undefined for all. */
  part?: ((tree: InputKey, layout: TreeLayout) => TreePart | undefined) | undefined;
  ntuplePart?: ((ntuple: InputKey, layout: TreeLayout) => NtuplePart | undefined) | undefined;
  /** Returns the branches of a tree whose baskets come first in each cluster; undefined for none. */
  firstBranches?: ((tree: InputKey, layout: TreeLayout) => readonly number[] | undefined) | undefined;
  /** Receives trees and objects that cannot be copied and are left out. Without it their errors are thrown. */
  refused?: ((tree: InputKey, error: XylemError) => void) | undefined;
  /**
   * Receives branches whose chosen entries cannot be moved to other baskets. They are left out, with all that need
   * them. Without it their errors are thrown.
   */
  stuck?: ((tree: InputKey, branch: BranchInfo, error: XylemError) => void) | undefined;
  /** Record of streamer infos that replaces the one of the input. */
  classes?: Uint8Array<ArrayBuffer> | undefined;
  /** The input may be damaged, so streamer infos are decoded completely before they are copied. */
  damaged?: boolean | undefined;
  /** Called for each object and each basket that is read from the input, with the path of its key and its cycle. */
  seen?:
    | ((path: string, kind: 'object' | 'basket', record: Uint8Array, records: Records) => void)
    | undefined;
  /** Keys that are not copied: paths with cycles. */
  without?: ReadonlySet<string> | undefined;
}

/** A file that was written. */
export interface Written extends WrittenFile {
  /**
   * Reads the written file, and compares it with what was copied: keys, branches, entries of baskets, clusters, and
   * the checksums of all records. Throws CHECKSUM.
   */
  verify(file: FileInfo, options?: CallOptions): Promise<void>;
}

/** A file whose metadata were read, and the file that is made from it. */
export interface Copying {
  input: Input;
  records: Records;
  codec: ClassCodec;
  out: FileWriter;
  plan: CopyPlan;
  /** All copied keys, in the order of the lists. */
  keys: readonly InputKey[];
  objects: readonly InputKey[];
  trees: readonly TreeJob[];
  /** Trees whose baskets are copied as they are stored, and trees whose baskets are made again. */
  stored: readonly TreeJob[];
  made: readonly TreeJob[];
  ntuples: readonly NtupleInput[];
  /** Records that are copied as they are stored, in the order in which they are written. */
  pieces: readonly Piece[];
  /** Baskets among them. */
  baskets: readonly BasketPiece[];
  /** The pages of each RNTuple. */
  pages: readonly (readonly Range[])[];
  directories: ReadonlyMap<string, Directory>;
  directoryOf(key: InputKey): Directory;
}

/**
 * Copies an open file: baskets and objects compressed, as they are stored. Throws the errors of reading and of the
 * sink, CORRUPT, and UNSUPPORTED for parts that cannot be copied.
 */
export async function copyFile(
  reader: EngineApi,
  info: FileInfo,
  sink: Sink,
  plan: CopyPlan,
  options: CopyOptions,
): Promise<Written> {
  const { signal } = options;
  const copying = await beginCopy(reader, info, sink, plan, options);
  const { input, out, records, codec, keys, trees, stored, made, ntuples, pieces, baskets, pages } = copying;
  const onBytes = progressOf('Copying', [...pieces, ...pages.flat()], options);
  const spans: CopiedSpan[] = [];
  const checked = options.verify === false ? undefined : spans;
  const copied = await copyRecords(input, out, records, pieces, {
    signal,
    spans: checked,
    onBytes,
  });
  const regroup =
    made.length > 0
      ? await regroupTrees(
          { input, out, records, codec, spans: checked },
          made,
          { ...plan.regroup, order: plan.order },
          {
            signal,
            writer: options.writer,
            onProgress: options.onProgress,
            seen: seenParts(plan, made, records),
          },
        )
      : undefined;
  const bytes = await endCopy(copying, copied, regroup, (ntuple, pack) => {
    const date = records.readKey(ntuple.anchor).datime;
    const directory = copying.directoryOf(ntuple.key);
    const output = { out, records, directory, date, pack, spans: checked };
    return copyNtuple(input, ntuple, plan.order, codec, output, { signal, onBytes });
  });
  return {
    bytes,
    keys: keys.length,
    trees: trees.length + ntuples.length,
    baskets: baskets.length + (regroup?.placed.length ?? 0) + pages.flat().length,
    notes: notesOf(copying, regroup),
    verify: (file, call = {}) =>
      verifyCopy(
        { reader, info: file, keys, trees: [...stored, ...(regroup?.expected ?? []), ...ntuples], spans },
        { signal: call.signal, onBytes: progressOf('Verifying', spans, call) },
      ),
  };
}

/**
 * Reads the metadata, creates the directories, and writes the streamer infos. Without a sink nothing is written.
 * Throws as `copyFile`.
 */
export async function beginCopy(
  reader: EngineApi,
  info: FileInfo,
  sink: Sink | undefined,
  plan: CopyPlan,
  options: CopyOptions,
): Promise<Copying> {
  const { signal } = options;
  const core = await Core.create<WriterExports>(options.writer);
  const records = new Records(core);
  const input = await readInput(reader, info.id, info, records, { signal });
  const known = input.keys.filter((key) => !plan.without?.has(cyclePath(key)));
  const chosen = selectKeys(plan.newest ? newestOf(known) : known, plan.selection ?? {});
  const out = new FileWriter(sink, records, {
    name: options.name,
    title: input.title,
    version: input.header.version,
    compress: plan.regroup?.compress ?? input.header.compress,
    created: input.created,
    date: options.reproducible ? 1 : packDate(new Date()),
    uuid: async (lists) => (options.reproducible ? identityOf(info.uuid, lists) : randomIdentity()),
  });
  const directories = await makeDirectories(input, new Set(chosen), out);
  const directoryOf = (key: InputKey): Directory => directoryAt(directories, parentOf(key));
  const described =
    plan.classes?.slice() ??
    (input.streamers && (await reader.bytes(info.id, [input.streamers], { signal })));
  const streamers = described && soundStreamers(described, records);
  const codec = new ClassCodec(core, input.header.version, streamers);
  if (plan.damaged && streamers) codec.readInfos(streamers);
  const recordOf = ({ offset, storedBytes }: InputKey) =>
    reader.bytes(info.id, [{ offset, length: storedBytes }], { signal });
  const trees: TreeJob[] = [];
  const ntuples: NtupleInput[] = [];
  const refused = new Set<InputKey>();
  for (const key of chosen) {
    if (key.kind === 'directory') continue;
    try {
      if (key.kind !== 'tree' && key.kind !== 'ntuple') {
        // A copy that stops at such an object does not need to check each again.
        if (plan.refused) refuseNestedTrees(key, await recordOf(key), codec);
      } else if (key.kind === 'ntuple') ntuples.push(await readNtuple(input, key, codec, plan, { signal }));
      else {
        const job = await treeJob(input, key, directoryOf(key), plan, { codec, records }, { signal });
        trees.push(await withoutStuck(job, { input, codec, records }, plan, options));
      }
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (!plan.refused || error.code === 'ABORTED') throw thrown;
      plan.refused(key, error);
      refused.add(key);
    }
  }
  const keys = chosen.filter((key) => !refused.has(key));
  const objects = keys
    .filter(({ kind }) => kind !== 'directory' && kind !== 'tree' && kind !== 'ntuple')
    .sort((a, b) => a.offset - b.offset);
  const isMade = ({ chosen }: TreeJob): boolean => plan.regroup !== undefined || chosen !== undefined;
  const stored = trees.filter((job) => !isMade(job));
  const baskets = basketPieces(
    stored.map(({ layout }) => layout),
    plan.order,
  );
  const pieces = once([
    ...objects.map((key) => ({
      offset: key.offset,
      length: key.storedBytes,
      directory: directoryOf(key),
      check: (record: Uint8Array) => {
        plan.seen?.(cyclePath(key), 'object', record, records);
        refuseNestedTrees(key, record, codec);
      },
    })),
    ...trees.flatMap((job) => {
      const { seek = [], bytes = [] } = referencesOf(job) ?? {};
      return seek.map((offset, i) => ({ offset, length: bytes[i] ?? 0, directory: job.directory }));
    }),
    ...baskets.map(({ offset, length, tree }) => ({
      offset,
      length,
      directory: jobAt(stored, tree).directory,
      check: plan.seen && seenBasket(stored[tree]),
    })),
  ]);
  const pages = ntuples.map((ntuple) => pagePieces(ntuple, plan.order));

  function seenBasket(job: TreeJob | undefined) {
    const path = job ? cyclePath(job.key) : '';
    return (record: Uint8Array) => plan.seen?.(path, 'basket', record, records);
  }

  // Unchanged keys may have positions of 4 bytes. Keys of baskets have 8, so baskets come last.
  if (streamers) await out.streamers(streamers);
  return {
    ...{ input, records, codec, out, plan, keys, objects, trees, stored, ntuples },
    ...{ pieces, baskets, pages, directories, directoryOf },
    made: trees.filter(isMade),
  };
}

/** Reports to a plan the baskets from which others are made. */
function seenParts(
  { seen }: CopyPlan,
  made: readonly TreeJob[],
  records: Records,
): ((tree: number, record: Uint8Array) => void) | undefined {
  const paths = made.map(({ key }) => cyclePath(key));
  return seen && ((tree, record) => seen(paths[tree] ?? '', 'basket', record, records));
}

/** Returns a tree without the branches whose chosen entries cannot be moved, if the plan handles them. */
async function withoutStuck(
  whole: TreeJob,
  context: { input: Input; codec: ClassCodec; records: Records },
  plan: CopyPlan,
  options: CopyOptions,
): Promise<TreeJob> {
  let job = whole;
  while (plan.stuck && job.chosen) {
    const found = await firstStuck(context, job, options);
    if (!found) break;
    plan.stuck(job.key, found.branch, found.error);
    const { source, branches, chosen } = job;
    const left = source.tree.branches.flatMap(({ index }) =>
      branches?.kept.has(index) === false ? [index] : [],
    );
    const without = new Set([...left, found.branch.index]);
    const part = () => ({ chosen, without });
    job = await treeJob(context.input, job.key, job.directory, { ...plan, part }, context, options);
  }
  return job;
}

/**
 * Returns the record of streamer infos with the key that ROOT expects. If class or name in it is damaged, ROOT does
 * not open the file. Throws CORRUPT if the key has another length.
 */
function soundStreamers(record: Uint8Array, records: Records): Uint8Array {
  const { className, name } = records.textsOf(record);
  const isRight = (text: Uint8Array, right: string) => new TextDecoder().decode(text) === right;
  if (isRight(className, STREAMERS.className) && isRight(name, STREAMERS.name)) return record;
  const own = records.readKey(record);
  const { keylen, objlen, datime, seek, dir, wide } = own;
  const numbers = { stored: record.length - keylen, objlen, datime, cycle: 1, seek, dir, wide: wide === 1 };
  const key = records.makeKey(STREAMERS, numbers);
  // References within the object are relative to the start of the key.
  if (key.length !== keylen) throw corrupt('The record of streamer infos has the key of another object.');
  return joined([key, record.subarray(keylen)]);
}

/** Texts of the key of the streamer infos. */
const STREAMERS = { className: 'TList', name: 'StreamerInfo', title: 'Doubly linked list' };

/**
 * Writes what follows the baskets: records of trees, RNTuples by `addNtuple`, and lists. Returns the size of the file
 * in bytes.
 */
export async function endCopy(
  copying: Copying,
  copied: readonly Copied[],
  regroup: RegroupedTrees | undefined,
  addNtuple: (
    ntuple: NtupleInput,
    pack: (object: Uint8Array) => Uint8Array,
  ) => Promise<Partial<KeyNumbers> & { seek: number }>,
): Promise<number> {
  const { input, codec, out, plan, keys, objects, trees, made, ntuples, pieces } = copying;
  const places = placesOf(pieces, copied);
  const listed = new Map<InputKey, Partial<KeyNumbers> & { seek: number }>();
  for (const key of objects) listed.set(key, { seek: placeIn(places, key.offset) });
  const pack = packerOf(codec, plan.regroup?.compress ?? input.header.compress);
  const finished = new Map(made.map((job, i) => [job, i]));
  for (const tree of trees) {
    const i = finished.get(tree) ?? -1;
    const job = regroup?.jobs[i] ?? tree;
    const header = out.keyAtEnd(job.header);
    const place = (offset: number): number => placeIn(places, offset);
    const object = treeObject({ ...job, header }, place, codec, regroup?.plans[i]);
    const record = joined([header, pack(object)]);
    const sizes = { nbytes: record.length, objlen: object.length };
    const { at } = await out.record(job.directory, record, sizes);
    listed.set(job.key, { ...sizes, seek: at });
  }
  for (const ntuple of ntuples) listed.set(ntuple.key, await addNtuple(ntuple, pack));
  codec.free();
  for (const key of keys) {
    const own = key.kind === 'directory' ? copying.directories.get(key.path) : undefined;
    if (own)
      out.list(copying.directoryOf(key), key.header, {
        seek: own.at,
        nbytes: own.bytes,
        objlen: DIRECTORY_BYTES,
      });
    else out.list(copying.directoryOf(key), key.header, placeOf(key, listed));
  }
  return await out.finish();
}

/** Returns the position of the record of a key in the output. Throws INTERNAL. */
function placeOf<T>(key: InputKey, listed: ReadonlyMap<InputKey, T>): T {
  const place = listed.get(key);
  if (place !== undefined) return place;
  throw internal(`The record of "${cyclePath(key)}" was not written.`);
}

/** Removes duplicates of records that several keys or baskets share. Throws CORRUPT for one with two lengths. */
function once(pieces: readonly Piece[]): Piece[] {
  const lengths = new Map<number, number>();
  return pieces.filter(({ offset, length }) => {
    const known = lengths.get(offset);
    if (known === undefined) lengths.set(offset, length);
    else if (known !== length)
      throw corrupt(
        `The record at byte ${offset} is listed with ${known} and with ${length} bytes.`,
        { offset, length },
        'The file may be damaged: see what "xylem check" finds.',
      );
    return known === undefined;
  });
}

/** Returns notes on what is left out, added or unchanged. */
export function notesOf(copying: Copying, regroup: Pick<RegroupedTrees, 'notes'> | undefined): string[] {
  const { trees, ntuples, plan } = copying;
  return [
    ...(plan.newest ? olderCycles(copying) : []),
    ...trees.flatMap(noteOf),
    ...ntuples.flatMap((ntuple) => notesOfNtuple(ntuple, plan.regroup !== undefined)),
    ...(regroup?.notes ?? []),
  ];
}

/** Maximum number of cycles listed in one line. */
const MAX_NAMED = 10;

/** Returns notes on cycles that are left out because there are newer ones. */
function olderCycles({ input, keys }: Copying): string[] {
  const kept = new Set(keys.map(cyclePath));
  const paths = new Set(keys.map(({ path }) => path));
  const older = input.keys.filter((key) => paths.has(key.path) && !kept.has(cyclePath(key))).map(cyclePath);
  if (older.length === 0) return [];
  const more = older.length > MAX_NAMED ? `, and ${formatCount(older.length - MAX_NAMED)} more` : '';
  const what = older.length === 1 ? 'An older cycle is' : `${formatCount(older.length)} older cycles are`;
  return [`${what} left out: ${older.slice(0, MAX_NAMED).join(', ')}${more}`];
}

/** Returns notes on the chosen branches of a tree, and on other files with baskets of them. */
function noteOf({ key, source, layout, branches }: TreeJob): string[] {
  const path = cyclePath(key);
  return [
    ...(branches ? [branchesNote(path, branches, source.tree.branches.length)] : []),
    ...otherFilesNotes(path, layout.tree),
  ];
}

/** Returns the highest cycle of each path, in the order of the lists. */
function newestOf(keys: readonly InputKey[]): InputKey[] {
  const newest = new Set<unknown>(newestKeys(keys).values());
  return keys.filter((key) => newest.has(key));
}

/** Returns a function that compresses with the setting in the header of the file. */
function packerOf(codec: ClassCodec, compress: number): (object: Uint8Array) => Uint8Array {
  return (object) => codec.pack(object, codecOf(compress));
}

/** Creates the directories of the output. Returns them by path; '' is the root. */
async function makeDirectories(
  input: Input,
  keys: ReadonlySet<InputKey>,
  out: FileWriter,
): Promise<Map<string, Directory>> {
  const made = new Map<string, Directory>([['', out.root]]);
  for (const { path, key, header, created } of input.directories) {
    if (made.has(path) || !keys.has(key)) continue;
    made.set(path, await out.directory(directoryAt(made, parentOf(key)), header, created));
  }
  return made;
}
