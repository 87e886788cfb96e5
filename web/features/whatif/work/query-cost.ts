import type { BranchInfo, EntryRange, FileId, TreeLayout } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import type { LinkEstimate } from '../../../io/link';
import { union } from '../../../io/ranges';
import type { Range } from '../../../io/source';
import type { ReadRecord } from '../../../io/trace';
import { withNeeded } from '../../../reads/basket-layout';
import { openLinkTo, rangesOf, streamed, USUAL_LINK, usualKind } from '../../../reads/planned';

/** The part of branches that is read, and how. */
export interface CostOptions {
  /** Default: all entries. */
  entries?: EntryRange | undefined;
  /** The bytes are copied, so those read before are read again. Default: false. */
  copied?: boolean | undefined;
  /** Link for which the time is given, as in other views. Default: the link by which requests are planned. */
  told?: LinkEstimate | undefined;
}

/** The cost of reading branches. */
export interface QueryCost {
  /** Bytes to read, and needed bytes that were read before. */
  bytes: number;
  known: number;
  /** Number of requests; undefined if there are too many baskets to plan. */
  requests?: number | undefined;
  /** Time on the link without decoding, in ms; undefined if no link is known. */
  ms?: number | undefined;
}

/** Maximum number of baskets that are planned. */
const MAX_BASKETS = 200_000;

/** A tree of an open file. */
export interface TreeOfFile {
  reader: EngineApi;
  file: FileId;
  /** Its path, optionally with a cycle. */
  path: string;
  layout: TreeLayout;
}

/** Computes the cost of reading branches from metadata and the trace of earlier reads. Reads nothing. */
export async function queryCost(
  { reader, file, path, layout }: TreeOfFile,
  chosen: readonly BranchInfo[],
  records: readonly ReadRecord[],
  link: LinkEstimate | undefined,
  { entries = [0, layout.tree.entries], copied = false, told = link }: CostOptions = {},
): Promise<QueryCost> {
  const { tree, basketStart, source } = layout;
  const branches = withNeeded(tree, chosen, source).map(({ index }) => index);
  let baskets = 0;
  for (const index of branches) baskets += (basketStart[index + 1] ?? 0) - (basketStart[index] ?? 0);
  if (baskets > MAX_BASKETS) {
    const bytes = branches.reduce((sum, index) => sum + (tree.branches[index]?.storedBytes ?? 0), 0);
    return { bytes, known: 0 };
  }
  const request = { summarize: { tree: path, branches, entries } };
  const passes = await reader.plannedReads(file, { request, local: false });
  const read = copied ? [] : readBefore(records);
  const over = (one: LinkEstimate) => {
    const simulated = openLinkTo(usualKind(records), undefined, one);
    simulated.keep(read);
    return streamed(simulated, passes.map(rangesOf));
  };
  const planned = over(link ?? USUAL_LINK);
  const timed = told === undefined || told === link ? planned : over(told);
  const wanted = passes.reduce((sum, pass) => sum + pass.wanted, 0);
  const { bytes, overread, calls } = planned;
  return { bytes, known: wanted - (bytes - overread), requests: calls, ms: told && timed.ms };
}

/** Returns the bytes read from the source so far, as ascending, separate ranges. */
function readBefore(records: readonly ReadRecord[]): Range[] {
  return union(
    records
      .filter(({ origin, got, parts }) => origin !== 'decode' && got > 0 && parts === undefined)
      .map(({ offset, got }) => ({ offset, length: got })),
  );
}
