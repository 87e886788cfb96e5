/**
 * Makes baskets from entries of other baskets. The caller chooses the entries (`BasketGroup`). This module reads the
 * records, makes the baskets, in workers if there are some, and yields them in the given order. The caller assigns
 * positions and writes the record of the tree.
 */

import type { CallOptions } from '../../../../api/api';
import type { TreeLayout } from '../../../../api/layout';
import { throwIfAborted } from '../../../../base/abort';
import { corrupt, internal } from '../../../../base/data-errors';
import type { XylemError } from '../../../../base/errors';
import type { BasketRecipe, BasketResult, BasketTask } from '../../../../core/basket-packer';
import { codecOf, compressionNumber } from '../../../../core/compression';
import { endOf } from '../../../../io/ranges';
import type { Range } from '../../../../io/source';
import type { Records } from '../file/records';
import { takeBytes } from '../input/claims';
import { type Input, MAX_KEY_BYTES } from '../input/input';
import type { BranchForm } from './branch-form';

export interface RegroupedTree {
  /** The whole tree. */
  layout: TreeLayout;
  /** Forms of its branches. */
  forms: readonly BranchForm[];
  /** The records of baskets in the tree's own record, by their index in the layout: see `embeddedRecords`. */
  embedded: ReadonlyMap<number, Uint8Array>;
}

/** A basket of the output. */
export interface BasketGroup {
  /** Index of the tree among the regrouped trees. */
  tree: number;
  /** Position in the tree's list of branches. */
  branch: number;
  /** First entry in the output, and number of entries, which is at least one. */
  firstEntry: number;
  entries: number;
  /** Its entries, in this order. A single whole basket is copied as it is stored. */
  parts: readonly GroupPart[];
  /**
   * 100 × algorithm + level. Undefined keeps a copied basket as it is, and uses the branch's own value for a new one.
   */
  compress?: number | undefined;
  /** The same basket in other cycles of the tree, which share it in the output, too. */
  also?: readonly BasketGroup[] | undefined;
}

/** Entries of a basket of the input. */
export interface GroupPart {
  /** Index of the basket in the layout. */
  basket: number;
  /** Pairs of first and end index of entries within the basket; undefined for all. */
  ranges?: Uint32Array | undefined;
}

export interface MadeBasket {
  group: BasketGroup;
  /** Its record, in the memory of its batch. The positions in its key are not set yet. */
  record: Uint8Array<ArrayBuffer>;
  /** Length of its key in bytes, and of its object before compression. */
  keylen: number;
  objlen: number;
}

/** Baskets with consecutive records in memory. */
export interface MadeBatch {
  bytes: Uint8Array<ArrayBuffer>;
  baskets: MadeBasket[];
}

export interface RegroupOptions extends Pick<CallOptions, 'signal'> {
  /** xylem-write.wasm. */
  writer: WebAssembly.Module;
  /**
   * Called for each record that is read, once for each basket that uses entries of it, with the index of its tree.
   */
  seen?: ((tree: number, record: Uint8Array) => void) | undefined;
}

/** Bytes of records that are read at once. The next ones are read meanwhile. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** Bytes of records in one task. */
const TASK_BYTES = 512 * 1024;
/** Maximum bytes of records in running tasks, and number of these tasks. */
const AHEAD_BYTES = 6 * 1024 * 1024;
const AHEAD_TASKS = 12;

/**
 * Makes baskets, in the given order. Throws the errors of reading and of `BasketPacker`, and CORRUPT if a basket does
 * not have the number of entries that its tree claims.
 */
export async function* regroupBaskets(
  input: Input,
  records: Records,
  trees: readonly RegroupedTree[],
  groups: readonly BasketGroup[],
  { signal, writer, seen: tell }: RegroupOptions,
): AsyncGenerator<MadeBatch> {
  const running: { groups: readonly BasketGroup[]; bytes: number; result: Promise<BasketResult> }[] = [];
  let runningBytes = 0;
  const finish = async (): Promise<MadeBatch> => {
    const task = running.shift();
    if (!task) throw internal('No task is under way.');
    const result = await task.result;
    runningBytes -= task.bytes;
    throwIfAborted(signal);
    return batchOf(task.groups, result, records);
  };
  const reads = readsOf(trees, groups)[Symbol.iterator]();
  const seen = new Set<number>();
  const start = () => {
    const next = reads.next();
    if (next.done) return undefined;
    // One basket may be read for several others.
    for (const [offset, { length }] of next.value.places) {
      if (!seen.has(offset)) takeBytes(input, length);
      seen.add(offset);
    }
    const bytes = input.reader.bytes(input.id, next.value.ranges, { signal });
    // It is awaited in the next iteration, unless another error comes first.
    bytes.catch(() => {});
    return { ...next.value, bytes };
  };
  for (let read = start(); read; ) {
    const { groups: own, places } = read;
    const bytes = await read.bytes;
    throwIfAborted(signal);
    read = start();
    for (const group of batchesOf(own, trees)) {
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
      running.push({ groups: group, bytes: size, result });
    }
  }
  while (running.length > 0) yield await finish();
}

/**
 * Groups that are read together, the ranges they need, each once, and the positions of the baskets in the bytes that
 * were read.
 */
interface Read {
  groups: BasketGroup[];
  ranges: Range[];
  places: Map<number, Range>;
}

export function* readsOf(trees: readonly RegroupedTree[], groups: readonly BasketGroup[]): Generator<Read> {
  let read: Read = { groups: [], ranges: [], places: new Map() };
  let bytes = 0;
  for (const group of groups) {
    const size = bytesOf(group, trees);
    if (read.groups.length > 0 && bytes + size > BATCH_BYTES) {
      yield read;
      read = { groups: [], ranges: [], places: new Map() };
      bytes = 0;
    }
    read.groups.push(group);
    for (const { offset, length } of sourcesOf(group, trees)) {
      if (offset <= 0 || read.places.has(offset)) continue;
      read.places.set(offset, { offset: bytes, length });
      bytes += length;
      const last = read.ranges.at(-1);
      if (last && endOf(last) === offset) last.length += length;
      else read.ranges.push({ offset, length });
    }
  }
  if (read.groups.length > 0) yield read;
}

/** Returns the records of a basket; offset 0 if they are in the tree's own record. */
function sourcesOf({ tree, parts }: BasketGroup, trees: readonly RegroupedTree[]): Range[] {
  const { layout, embedded } = treeOf(tree, trees);
  return parts.map(({ basket }) => {
    const offset = layout.offset[basket] ?? 0;
    const inside = embedded.get(basket);
    return offset > 0 || !inside
      ? { offset, length: layout.storedBytes[basket] ?? 0 }
      : { offset: 0, length: inside.length };
  });
}

function treeOf(tree: number, trees: readonly RegroupedTree[]): RegroupedTree {
  const found = trees[tree];
  if (!found) throw internal(`There is no tree ${tree} to regroup.`);
  return found;
}

const bytesOf = (group: BasketGroup, trees: readonly RegroupedTree[]): number =>
  sourcesOf(group, trees).reduce((sum, { length }) => sum + length, 0);

/** Divides groups into the baskets of one task each. */
function* batchesOf(
  groups: readonly BasketGroup[],
  trees: readonly RegroupedTree[],
): Generator<BasketGroup[]> {
  let batch: BasketGroup[] = [];
  let bytes = 0;
  for (const group of groups) {
    const size = bytesOf(group, trees);
    if (batch.length > 0 && bytes + size > TASK_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(group);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function taskOf(
  groups: readonly BasketGroup[],
  trees: readonly RegroupedTree[],
  { bytes, places }: { bytes: Uint8Array; places: ReadonlyMap<number, Range> },
  { writer, fileCompress, seen }: Pick<RegroupOptions, 'writer' | 'seen'> & { fileCompress: number },
): Omit<BasketTask, 'baskets'> & { baskets: BasketRecipe[] } {
  const input = new Uint8Array(groups.reduce((sum, group) => sum + bytesOf(group, trees), 0));
  let at = 0;
  const baskets = groups.map((group): BasketRecipe => {
    const { layout, forms, embedded } = treeOf(group.tree, trees);
    const parts = sourcesOf(group, trees).map(({ offset, length }, i) => {
      const part = group.parts[i];
      const place = places.get(offset);
      const stored =
        place?.length === length ? bytes.subarray(place.offset, place.offset + length) : undefined;
      const record = offset > 0 ? stored : embedded.get(part?.basket ?? -1);
      if (!record) throw missing(group, offset, length);
      seen?.(group.tree, record);
      input.set(record, at);
      at += length;
      return { at: at - length, bytes: length, ranges: part?.ranges };
    });
    const [only, ...others] = group.parts;
    const isWhole = others.length === 0 && only?.ranges === undefined;
    const isStored = isWhole && (layout.offset[only?.basket ?? -1] ?? 0) > 0;
    const own = writableCompress(layout.compress[group.branch] ?? -1, fileCompress);
    const form = forms[group.branch];
    if (!form) throw internal(`Branch ${group.branch} has no form.`);
    const { offsets, plan, path } = form;
    return {
      parts,
      compress: group.compress ?? (isStored ? undefined : own),
      form: isWhole ? undefined : { offsets, plan, path },
    };
  });
  return { kind: 'baskets', writer, input, baskets };
}

/** Converts fCompress of a branch to a codec that can be written. A negative value means that of the file. */
export function writableCompress(compress: number, fileCompress: number): number {
  return compressionNumber(codecOf(compress < 0 ? Math.max(0, fileCompress) : compress));
}

/** Returns the baskets of a result. Throws CORRUPT if one does not have the number of entries of its group. */
function batchOf(
  groups: readonly BasketGroup[],
  { bytes, lengths }: BasketResult,
  records: Records,
): MadeBatch {
  let at = 0;
  const baskets = groups.map((group, i): MadeBasket => {
    const record = bytes.subarray(at, at + (lengths[i] ?? 0));
    at += record.length;
    const { nbytes, keylen, objlen, entries } = records.readKey(record.subarray(0, MAX_KEY_BYTES));
    if (nbytes !== record.length || entries !== group.entries) throw otherEntries(group, entries);
    return { group, record, keylen, objlen };
  });
  return { bytes, baskets };
}

function missing({ branch, firstEntry }: BasketGroup, offset: number, length: number): XylemError {
  return corrupt(
    `The basket of branch ${branch} with entry ${firstEntry} is not at byte ${offset} with ${length} bytes: another one is.`,
    { offset, length },
    'The file may be damaged: see what "xylem check" finds.',
  );
}

function otherEntries({ branch, firstEntry, entries }: BasketGroup, found: number): XylemError {
  return corrupt(
    `A basket of branch ${branch} has ${found} entries from ${firstEntry} on, but its tree lists ${entries}.`,
    undefined,
    'The file may be damaged: see what "xylem check" finds.',
  );
}
