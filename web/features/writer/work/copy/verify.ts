import type { CallOptions, FileInfo, KeyInfo } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import type { TreeLayout } from '../../../../api/layout';
import { XylemError } from '../../../../base/errors';
import { cyclePath } from '../../../../model/keys';
import { type CopiedSpan, compareCopied } from '../input/copy';

/** A tree or RNTuple that was copied. */
export interface CopiedTree {
  key: KeyInfo;
  /** The layout of the copied baskets. */
  layout: TreeLayout;
  /** Set if a tree has fewer branches or entries than before, or other clusters. */
  branches?: unknown;
  chosen?: unknown;
  clusters?: unknown;
}

/** A copy, and what it was made from. */
export interface Copy {
  reader: EngineApi;
  /** The written file, opened by the same reader. */
  info: FileInfo;
  keys: readonly KeyInfo[];
  trees: readonly CopiedTree[];
  spans: readonly CopiedSpan[];
}

/** Throws CHECKSUM if a copy has other keys, branches, entries, clusters or bytes than were copied. */
export async function verifyCopy(
  { reader, info, keys, trees, spans }: Copy,
  options: CallOptions & { onBytes: (bytes: number) => void },
): Promise<void> {
  const call = { signal: options.signal };
  const flaw = info.notes[0];
  if (flaw !== undefined) throw differs(flaw);
  const found = (await reader.keys(info.id, call)).map(nameOf);
  const lost = keys.map(nameOf).find((name, i) => name !== found[i]);
  if (lost !== undefined || found.length !== keys.length)
    throw differs(`The keys differ at "${lost ?? found.at(-1)}".`);
  for (const { key, layout, branches, chosen, clusters } of trees) {
    const path = cyclePath(key);
    const written = await reader.layout(info.id, path, call);
    // If a tree gives bytes instead of entries, its clusters are estimated from all its branches.
    const starts = branches || chosen ? written.clusterStart : layout.clusterStart;
    const what = differenceOf(layout, written, clusters ? layout.trueStart : starts);
    if (what !== undefined) throw differs(`The ${what} of "${path}" differ.`);
  }
  await compareCopied(reader, info.id, spans, options);
}

function nameOf(key: KeyInfo): string {
  return `${cyclePath(key)} ${key.className} ${key.title}`;
}

/** Returns the first difference of a tree; undefined if there is none. */
function differenceOf(before: TreeLayout, after: TreeLayout, clusters: Float64Array): string | undefined {
  const branches = ({ tree }: TreeLayout) =>
    tree.branches.map(({ path, title, typeName, entries }) => `${path} ${title} ${typeName} ${entries}`);
  if (before.tree.entries !== after.tree.entries) return 'entries';
  if (!same(branches(before), branches(after))) return 'branches';
  if (!same(before.firstEntry, after.firstEntry) || !same(before.entries, after.entries)) return 'baskets';
  if (!same(before.storedBytes, after.storedBytes)) return 'sizes of baskets';
  return same(clusters, after.clusterStart) ? undefined : 'clusters';
}

function same<T>(a: ArrayLike<T>, b: ArrayLike<T>): boolean {
  return a.length === b.length && Array.from(a).every((value, i) => value === b[i]);
}

export function differs(what: string): XylemError {
  return new XylemError({
    code: 'CHECKSUM',
    message: `The new file is not a true copy: ${what}`,
    fix: 'Please report this with the file that was copied.',
  });
}
