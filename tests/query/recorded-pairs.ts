import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileSource, SourceSpec } from '../../web/api/api';

/** Numbers as JSON has them: "nan", "inf" and "-inf" are texts. */
export type Figure = number | 'nan' | 'inf' | '-inf';
/** Bins that are not empty: index of the first, then values. */
export type Runs = [first: number, ...values: Figure[]][];
export type AxisFigures = [bins: number, low: number, high: number];

/** Axes that Draw chose, and what lies in each bin along each of them. */
export interface Automatic {
  axes: AxisFigures[];
  along: Runs[];
}

/** An expression and the result of ROOT: see conformance.py. */
export interface Pair {
  /** Name of the set. */
  set: string;
  section: string;
  file: string;
  twin?: string;
  tree: string;
  expr: string;
  cut: string;
  option?: string;
  entries?: [number, number];
  /** Why ROOT's figures are not compared, and what shows it. */
  deviation?: string;
  truth?: string;
  proof?: { values: number; sum?: Figure; axis?: AxisFigures; labels?: [string, number][] };
  axesDeviation?: string;
  /** ROOT refuses it, or crashes. */
  error?: boolean;
  crash?: boolean;
  axes?: AxisFigures[];
  /** The texts of axes of strings, by the number of the axis. */
  texts?: Record<number, string[]>;
  fills?: number;
  /** Sums of weights and of squared weights in the range. */
  stats?: [Figure, Figure];
  mean?: Figure[];
  std?: Figure[];
  /** Contents, and squared weights where they differ from them; means of a profile, with weights and errors. */
  cells?: Runs;
  squares?: Runs;
  weights?: Runs;
  errors?: Runs;
  automatic?: Automatic | null;
  labels?: [string, Figure][];
  numbers?: number[];
  /** Columns of TTree::Scan, and its rows as text: entry, instance where there are any, values. */
  scan?: string;
  limit?: number;
  instances?: boolean;
  rows?: string[][];
}

export type OpenState = 'refused' | 'differs';

const root = join(import.meta.dirname, '../..');
const places: Record<string, string> = {
  fixtures: join(root, 'tests/fixtures/files'),
  query: join(import.meta.dirname, 'files'),
  public: join(root, 'public'),
  corpus: process.env.XYLEM_CORPUS ?? '',
};

export function recordedPairs(): Pair[] {
  const folder = join(import.meta.dirname, 'recorded');
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const pairs = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Omit<Pair, 'set'>[];
      return pairs.map((pair) => ({ ...pair, set: name.replace('.json', '') }));
    });
}

/** Pairs that do not agree yet, by their name: open.json shrinks, it never grows. */
export function openPairs(): ReadonlyMap<string, OpenState> {
  const open = JSON.parse(readFileSync(join(import.meta.dirname, 'open.json'), 'utf8')) as Record<
    string,
    OpenState
  >;
  return new Map(Object.entries(open));
}

export function nameOf({ file, expr, cut, option, scan, entries }: Pair): string {
  const what = scan === undefined ? expr : `scan ${scan}`;
  const more = [option, entries?.join(':')].filter((one) => one !== undefined && one !== '');
  return [file, what, cut, ...more].join(' | ');
}

/** Files of the corpus are not part of the repository. */
export function isHere(file: string): boolean {
  return pathsOf(file).every(existsSync);
}

export function sourceOf(file: string): SourceSpec {
  const sources = pathsOf(file).map((path): FileSource => ({ kind: 'path', path }));
  const [first] = sources;
  if (sources.length > 1 || !first) {
    return { kind: 'chain', files: sources.map((source) => ({ source })) };
  }
  return first;
}

function pathsOf(file: string): string[] {
  return file.split(' + ').map((one) => {
    const [place = '', ...rest] = one.split('/');
    return places[place] ? join(places[place], ...rest) : '';
  });
}

export function figure(value: Figure | undefined): number {
  if (value === 'nan') return Number.NaN;
  if (value === 'inf') return Infinity;
  if (value === '-inf') return -Infinity;
  return value ?? 0;
}

/** All bins of a run; those that are not recorded are 0. */
export function unpack(runs: Runs | undefined, count: number): Float64Array {
  const all = new Float64Array(count);
  for (const [first, ...values] of runs ?? []) {
    values.forEach((value, i) => {
      all[first + i] = figure(value);
    });
  }
  return all;
}
