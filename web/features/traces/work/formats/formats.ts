import type { Reading } from '../../../../api/reading';
import { tableCrc32 } from '../../../../base/crc32';
import { argumentError } from '../../../../base/errors';
import { accessLogFormat } from './access-log';
import { TraceFile, type TraceFormat } from './format';
import { fsspecFormat } from './fsspec';
import { fstreamFormat } from './fstream';
import { harFormat } from './har';
import { recorderFormat } from './recorder';
import { savedFormat } from './saved';
import { straceFormat } from './strace';
import { cinfoFormat, gstreamFormat } from './xcache';

/** All trace formats except the TTreePerfStats in ROOT files, in the order in which they are tried. */
export const traceFormats: readonly TraceFormat[] = [
  savedFormat,
  harFormat,
  recorderFormat,
  gstreamFormat,
  fstreamFormat,
  accessLogFormat,
  fsspecFormat,
  straceFormat,
  cinfoFormat,
];

/**
 * Reads a trace written by any program. Returns one reading for each file and reader. Addresses are shown without
 * secrets. Throws XylemError ARGUMENT.
 */
export function readTrace(name: string, bytes: Uint8Array): Reading[] {
  const trace = new TraceFile(name, bytes);
  const format = traceFormats.find((each) => each.sniff(trace));
  if (format !== undefined)
    return format.read(trace).map((reading) => ({ ...reading, file: nameOf(reading.file) }));
  throw argumentError(
    `"${name}" is no trace of reads that xylem knows.`,
    `It takes ${traceFormats.map((each) => each.name).join(', ')}, and a ROOT file with a TTreePerfStats.`,
    { path: name },
  );
}

/** User and password after "//", also of an address in another one, such as "simplecache::https://…". */
const PASSWORDS = /(^|::)((?:[\w+.-]+:)?[/\\]{2})[^/\\]*@/g;

/**
 * Returns a path or address without user, password and query. A checksum replaces the query, because it may
 * distinguish files.
 */
function nameOf(file: string): string {
  const [whole = ''] = /:[/\\]{2}/.test(file) ? file.split('#', 1) : [file];
  const [place = '', ...query] = whole.split('?');
  const name = place.replace(PASSWORDS, '$1$2');
  if (query.join('') === '') return name;
  return `${name}?${tableCrc32(new TextEncoder().encode(query.join('?'))).toString(16)}`;
}

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
