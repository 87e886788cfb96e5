import { formatCount, formatDuration } from '../../../base/format';
import type { LinkEstimate } from '../../../io/link';

/** Describes a link: "a link as this one (about 12 ms, 80 Mbit/s)". Two digits match the precision of an estimate. */
export function linkText({ latencyMs, bytesPerMs }: LinkEstimate): string {
  const rounded = (value: number) => Number(value.toPrecision(2));
  const mbit = Math.max(1, rounded(bytesPerMs / 125));
  return `a link as this one (about ${formatDuration(rounded(latencyMs))}, ${formatCount(mbit)} Mbit/s)`;
}
