import type { Range } from '../../../io/source';
import type { Reading } from '../reading';
import { perfReads, requestedRanges, type TracedRead, type TraceFormat } from './format';

/** Stands between the address and the range. */
const BETWEEN = ' : bytes=';
const DATE = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)[.,](\d+)/;

/**
 * The log of fsspec, through which uproot reads, at level DEBUG with the format
 * "%(asctime)s %(name)s %(levelname)s %(message)s". It names a range where uproot was given an open file
 * (`uproot.open(fs.open(…))`), and tells when it was requested, not when it came.
 */
export const fsspecFormat: TraceFormat = {
  name: 'the log of fsspec',
  sniff: ({ head }) => head.includes(' fsspec') && head.includes(BETWEEN),
  read(trace) {
    const files = new Map<string, TracedRead[]>();
    let count = 0;
    for (const line of trace.lines()) {
      const at = line.lastIndexOf(BETWEEN);
      if (at < 0 || !line.includes(' fsspec')) continue;
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
    return [...files].map(([file, reads]): Reading => ({ by: 'fsspec', file, reads: perfReads(reads) }));
  },
};
