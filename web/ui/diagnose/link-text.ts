import { formatCount, formatDuration } from '../../base/format';
import type { LinkEstimate } from '../../io/link';

/** "a link as this one (about 12 ms, 80 Mbit/s)": two digits, because that is what an estimate is worth. */
export function linkText({ latencyMs, bytesPerMs }: LinkEstimate): string {
  const rounded = (value: number) => Number(value.toPrecision(2));
  const mbit = Math.max(1, rounded(bytesPerMs / 125));
  return `a link as this one (about ${formatDuration(rounded(latencyMs))}, ${formatCount(mbit)} Mbit/s)`;
}
