import type { CallOptions, FileInfo } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { MergedTree } from '../../../../api/write';
import { XylemError } from '../../../../base/errors';
import { type CopiedSpan, compareCopied } from '../input/copy';
import { progressOf } from '../input/progress';
import type { ListedKey } from './new-records';
import type { TreeChain } from './tree-chain';

/** A merged file, and its expected content. */
export interface Expected {
  reader: EngineApi;
  /** The written file, opened by this reader. */
  info: FileInfo;
  /** Checksums of all records. */
  spans: readonly CopiedSpan[];
  /** Keys by their paths. */
  listed: ReadonlyMap<string, readonly ListedKey[]>;
  trees: readonly { path: string; chain: TreeChain }[];
  ntuples: readonly MergedTree[];
}

/** Throws CHECKSUM if a merged file has other keys, entries, baskets, clusters or bytes than were written. */
export async function verifyMerged(
  { reader, info, spans, listed, trees, ntuples }: Expected,
  options: CallOptions,
): Promise<void> {
  const call = { signal: options.signal };
  const flaw = info.notes[0];
  if (flaw !== undefined) throw differs(flaw);
  const keys = (await reader.keys(info.id, call)).filter(({ kind }) => kind !== 'directory');
  const found = new Map<string, number[]>();
  for (const { path, offset } of keys) found.set(path, [...(found.get(path) ?? []), offset]);
  for (const path of new Set([...listed.keys(), ...found.keys()]))
    if (
      !same(
        found.get(path) ?? [],
        (listed.get(path) ?? []).map(({ seek }) => seek),
      )
    )
      throw differs(`The keys of "${path}" differ.`);
  for (const { path, chain } of trees) {
    const { tree, offset, firstEntry, clusterStart } = await reader.layout(info.id, path, call);
    const { branches, entries, clusters } = chain.plan();
    const kept = branches.flatMap((branch) => branch ?? []);
    if (tree.entries !== entries) throw differs(`The entries of "${path}" differ.`);
    if (
      !same(
        offset,
        kept.flatMap(({ seek }) => seek),
      ) ||
      !same(
        firstEntry,
        kept.flatMap((branch) => branch.firstEntry),
      )
    )
      throw differs(`The baskets of "${path}" differ.`);
    if (clusters && chain.clusters > 0 && !same(clusterStart, chain.starts))
      throw differs(`The clusters of "${path}" differ.`);
  }
  for (const { path, entries, clusters, baskets, basketBytes } of ntuples) {
    const { tree, offset, storedBytes, clusterStart } = await reader.layout(info.id, path, call);
    const pages = new Map(Array.from(offset, (at, i) => [at, storedBytes[i] ?? 0]));
    const bytes = [...pages.values()].reduce((sum, length) => sum + length, 0);
    const found = [tree.entries, clusterStart.length, pages.size, bytes];
    if (!same(found, [entries, clusters, baskets, basketBytes]))
      throw differs(`Entries, clusters or pages of "${path}" differ.`);
  }
  await compareCopied(reader, info.id, spans, {
    ...call,
    onBytes: progressOf('Verifying', spans, options),
  });
}

function same(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return a.length === b.length && Array.from(a).every((value, i) => value === b[i]);
}

function differs(what: string): XylemError {
  return new XylemError({
    code: 'CHECKSUM',
    message: `The merged file is not what was written: ${what}`,
    fix: 'Check the disk, and merge the files again.',
  });
}
