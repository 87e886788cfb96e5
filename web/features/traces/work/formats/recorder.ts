import type { Reading } from '../../../../api/reading';
import type { Range } from '../../../../io/source';
import { perfReads, type TracedRead, type TraceFormat } from './format';

const ROW = /^"(\d+)","(\w+)","(\d+\.\d+)","([^"]*)","(\d+\.\d+)","([^"]*)","([^"]*)"$/;

/**
 * The CSV of XrdCl's recorder plug-in (libXrdClRecorder): file, operation, time of the request, arguments, time of the
 * answer, status, result. Each opening of a file is a reading.
 */
export const recorderFormat: TraceFormat = {
  name: "the CSV of XrdCl's recorder",
  sniff: ({ head }) => ROW.test(head.slice(0, Math.max(0, head.indexOf('\n'))).trimEnd()),
  read(trace) {
    const readings: { file: string; reads: TracedRead[] }[] = [];
    const open = new Map<string, (typeof readings)[number]>();
    for (const line of trace.lines()) {
      const [, id = '', operation = '', started, given = '', done, status = '', result = ''] =
        ROW.exec(line) ?? [];
      if (operation === 'Open') {
        const reading = { file: given.split(';')[0] ?? '', reads: [] };
        readings.push(reading);
        open.set(id, reading);
      }
      const ranges = rangesOf(operation, given, result);
      if (ranges.length === 0) continue;
      trace.count(ranges.length);
      open.get(id)?.reads.push({
        ranges,
        origin: 'network',
        started: Number(started),
        done: Number(done),
        failed: status.includes('SUCCESS') ? undefined : status,
      });
    }
    return readings.map(({ file, reads }): Reading => ({ by: 'XrdCl', file, reads: perfReads(reads) }));
  },
};

/**
 * Returns the ranges of an operation. Read and PgRead: "offset;size;timeout" and the number of bytes received.
 * VectorRead: "offset;size;…;timeout".
 */
function rangesOf(operation: string, given: string, result: string): Range[] {
  const numbers = given.split(';').map(Number);
  if (operation === 'Read' || operation === 'PgRead') {
    const [offset = 0, asked = 0] = numbers;
    const length = Math.min(asked, Number(result) || 0);
    return length > 0 ? [{ offset, length }] : [];
  }
  if (operation !== 'VectorRead') return [];
  const ranges: Range[] = [];
  for (let i = 0; i + 1 < numbers.length - 1; i += 2) {
    ranges.push({ offset: numbers[i] ?? 0, length: numbers[i + 1] ?? 0 });
  }
  return ranges.filter(({ offset, length }) => Number.isSafeInteger(offset) && length > 0);
}
