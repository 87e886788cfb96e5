import type { CallOptions, FileId, PlainObject, PlainValue } from '../api/api';
import type { EngineApi } from '../api/engine-api';
import type { PerfRead, PerfReport } from '../api/reading';
import { argumentError } from '../base/errors';
import { cyclePath } from '../model/keys';

/** Returns the first TTreePerfStats of an open file; undefined if it has none. */
export async function storedReading(
  api: EngineApi,
  file: FileId,
  options: CallOptions = {},
): Promise<PerfReport | undefined> {
  const key = (await api.keys(file, options)).find(({ className }) => className === 'TTreePerfStats');
  if (key === undefined) return undefined;
  return perfReportOfObject(await api.object(file, cyclePath(key), options));
}

/** Converts a TTreePerfStats saved by ROOT. Throws ARGUMENT for any other object. */
export function perfReportOfObject(object: PlainObject): PerfReport {
  if (object._typename !== 'TTreePerfStats') {
    throw argumentError(
      `This is a ${object._typename}, and no TTreePerfStats.`,
      'Give a file in which ROOT saved a TTreePerfStats.',
    );
  }
  const number = (name: string): number => numberOf(object[name]);
  const io = graphOf(object.fGraphIO);
  const time = graphOf(object.fGraphTime);
  const norm = number('fRealNorm');
  const title = /^(.*)\/([^/]*)$/.exec(io.title);
  const file = title?.[1] ?? io.title;
  // Each point of a TTreeCache is then a vector read. Only its first offset and the sum of its lengths are saved.
  const isVector = number('fTreeCacheSize') > 0 && REMOTE.test(file);
  const reads = Array.from(io.x, (entry, i): PerfRead => {
    // fGraphTime is the time spent reading so far, scaled to the axis of offsets.
    const done = norm > 0 ? (time.y[i] ?? 0) / norm : 0;
    const before = norm > 0 && i > 0 ? (time.y[i - 1] ?? 0) / norm : 0;
    return {
      entry,
      offset: Math.round((io.y[i] ?? 0) * 1e6),
      length: Math.round((io.ey[i] ?? 0) * 1e9),
      ...(isVector && { ranges: [] }),
      origin: 'disk',
      purpose: '',
      branches: [],
      queued: before,
      started: before,
      answered: before,
      done,
    };
  });
  return {
    format: 'xylem perf 1',
    by: 'ROOT',
    file,
    tree: title?.[2] ?? '',
    numbers: {
      treeCache: number('fTreeCacheSize'),
      leaves: number('fNleaves'),
      readTotal: number('fBytesRead'),
      readExtra: number('fBytesReadExtra'),
      readCalls: number('fReadCalls'),
      readahead: number('fReadaheadSize'),
      realTime: number('fRealTime'),
      cpuTime: number('fCpuTime'),
      diskTime: number('fDiskTime'),
      factor: number('fCompress'),
    },
    ...(isVector && { facts: [PLACES] }),
    reads,
  };
}

const REMOTE = /^(?!file:)[a-z][a-z\d+.-]*:\/\//i;
const PLACES = [
  'Places of the reads',
  "not known: of a vector read ROOT saves the first byte and the sum. Take XrdCl's recorder or a log of the server.",
] as const;

function graphOf(value: PlainValue | undefined) {
  const members =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)
      ? value
      : {};
  const list = (name: string): number[] => {
    const column = members[name];
    return Array.isArray(column) || ArrayBuffer.isView(column)
      ? Array.from(column as ArrayLike<PlainValue>, numberOf)
      : [];
  };
  return { title: String(members.fTitle ?? ''), x: list('fX'), y: list('fY'), ey: list('fEY') };
}

function numberOf(value: PlainValue | undefined): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}
