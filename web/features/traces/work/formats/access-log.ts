import type { Reading } from '../../../../api/reading';
import {
  perfReads,
  requestedRanges,
  type TracedRead,
  type TraceFile,
  type TraceFormat,
  unreadable,
} from './format';

const REQUEST = /"GET (\S+) HTTP\/[\d.]+" (\d{3}) /;
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/**
 * Access logs of nginx and Apache: the combined format, followed by the header Range of the request in quotes, and as
 * last field the duration of the request (in seconds with a decimal point, $request_time of nginx; or in
 * microseconds, %D of Apache). Each client of a file is a separate reading.
 */
export const accessLogFormat: TraceFormat = {
  name: 'an access log of nginx or Apache',
  sniff: ({ head }) => REQUEST.test(head),
  read(trace) {
    const readings = new Map<string, { client: string; file: string; reads: TracedRead[] }>();
    for (const line of trace.lines()) {
      const found = readOf(line);
      if (found === undefined) continue;
      const { client, file } = found;
      const key = `${client} ${file}`;
      const reading = readings.get(key) ?? { client, file, reads: [] };
      trace.count(found.read.ranges.length);
      reading.reads.push(found.read);
      readings.set(key, reading);
    }
    if (readings.size === 0) throw withoutRanges(trace);
    return [...readings.values()].map(
      ({ client, file, reads }): Reading => ({ by: client, file, reads: perfReads(reads) }),
    );
  },
};

function readOf(line: string): { client: string; file: string; read: TracedRead } | undefined {
  const request = REQUEST.exec(line);
  if (request === null) return undefined;
  const [, address = '', status = ''] = request;
  const behind = line.slice(request.index + request[0].length);
  const ranges = requestedRanges(behind);
  if (ranges.length === 0 || !(status === '206' || Number(status) >= 400)) return undefined;
  // Times have whole seconds, so reads of one second keep the order of their lines.
  const started = timeOf(line);
  const [, duration = '0'] = / (\d+(?:\.\d+)?)$/.exec(behind) ?? [];
  const seconds = duration.includes('.') ? Number(duration) : Number(duration) / 1e6;
  return {
    client: line.slice(0, Math.max(0, line.indexOf(' '))),
    file: address.split(/[?#]/, 1)[0] ?? '',
    read: {
      ranges,
      origin: 'network',
      started,
      done: started + seconds,
      failed: status === '206' ? undefined : `status ${status}`,
    },
  };
}

/** Parses "[25/Nov/2026:07:55:27 +0000]" or an ISO date. Returns seconds since 1970; 0 if there is no date. */
function timeOf(line: string): number {
  const from = line.indexOf('[');
  const text = line.slice(from + 1, line.indexOf(']', from));
  const parts = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})$/.exec(text);
  if (parts === null) {
    const iso = Date.parse(text);
    return Number.isFinite(iso) ? iso / 1000 : 0;
  }
  const [, day, month = '', year, clock, zone] = parts;
  const number = MONTHS.indexOf(month) / 3 + 1;
  const ms = Date.parse(
    `${year}-${String(number).padStart(2, '0')}-${day}T${clock}${zone?.slice(0, 3)}:${zone?.slice(3)}`,
  );
  return Number.isFinite(ms) ? ms / 1000 : 0;
}

function withoutRanges(trace: TraceFile) {
  return unreadable(
    trace,
    'no line of it says which ranges were requested',
    `Log them: "$http_range" $request_time at the end of nginx's log_format, or \\"%{Range}i\\" %D of Apache's LogFormat.`,
  );
}
