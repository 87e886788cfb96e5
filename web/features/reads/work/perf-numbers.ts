import type { PerfNumbers } from '../../../api/reading';

/** The name of a number in TTreePerfStats, and its explanation. */
export interface PerfNumber {
  name: string;
  meaning: string;
  text(numbers: PerfNumbers): string;
}

const fixed = (value: number | undefined, unit: string): string =>
  Number.isFinite(value) ? `${value?.toFixed(3)} ${unit}` : '–';
/** MB per second; NaN if the time is not known. */
const speed = (bytes: number, seconds = Number.NaN): number => (1e-6 * bytes) / seconds;
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
    text: ({ readTotal, diskTime }) => fixed(speed(readTotal, diskTime), 'MB/s'),
  },
  {
    name: 'ReadUZRT',
    meaning: 'ReadUnZip per second of Real Time',
    text: ({ readTotal, factor, realTime }) => fixed(speed(readTotal * factor, realTime), 'MB/s'),
  },
  {
    name: 'ReadUZCP',
    meaning: 'ReadUnZip per second of CPU Time',
    text: ({ readTotal, factor, cpuTime }) => fixed(speed(readTotal * factor, cpuTime), 'MB/s'),
  },
  {
    name: 'ReadRT',
    meaning: 'bytes read per second of Real Time',
    text: ({ readTotal, realTime }) => fixed(speed(readTotal, realTime), 'MB/s'),
  },
  {
    name: 'ReadCP',
    meaning: 'bytes read per second of CPU Time',
    text: ({ readTotal, cpuTime }) => fixed(speed(readTotal, cpuTime), 'MB/s'),
  },
];
