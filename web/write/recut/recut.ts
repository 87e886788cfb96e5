/**
 * Baskets that are made of entries of other baskets. The caller says which (`BasketCut`); here their records are read,
 * made in workers where there are some, and handed on in the order of the plan. Where they will lie, and the record of
 * their tree, is left to the caller.
 */
import type { CallOptions } from '../../api/api';
import type { TreeLayout } from '../../api/layout';
import { throwIfAborted } from '../../base/abort';
import { XylemError } from '../../base/errors';
import type { BasketRecipe, BasketResult, BasketTask } from '../../core/basket-packer';
import { endOf } from '../../io/ranges';
import type { Range } from '../../io/source';
import { takeBytes } from '../claims';
import { type Input, MAX_KEY_BYTES } from '../input';
import type { Records } from '../records';
import type { BranchForm } from './branch-form';

/** A tree whose baskets are cut. */
export interface RecutTree {
  /** The whole tree. */
  layout: TreeLayout;
  /** For each of its branches. */
  forms: readonly BranchForm[];
  /** The records of baskets that lie in the tree's own record, by their numbers in the layout: see `embeddedRecords`. */
  embedded: ReadonlyMap<number, Uint8Array>;
}

/** A basket of the output. */
export interface BasketCut {
  /** Index of the tree among those that are cut. */
  tree: number;
  /** Position in the tree's list of branches. */
  branch: number;
  /** First entry in the output, and number of entries: at least one. */
  firstEntry: number;
  entries: number;
  /** Its entries, in this order. One whole basket is copied as it is stored. */
  parts: readonly CutPart[];
  /** 100 × algorithm + level; undefined keeps what is copied, and takes the branch's own for what is made. */
  compress?: number | undefined;
  /** Baskets of other cycles of the tree that are the same one, also in the output. */
  also?: readonly BasketCut[] | undefined;
}

/** Entries of a basket of the input. */
export interface CutPart {
  /** Its number in the layout. */
  basket: number;
  /** Pairs of first and end index of entries within the basket; all where it is undefined. */
  ranges?: Uint32Array | undefined;
}

/** A basket that was made. */
export interface MadeBasket {
  cut: BasketCut;
  /** Its record, in the memory of its batch; the places in its key are not yet set. */
  record: Uint8Array<ArrayBuffer>;
  /** Bytes of its key, and of its object before compression. */
  keylen: number;
  objlen: number;
}

/** Baskets whose records follow each other in memory. */
export interface MadeBatch {
  bytes: Uint8Array<ArrayBuffer>;
  baskets: MadeBasket[];
}

export interface RecutOptions extends Pick<CallOptions, 'signal'> {
  /** xylem-write.wasm. */
  writer: WebAssembly.Module;
  /** Told of each record that is read, once for each basket that has entries of it, by the number of its tree. */
  seen?: ((tree: number, record: Uint8Array) => void) | undefined;
}

/** Bytes of records that are read at once; the next are read meanwhile. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** Bytes of records in one task. */
const TASK_BYTES = 512 * 1024;
/** Bytes of records in tasks that are under way, and number of tasks. */
const AHEAD_BYTES = 6 * 1024 * 1024;
const AHEAD_TASKS = 12;

/**
 * Makes baskets, in the given order. Throws the errors of reading and of `BasketPacker`, and CORRUPT when a basket has
 * not the entries that it was said to have.
 */
export async function* recutBaskets(
  input: Input,
  records: Records,
  trees: readonly RecutTree[],
  cuts: readonly BasketCut[],
  { signal, writer, seen: tell }: RecutOptions,
): AsyncGenerator<MadeBatch> {
  const running: { cuts: readonly BasketCut[]; bytes: number; result: Promise<BasketResult> }[] = [];
  let runningBytes = 0;
  const finish = async (): Promise<MadeBatch> => {
    const task = running.shift();
    if (!task) throw new XylemError({ code: 'INTERNAL', message: 'No task is under way.' });
    const result = await task.result;
    runningBytes -= task.bytes;
    throwIfAborted(signal);
    return batchOf(task.cuts, result, records);
  };
  const reads = readsOf(trees, cuts)[Symbol.iterator]();
  const seen = new Set<number>();
  const start = () => {
    const next = reads.next();
    if (next.done) return undefined;
    // A basket may be read for several others.
    for (const [offset, { length }] of next.value.places) {
      if (!seen.has(offset)) takeBytes(input, length);
      seen.add(offset);
    }
    const bytes = input.reader.bytes(input.id, next.value.ranges, { signal });
    // It is awaited in the next turn, if no other failure comes first.
    bytes.catch(() => {});
    return { ...next.value, bytes };
  };
  for (let read = start(); read; ) {
    const { cuts: own, places } = read;
    const bytes = await read.bytes;
    throwIfAborted(signal);
    read = start();
    for (const group of groupsOf(own, trees)) {
      const task = taskOf(
        group,
        trees,
        { bytes, places },
        { writer, fileCompress: input.header.compress, seen: tell },
      );
      while (
        running.length > 0 &&
        (running.length >= AHEAD_TASKS || runningBytes + task.input.length > AHEAD_BYTES)
      )
        yield await finish();
      const size = task.input.length;
      const kept = task.baskets.every(({ compress }) => compress === undefined);
      const result = kept
        ? Promise.resolve({
            bytes: task.input,
            lengths: task.baskets.map(({ parts }) => parts[0]?.bytes ?? 0),
          })
        : input.reader.makeBaskets(task, { signal });
      result.catch(() => {});
      runningBytes += size;
      running.push({ cuts: group, bytes: size, result });
    }
  }
  while (running.length > 0) yield await finish();
}

/** Cuts that are read together, the distinct ranges that they need, and where the baskets are in what is read. */
interface Read {
  cuts: BasketCut[];
  ranges: Range[];
  places: Map<number, Range>;
}

export function* readsOf(trees: readonly RecutTree[], cuts: readonly BasketCut[]): Generator<Read> {
  let read: Read = { cuts: [], ranges: [], places: new Map() };
  let bytes = 0;
  for (const cut of cuts) {
    const size = bytesOf(cut, trees);
    if (read.cuts.length > 0 && bytes + size > BATCH_BYTES) {
      yield read;
      read = { cuts: [], ranges: [], places: new Map() };
      bytes = 0;
    }
    read.cuts.push(cut);
    for (const { offset, length } of sourcesOf(cut, trees)) {
      if (offset <= 0 || read.places.has(offset)) continue;
      read.places.set(offset, { offset: bytes, length });
      bytes += length;
      const last = read.ranges.at(-1);
      if (last && endOf(last) === offset) last.length += length;
      else read.ranges.push({ offset, length });
    }
  }
  if (read.cuts.length > 0) yield read;
}

/** The records of a basket; offset 0 where they lie in the tree's own record. */
function sourcesOf({ tree, parts }: BasketCut, trees: readonly RecutTree[]): Range[] {
  const { layout, embedded } = treeOf(tree, trees);
  return parts.map(({ basket }) => {
    const offset = layout.offset[basket] ?? 0;
    const inside = embedded.get(basket);
    return offset > 0 || !inside
      ? { offset, length: layout.storedBytes[basket] ?? 0 }
      : { offset: 0, length: inside.length };
  });
}

function treeOf(tree: number, trees: readonly RecutTree[]): RecutTree {
  const found = trees[tree];
  if (!found) throw new XylemError({ code: 'INTERNAL', message: `There is no tree ${tree} to cut.` });
  return found;
}

const bytesOf = (cut: BasketCut, trees: readonly RecutTree[]): number =>
  sourcesOf(cut, trees).reduce((sum, { length }) => sum + length, 0);

/** Cuts that are made together. */
function* groupsOf(cuts: readonly BasketCut[], trees: readonly RecutTree[]): Generator<BasketCut[]> {
  let group: BasketCut[] = [];
  let bytes = 0;
  for (const cut of cuts) {
    const size = bytesOf(cut, trees);
    if (group.length > 0 && bytes + size > TASK_BYTES) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(cut);
    bytes += size;
  }
  if (group.length > 0) yield group;
}

function taskOf(
  cuts: readonly BasketCut[],
  trees: readonly RecutTree[],
  { bytes, places }: { bytes: Uint8Array; places: ReadonlyMap<number, Range> },
  { writer, fileCompress, seen }: Pick<RecutOptions, 'writer' | 'seen'> & { fileCompress: number },
): Omit<BasketTask, 'baskets'> & { baskets: BasketRecipe[] } {
  const input = new Uint8Array(cuts.reduce((sum, cut) => sum + bytesOf(cut, trees), 0));
  let at = 0;
  const baskets = cuts.map((cut): BasketRecipe => {
    const { layout, forms, embedded } = treeOf(cut.tree, trees);
    const parts = sourcesOf(cut, trees).map(({ offset, length }, i) => {
      const part = cut.parts[i];
      const place = places.get(offset);
      const stored =
        place?.length === length ? bytes.subarray(place.offset, place.offset + length) : undefined;
      const record = offset > 0 ? stored : embedded.get(part?.basket ?? -1);
      if (!record) throw missing(cut, offset, length);
      seen?.(cut.tree, record);
      input.set(record, at);
      at += length;
      return { at: at - length, bytes: length, ranges: part?.ranges };
    });
    const [only, ...others] = cut.parts;
    const isWhole = others.length === 0 && only?.ranges === undefined;
    const isStored = isWhole && (layout.offset[only?.basket ?? -1] ?? 0) > 0;
    const own = writableCompress(layout.compress[cut.branch] ?? -1, fileCompress);
    const form = forms[cut.branch];
    if (!form) throw new XylemError({ code: 'INTERNAL', message: `Branch ${cut.branch} has no form.` });
    const { offsets, plan, path } = form;
    return {
      parts,
      compress: cut.compress ?? (isStored ? undefined : own),
      cut: isWhole ? undefined : { offsets, plan, path },
    };
  });
  return { kind: 'baskets', writer, input, baskets };
}

/** fCompress of a branch as a codec that is written; below zero it is that of the file. */
export function writableCompress(compress: number, fileCompress: number): number {
  const wanted = compress < 0 ? Math.max(0, fileCompress) : compress;
  const level = Math.min(9, wanted % 100);
  if (level === 0) return 0;
  const algorithm = Math.floor(wanted / 100);
  // 0 and 3 are old names of zlib.
  return 100 * (WRITTEN_ALGORITHMS.has(algorithm) ? algorithm : 1) + level;
}

const WRITTEN_ALGORITHMS = new Set([1, 2, 4, 5]);

/** The baskets of a result. Throws CORRUPT when one has not the entries of its cut. */
function batchOf(cuts: readonly BasketCut[], { bytes, lengths }: BasketResult, records: Records): MadeBatch {
  let at = 0;
  const baskets = cuts.map((cut, i): MadeBasket => {
    const record = bytes.subarray(at, at + (lengths[i] ?? 0));
    at += record.length;
    const { nbytes, keylen, objlen, entries } = records.readKey(record.subarray(0, MAX_KEY_BYTES));
    if (nbytes !== record.length || entries !== cut.entries) throw otherEntries(cut, entries);
    return { cut, record, keylen, objlen };
  });
  return { bytes, baskets };
}

function missing({ branch, firstEntry }: BasketCut, offset: number, length: number): XylemError {
  return new XylemError({
    code: 'CORRUPT',
    message: `The basket of branch ${branch} with entry ${firstEntry} is not at byte ${offset} with ${length} bytes: another one is.`,
    where: { offset, length },
    fix: 'The file may be damaged: see what "xylem check" finds.',
  });
}

function otherEntries({ branch, firstEntry, entries }: BasketCut, found: number): XylemError {
  return new XylemError({
    code: 'CORRUPT',
    message: `A basket of branch ${branch} has ${found} entries from ${firstEntry} on, but its tree lists ${entries}.`,
    fix: 'The file may be damaged: see what "xylem check" finds.',
  });
}
