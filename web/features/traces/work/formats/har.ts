import type { Reading } from '../../../../api/reading';
import type { Range } from '../../../../io/source';
import { perfReads, requestedRanges, type TracedRead, type TraceFormat, textOf, unreadable } from './format';

type Json = Record<string, unknown>;

/** The archive of requests (HAR) that the developer tools of browsers save. */
export const harFormat: TraceFormat = {
  name: 'a HAR file of a browser',
  sniff: ({ head }) => /^\s*\{\s*"log"\s*:/.test(head),
  read(trace) {
    const log = member(trace.json(), 'log');
    const entries = log.entries;
    if (!Array.isArray(entries)) throw unreadable(trace, 'it has no list of requests');
    const browser = textOf(member(log, 'browser').name) || 'a browser';
    const files = new Map<string, TracedRead[]>();
    const sizes = new Map<string, number>();
    for (const entry of entries) {
      const found = readOf(entry);
      if (found === undefined) continue;
      const reads = files.get(found.url) ?? [];
      trace.count(found.read.ranges.length);
      reads.push(found.read);
      files.set(found.url, reads);
      if (found.size !== undefined) sizes.set(found.url, found.size);
    }
    return [...files].map(
      ([file, reads]): Reading => ({ by: browser, file, size: sizes.get(file), reads: perfReads(reads) }),
    );
  },
};

/** Returns the read for a request of ranges, or of a whole ROOT file. */
function readOf(entry: unknown): { url: string; read: TracedRead; size: number | undefined } | undefined {
  const request = member(entry, 'request');
  const response = member(entry, 'response');
  const url = textOf(request.url).split('#', 1)[0] ?? '';
  const status = Number(response.status);
  const content = headerOf(response, 'content-range');
  const [, , total] = /bytes (\d+-\d+)\/(\d+)/.exec(content) ?? [];
  const length = Number(member(response, 'content').size);
  const ranges: Range[] =
    status === 200 ? [{ offset: 0, length }] : requestedRanges(headerOf(request, 'range'));
  const isFile = status === 206 || (status === 200 && /\.root(\?|$)/.test(url));
  const refused = status >= 400 && ranges.length > 0;
  if ((!isFile && !refused) || !ranges.every((range) => range.length > 0)) return undefined;
  const started = Date.parse(textOf(member(entry, '').startedDateTime)) / 1000;
  const time = Number(member(entry, '').time) / 1000;
  if (!Number.isFinite(started) || !Number.isFinite(time)) return undefined;
  const receive = Number(member(entry, 'timings').receive) / 1000;
  const done = started + Math.max(0, time);
  return {
    url,
    size: total === undefined ? undefined : Number(total),
    read: {
      ranges,
      // Chromium's figure. With its cache on, JSROOT gets the streamer infos from there.
      origin: response._transferSize === 0 ? 'store' : 'network',
      started,
      answered: Number.isFinite(receive) ? Math.max(started, done - Math.max(0, receive)) : started,
      done,
      failed: refused ? `status ${status}` : undefined,
    },
  };
}

/** Returns a member that is an object; with '' the value itself. */
function member(value: unknown, name: string): Json {
  const found =
    name === '' ? value : typeof value === 'object' && value !== null ? (value as Json)[name] : undefined;
  return typeof found === 'object' && found !== null ? (found as Json) : {};
}

function headerOf({ headers }: Json, wanted: string): string {
  if (!Array.isArray(headers)) return '';
  for (const header of headers) {
    const { name, value } = member(header, '');
    if (textOf(name).toLowerCase() === wanted) return textOf(value);
  }
  return '';
}
