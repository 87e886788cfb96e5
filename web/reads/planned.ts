import type { CallOptions, FileInfo } from '../api/api';
import type { EngineApi, PlannedPass, PlannedRequest } from '../api/engine-api';
import { SimulatedLink, type SimulatedSource } from '../io/fetch/simulated-link';
import { createPartVerdicts } from '../io/http/part-verdicts';
import {
  HTTP_REQUESTS,
  MAX_XROOTD_READ,
  mostParts,
  vectorsOf,
  XROOTD_REQUESTS,
  XROOTD_VECTORS,
} from '../io/http/server-limits';
import type { LinkEstimate } from '../io/link';
import type { Range } from '../io/source';
import type { ReadRecord } from '../io/trace';
import { END_BYTES } from '../model/root-file';
import { AHEAD_BYTES } from '../pass/read-tasks';

/** The kinds of sources for which reads are planned otherwise. */
export const SOURCE_KINDS = ['parts', 'ranges', 'root', 'local'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];
type ServerKind = Exclude<SourceKind, 'local'>;

/** The cost of a reading. */
export interface ReadingCost {
  /** Number of requests that the source gets. */
  calls: number;
  /** Number of successive requests. */
  trips: number;
  /** Number of bytes read, and how many of them were not needed. */
  bytes: number;
  overread: number;
  /** Time on the link in ms, without decoding. */
  ms: number;
}

/** The link for costs where none is known: a file in the same country. */
export const USUAL_LINK: LinkEstimate = { latencyMs: 20, bytesPerMs: 12_500 };

/** A planned reading, and the kind of its source. */
interface PlannedReading {
  kind: SourceKind;
  /** The file's size in bytes. */
  size: number;
  passes: readonly PlannedPass[];
  /** The reads with which the file was opened, in order. Their bytes are in memory. */
  opening: readonly Range[];
}

/** The end of the file is read together with its start if the first answer takes longer than this, in ms. */
const SLOW_MS = 50;
/** Time in ms that the first request of a program takes besides its round trips. */
const FIRST_MS = 12;

/** A file of a reader, and the reading that is planned. */
export interface AskedReading {
  reader: EngineApi;
  info: Pick<FileInfo, 'id' | 'size'>;
  request: PlannedRequest;
  /** Default: `usualKind`. */
  kind?: SourceKind | undefined;
}

/** Returns what a reading of an open file costs with xylem. Nothing is read. */
export async function xylemCost(
  asked: AskedReading,
  link: LinkEstimate,
  options?: CallOptions,
): Promise<ReadingCost> {
  return plannedCost(await plannedReading(asked, options), link);
}

/** Returns the requests of such a reading, with the times that the link makes of them. Nothing is read. */
export async function xylemReads(
  asked: AskedReading,
  link: LinkEstimate,
  options?: CallOptions,
): Promise<readonly ReadRecord[]> {
  const reading = await plannedReading(asked, options);
  const { kind, passes } = reading;
  if (kind === 'local') return localReads(passes, link);
  const simulated = openedLink({ ...reading, kind }, link);
  const before = simulated.records.length;
  streamed(simulated, passes.map(rangesOf), AHEAD_BYTES);
  return simulated.records.slice(before).filter(({ origin }) => origin !== 'memory');
}

async function plannedReading(
  { reader, info, request, ...asked }: AskedReading,
  options?: CallOptions,
): Promise<PlannedReading> {
  const records = await reader.trace(info.id);
  const { kind = usualKind(records) } = asked;
  const passes = await reader.plannedReads(info.id, { request, local: kind === 'local' }, options);
  const { tree } = 'draw' in request ? request.draw : request.summarize;
  const opening = openingReads(records, tree);
  return { kind, size: info.size, passes, opening };
}

/** Returns the kind of server for which reads are planned if none is named: a page asks other origins for one range only. */
export function usualKind(records: readonly ReadRecord[]): 'parts' | 'ranges' {
  const isPage = typeof location === 'object';
  return isPage && records.every(({ parts }) => parts === undefined) ? 'ranges' : 'parts';
}

/** Returns the requests of xylem's planner over a link: it runs, and only the bytes are not read. */
function plannedCost(reading: PlannedReading, link: LinkEstimate): ReadingCost {
  return reading.kind === 'local'
    ? localCost(reading, link)
    : linkCost({ ...reading, kind: reading.kind }, link);
}

/** Workers read a local file task by task, and the disk makes one read after the other. */
function localCost({ passes }: PlannedReading, { latencyMs, bytesPerMs }: LinkEstimate) {
  let [calls, bytes, wanted] = [0, 0, 0];
  for (const pass of passes) {
    calls += pass.reads.length / 2;
    for (let i = 1; i < pass.reads.length; i += 2) bytes += pass.reads[i] ?? 0;
    wanted += pass.wanted;
  }
  return { calls, trips: calls, bytes, overread: bytes - wanted, ms: calls * latencyMs + bytes / bytesPerMs };
}

/** The same, read by read. */
function localReads(passes: readonly PlannedPass[], { latencyMs, bytesPerMs }: LinkEstimate): ReadRecord[] {
  let end = 0;
  return passes.flatMap(rangesOf).map(({ offset, length }): ReadRecord => {
    const started = end;
    end += latencyMs + length / bytesPerMs;
    const size = { offset, wanted: length, asked: length, got: length };
    const times = { queued: started, started, answered: started + latencyMs, done: end };
    return { ...size, origin: 'disk', purpose: 'baskets', ...times };
  });
}

function linkCost(reading: PlannedReading & { kind: ServerKind }, link: LinkEstimate) {
  return streamed(openedLink(reading, link), reading.passes.map(rangesOf), AHEAD_BYTES);
}

/** Returns a simulated link over which the file was opened. */
function openedLink(
  { kind, size, opening }: PlannedReading & { kind: ServerKind },
  link: LinkEstimate,
): SimulatedLink {
  const simulated = linkTo(kind, size, link);
  for (const ranges of openingOf(opening, kind, size, link)) simulated.fetch(ranges, SLOW_MS);
  return simulated;
}

/** Returns what reading ranges costs over a link, those of each list together. */
export function streamed(link: SimulatedLink, lists: readonly (readonly Range[])[], aheadBytes?: number) {
  const total = { calls: 0, trips: 0, bytes: 0, overread: 0, ms: 0 };
  for (const ranges of lists) {
    const { calls, roundTrips, bytes, wanted, ms } = link.stream(ranges, aheadBytes);
    total.calls += calls;
    total.trips += roundTrips;
    total.bytes += bytes;
    total.overread += bytes - wanted;
    total.ms += ms;
  }
  return total;
}

export function rangesOf({ reads }: PlannedPass): Range[] {
  const ranges: Range[] = [];
  for (let i = 0; i < reads.length; i += 2) ranges.push({ offset: reads[i] ?? 0, length: reads[i + 1] ?? 0 });
  return ranges;
}

/** Returns the reads with which a file is opened over a link, those together that are requested at the same time. */
function openingOf(
  [head, tail, ...others]: readonly Range[],
  kind: SourceKind,
  size: number,
  { latencyMs }: LinkEstimate,
): Range[][] {
  if (!head) return [];
  const rest = others.map((range) => [range]);
  if (!tail) return [[head], ...rest];
  const isSlow = kind !== 'root' && 2 * latencyMs + FIRST_MS > SLOW_MS;
  if (!isSlow) return [[head], [tail], ...rest];
  const length = Math.min(size, END_BYTES);
  return [[head, { offset: size - length, length }], ...rest];
}

/** Returns a simulated link to a server with a file of this size that is open, and of which no byte is in memory. */
export function openLinkTo(kind: ServerKind, size: number | undefined, link: LinkEstimate): SimulatedLink {
  const simulated = linkTo(kind, size, link);
  simulated.warm();
  return simulated;
}

function linkTo(kind: ServerKind, size: number | undefined, link: LinkEstimate): SimulatedLink {
  return new SimulatedLink(sourceOf(kind, size), link);
}

function sourceOf(kind: ServerKind, size: number | undefined): SimulatedSource {
  const facts = { name: kind, origin: 'network', info: () => ({ size }) } as const;
  if (kind === 'root') {
    return {
      ...{ ...facts, concurrency: XROOTD_REQUESTS, maxParts: XROOTD_VECTORS.parts, isShared: true },
      requestsFor: (ranges) =>
        ranges.length > 1
          ? vectorsOf(ranges, XROOTD_VECTORS).length
          : Math.ceil((ranges[0]?.length ?? 0) / MAX_XROOTD_READ),
    };
  }
  // A page asks other origins for one range only. A program tries several, and the server refuses.
  const known = kind === 'ranges' && typeof location === 'object' ? 0 : mostParts(size);
  const verdicts = createPartVerdicts();
  const url = new URL('http://localhost/');
  return {
    ...{ ...facts, concurrency: HTTP_REQUESTS },
    get maxParts() {
      return Math.min(known, verdicts.most(url));
    },
    ...(kind === 'ranges' && { refused: (ranges: number) => verdicts.refuse(url, ranges) }),
  };
}

/** Returns the requests with which a file and a tree were opened. */
function openingReads(records: readonly ReadRecord[], tree: string): Range[] {
  const own = new Set(['head', 'tail', 'end', 'keys', 'streamer infos', tree]);
  return records
    .filter(({ origin, purpose }) => origin !== 'memory' && origin !== 'decode' && isOwn(purpose))
    .map(({ offset, got }) => ({ offset, length: got }));

  function isOwn(purpose: string): boolean {
    return own.has(purpose) || purpose.startsWith(`${tree}: `);
  }
}
