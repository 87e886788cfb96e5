import { totalLength } from '../../../io/ranges';
import type { Range } from '../../../io/source';

/** Most ranges of one request; a request with more is answered with the whole file. */
const MAX_RANGES = 1024;

/**
 * The ranges of a Range header in their order, cut at the end of the file; those past it are left out. Undefined, for
 * the whole file, without a header, for other units, and for ranges that have more bytes than the file twice.
 */
export function rangesOf(header: string | undefined, size: number): Range[] | 'unsatisfiable' | undefined {
  const specs = /^bytes=(.+)$/.exec(header ?? '')?.[1]?.split(',');
  if (!specs || specs.length > MAX_RANGES) return undefined;
  const ranges: Range[] = [];
  for (const spec of specs) {
    const [, from = '', to = ''] = /^\s*(\d{0,15})-(\d{0,15})\s*$/.exec(spec) ?? [];
    if (from === '' && to === '') return undefined;
    const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
    const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
    if (from !== '' && to !== '' && Number(to) < first) return undefined;
    if (first < size && last >= first) ranges.push({ offset: first, length: last - first + 1 });
  }
  if (ranges.length === 0) return 'unsatisfiable';
  return totalLength(ranges) <= 2 * size ? ranges : undefined;
}
