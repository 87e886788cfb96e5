import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EntryRange, EntrySelection, Histogram, TreeInfo } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { Core } from '../../web/core/core';
import { createBufferSource } from '../../web/io/buffer-source';
import { createByteReader } from '../../web/io/fetch/reader';
import { subtract, union } from '../../web/io/ranges';
import { chooseEntries, entryNumbers } from '../../web/model/entry-choice';
import { RootFile } from '../../web/model/root-file';
import { bufferSpec, canonicalRows, fixtureBytes, goldenNames, makeEngine } from './fixtures';

/** Larger trees have nothing that these have not, and take long to compare value by value. */
const MAX_BYTES = 2_000_000;

/**
 * Returns selections of all forms over this number of entries: dense and sparse, with both ends and with
 * neighbours.
 */
function selectionsOf(entries: number): EntrySelection[] {
  const third = Math.ceil(entries / 3);
  const ranges: EntryRange[] = [
    [0, Math.min(1, entries)],
    [third, third + 2],
    [Math.max(third + 2, entries - 2), Math.max(third + 2, entries + 5)],
  ];
  const even = Float64Array.from({ length: Math.ceil(entries / 2) }, (_, i) => 2 * i);
  const few = Float64Array.from(new Set([entries >> 3, entries >> 1, entries].sort((a, b) => a - b)));
  return [ranges, even, few, { fraction: 0.2, seed: 5 }, { fraction: 0.9, within: [1, entries + 1] }, []];
}

async function eachTree(
  name: string,
  use: (reader: EngineApi, id: number, path: string, info: TreeInfo) => Promise<void>,
): Promise<void> {
  const reader = await makeEngine();
  const { id } = await reader.open(bufferSpec(name, fixtureBytes(name)));
  for (const key of await reader.keys(id)) {
    if (key.kind !== 'tree' && key.kind !== 'ntuple') continue;
    const path = `${key.path};${key.cycle}`;
    await use(reader, id, path, await reader.tree(id, path));
  }
}

describe.each(goldenNames())('%s', (name) => {
  test.each([false, true])('chosen entries are those of the whole branch; raw: %s', async (raw) => {
    await eachTree(name, async (reader, id, path, info) => {
      if ((raw && info.kind === 'RNTuple') || info.totalBytes > MAX_BYTES) return;
      const branches = info.branches.filter((one) => one.kind !== 'group').map((one) => one.index);
      const whole = await reader.arrays(id, { tree: path, branches, raw });
      const rows = whole.map(({ column }) => (column ? canonicalRows(column) : []));
      const most = Math.max(info.entries, ...info.branches.map((branch) => branch.entries));
      for (const entries of selectionsOf(most)) {
        const part = await reader.arrays(id, { tree: path, branches, entries, raw });
        for (const [i, { branch, column, error }] of part.entries()) {
          if (whole[i]?.error) continue;
          expect(error, branch.path).toBeUndefined();
          const numbers = [...entryNumbers(chooseEntries(entries, branch.entries))];
          const wanted = numbers.map((entry) => rows[i]?.[entry]);
          expect(column && canonicalRows(column), branch.path).toEqual(wanted);
        }
      }
    });
  });
});

test('a histogram of chosen entries counts what the whole one counts of them', async () => {
  await eachTree('clusters', async (reader, id, path, info) => {
    for (const { index, kind } of info.branches) {
      if (kind !== 'number') continue;
      const range: [number, number] = [-10, 1000];
      const half = Float64Array.from({ length: Math.ceil(info.entries / 2) }, (_, i) => 2 * i);
      const other = half.map((entry) => entry + 1).filter((entry) => entry < info.entries);
      const draw = async (entries?: EntrySelection): Promise<Histogram> => {
        const drawn = await reader.draw(id, { tree: path, branch: index, range, entries });
        if (drawn.kind !== 'histogram') throw new Error(`a histogram was expected, not ${drawn.kind}`);
        return drawn;
      };
      const [all, even, odd] = [await draw(), await draw(half), await draw(other)];
      expect(even.sums.map((count, bin) => count + (odd.sums[bin] ?? 0))).toEqual(all.sums);
      expect([even.entries, odd.entries]).toEqual([half.length, other.length]);
    }
  });
});

const module = WebAssembly.compile(readFileSync(resolve(import.meta.dirname, '../../build/xylem.wasm')));

test.each(goldenNames())('%s: only baskets with chosen entries are planned, none twice', async (name) => {
  const bytes = fixtureBytes(name);
  const source = createBufferSource(bytes.slice().buffer, name);
  const file = await RootFile.open(await Core.create(await module), createByteReader(source));
  for (const key of await file.keys()) {
    if (key.kind !== 'tree' && key.kind !== 'ntuple') continue;
    const tree = await file.tree(`${key.path};${key.cycle}`);
    for (const branch of tree.info.branches) {
      if (branch.kind === 'group' || branch.baskets === 0) continue;
      const all = tryUnits(() => [...tree.units(branch, chooseEntries(undefined, branch.entries))]);
      if (!all) continue;
      for (const entries of selectionsOf(branch.entries)) {
        const choice = chooseEntries(entries, branch.entries);
        const units = [...tree.units(branch, choice)];
        const numbers = [...entryNumbers(choice)];
        const covered = units.flatMap(({ first, from, to, spans }) => {
          const list = spans?.() ?? Float64Array.of(from, to);
          const found: number[] = [];
          for (let i = 0; i < list.length; i += 2) {
            for (let entry = list[i] ?? 0; entry < (list[i + 1] ?? 0); entry++) found.push(first + entry);
          }
          return found;
        });
        expect(covered, branch.path).toEqual(numbers);
        const ranges = units.flatMap((unit) => unit.ranges);
        expect(subtract(union(ranges), union(all.flatMap((unit) => unit.ranges)))).toEqual([]);
        if (tree.info.kind === 'RNTuple') continue;
        // A basket is wanted when it holds a chosen entry; all of them are here, each once.
        const holding = all.filter(({ first, to }) => choice.next(first) < first + to);
        expect(units.map((unit) => unit.name)).toEqual(holding.map((unit) => unit.name));
      }
    }
  }
  await file.close();
});

function tryUnits<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined; // a field that cannot be decoded has no units
  }
}

test('pages of an RNTuple that hold no chosen entry are left out', async () => {
  const name = 'ntuple_encodings';
  const source = createBufferSource(fixtureBytes(name).slice().buffer, name);
  const file = await RootFile.open(await Core.create(await module), createByteReader(source));
  const key = (await file.keys()).find((one) => one.kind === 'ntuple');
  const tree = await file.tree(key?.path ?? '');
  await tree.prepare(undefined, {});
  let left = 0;
  for (const branch of tree.info.branches) {
    if (branch.depth > 0 || branch.kind !== 'number') continue;
    const all = [...tree.units(branch, chooseEntries(undefined, branch.entries))];
    const ends = [
      ...tree.units(branch, chooseEntries(Float64Array.of(0, branch.entries - 1), branch.entries)),
    ];
    const size = (units: typeof all) =>
      units.flatMap((unit) => unit.ranges).reduce((sum, range) => sum + range.length, 0);
    if (size(ends) < size(all)) left++;
  }
  expect(left).toBeGreaterThan(0);
  await file.close();
});
