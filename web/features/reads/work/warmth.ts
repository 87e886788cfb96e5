import { formatBytes, formatCount } from '../../../base/format';
import type { TraceSummary } from '../../../io/trace';

/** Facts about where the bytes of a reading were before it. */
export interface Before {
  /** Whether the file is on a disk of this machine. */
  isLocal: boolean;
  size: number;
  /** Bytes of a local file that the system's page cache held before the reading; undefined if nothing tells. */
  held: number | undefined;
}

/** Parts of a file below and above which it counts as cold and as warm. Opening a file reads some of it. */
const COLD = 0.02;
const WARM = 0.99;

/** Says whether a reading was cold or warm, as far as that is known. */
export function warmthText(
  { isLocal, size, held }: Before,
  { bytes, storedBytes, busyTime }: Pick<TraceSummary, 'bytes' | 'storedBytes' | 'busyTime'>,
): string {
  const rate = busyTime > 0 ? `, at ${formatBytes((1000 * bytes) / busyTime)}/s` : '';
  if (!isLocal) {
    const kept = storedBytes / (bytes + storedBytes || 1);
    const came = `${formatBytes(bytes)} from the network${rate}, ${formatBytes(storedBytes)} kept on this machine before`;
    const word = kept >= WARM ? 'warm' : kept <= COLD ? 'cold here' : 'partly warm';
    return `${word}: ${came}; whether the server had them in memory is not known`;
  }
  if (held === undefined || size === 0)
    return `not known: nothing here tells whether the system had the file in memory (Linux: install fincore); it came${rate || ' from there'}`;
  const share = Math.min(1, held / size);
  const word = share >= WARM ? 'warm' : share <= COLD ? 'cold' : 'partly warm';
  return `${word}: ${formatCount(Math.round(100 * share))} % of the file was in the system's page cache before (fincore)${rate}`;
}
