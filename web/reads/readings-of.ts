import type { Reading } from '../api/reading';
import { argumentError } from '../base/errors';

/**
 * Returns the readings of a file, by its name or its size. A trace of a single file is always accepted, because files
 * are renamed and servers use other names. Throws XylemError ARGUMENT if there are none.
 */
export function readingsOf(readings: readonly Reading[], file: { name: string; size: number }): Reading[] {
  const names = new Set(readings.map((reading) => reading.file));
  if (names.size === 1) return [...readings];
  const wanted = baseOf(file.name);
  const named = readings.filter((reading) => baseOf(reading.file) === wanted);
  // If the folders of some readings match too, the others are different files of the same name.
  const there = named.filter((reading) => isBelow(partsOf(file.name), partsOf(reading.file)));
  if (there.length > 0) return there;
  const found = named.length > 0 ? named : readings.filter(({ size }) => size === file.size);
  if (found.length > 0) return found;
  const listed = [...names].slice(0, 5).join(', ');
  throw argumentError(
    `The trace has no reads of "${wanted}": it has ${names.size} files, ${listed}${names.size > 5 ? ', …' : ''}.`,
    'Take a trace in which the file has the same name or size.',
  );
}

function baseOf(name: string): string {
  return partsOf(name).pop() ?? '';
}

/** Splits a path or address into folders and name, without leading "." and "..". */
function partsOf(name: string): string[] {
  const [path = ''] = name.split(/[?#]/, 1);
  const parts = path.split('/');
  const from = parts.findIndex((part) => part !== '.' && part !== '..');
  return parts.slice(Math.max(0, from));
}

/** Whether the last parts of two paths are the same, as far as both have parts. */
function isBelow(a: readonly string[], b: readonly string[]): boolean {
  const count = Math.min(a.length, b.length);
  return a.slice(-count).join('/') === b.slice(-count).join('/');
}
