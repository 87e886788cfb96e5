import type { BranchInfo, EntryRange, FileInfo, TreeInfo } from '../api/api';
import type { EngineApi } from '../api/engine-api';
import { openLinkTo, rangesOf, streamed, USUAL_LINK, usualKind } from './planned';

/** Bytes that a call needs of a file besides metadata, and requests for them. */
export interface ReadCost {
  bytes: number;
  requests: number;
}

/**
 * Returns the bytes of the baskets of branches and entries, from the tree's metadata. For several files the positions
 * of all baskets are not known. The result is then the share of the branches' bytes that belongs to the entries, with
 * one request for each file and branch.
 */
export async function readCost(
  { reader, info }: { reader: EngineApi; info: FileInfo },
  tree: TreeInfo,
  chosen: readonly BranchInfo[],
  [from, to]: EntryRange,
): Promise<ReadCost> {
  if (chosen.length === 0 || to <= from) return { bytes: 0, requests: 0 };
  if (info.files !== undefined) {
    const part = (to - from) / Math.max(1, tree.entries);
    const stored = chosen.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
    return { bytes: Math.ceil(part * stored), requests: info.files.length * chosen.length };
  }
  const branches = chosen.map(({ index }) => index);
  const request = { summarize: { tree: tree.path, branches, entries: [from, to] as EntryRange } };
  const passes = await reader.plannedReads(info.id, { request, local: false });
  const link = openLinkTo(usualKind(await reader.trace(info.id)), info.size, USUAL_LINK);
  const { bytes, overread, calls } = streamed(link, passes.map(rangesOf));
  return { bytes: bytes - overread, requests: calls };
}
