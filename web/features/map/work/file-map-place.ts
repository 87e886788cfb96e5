import { formatBytes } from '../../../base/format';

/** How a file is divided into rows: all of it within the height, or rows of 1 MB. */
export type MapRows = 'fitted' | '1MB';

/** A stretch of the file. */
export interface MapPlace {
  offset: number;
  length: number;
}

/** A place in the file with as many digits as steps of this size need. */
export function placeText(byte: number, step: number): string {
  const units: [string, number][] = [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ];
  if (byte === 0) return '0';
  const [unit, scale] = units.find(([, bytes]) => byte >= bytes && step >= bytes / 1000) ?? ['', 1];
  if (unit === '') return step < 1000 && byte < 1e6 ? formatBytes(byte) : `${Math.round(byte)}`;
  const digits = Math.max(0, Math.min(3, Math.ceil(-Math.log10(step / scale))));
  return `${(byte / scale).toFixed(digits)} ${unit}`;
}
