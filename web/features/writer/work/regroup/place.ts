import type { TreeLayout } from '../../../../api/layout';
import { corrupt } from '../../../../base/data-errors';
import type { XylemError } from '../../../../base/errors';
import { checksum } from '../../../../cache/checksum';
import type { BranchPlan } from '../encode/types';
import type { Directory, FileWriter } from '../file/file-writer';
import type { Records } from '../file/records';
import type { Copied, CopiedSpan } from '../input/copy';
import type { BasketGroup, MadeBatch } from './regroup';

/** A basket in the output. */
export interface PlacedGroup extends Copied {
  group: BasketGroup;
  /** Bytes before compression, including the key. */
  totalBytes: number;
}

interface AppendOptions {
  directoryOf: (tree: number) => Directory;
  onBytes?: ((bytes: number) => void) | undefined;
  /** Receives the checksums of the written bytes. */
  spans?: CopiedSpan[] | undefined;
  /** Number added to the offset of the process ids of the baskets. Default: 0. */
  pid?: number | undefined;
}

/** Appends baskets to a file, and sets the positions in their keys. */
export async function appendBaskets(
  batches: AsyncIterable<MadeBatch>,
  out: FileWriter,
  records: Records,
  { directoryOf, onBytes, spans, pid = 0 }: AppendOptions,
): Promise<PlacedGroup[]> {
  const placed: PlacedGroup[] = [];
  for await (const { bytes, baskets } of batches) {
    const seek = out.end;
    let at = seek;
    const moved = baskets.map(({ group, record: { length } }) => ({
      length,
      directory: directoryOf(group.tree),
    }));
    const flaw = records.moveRecords(bytes, moved, { seek, pid });
    if (flaw) throw notSoLong(baskets[flaw.index]?.group, flaw.nbytes);
    for (const { group, record, keylen, objlen } of baskets) {
      const place = { at, length: record.length, totalBytes: keylen + objlen };
      for (const one of [group, ...(group.also ?? [])]) placed.push({ group: one, ...place });
      at += record.length;
    }
    spans?.push({ at: seek, length: bytes.length, sum: checksum(bytes) });
    await out.append(bytes);
    onBytes?.(bytes.length);
  }
  return placed;
}

function notSoLong(group: BasketGroup | undefined, nbytes: number): XylemError {
  return corrupt(
    `The key of the basket of branch ${group?.branch} with entry ${group?.firstEntry} is damaged: it says ${nbytes} bytes.`,
    undefined,
    'The file may be damaged: see what "xylem check" finds.',
  );
}

/**
 * Returns new values for the branches of a tree with `entries` entries. `placed` has all its baskets, in any order.
 * Branches with baskets in another file get no values.
 */
export function regroupPlans(
  { tree, basketStart }: TreeLayout,
  placed: readonly PlacedGroup[],
  entries: number,
): (BranchPlan | undefined)[] {
  const own = new Map<number, PlacedGroup[]>();
  for (const one of placed) {
    const list = own.get(one.group.branch);
    if (list) list.push(one);
    else own.set(one.group.branch, [one]);
  }
  // The order in the file may differ, because writers put a basket into any free space.
  for (const list of own.values()) list.sort((a, b) => a.group.firstEntry - b.group.firstEntry);
  return tree.branches.map((branch, b): BranchPlan | undefined => {
    if (branch.otherFile !== undefined) return undefined;
    const baskets = own.get(b) ?? [];
    const last = baskets.at(-1)?.group;
    const sum = (of: (one: PlacedGroup) => number) => baskets.reduce((total, one) => total + of(one), 0);
    // Branches that only contain other branches count entries without having baskets.
    const hadNone = basketStart[b] === basketStart[b + 1];
    const counted = hadNone ? (branch.entries === tree.entries ? entries : branch.entries) : 0;
    return {
      seek: baskets.map(({ at }) => at),
      bytes: baskets.map(({ length }) => length),
      firstEntry: baskets.map(({ group }) => group.firstEntry),
      entries: last ? last.firstEntry + last.entries : counted,
      totalBytes: sum(({ totalBytes }) => totalBytes),
      storedBytes: sum(({ length }) => length),
      dropEmbedded: true,
    };
  });
}
