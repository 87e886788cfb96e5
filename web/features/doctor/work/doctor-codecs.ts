import type { BranchInfo, TreeLayout } from '../../../api/api';
import { formatBytes, formatCount } from '../../../base/format';
import { codecOf, isCompressed } from '../../../core/compression';
import { type FieldBytes, MIN_SAVED, poorEncodings } from './doctor-encodings';
import { about, type Draft, draft, percent } from './doctor-types';

/** How the baskets or pages of a tree are compressed and encoded. */
export function codecFindings(layout: TreeLayout): Draft[] {
  return [...codecs(layout), poorCompression(layout), ...encodings(layout)].filter(
    (finding) => finding !== undefined,
  );
}

/** Returns the stored bytes for each codec setting (100 × algorithm + level), the largest first. */
export function settingsBySize({ tree, compress }: TreeLayout): [settings: number, bytes: number][] {
  const sums = new Map<number, number>();
  for (const { index, kind, storedBytes } of tree.branches) {
    if (kind === 'group' || storedBytes === 0) continue;
    const settings = compress[index] ?? -1;
    sums.set(settings, (sums.get(settings) ?? 0) + storedBytes);
  }
  return [...sums].sort(([, a], [, b]) => b - a);
}

function codecs({ tree, compress }: TreeLayout): Draft[] {
  const sumOf = (chosen: (settings: number) => boolean) => {
    const sum = { bytes: 0, total: 0, branches: 0 };
    for (const { index, kind, storedBytes, totalBytes } of tree.branches) {
      if (kind === 'group' || storedBytes === 0 || !chosen(compress[index] ?? -1)) continue;
      sum.bytes += storedBytes;
      sum.total += totalBytes;
      sum.branches++;
    }
    return sum.bytes > 1_000_000 && sum.bytes > 0.2 * tree.storedBytes ? sum : undefined;
  };
  const found: Draft[] = [];
  const none = sumOf((settings) => settings >= 0 && !isCompressed(settings));
  if (none) {
    const evidence = `${formatCount(none.branches)} branches with ${formatBytes(none.bytes)} are stored as they are. Compression makes them smaller unless their values are random.`;
    found.push(draft(tree.path, 'uncompressed', 'poor', evidence, { numbers: none, cure: 'recompress' }));
  }
  const lzma = sumOf((settings) => codecOf(settings).algorithm === 'lzma');
  if (lzma) {
    const evidence = `${formatBytes(lzma.bytes)} are compressed by LZMA (factor ${(lzma.total / lzma.bytes).toFixed(2)}). Decompressing takes several times the CPU time that zstd takes; the file becomes larger with zstd, by 5 to 30 %. LZMA is right for archives, not for analysis.`;
    found.push(draft(tree.path, 'slow-compression', 'poor', evidence, { numbers: lzma, cure: 'recompress' }));
  }
  return found;
}

/** For information only. Without compression the file does not become smaller, and such baskets decompress fast. */
function poorCompression({ tree, compress }: TreeLayout): Draft | undefined {
  // For the fields of an RNTuple see `encodings`.
  if (tree.kind !== 'TTree') return undefined;
  const useless = tree.branches
    .filter(
      ({ index, kind, totalBytes, storedBytes }) =>
        kind !== 'group' &&
        storedBytes > 100_000 &&
        isCompressed(compress[index] ?? 0) &&
        totalBytes < 1.05 * storedBytes,
    )
    .sort((a, b) => b.storedBytes - a.storedBytes);
  const bytes = useless.reduce((sum, branch) => sum + branch.storedBytes, 0);
  if (useless.length === 0 || bytes <= 0.1 * tree.storedBytes) return undefined;
  const evidence = `${formatCount(useless.length)} branches with ${formatBytes(bytes)} (${percent(bytes / tree.storedBytes)}) shrink by less than 5 %: their bits are random. Fewer bits shrink them, where the analysis does not need all: Float16_t and Double32_t when they are written.`;
  return draft(tree.path, 'poor-compression', 'note', evidence, {
    numbers: { branches: useless.length, bytes },
    ...about(useless),
  });
}

function encodings(layout: TreeLayout): (Draft | undefined)[] {
  const { plain, noisy } = poorEncodings(layout);
  return [
    encoding(
      layout,
      plain,
      'are compressed without being split into planes of bytes, which makes them larger than necessary.',
      'rewrite',
    ),
    // Fewer bits would change the values, so there is no automatic remedy.
    encoding(
      layout,
      noisy,
      `hold numbers that shrink by less than ${percent(MIN_SAVED)}: their last bits are random, and cost what the rest does. Fewer bits shrink them, where the analysis does not need all: RField::SetTruncated when they are written.`,
      undefined,
    ),
  ];
}

function encoding(
  layout: TreeLayout,
  fields: readonly FieldBytes[],
  what: string,
  cure: Draft['cure'],
): Draft | undefined {
  if (fields.length === 0) return undefined;
  const bytes = fields.reduce((sum, field) => sum + field.bytes, 0);
  const branches = fields.map(({ branch }) => branch);
  const share = bytes / Math.max(1, layout.tree.storedBytes);
  const named = `${formatCount(fields.length)} ${fields.length === 1 ? 'field' : 'fields'} with ${formatBytes(bytes)} (${percent(share)})`;
  return draft(layout.tree.path, 'poor-encoding', 'note', `${named} ${what}`, {
    numbers: { fields: fields.length, bytes, share },
    ...about(branches),
    place: firstPage(layout, branches[0]),
    cure,
  });
}

/** Returns the first basket or page of a branch that is in the file itself. */
export function firstPage(
  { basketStart, offset, storedBytes }: TreeLayout,
  branch: BranchInfo | undefined,
): Draft['place'] {
  if (branch === undefined) return undefined;
  for (let i = basketStart[branch.index] ?? 0; i < (basketStart[branch.index + 1] ?? 0); i++)
    if ((offset[i] ?? 0) > 0) return { offset: offset[i] ?? 0, length: storedBytes[i] ?? 0 };
  return undefined;
}
