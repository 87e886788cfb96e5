import type { Reading } from '../../../../api/reading';
import { formatBytes, formatCount, formatDuration } from '../../../../base/format';
import { type TraceFile, type TraceFormat, textOf, unreadable } from './format';

/**
 * XRootD's monitoring of files (f-stream), as written by collectors: JSON objects in lines or in a list, one for each
 * closed file, with the names of xrootd-monitoring-collector or the WLCG names. They contain sums, but no ranges.
 */
export const fstreamFormat: TraceFormat = {
  name: "XRootD's monitoring of files (f-stream as JSON)",
  sniff: ({ head }) =>
    /^\s*[[{]/.test(head) && /"(filename|file_lfn)"/.test(head) && head.includes('"read_operations"'),
  read(trace) {
    const readings: Reading[] = [];
    for (const record of recordsOf(trace)) {
      const file = textOf(record.filename) || textOf(record.file_lfn);
      // A file that was only written was not read.
      if (file === '' || !isCount(record.read_operations)) continue;
      trace.count(1);
      readings.push({
        by: textOf(record.host) || textOf(record.client_host) || 'XRootD',
        file,
        size: isCount(record.filesize)
          ? record.filesize
          : isCount(record.file_size)
            ? record.file_size
            : undefined,
        reads: [],
        facts: factsOf(record),
      });
    }
    if (readings.length === 0) throw unreadable(trace, 'no file in it was read and closed');
    return readings;
  },
};

function factsOf(record: Record<string, unknown>): [string, string][] {
  const facts: [string, string][] = [];
  const add = (name: string, member: string, text: (value: number) => string): void => {
    const value = record[member];
    if (isCount(value)) facts.push([name, text(value)]);
  };
  add('ReadCalls', 'read_operations', formatCount);
  add('ReadTotal', 'read_bytes_at_close', formatBytes);
  add('Single reads', 'read_single_operations', formatCount);
  add('Bytes of single reads', 'read_single_bytes', formatBytes);
  add('Vector reads', 'read_vector_operations', formatCount);
  // WLCG uses other names.
  const vector = isCount(record.readv) ? 'readv' : 'read_vector_bytes';
  add('Bytes of vector reads', vector, formatBytes);
  add('Most ranges of a vector read', 'read_vector_count_max', formatCount);
  add('Smallest read', 'read_min', formatBytes);
  add('Largest read', 'read_max', formatBytes);
  add('Open for', 'operation_time', (seconds) => formatDuration(1000 * seconds));
  return facts;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** Returns the objects of a trace, which is a list or has one in each line. Incomplete lines are left out. */
function recordsOf(trace: TraceFile): Record<string, unknown>[] {
  if (/^\s*\[/.test(trace.head)) {
    const list = trace.json();
    return Array.isArray(list) ? list.flatMap(recordOf) : [];
  }
  return [...trace.lines()].flatMap((line) => {
    try {
      return recordOf(JSON.parse(line));
    } catch {
      return [];
    }
  });
}

function recordOf(value: unknown): Record<string, unknown>[] {
  return typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : [];
}
