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
