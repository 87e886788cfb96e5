import { expect, test } from 'vitest';
import { columnOf, sharedOffsets } from '../../../web/features/selectors/work/columns';
import { entriesOf } from '../../../web/features/selectors/work/entries';
import { listsIn } from '../../../web/features/selectors/work/lists';

// Each method has to give what that of Float64Array gives, and to call the function with the same arguments.

const LISTS = [[], [3], [5, -1, Number.NaN, 0, 5], [1, 2, 3, Number.POSITIVE_INFINITY], [-0, 0.5]];
const values = Float64Array.from(LISTS.flat());
const offsets = Int32Array.of(0, 0, 1, 6, 10, 12);
const of = listsIn(values, offsets);

type Use = (list: Float64Array, note: (...given: unknown[]) => boolean) => unknown;
const USES: Record<string, Use> = {
  forEach: (list, note) => list.forEach((value, i, all) => void note(value, i, all.length)),
  some: (list, note) => list.some((value, i, all) => note(value, i, all.length) && value > 2),
  every: (list, note) => list.every((value, i, all) => note(value, i, all.length) && value > 2),
  find: (list, note) => list.find((value, i, all) => note(value, i, all.length) && value < 1),
  findIndex: (list, note) => list.findIndex((value, i, all) => note(value, i, all.length) && value < 1),
  filter: (list, note) => list.filter((value, i, all) => note(value, i, all.length) && value > 0),
  'filter to nothing': (list) => list.filter(() => false),
  map: (list, note) => list.map((value, i, all) => (note(value, i, all.length) ? value * 2 + i : 0)),
  'map to truths': (list) => list.map((value) => (value > 1) as never),
  'map to undefined': (list) => list.map(() => undefined as never),
  reduce: (list, note) =>
    list.reduce((sum, value, i, all) => (note(sum, value, i, all.length) ? sum + value : 0), 1),
  'reduce to a text': (list) => list.reduce((text, value) => `${text},${value}`, ''),
  'reduce from undefined': (list) => list.reduce((sum, value) => sum ?? value, undefined as unknown),
  'reduce without a start': (list) => list.reduce((sum, value) => sum + value),
  'filter of a filter': (list) => list.filter((value) => list.filter((one) => one === value).length > 1),
  'map of a map': (list) => list.map((value) => list.map((one) => one + value).length),
  slice: (list) => list.slice(1),
  subarray: (list) => list.subarray(1),
  toSorted: (list) => list.slice().sort(),
  reverse: (list) => [...list].reverse(),
  spread: (list) => [...list, list.length, list.at(-1), list.includes(5), list.indexOf(5), list.join()],
  clone: (list) => Object.getPrototypeOf(structuredClone(list)) === Float64Array.prototype,
  this: (list) =>
    list.filter(function (this: unknown, value) {
      return value > (this as number);
    }, 0),
  'no function': (list) => list.map(undefined as never),
};
const outcome = (use: Use, list: Float64Array): unknown => {
  const calls: unknown[] = [];
  let result: unknown;
  try {
    result = use(list, (...given) => calls.push(given) > 0);
  } catch (thrown) {
    return [(thrown as Error).name, (thrown as Error).message];
  }
  return [result instanceof Float64Array ? ['doubles', ...result] : result, calls];
};

test.each(Object.entries(USES))('%s of the list of an entry is that of Float64Array', (_, use) => {
  for (const [i, list] of LISTS.entries())
    expect(outcome(use, of(i))).toEqual(outcome(use, Float64Array.from(list)));
});

test('lists that methods return are never given twice, also if functions make lists or throw', () => {
  const kept: [Float64Array, number[]][] = [];
  const long = listsIn(
    Float64Array.from({ length: 20_000 }, (_, i) => i),
    Int32Array.of(0, 20_000),
  )(0);
  for (let round = 0; round < 600; round++) {
    const list = of(round % LISTS.length);
    const made = list.map((one) => one + round);
    kept.push([made, [...made]]);
    const inner = list.filter((one) => {
      const other = list.map((two) => two - one);
      kept.push([other, [...other]]);
      return one > 0;
    });
    kept.push([inner, [...inner]]);
    const stop = () => {
      throw new Error('stop');
    };
    if (list.length > 0) expect(() => list.filter(stop)).toThrow('stop');
  }
  const most = long.filter((one) => one % 2 === 0);
  kept.push([most, [...most]]);
  for (const [list, before] of kept) expect([...list]).toEqual(before);
});

test('map to objects is an error that says what to write, because a list of numbers would have NaN', () => {
  expect(() => of(1).map(() => ({ pt: 1 }) as never)).toThrow(
    expect.objectContaining({ code: 'ARGUMENT', fix: expect.stringContaining('Array.from') }),
  );
});

test.each([1, 2, 15, 16, 17, 40])(
  'an entry of %i values has them all, under their names, in order',
  (count) => {
    const columns = Object.fromEntries(
      Array.from({ length: count }, (_, k) => [
        `v${k}`,
        k % 3 === 2
          ? undefined
          : columnOf({ counts: Int32Array.of(2, 0, 1), values: Float64Array.of(k, 7, 9) }, k % 3 === 1),
      ]),
    );
    const valuesOf = entriesOf(columns);
    for (const at of [0, 1, 2, 0]) {
      const entry = valuesOf(at);
      expect(Object.keys(entry)).toEqual(Object.keys(columns));
      expect(
        Object.values(entry).map((one) => (typeof one === 'object' ? [...(one as Float64Array)] : one)),
      ).toEqual(
        Array.from(
          { length: count },
          (_, k) =>
            [
              [k, Number.NaN, 9],
              [[k, 7], [], [9]],
              [undefined, undefined, undefined],
            ][k % 3]?.[at],
        ),
      );
    }
  },
);

test('a list that is used as a number is an error with the name of its branch, also in later entries and after filter', () => {
  const pt = listsIn(Float64Array.of(1, 2), Int32Array.of(0, 1, 1, 2), 'pt');
  for (const list of [pt(0), pt(1), pt(2)]) {
    expect(() => (list as never as number) > 0).toThrow('"pt" is a list of values');
    expect(`${list}`).toBe(Array.from(list).join());
  }
  expect(() => Number(pt(0).filter(() => true))).toThrow('A result of filter, map or another method');
});

test('columns with lists of equal lengths have the same offsets, others their own', () => {
  const offsets = sharedOffsets();
  const one = offsets(Int32Array.of(2, 0, 1));
  expect([...one]).toEqual([0, 2, 2, 3]);
  expect(offsets(Int32Array.of(2, 0, 1))).toBe(one);
  for (const counts of [
    [2, 0, 2],
    [2, 0],
    [1, 1, 1],
  ])
    expect([...offsets(Int32Array.from(counts))].at(-1)).toBe(counts.reduce((sum, n) => sum + n, 0));
});
