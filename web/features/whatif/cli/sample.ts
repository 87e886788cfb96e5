import { join } from 'node:path';
import { fileSink, writeRoot } from '../../../node';
import type { CpuProgram } from '../work/cpu/cpu-counts';

/** A reading of the sample that is measured. */
export interface SampleReading {
  file: string;
  tree: string;
  /** The first part of the names of its branches; undefined for all. */
  branches?: string | undefined;
  /** Every how many entries ROOT reads one. Default: 1. */
  step?: number | undefined;
  /** The entries that are read, and how often. Default: all, once. */
  entries?: readonly [from: number, to: number] | undefined;
  times?: number | undefined;
  /** Programs that read it. Default: all. */
  programs?: readonly CpuProgram[] | undefined;
}

/** Codecs of the sample with their numbers of entries: LZMA takes twenty times as long to write. */
const CODECS = [
  ['none', 60_000],
  ['zlib:1', 60_000],
  ['lz4:4', 60_000],
  ['zstd:5', 60_000],
  ['lzma:5', 20_000],
] as const;
/** Kinds of columns, from those that compress best to one that does not compress. */
const GROUPS = ['flat', 'small', 'rounded', 'noise', 'counts', 'lists'] as const;

type Columns = Record<
  string,
  Float32Array | Float64Array | Int32Array | Uint8Array | Float32Array[] | Int32Array[]
>;

/** Writes trees of numbers and of lists, one file for each codec, and returns the readings that are measured. */
export async function writeSample(folder: string, step: (label: string) => void): Promise<SampleReading[]> {
  const readings: SampleReading[] = [];
  for (const [codec, entries] of CODECS) {
    const name = codec.split(':')[0] ?? codec;
    step(`Writing the sample, ${name}`);
    const file = join(folder, `${name}.root`);
    await writeRoot(
      fileSink(file),
      async (root) => {
        const counters = Object.fromEntries(
          ['lists', 'counts'].flatMap((group) => columnNames(group, 5).map((one) => [one, 'n'])),
        );
        await (await root.tree('wide', { counters, clusterBytes: 3_000_000 })).append(columns(entries));
        if (codec !== 'zlib:1') return;
        const lengths = Object.fromEntries(columnNames('long', 4).map((one) => [one, 'n']));
        const small = await root.tree('small', { counters: lengths, clusterBytes: 20_000 });
        await small.append({ ...numbers(30_000, ['rounded']), ...longLists(30_000, 6) });

        await (await root.tree('many', { clusterBytes: 10_000_000 })).append(many(8_000));
        await (await root.tree('long', { counters: lengths, clusterBytes: 3_000_000 })).append(
          longLists(10_000, 40),
        );
      },
      { codec },
    );
    const groups = codec === 'zlib:1' ? GROUPS : GROUPS.filter((_, at) => at % 2 === 1);
    for (const branches of groups) readings.push({ file, tree: 'wide', branches });
    readings.push({ file, tree: 'wide' });
    if (codec !== 'zlib:1') continue;
    readings.push(
      { file, tree: 'wide', step: 100 },
      { file, tree: 'wide', branches: 'rounded', step: 10 },
      { file, tree: 'small' },
      { file, tree: 'small', branches: 'rounded3' },
      { file, tree: 'small', branches: 'long1' },
      { file, tree: 'wide', branches: 'flat0', programs: ['root'] },
      { file, tree: 'many' },
      { file, tree: 'many', step: 10, programs: ['root'] },
      { file, tree: 'many', branches: 'many7' },
      { file, tree: 'many', branches: 'many77' },
      { file, tree: 'long' },
    );
  }
  return readings;
}

/** Readings of the tree of objects that ROOT writes (cpu.py). */
export const objectReadings = (file: string): SampleReading[] => {
  const of = (tree: string, ...names: string[]) => names.map((branches) => ({ file, tree, branches }));
  return [
    { file, tree: 'events' },
    { file, tree: 'events', step: 20, programs: ['root'] },
    ...of('events', 'e1.', 'e2.a.', 'e3.version'),
    { file, tree: 'many', programs: ['root'] },
    { file, tree: 'many', entries: [0, 1], programs: ['root'] },
    { file, tree: 'many', entries: [0, 20], times: 10, programs: ['root'] },
    { file, tree: 'many', branches: 'e33.a.', entries: [0, 20], times: 50, programs: ['root'] },
    { file, tree: 'many', branches: 'e33.a.', programs: ['uproot'] },
    { file, tree: 'objects' },
    ...of('objects', 'numbers', 'long', 'nested', 'object', 'text'),
    ...of(
      'objects',
      'split.run',
      'split.w',
      'split.v',
      'split.label',
      'split.hits.x',
      'split.hits.t',
      'split.hits',
      'clones',
    ),
  ];
};

const columnNames = (group: string, count: number) => Array.from({ length: count }, (_, i) => `${group}${i}`);

/** Numbers from 0 to 1, the same on every machine. */
let state = 1;
function uniform(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}
const exponential = (mean: number) => -mean * Math.log(1 - 0.999_999 * uniform());

const bits = new Float32Array(1);
const word = new Uint32Array(bits.buffer);
/** A number with 12 bits of mantissa, as experiments store them. */
function rounded(value: number): number {
  bits[0] = value;
  word[0] = (word[0] ?? 0) & 0xffff_f800;
  return bits[0] ?? 0;
}

function numbers(entries: number, groups: readonly string[]): Columns {
  const found: Columns = {};
  const fill = <A extends Float32Array | Float64Array | Int32Array>(
    of: A,
    value: (entry: number) => number,
  ): A => {
    for (let i = 0; i < entries; i++) of[i] = value(i);
    return of;
  };
  const make: Record<string, () => Float32Array | Float64Array | Int32Array> = {
    flat: () => fill(new Int32Array(entries), (entry) => Math.floor(entry / 5000)),
    small: () => fill(new Int32Array(entries), () => Math.floor(exponential(20))),
    rounded: () => fill(new Float32Array(entries), () => rounded(exponential(20))),
    noise: () => fill(new Float64Array(entries), () => uniform() * (1 + 1e-9 * uniform())),
  };
  for (const group of groups)
    for (const name of columnNames(group, 8)) found[name] = make[group]?.() ?? new Int32Array(entries);
  return found;
}

function columns(entries: number): Columns {
  const found = numbers(entries, ['flat', 'small', 'rounded', 'noise']);
  const lengths = Int32Array.from({ length: entries }, () => Math.floor(exponential(5.5)));
  for (const name of columnNames('lists', 5))
    found[name] = Array.from(lengths, (length) =>
      Float32Array.from({ length }, () => rounded(exponential(20))),
    );
  for (const name of columnNames('counts', 5))
    found[name] = Array.from(lengths, (length) =>
      Int32Array.from({ length }, () => Math.floor(exponential(9))),
    );
  return found;
}

/** 1,000 branches of bytes and of numbers: a reading of calls, whose baskets fit into no cache of a processor. */
function many(entries: number): Columns {
  return Object.fromEntries(
    columnNames('many', 1000).map((name, at) => [
      name,
      at % 2 === 0
        ? Uint8Array.from({ length: entries }, () => Number(uniform() < 0.1))
        : Int32Array.from({ length: entries }, () => Math.floor(exponential(20))),
    ]),
  );
}

function longLists(entries: number, mean: number): Columns {
  const lengths = Int32Array.from({ length: entries }, () => Math.floor(exponential(mean)));
  return Object.fromEntries(
    columnNames('long', 4).map((name) => [
      name,
      Array.from(lengths, (length) => Float32Array.from({ length }, () => rounded(exponential(20)))),
    ]),
  );
}
