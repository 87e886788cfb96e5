import type { BranchInfo } from '../../../../api/api';
import type { TreeLayout } from '../../../../api/layout';
import { numberAt } from '../../../../core/dtypes';
import { treeClusters, trueClusters } from '../../../../model/layout';
import { type FreeNumbers, type FreeObject, freeNumber, type TapeShape } from '../encode/tape-shape';
import type { ObjectData } from '../encode/types';

/**
 * Members in which the records of trees may differ that were written alike: they are taken from the tape, or they do not
 * count, because the record of the first tree is kept.
 */
export const FREE_MEMBERS: ReadonlySet<string> = new Set([
  ...['fBasketBytes', 'fBasketEntry', 'fBasketSeek', 'fWriteBasket'],
  ...['fEntries', 'fEntryNumber', 'fTotBytes', 'fZipBytes', 'fSavedBytes', 'fFlushedBytes'],
  ...['fAutoFlush', 'fAutoSave', 'fBasketSize', 'fEntryOffsetLen'],
  ...['fMaximum', 'fMinimum', 'TLeafC.fLen'],
]);

/** Limits, which grow: see `widenLimits`. */
const LIMITS = ['fMaximum', 'fMinimum', 'fLen'] as const;

/** The numbers of a branch in a tape. */
interface BranchNumbers {
  seek: FreeNumbers;
  bytes: FreeNumbers;
  first: FreeNumbers;
  written: FreeNumbers;
  entries: FreeNumbers;
  entryNumber: FreeNumbers;
  totalBytes: FreeNumbers;
  storedBytes: FreeNumbers;
  /** Whether its baskets have the offsets of their entries; undefined without this member. */
  offsets: FreeNumbers | undefined;
  hasOffsets: boolean;
}

interface Limit {
  owner: Members;
  member: (typeof LIMITS)[number];
  numbers: FreeNumbers;
}

type Members = { [member: string]: unknown };

/**
 * Finds the layout of a tree in its tape, if it has the shape of the tape of another tree, whose layout is known. It is
 * the layout that the reader gives, at a small part of the cost.
 */
export class LikeTrees {
  readonly #layout: TreeLayout;
  readonly #entries: FreeNumbers;
  readonly #autoFlush: FreeNumbers | undefined;
  readonly #branches: BranchNumbers[];
  readonly #limits: Limit[];

  private constructor(
    layout: TreeLayout,
    root: FreeObject,
    entries: FreeNumbers,
    branches: BranchNumbers[],
    limits: Limit[],
  ) {
    this.#layout = layout;
    this.#entries = entries;
    this.#autoFlush = root.members.get('fAutoFlush');
    this.#branches = branches;
    this.#limits = limits;
  }

  /**
   * Returns what finds the layouts of trees like this one. Undefined if its layout is not exactly what its tape says:
   * baskets in the record, in another file, or of a table of references.
   */
  static of(
    tape: Uint8Array,
    shape: TapeShape,
    data: ObjectData,
    layout: TreeLayout,
    fileBytes: number,
  ): LikeTrees | undefined {
    const [root, ...others] = shape.objects;
    const entries = root?.members.get('fEntries');
    if (!root || root.path.length > 0 || !entries || layout.tree.lost) return undefined;
    const view = viewOf(tape);
    const branches: BranchNumbers[] = [];
    const limits: Limit[] = [];
    for (const object of others) {
      if (object.members.has('fBasketSeek')) {
        const numbers = branchNumbers(view, object);
        if (!numbers) return undefined;
        branches.push(numbers);
      }
      if (!addLimits(view, data, object, limits)) return undefined;
    }
    if (branches.length !== layout.tree.branches.length) return undefined;
    const made = new LikeTrees(layout, root, entries, branches, limits);
    const again = made.layoutIn(tape, fileBytes, layout.record);
    return again && isSame(again, layout) ? made : undefined;
  }

  /**
   * Returns the layout of a tree whose tape fits the shape, and widens the limits of the known record. Undefined if its
   * baskets are not in order within the file.
   */
  layoutIn(tape: Uint8Array, fileBytes: number, record: TreeLayout['record']): TreeLayout | undefined {
    const view = viewOf(tape);
    const branches = this.#branches;
    const known = this.#layout.tree.branches;
    const basketStart = new Uint32Array(branches.length + 1);
    for (let b = 0; b < branches.length; b++) {
      const { written, seek, bytes, first, offsets, hasOffsets } = branches[b] as BranchNumbers;
      const count = freeNumber(view, written);
      // The entry after the last basket is listed, too.
      const fits = count >= 0 && count < first.count && count <= seek.count && count <= bytes.count;
      if (!fits || (offsets && freeNumber(view, offsets) > 0 !== hasOffsets)) return undefined;
      basketStart[b + 1] = (basketStart[b] as number) + count;
    }
    const total = basketStart[branches.length] as number;
    const places = {
      basketStart,
      offset: new Float64Array(total),
      stored: new Float64Array(total),
      first: new Float64Array(total),
      entries: new Float64Array(total),
    };
    const infos: BranchInfo[] = new Array(branches.length);
    let [totalBytes, storedBytes] = [0, 0];
    for (let b = 0; b < branches.length; b++) {
      const numbers = branches[b] as BranchNumbers;
      if (!this.#basketsIn(view, numbers, places, b, fileBytes)) return undefined;
      const own = {
        baskets: (basketStart[b + 1] as number) - (basketStart[b] as number),
        entries: freeNumber(view, numbers.entries),
        totalBytes: freeNumber(view, numbers.totalBytes),
        storedBytes: freeNumber(view, numbers.storedBytes),
      };
      infos[b] = { ...(known[b] as BranchInfo), ...own };
      totalBytes += own.totalBytes;
      storedBytes += own.storedBytes;
    }
    const entries = freeNumber(view, this.#entries);
    // The limits of a tree without entries do not count.
    if (!(entries > 0) || !Number.isFinite(totalBytes + storedBytes)) return undefined;
    const autoFlush = this.#autoFlush ? freeNumber(view, this.#autoFlush) : this.#layout.autoFlush;
    if (Number.isNaN(autoFlush)) return undefined;
    for (const limit of this.#limits) widen(view, limit);
    return {
      ...this.#layout,
      ...{ record, basketStart, autoFlush },
      tree: { ...this.#layout.tree, entries, totalBytes, storedBytes, branches: infos },
      ...{
        offset: places.offset,
        storedBytes: places.stored,
        firstEntry: places.first,
        entries: places.entries,
      },
      clusterStart: treeClusters({ autoFlush, clusterRangeEnd: NONE, clusterSize: NONE }, entries),
      trueStart: trueClusters(places, entries),
    };
  }

  /** Puts the baskets of a branch into the lists. Returns whether they follow each other, from entry 0 to the last. */
  #basketsIn(
    view: DataView,
    { seek, bytes, first, entries, entryNumber }: BranchNumbers,
    places: { basketStart: Uint32Array; offset: Float64Array; stored: Float64Array } & {
      first: Float64Array;
      entries: Float64Array;
    },
    branch: number,
    fileBytes: number,
  ): boolean {
    const start = places.basketStart[branch] as number;
    const count = (places.basketStart[branch + 1] as number) - start;
    let from = count > 0 ? freeNumber(view, first, 0) : 0;
    if (from !== 0) return false;
    for (let i = 0; i < count; i++) {
      const at = freeNumber(view, seek, i);
      const length = freeNumber(view, bytes, i);
      const to = freeNumber(view, first, i + 1);
      if (!(at > 0 && length > 0 && at + length <= fileBytes && to > from)) return false;
      places.offset[start + i] = at;
      places.stored[start + i] = length;
      places.first[start + i] = from;
      places.entries[start + i] = to - from;
      from = to;
    }
    const own = freeNumber(view, entries);
    return own >= 0 && (count === 0 || (own === from && freeNumber(view, entryNumber) === from));
  }
}

const NONE = new Float64Array(0);

const viewOf = (tape: Uint8Array): DataView => new DataView(tape.buffer, tape.byteOffset, tape.byteLength);

/** Returns the numbers of a branch in a tape; undefined if one of them is missing. */
function branchNumbers(view: DataView, { members }: FreeObject): BranchNumbers | undefined {
  const seek = members.get('fBasketSeek');
  const bytes = members.get('fBasketBytes');
  const first = members.get('fBasketEntry');
  const written = members.get('fWriteBasket');
  const entries = members.get('fEntries');
  const entryNumber = members.get('fEntryNumber');
  const totalBytes = members.get('fTotBytes');
  const storedBytes = members.get('fZipBytes');
  const offsets = members.get('fEntryOffsetLen');
  if (!seek || !bytes || !first || !written || !entries || !entryNumber || !totalBytes || !storedBytes)
    return undefined;
  const hasOffsets = offsets !== undefined && freeNumber(view, offsets) > 0;
  return { seek, bytes, first, written, entries, entryNumber, totalBytes, storedBytes, offsets, hasOffsets };
}

/** Adds the limits of an object. Returns false if the record has other values than the tape. */
function addLimits(
  view: DataView,
  data: ObjectData,
  { path, members }: FreeObject,
  limits: Limit[],
): boolean {
  for (const member of LIMITS) {
    const numbers = members.get(member);
    if (!numbers) continue;
    let owner: unknown = data;
    for (const step of path) owner = (owner as Members | undefined)?.[step];
    const value = (owner as Members | undefined)?.[member];
    if (value !== numberAt(view, numbers.at, numbers.dtype)) return false;
    limits.push({ owner: owner as Members, member, numbers });
  }
  return true;
}

/** Widens a limit in the record. */
function widen(view: DataView, { owner, member, numbers }: Limit): void {
  const value = numberAt(view, numbers.at, numbers.dtype);
  const own = owner[member] as number | bigint;
  if (member === 'fMinimum' ? value < own : value > own) owner[member] = value;
}

/** Whether two layouts of the same tree say the same. */
function isSame(one: TreeLayout, other: TreeLayout): boolean {
  if (one.autoFlush !== other.autoFlush || one.tree.entries !== other.tree.entries) return false;
  const lists = [
    'basketStart',
    'offset',
    'storedBytes',
    'firstEntry',
    'entries',
    'clusterStart',
    'trueStart',
  ] as const;
  const sameLists = lists.every(
    (list) =>
      one[list].length === other[list].length && one[list].every((value, i) => value === other[list][i]),
  );
  return (
    sameLists &&
    other.tree.branches.every((branch, b) => {
      const own = one.tree.branches[b];
      return (
        own !== undefined &&
        branch.otherFile === undefined &&
        branch.embeddedBytes === undefined &&
        branch.entries === own.entries &&
        branch.baskets === own.baskets &&
        branch.totalBytes === own.totalBytes
      );
    })
  );
}
