import type { PerfRead } from '../../../api/reading';
import { formatBytes, formatCount, formatDuration } from '../../../base/format';
import type { ReadOrigin } from '../../../io/trace';

const MAX_NAMES = 4;

/** Description of each origin of bytes. */
export const originNames: Record<ReadOrigin, string> = {
  network: 'network',
  disk: 'disk',
  memory: 'memory',
  store: 'cache on this machine',
  decode: 'decoding',
};

/** Describes a read in one line: position, size, purpose, origin, time. */
export function describeRead(read: PerfRead): string {
  const { offset, length, origin, entry, branches, purpose, queued, done } = read;
  const took = `${formatDuration((done - queued) * 1000)} from ${formatDuration(queued * 1000)} on`;
  const names = branches.slice(0, MAX_NAMES).join(', ');
  const more = branches.length > MAX_NAMES ? ` and ${branches.length - MAX_NAMES} more` : '';
  if (origin === 'decode') return `decoding ${names} · ${took}`;
  return [
    `${formatBytes(length)} at byte ${formatCount(offset)}`,
    names === '' ? purpose : names + more,
    entry >= 0 ? `from entry ${formatCount(entry)} on` : '',
    `from ${originNames[origin]}`,
    took,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
