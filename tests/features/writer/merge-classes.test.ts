import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Members } from '../../../web/bins/object-values';
import { nodeModules } from '../../../web/core/modules/node-modules';
import { type MergeSource, mergeFiles } from '../../../web/features/writer/work/merge/merge-files';
import { addObject, newSum, whyNotAdded } from '../../../web/features/writer/work/merge/objects/adders';
import { memorySink } from '../../../web/sinks/sink';
import { bufferSpec, makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

const reader = withReader(makeEngine);

const folder = resolve(import.meta.dirname, 'merged');
const part = (name: string, file = name): MergeSource => ({
  name,
  async open() {
    const info = await reader.open(bufferSpec(name, readFileSync(join(folder, file))));
    return { reader, info, close: () => reader.close(info.id) };
  },
});

async function merge(...sources: MergeSource[]) {
  const sink = memorySink();
  const merged = await mergeFiles(sources, sink, { writer: await nodeModules('write'), name: 'new.root' });
  const { id } = await reader.open(bufferSpec('new', sink.bytes()));
  return { ...merged, id };
}

/** The value at a place in an object, such as "fXaxis.fNbins" or "arr.0.fEntries". */
function valueAt(object: unknown, place: string): unknown {
  let value = object;
  for (const name of place.split('.')) {
    const inner = (value as Members | null)?.$value;
    value = ((inner ?? value) as { [name: string]: unknown } | null)?.[name];
  }
  return typeof value === 'bigint' ? Number(value) : value;
}

const isSame = (found: unknown, expected: unknown): boolean =>
  typeof found === 'number' && typeof expected === 'number'
    ? // TBufferJSON writes floats with seven digits.
      Number(found.toPrecision(7)) === expected ||
      Math.abs(found - expected) <= 1e-12 * Math.max(1, Math.abs(expected))
    : found === expected;

describe('objects of all classes that ROOT merges', () => {
  const recorded = JSON.parse(readFileSync(join(folder, 'merged.json'), 'utf8')) as {
    [path: string]: { [place: string]: unknown };
  };
  const paths = new Map<string, number>();
  for (const path of Object.keys(recorded)) {
    const name = path.replace(/;\d+$/, '');
    paths.set(name, (paths.get(name) ?? 0) + 1);
  }

  test('are what hadd makes of them', async () => {
    const { id, leftOut } = await merge(part('part0.root'), part('part1.root'));
    const lines = leftOut.filter((line) => !/an older cycle/.test(line));
    expect(lines).toEqual([]);
    const keys = await reader.keys(id);
    const wrong: string[] = [];
    for (const [name, cycles] of paths) {
      const own = keys.filter(({ path }) => path === name).sort((a, b) => a.cycle - b.cycle);
      if (own.length !== cycles) wrong.push(`${name}: ${own.length} cycles, not ${cycles}`);
      for (const [i, key] of own.entries()) {
        const object = await reader.object(id, `${name};${key.cycle}`);
        for (const [place, expected] of Object.entries(recorded[`${name};${i + 1}`] ?? {})) {
          const found = valueAt(object, place);
          if (!isSame(found, expected))
            wrong.push(`${name}.${place}: ${String(found)}, not ${String(expected)}`);
        }
      }
    }
    expect(paths.size).toBeGreaterThan(65);
    expect(wrong).toEqual([]);
  });

  test('equal contents are added, not one object', async () => {
    const { id } = await merge(part('part0.root'), part('again.root', 'part0.root'));
    const value = async (path: string, place: string) => valueAt(await reader.object(id, path), place);
    expect(await value('sparse_equal', 'fEntries')).toBe(1000);
    expect(await value('double_equal_sum', 'fVal')).toBe(1000);
    expect(await value('eff_equal', 'fTotalHistogram.fEntries')).toBe(200);
  });

  test('objects of classes that ROOT does not merge are all kept, as hadd keeps them', async () => {
    const { id } = await merge(part('part0.root'), part('again.root', 'part0.root'));
    const keys = await reader.keys(id);
    expect(keys.filter(({ path }) => path === 'text_equal').map(({ cycle }) => cycle)).toEqual([2, 1]);
    expect(keys.filter(({ path }) => path === 'named')).toHaveLength(4);
  });
});

describe('objects that ROOT merges and that are not added', () => {
  const derives = (className: string, base: string) =>
    className === base ||
    (className === 'MyHist' && base === 'TH1') ||
    (className === 'RooHist' && base === 'TGraph');

  test.each([
    'TFileCollection',
    'TEntryListArray',
    'TLinearFitter',
    'TPolyLine',
    'TPolyMarker3D',
    'TClonesArray',
    'TRefArray',
    'TParameter<TString>',
    'MyHist',
    'RooHist',
  ])('%s has a line', (className) => {
    const known = (name: string, base: string) =>
      derives(name, base) || (name === 'TEntryListArray' && base === 'TEntryList');
    expect(whyNotAdded(className, known)).toMatch(/ROOT/);
  });

  test.each(['TObjString', 'TNamed', 'TCanvas', 'TF1', 'TMap', 'TMultiGraph', 'vector<double>'])(
    '%s has none, because ROOT keeps it',
    (className) => expect(whyNotAdded(className, derives)).toBeUndefined(),
  );

  const adding = { classes: { derives, check() {} }, mayChange: false };
  const add = (into: Members, other: Members) => addObject(into, other, newSum(), adding);
  const parameter = (fVal: number | bigint, type = 'int', fBits = 0): Members => ({
    ...{ _typename: `TParameter<${type}>`, fUniqueID: 0, fBits, fName: 'p', fVal },
  });
  const list = (...arr: Members[]): Members => ({
    _typename: 'TList',
    name: '',
    arr,
    opt: arr.map(() => ''),
  });
  const named = (fName: string, _typename = 'TH1F'): Members => ({ _typename, fName });

  test('a sum of integers that does not fit into its type is refused, and the first stays', () => {
    const into = parameter(2_000_000_000);
    expect(() => add(into, parameter(2_000_000_000))).toThrow(/do not fit into a number of the type int/);
    expect(into.fVal).toBe(2_000_000_000);
    expect(() => add(parameter(1n << 62n, 'Long64_t'), parameter(1n << 62n, 'Long64_t'))).toThrow(
      /do not fit/,
    );
  });

  test.each<[string, Members, Members, RegExp]>([
    [
      'longer than the first',
      list(parameter(1)),
      list(parameter(1), parameter(2)),
      /2 objects, and the first one 1/,
    ],
    ['of other classes', list(parameter(1)), list(named('p', 'TNamed')), /TNamed at place 0/],
    ['of other names', list(named('a')), list(named('b')), /"b" is at place 0, and "a"/],
    [
      'with a subclass of a histogram',
      list(named('a', 'MyHist')),
      list(named('a', 'MyHist')),
      /MyHist are not added/,
    ],
  ])('lists %s are refused, and the first stays', (_, into, other, message) => {
    const before = structuredClone(into);
    expect(() => add(into, other)).toThrow(message);
    expect(into).toEqual(before);
  });

  test('an object that stands in a list twice is not added to itself', () => {
    const shared = parameter(1);
    expect(() => add(list(shared, shared), list(parameter(1), parameter(2)))).toThrow(/twice/);
  });

  test('points of a graph are appended without a copy of those before, as long as there is room', () => {
    const graph = (...at: number[]): Members => {
      const [fX, fY] = [Float64Array.from(at), Float64Array.from(at, (x) => -x)];
      return { _typename: 'TGraph', fNpoints: at.length, fX, fY, fHistogram: null };
    };
    const sum = graph(1, 2, 3);
    const buffers = [4, 5, 6, 7].map((x) => {
      add(sum, graph(x));
      return (sum.fX as Float64Array).buffer;
    });
    expect(sum).toMatchObject({ fNpoints: 7, fX: { length: 7 } });
    expect([[...(sum.fX as Float64Array)], [...(sum.fY as Float64Array)]]).toEqual([
      [1, 2, 3, 4, 5, 6, 7],
      [-1, -2, -3, -4, -5, -6, -7],
    ]);
    // 3 values have room for 6, and 6 for 12.
    expect(new Set(buffers).size).toBe(2);
  });

  test('objects of a list that have no Merge() are appended once for each file', () => {
    const state = newSum();
    let sum = list(parameter(1), named('x', 'TNamed'));
    for (const text of ['y', 'z'])
      sum = addObject(sum, list(parameter(2), named(text, 'TNamed')), state, adding);
    expect((sum.arr as Members[]).map(({ fVal, fName }) => fVal ?? fName)).toEqual([5, 'x', 'y', 'z']);
  });
});

describe('lists with objects of a class that has two versions in the files', () => {
  test.each([
    ['versions1.root', 'versions2.root'],
    ['versions2.root', 'versions1.root'],
  ])('%s and %s: the second is kept beside the first, and a line says why', async (...names) => {
    const { leftOut, id } = await merge(...names.map((name) => part(name)));
    expect(leftOut).toEqual([
      `list of ${names[1]} is not added: The file of the first describes the classes of an object of Measured in it otherwise. It is kept as a cycle.`,
    ]);
    const numbers = names.map((name) => Number(/\d/.exec(name)?.[0]));
    const kept = await Promise.all(['list;2', 'list;1'].map((path) => reader.object(id, path)));
    expect(kept).toMatchObject(numbers.map((n) => ({ arr: { 0: { fEntries: 1 }, 1: { n } } })));
    expect(await reader.object(id, 'same')).toMatchObject({ arr: { 0: { fEntries: 2 }, length: 3 } });
  });

  test('objects of the same version are added', async () => {
    const { leftOut, id } = await merge(part('versions1.root'), part('versions3.root'));
    expect(leftOut).toEqual([]);
    const list = await reader.object(id, 'list');
    expect(list).toMatchObject({ arr: { 0: { fEntries: 2 }, 1: { n: 1 }, 2: { n: 3 } } });
  });
});

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'three files of 250 objects of all classes become what real hadd makes of them',
  () => {
    const out = mkdtempSync(join(tmpdir(), 'xylem-merge-'));
    try {
      const judge = resolve(import.meta.dirname, 'judge/merge_judge.py');
      const { stdout } = spawnSync(oraclePython ?? '', ['-W', 'ignore', judge, out, '--short'], {
        encoding: 'utf8',
      });
      expect(stdout).toMatch(/ same.* 0 faults\n$/);
    } finally {
      rmSync(out, { recursive: true });
    }
  },
  300_000,
);
