import { formatBytes, formatCount } from '../../../base/format';
import { type FileMap, segmentName, segmentOrigins } from '../work/map';

/** Describes a segment in one line: its kind, entries, sizes and position. */
export function describeSegment(map: FileMap, segment: number): string {
  const start = map.start[segment] ?? 0;
  const bytes = (map.start[segment + 1] ?? 0) - start;
  const parts = [segmentName(map, segment)];
  const item = map.item[segment] ?? 0;
  const layout = map.layouts[map.tree[segment] ?? -1];
  if (segmentOrigins[map.origin[segment] ?? 0] === 'basket' && layout !== undefined) {
    const first = layout.firstEntry[item] ?? 0;
    const count = layout.entries[item] ?? 0;
    const branch = layout.tree.branches[map.branch[segment] ?? 0];
    const within = layout.exact[branch?.index ?? 0] === 1 ? 'entries' : 'within the entries';
    parts.push(`${within} ${formatCount(first)} to ${formatCount(first + count - 1)}`);
    parts.push(sizes(bytes, layout.pageBytes?.[item], branch && branch.totalBytes / branch.storedBytes));
  } else {
    const known =
      segmentOrigins[map.origin[segment] ?? 0] === 'record' ? map.records.records[item] : undefined;
    parts.push(sizes(bytes, known?.objectBytes, undefined));
  }
  parts.push(`at byte ${formatCount(start)}`);
  return parts.join(' · ');
}

function sizes(stored: number, uncompressed: number | undefined, factor: number | undefined): string {
  if (uncompressed !== undefined) return `${formatBytes(stored)}, uncompressed ${formatBytes(uncompressed)}`;
  // A TTree does not store it per basket, so the factor of the whole branch is used.
  if (factor === undefined || !Number.isFinite(factor) || factor <= 0) return formatBytes(stored);
  return `${formatBytes(stored)}, uncompressed about ${formatBytes(stored * factor)}`;
}
