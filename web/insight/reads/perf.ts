import type { CallOptions, FileId, PlainObject, PlainValue, ReaderApi, TreeLayout } from '../../api/api';
import { XylemError } from '../../base/errors';
import { firstIndex } from '../../base/search';
import type { Range } from '../../io/source';
import { isRequest, perfStats, type ReadOrigin, type ReadRecord } from '../../io/trace';
import { cyclePath } from '../../model/find-key';

/** The numbers of TTreePerfStats. Sizes in bytes, times in seconds. `PERF_NUMBERS` explains each. */
export interface PerfNumbers {
  treeCache: number;
  leaves: number;
  readTotal: number;
  readExtra: number;
  readCalls: number;
  readahead: number;
  realTime: number;
  cpuTime: number;
  diskTime: number;
  /** Compression factor of the tree. */
  factor: number;
}

/** One read of the file, on the axes of TTreePerfStats. Times in seconds from the first read. */
export interface PerfRead {
  /** Tree entry that needed it; -1 for reads without an entry (the file's head, keys, the tree). */
  entry: number;
  offset: number;
  length: number;
  /** The ranges, when one request had several. */
  ranges?: readonly Range[] | undefined;
  origin: ReadOrigin;
  /** Its purpose in the trace, and the branches whose baskets it read. */
  purpose: string;
  branches: string[];
  /** Requests have all four times; a saved TTreePerfStats knows only the end of the read. */
  queued: number;
  started: number;
  answered: number;
  done: number;
  failed?: string | undefined;
}

/** A recorded reading of a tree: xylem's own, or one that ROOT saved. */
export interface PerfReport {
  format: 'xylem perf 1';
  /** "xylem", or "ROOT" for a saved TTreePerfStats. */
  by: string;
  file: string;
  tree: string;
  numbers: PerfNumbers;
  /** Paths of the branches that were to be read, where they are known. */
  chosen?: string[] | undefined;
  reads: PerfRead[];
}

/** The name of a number in TTreePerfStats, and its explanation. */
export interface PerfNumber {
  name: string;
  meaning: string;
  text(numbers: PerfNumbers): string;
}

const fixed = (value: number, unit: string): string =>
  Number.isFinite(value) ? `${value.toFixed(3)} ${unit}` : '–';
const short = (value: number): string => String(Number((1e-6 * value).toPrecision(6)));

export const PERF_NUMBERS: readonly PerfNumber[] = [
  {
    name: 'TreeCache',
    meaning: 'size of the TTreeCache; 0 where none was used, as always with xylem',
    text: ({ treeCache }) => `${Math.floor(treeCache / 1e6)} MB`,
  },
  { name: 'N leaves', meaning: 'number of leaves in the tree', text: ({ leaves }) => String(leaves) },
  { name: 'ReadTotal', meaning: 'bytes read', text: ({ readTotal }) => `${short(readTotal)} MB` },
  {
    name: 'ReadUnZip',
    meaning: 'bytes read times the compression factor of the tree',
    text: ({ readTotal, factor }) => `${short(readTotal * factor)} MB`,
  },
  { name: 'ReadCalls', meaning: 'number of reads', text: ({ readCalls }) => String(readCalls) },
  {
    name: 'ReadSize',
    meaning: 'average size of a read',
    text: ({ readTotal, readCalls }) => fixed((0.001 * readTotal) / readCalls, 'kB/read'),
  },
  {
    name: 'Readahead',
    meaning: 'size of the read-ahead: gaps of up to this many bytes are read over',
    text: ({ readahead }) => `${Math.floor(readahead / 1000)} kB`,
  },
  {
    name: 'Readextra',
    meaning: 'bytes read over, in percent of the bytes read',
    text: ({ readExtra, readTotal }) =>
      `${readTotal > 0 ? ((100 * readExtra) / readTotal).toFixed(2) : '–'} %`,
  },
  { name: 'Real Time', meaning: 'from the start to the end', text: ({ realTime }) => fixed(realTime, 's') },
  {
    name: 'CPU Time',
    meaning: 'of the process; in a page, which cannot tell, the time in which baskets were decoded',
    text: ({ cpuTime }) => fixed(cpuTime, 's'),
  },
  {
    name: 'Disk Time',
    meaning: 'while at least one read was under way',
    text: ({ diskTime }) => fixed(diskTime, 's'),
  },
  {
    name: 'Disk IO',
    meaning: 'bytes read per second of Disk Time',
    text: ({ readTotal, diskTime }) => fixed((1e-6 * readTotal) / diskTime, 'MB/s'),
  },
  {
    name: 'ReadUZRT',
    meaning: 'ReadUnZip per second of Real Time',
    text: ({ readTotal, factor, realTime }) => fixed((1e-6 * readTotal * factor) / realTime, 'MB/s'),
  },
  {
    name: 'ReadUZCP',
    meaning: 'ReadUnZip per second of CPU Time',
    text: ({ readTotal, factor, cpuTime }) => fixed((1e-6 * readTotal * factor) / cpuTime, 'MB/s'),
  },
  {
    name: 'ReadRT',
    meaning: 'bytes read per second of Real Time',
    text: ({ readTotal, realTime }) => fixed((1e-6 * readTotal) / realTime, 'MB/s'),
  },
  {
    name: 'ReadCP',
    meaning: 'bytes read per second of CPU Time',
    text: ({ readTotal, cpuTime }) => fixed((1e-6 * readTotal) / cpuTime, 'MB/s'),
  },
];

/** The reads of a trace on the axes of TTreePerfStats. `cpuMs`: CPU time of the process, when it is known. */
export function perfReport(
  file: string,
  layout: TreeLayout,
  records: readonly ReadRecord[],
  cpuMs?: number,
): PerfReport {
  const { tree } = layout;
  const start = records.reduce((first, { queued }) => Math.min(first, queued), Number.POSITIVE_INFINITY);
  const seconds = (time: number) => (time - start) / 1000;
  const baskets = basketIndex(layout);
  const reads = records.map((record): PerfRead => {
    const { offset, origin, purpose, failed } = record;
    const length = isRequest(record) ? Math.max(record.asked, record.got) : record.got;
    const there = origin === 'decode' ? undefined : baskets.within(offset, length);
    return {
      entry: record.entries?.[0] ?? there?.entry ?? -1,
      offset,
      length,
      ...(record.ranges && { ranges: record.ranges }),
      origin,
      purpose,
      branches: there?.branches ?? (origin === 'decode' ? [purpose] : []),
      queued: seconds(record.queued),
      started: seconds(record.started),
      answered: seconds(record.answered),
      done: seconds(record.done),
      failed,
    };
  });
  reads.sort((a, b) => a.queued - b.queued || a.offset - b.offset);
  const stats = perfStats(records);
  const decoding = reads.reduce(
    (sum, read) => sum + (read.origin === 'decode' ? read.done - read.started : 0),
    0,
  );
  const numbers: PerfNumbers = {
    treeCache: 0,
    leaves: tree.branches.filter(({ kind }) => kind !== 'group').length,
    readTotal: stats.BytesRead,
    readExtra: stats.BytesReadExtra,
    readCalls: stats.ReadCalls,
    readahead: 0,
    realTime: stats.RealTime,
    cpuTime: cpuMs === undefined ? decoding : cpuMs / 1000,
    diskTime: stats.DiskTime,
    factor: tree.storedBytes > 0 ? tree.totalBytes / tree.storedBytes : 1,
  };
  return { format: 'xylem perf 1', by: 'xylem', file, tree: tree.path, numbers, reads };
}

/** Maximum number of branches that are listed for one read. */
const MAX_BRANCHES = 20;

/** Finds the baskets that lie within a range, by a table sorted by offset. */
function basketIndex({ tree, basketStart, offset, storedBytes, firstEntry }: TreeLayout) {
  const order = Uint32Array.from(offset.keys()).sort((a, b) => (offset[a] ?? 0) - (offset[b] ?? 0));
  const branchOf = new Uint32Array(offset.length);
  for (let b = 0; b < tree.branches.length; b++) branchOf.fill(b, basketStart[b], basketStart[b + 1]);
  return {
    within(from: number, length: number): { entry: number; branches: string[] } | undefined {
      let at = firstIndex(order.length, (i) => (offset[order[i] ?? 0] ?? 0) >= from);
      // The basket before may reach into the range.
      const before = order[at - 1];
      if (before !== undefined && (offset[before] ?? 0) + (storedBytes[before] ?? 0) > from) at--;
      let entry = Number.POSITIVE_INFINITY;
      const branches = new Set<number>();
      for (; at < order.length; at++) {
        const basket = order[at] ?? 0;
        if ((offset[basket] ?? 0) >= from + length) break;
        if (offset[basket] === 0) continue;
        entry = Math.min(entry, firstEntry[basket] ?? 0);
        if (branches.size < MAX_BRANCHES) branches.add(branchOf[basket] ?? 0);
      }
      if (branches.size === 0) return undefined;
      return { entry, branches: [...branches].map((b) => tree.branches[b]?.path ?? '') };
    },
  };
}

/** The first TTreePerfStats of an open file; undefined when it has none. */
export async function storedReading(
  api: ReaderApi,
  file: FileId,
  options: CallOptions = {},
): Promise<PerfReport | undefined> {
  const key = (await api.keys(file, options)).find(({ className }) => className === 'TTreePerfStats');
  if (key === undefined) return undefined;
  return perfReportOfObject(await api.object(file, cyclePath(key), options));
}

/** A TTreePerfStats that ROOT saved. Throws ARGUMENT for any other object. */
export function perfReportOfObject(object: PlainObject): PerfReport {
  if (object._typename !== 'TTreePerfStats') {
    throw argument(`This is a ${object._typename}, and no TTreePerfStats.`);
  }
  const number = (name: string): number => numberOf(object[name]);
  const io = graphOf(object.fGraphIO);
  const time = graphOf(object.fGraphTime);
  const norm = number('fRealNorm');
  const title = /^(.*)\/([^/]*)$/.exec(io.title);
  const reads = Array.from(io.x, (entry, i): PerfRead => {
    // fGraphTime is the time spent reading so far, scaled to the axis of offsets.
    const done = norm > 0 ? (time.y[i] ?? 0) / norm : 0;
    const before = norm > 0 && i > 0 ? (time.y[i - 1] ?? 0) / norm : 0;
    return {
      entry,
      offset: Math.round((io.y[i] ?? 0) * 1e6),
      length: Math.round((io.ey[i] ?? 0) * 1e9),
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
    file: title?.[1] ?? io.title,
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
    reads,
  };
}

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

/** A report that was saved as JSON. Throws ARGUMENT for anything else. */
export function loadPerfReport(text: string): PerfReport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw argument('This is not JSON.');
  }
  if (!isReport(value)) throw argument('This is no report of a reading that xylem saved.');
  return value;
}

function isReport(value: unknown): value is PerfReport {
  if (typeof value !== 'object' || value === null) return false;
  const { format, numbers, chosen = [], reads, file, tree, by } = value as Record<string, unknown>;
  const record = (of: unknown): of is Record<string, unknown> => typeof of === 'object' && of !== null;
  const names: (keyof PerfNumbers)[] = [
    'treeCache',
    'leaves',
    'readTotal',
    'readExtra',
    'readCalls',
    'readahead',
    'realTime',
    'cpuTime',
    'diskTime',
    'factor',
  ];
  const times = ['entry', 'offset', 'length', 'queued', 'started', 'answered', 'done'];
  return (
    format === 'xylem perf 1' &&
    [file, tree, by].every((text) => typeof text === 'string') &&
    Array.isArray(chosen) &&
    chosen.every((path) => typeof path === 'string') &&
    record(numbers) &&
    names.every((name) => typeof numbers[name] === 'number') &&
    Array.isArray(reads) &&
    reads.every(
      (read) =>
        record(read) &&
        times.every((name) => typeof read[name] === 'number') &&
        ORIGINS.includes(read.origin as ReadOrigin) &&
        typeof read.purpose === 'string' &&
        Array.isArray(read.branches),
    )
  );
}

const ORIGINS: readonly ReadOrigin[] = ['network', 'disk', 'memory', 'store', 'decode'];

function argument(message: string): XylemError {
  return new XylemError({
    code: 'ARGUMENT',
    message,
    fix: 'Give what "xylem perf --save" wrote, or a file in which ROOT saved a TTreePerfStats.',
  });
}
