import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Core } from '../../web/core/core';
import { createBufferSource } from '../../web/io/buffer-source';
import { createExtentBudget } from '../../web/io/extents';
import { createByteReader } from '../../web/io/fetch/reader';
import { pastTheEnd } from '../../web/io/ranges';
import type { ByteSource, Range } from '../../web/io/source';
import { chooseEntries } from '../../web/model/entry-choice';
import { RootFile } from '../../web/model/root-file';
import { DecodeUnitList } from '../../web/model/slice-list';
import { verifyGoal } from '../../web/pass/goals/verify';
import { planBranch, runPass } from '../../web/pass/pass';
import { makeTaskLists, packUnits, TaskPlan } from '../../web/pass/plan';
import { runTask } from '../../web/pass/task';
import type { Part, TaskRunner, UnitsOfFile } from '../../web/pass/types';

const compiled = WebAssembly.compile(readFileSync('build/xylem.wasm'));

/** For each unit, its ranges and the bytes of its head. A basket has only one of the two. */
type Given = { ranges: Range[]; head: number }[];

const range = fc.record({
  offset: fc.integer({ min: 1, max: 2 ** 40 }),
  length: fc.integer({ min: 1, max: 200_000 }),
});
const near = fc.record({
  offset: fc.integer({ min: 1, max: 3_000_000 }),
  length: fc.integer({ min: 1, max: 60_000 }),
});
const bad = fc.constantFrom<Range>(
  { offset: 5, length: 0 },
  { offset: -7, length: 10 },
  { offset: 2 ** 53, length: 4 },
  { offset: Number.NaN, length: 4 },
);
const one = fc.oneof(
  { weight: 9, arbitrary: near },
  { weight: 9, arbitrary: range },
  { weight: 1, arbitrary: bad },
);
const baskets = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: one.map((own) => ({ ranges: [own], head: 0 })) },
    { weight: 1, arbitrary: fc.nat(500).map((head) => ({ ranges: [], head })) },
  ),
  { maxLength: 60 },
);
const clusters = fc.array(fc.record({ ranges: fc.array(one, { maxLength: 5 }), head: fc.nat(99) }), {
  maxLength: 25,
});
const plans = fc.array(
  fc.oneof(
    baskets.map((units) => ({ simple: true, units })),
    clusters.map((units) => ({ simple: false, units })),
  ),
  { maxLength: 6 },
);

function listOf({ simple, units }: { simple: boolean; units: Given }): DecodeUnitList {
  const count = units.length;
  const ranges = units.flatMap((unit) =>
    simple && unit.head > 0 ? [{ offset: 0, length: unit.head }] : unit.ranges,
  );
  if (simple) {
    // A basket of the tree's record without bytes.
    for (const [i, { ranges: own, head }] of units.entries()) {
      if (own.length === 0 && head === 0) ranges.splice(i, 0, { offset: 0, length: 0 });
    }
  }
  let rangeEnd = 0;
  let headEnd = 0;
  const ends = {
    ranges: units.map(({ ranges: own }) => (rangeEnd += own.length)),
    heads: units.map(({ head }) => (headEnd += head)),
  };
  const numbers = {
    first: Float64Array.from(units, (_, i) => 10 * i),
    from: new Float64Array(count),
    to: new Float64Array(count).fill(10),
    rows: new Float64Array(count).fill(10),
    offset: Float64Array.from(ranges, ({ offset }) => offset),
    size: Float64Array.from(ranges, ({ length }) => length),
    ...(!simple && { ends }),
  };
  const source = { kind: 'Basket', numberOf: (i: number) => i, headOf: () => new Uint8Array(0) };
  return new DecodeUnitList(numbers, chooseEntries(undefined, 10 * count), source);
}

const isPossible = ({ offset, length }: Range): boolean =>
  offset >= 0 && length > 0 && offset + length <= Number.MAX_SAFE_INTEGER + 1;

test('each unit is in one task, and its bytes are where its reads and its head put them', async () => {
  const core = await Core.create(await compiled);
  const options = fc.record({
    shares: fc.integer({ min: 1, max: 8 }),
    gap: fc.constantFrom(0, 4096),
    alone: fc.boolean(),
    how: fc.constantFrom('places', 'given'),
  });
  fc.assert(
    fc.property(plans, options, fc.infiniteStream(fc.boolean()), fc.boolean(), (given, how, picks, some) => {
      const lists = given.map(listOf);
      const all = lists.flatMap((list, plan) =>
        Array.from({ length: list.length }, (_, index) => ({ plan, index })),
      );
      const wanted = some ? all.filter(() => picks.next().value) : all;
      const sources = lists.map((units) => ({ scan: { units } }) as unknown as UnitsOfFile);
      const packed = packUnits(lists.map(({ numbers }) => ({ numbers })));
      const chosen = Float64Array.from(wanted, (one) =>
        all.findIndex((own) => own.plan === one.plan && own.index === one.index),
      );
      const limits = { ...how, maxBytes: how.alone ? 0 : 1e6, maxUnits: 50 } as const;
      // All units in one task, or each in one of its own.
      const tasks = how.alone ? [...chosen].flatMap((unit) => [1, unit]) : [chosen.length, ...chosen];
      const list = how.how === 'given' ? Float64Array.from(tasks) : some ? chosen : undefined;
      const cut = new TaskPlan(makeTaskLists(core, packed, limits, list), sources);

      const rangesOf = (plan: number, index: number): Range[] => {
        const { simple, units } = given[plan] ?? { simple: false, units: [] };
        const unit = units[index];
        return unit && !(simple && unit.head > 0) ? unit.ranges : [];
      };
      const impossible = wanted.filter(({ plan, index }) => !rangesOf(plan, index).every(isPossible));
      if (how.how === 'places')
        expect(cut.bad).toEqual(impossible.map(({ plan, index }) => ({ list: plan, index })));

      const found: { plan: number; index: number }[] = [];
      let lastPlace = 0;
      for (let task = 0; task < cut.length; task++) {
        const reads = cut.reads(task);
        const { units, inputs } = cut.lists;
        const size = inputs[task] ?? 0;
        if (how.how === 'places') expect(cut.lists.places[task]).toBeGreaterThanOrEqual(lastPlace);
        lastPlace = cut.lists.places[task] ?? 0;
        for (const { at, length } of reads) expect(at + length).toBeLessThanOrEqual(size);
        const places = [...cut.places(task)];
        if (how.alone) expect(places.length).toBeLessThanOrEqual(1);
        let bytes = 0;
        for (const { list: plan, index, start, end } of places) {
          found.push({ plan, index });
          let at = start + (given[plan]?.units[index]?.head ?? 0);
          for (const { offset, length } of rangesOf(plan, index)) {
            bytes += length;
            const read = reads.find((own) => own.at <= at && at + length <= own.at + own.length);
            expect(read && read.offset + at - read.at, 'the byte of the file that lands there').toBe(offset);
            at += length;
          }
          expect(at).toBe(end);
        }
        expect(cut.bytes(task)).toBe(bytes);
        const over = reads.reduce((sum, { length }) => sum + length, 0) - bytes;
        if (how.gap === 0) expect(over).toBeLessThanOrEqual(0);
        expect(units.length).toBeGreaterThanOrEqual(4 * places.length);
        expect(cut.parts(task).reduce((sum, { count }) => sum + count, 0)).toBe(places.length);
      }
      const order = (list: typeof found) => [...list].sort((a, b) => a.plan - b.plan || a.index - b.index);
      expect(order([...found, ...impossible])).toEqual(order(wanted));
    }),
    { numRuns: 300 },
  );
});

test('the remaining part of a shortened file is read', async () => {
  const bytes = readFileSync('public/sample.root');
  const core = await Core.create(await compiled);
  let end = bytes.length;
  const whole = createBufferSource(new Uint8Array(bytes).buffer, 'sample.root');
  const shrinking: ByteSource = {
    ...whole,
    info: () => ({}),
    read: async (offset, length, signal) => {
      if (offset >= end) throw pastTheEnd('sample.root', offset, length, end);
      return whole.read(offset, Math.min(length, end - offset), signal);
    },
  };
  const runner: TaskRunner = {
    concurrency: 1,
    readsFiles: false,
    run: (task) => runTask(core, task),
    encode: () => Promise.reject(new Error('nothing is written here')),
    makeBaskets: () => Promise.reject(new Error('nothing is written here')),
  };
  const file = await RootFile.open(core, createByteReader(shrinking, { budget: createExtentBudget(0) }));
  const tree = await file.tree('Events');
  const paths = ['nMuon', 'Muon_pt', 'Muon_eta'];
  const read = async () => {
    const scanned = paths.map((path) => planBranch(tree, path));
    const results = new Map<string, { failures: Part['failures']; unitRows?: Float64Array }>();
    await runPass(tree, runner, scanned, {
      goals: [
        verifyGoal(false, (units, { column, number, count }) => {
          for (let i = 0; i < count; i++) {
            const one = results.get(`${paths[column]} ${number + i}`);
            if (one) one.unitRows = units.slice(2 * i, 2 * i + 2);
          }
        }),
      ],
      onPart: ({ column, number, count, failures }) => {
        for (let i = 0; i < count; i++)
          results.set(`${paths[column]} ${number + i}`, {
            failures: failures.filter(({ unit }) => unit === i),
          });
      },
    });
    return results;
  };
  const before = await read();
  const places = paths.flatMap((path) =>
    [...planBranch(tree, path).units].map(({ ranges: [own] }, i) => ({
      name: `${path} ${i}`,
      ...(own as Range),
    })),
  );
  expect(before.size).toBe(places.length);
  const sorted = [...places].sort((a, b) => a.offset - b.offset);
  for (const at of [0, Math.floor(sorted.length / 2), sorted.length - 1]) {
    const first = sorted[at] as Range;
    end = first.offset + Math.floor(first.length / 2);
    const after = await read();
    for (const { name, offset, length } of places) {
      const part = after.get(name);
      if (offset + length <= end) {
        expect(part?.failures, name).toEqual([]);
        expect(part?.unitRows, name).toEqual(before.get(name)?.unitRows);
      } else expect(part?.failures[0]?.error.code, name).toBe('TRUNCATED');
    }
  }
  await file.close();
});

/** Units of a column that begin and end at entries. */
const stretches = fc
  .array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 900 })), {
    maxLength: 30,
  })
  .map((list) => {
    let entry = 0;
    return list.map(([gap, length, bytes]) => {
      const from = entry + gap;
      entry = from + length;
      return { from, to: entry, bytes };
    });
  });

test('tasks of entries follow each other, and have the units of all columns with their entries, or say which are lost', async () => {
  const core = await Core.create(await compiled);
  const limits = fc.record({
    minBytes: fc.integer({ min: 1, max: 5000 }),
    maxBytes: fc.integer({ min: 1, max: 9000 }),
    maxEntries: fc.integer({ min: 1, max: 200 }),
    firstBytes: fc.constantFrom(0, 100, 4096),
    from: fc.nat(20),
    length: fc.integer({ min: 1, max: 200 }),
  });
  fc.assert(
    fc.property(
      fc.array(stretches, { minLength: 1, maxLength: 5 }),
      limits,
      (columns, { length, ...how }) => {
        const to = how.from + length;
        // The units of a column in two files, whose entries follow each other.
        const lists = columns.flatMap((units, column) => {
          const half = Math.ceil(units.length / 2);
          return [units.slice(0, half), units.slice(half)].map((own, file) => ({ units: own, column, file }));
        });
        let place = 100;
        const packed = packUnits(
          lists.map(({ units, column, file }) => ({
            ...{ column, file },
            numbers: {
              first: Float64Array.from(units, ({ from }) => from),
              from: new Float64Array(units.length),
              to: Float64Array.from(units, (unit) => unit.to - unit.from),
              rows: Float64Array.from(units, (unit) => unit.to - unit.from),
              offset: Float64Array.from(units, () => (place += 1000)),
              size: Float64Array.from(units, ({ bytes }) => bytes),
            },
          })),
        );
        const made = makeTaskLists(core, packed, { how: 'entries', gap: 0, to, ...how });
        const plan = new TaskPlan(made, []);
        const ends = new Set(columns.flat().map((unit) => unit.to));
        let at = how.from;
        for (let task = 0; task < plan.length; task++) {
          const [first, end] = plan.entries(task);
          expect(first).toBe(at);
          expect(end).toBeGreaterThan(first);
          if (end !== to) expect(ends).toContain(end);
          at = end;
          const places = [...plan.places(task)];
          const lost = made.lost.slice(3 * (made.lostEnds[task - 1] ?? 0), 3 * (made.lostEnds[task] ?? 0));
          for (const [column, units] of columns.entries()) {
            const own = places.filter(({ list }) => lists[list]?.column === column);
            const expected = units.filter((unit) => unit.from < end && unit.to > first);
            expect(own.map(({ list, index }) => lists[list]?.units[index])).toEqual(expected);
            for (let entry = first; entry < end; entry++) {
              const isThere = expected.some((unit) => unit.from <= entry && entry < unit.to);
              let isLost = false;
              for (let i = 0; i < lost.length; i += 3)
                isLost ||= lost[i] === column && (lost[i + 1] ?? 0) <= entry && entry < (lost[i + 2] ?? 0);
              expect([entry, isLost]).toEqual([entry, !isThere]);
            }
          }
          // A task that some unit goes beyond has grown before it was divided there.
          const bytes = places.reduce(
            (sum, { list, index }) => sum + (lists[list]?.units[index]?.bytes ?? 0),
            0,
          );
          const isDivided = columns.some((units) => units.some((unit) => unit.from < end && unit.to > end));
          if (end !== to && isDivided)
            expect(bytes >= how.maxBytes || end - first >= 4 * how.maxEntries).toBe(true);
          else if (end !== to) {
            // The first tasks are smaller, each of them up to twice as large as the one before.
            const small = how.firstBytes > 0 ? how.firstBytes * 2 ** task : how.minBytes;
            const least = Math.min(how.minBytes, small);
            expect(bytes >= least || end - first >= how.maxEntries).toBe(true);
          }
          for (const { file } of plan.reads(task)) expect(file).toBeLessThan(2);
        }
        expect(at).toBe(to);
      },
    ),
    { numRuns: 300 },
  );
});
