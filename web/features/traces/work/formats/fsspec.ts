import type { Reading } from '../../../../api/reading';
import type { Range } from '../../../../io/source';
import { perfReads, requestedRanges, type TracedRead, type TraceFormat } from './format';

/** Text between the address and the range. */
const BETWEEN = ' : bytes=';
/** Text between the address and the requested range: "read: FIRST - END". */
const WANTED = '> read: ';
const DATE = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)[.,](\d+)/;

/**
 * The log of fsspec, through which uproot reads, at level DEBUG with the format "%(asctime)s %(name)s %(levelname)s
 * %(message)s". It lists ranges if uproot was given an open file (`uproot.open(fs.open(…))`), with the time of the
 * request, not of the answer. Such a file reads 5 MB ahead, so the log also has the ranges that the program
 * requested.
 */
export const fsspecFormat: TraceFormat = {
  name: 'the log of fsspec',
  sniff: ({ head }) => head.includes(' fsspec') && head.includes(BETWEEN),
  read(trace) {
    const files = new Map<string, TracedRead[]>();
    const wanted = new Map<string, Range[]>();
    let count = 0;
    for (const line of trace.lines()) {
      if (!line.includes(' fsspec')) continue;
      const at = line.lastIndexOf(BETWEEN);
      if (at < 0) {
        const asked = wantedOf(line);
        if (asked === undefined) continue;
        trace.count(1);
        const before = wanted.get(asked.file);
        if (before === undefined) wanted.set(asked.file, [asked.range]);
        else before.push(asked.range);
        continue;
      }
      const file = line.slice(line.lastIndexOf(' ', at - 1) + 1, at);
      const ranges: Range[] = requestedRanges(line.slice(at));
      const [, day, clock, part = '0'] = DATE.exec(line) ?? [];
      const ms =
        day === undefined ? ++count * 1000 : Date.parse(`${day}T${clock}Z`) + Number(`0.${part}`) * 1000;
      const reads = files.get(file) ?? [];
      trace.count(ranges.length);
      reads.push({ ranges, origin: 'network', started: ms / 1000, done: ms / 1000 });
      files.set(file, reads);
    }
    return [...files].map(
      ([file, reads]): Reading => ({ by: 'fsspec', file, reads: perfReads(reads), asked: wanted.get(file) }),
    );
  },
};

/**
 * Returns the range that a program requested from an open file, for a line such as "<File-like object NAME, FILE>
 * read: 0 - 403 …".
 */
function wantedOf(line: string): { file: string; range: Range } | undefined {
  const at = line.lastIndexOf(WANTED);
  if (at < 0) return undefined;
  const file = line.slice(line.lastIndexOf(' ', at - 1) + 1, at);
  const [, first, end] = /^(\d+) - (\d+)/.exec(line.slice(at + WANTED.length)) ?? [];
  const [offset, to] = [Number(first), Number(end)];
  if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(to) || to <= offset) return undefined;
  return { file, range: { offset, length: to - offset } };
}
