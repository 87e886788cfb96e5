import { expect, test } from 'vitest';
import type { LinkEstimate } from '../../web/io/link';
import { type PlanOptions, planReads } from '../../web/io/planner';
import type { Range } from '../../web/io/source';

const options = { gapBytes: 0, maxRangeBytes: 8e6, concurrency: 4 };

/** As many adjacent ranges of one length. */
const row = (count: number, length: number, from = 0): Range[] =>
  Array.from({ length: count }, (_, i) => ({ offset: from + i * length, length }));
const places = (wanted: Range[], more: Partial<PlanOptions> = {}, cached: Range[] = []) =>
  planReads(wanted, cached, { ...options, ...more }).ranges.map(({ offset, length }) => [offset, length]);
const lengths = (...args: Parameters<typeof places>) => places(...args).map(([, length]) => length);

// The share of a connection is the greatest of: a fair part, 384 kB, the gap that is read over, and what one round
// trip brings; and at most the longest request.
test.each<[string, Range[], Partial<PlanOptions>, number[]]>([
  ['a fair part', row(20, 100_000), {}, [5e5, 5e5, 5e5, 5e5]],
  ['384 kB', row(1, 393_217), { concurrency: 8 }, [196_609, 196_608]],
  ['384 kB are not divided', row(1, 393_216), { concurrency: 8 }, [393_216]],
  ['even parts of less than 384 kB', row(1, 1e6), { concurrency: 8 }, [333_334, 333_333, 333_333]],
  ['the gap', row(1, 3e6), { gapBytes: 1.5e6 }, [1.5e6, 1.5e6]],
  [
    'what a round trip brings',
    row(1, 3e6),
    { link: { latencyMs: 100, bytesPerMs: 10_000 } as LinkEstimate },
    [1e6, 1e6, 1e6],
  ],
  ['the longest request', row(1, 3e6), { maxRangeBytes: 5e5 }, [5e5, 5e5, 5e5, 5e5, 5e5, 5e5]],
  ['all of it, without connections', row(1, 3e6), { concurrency: 0 }, [3e6]],
  ['bytes one by one', row(1, 3), { maxRangeBytes: 0 }, [1, 1, 1]],
])('a span is divided by %s', (_what, wanted, more, want) => {
  expect(lengths(wanted, more)).toEqual(want);
});

test('a span is cut where a wanted range begins, if that leaves more than half of the share', () => {
  expect(lengths(row(10, 300_000))).toEqual([6e5, 6e5, 6e5, 6e5, 6e5]);
  expect(lengths(row(1, 3e6))).toEqual([75e4, 75e4, 75e4, 75e4]);
  const at = (start: number) => [
    { offset: start, length: 3e6 - start },
    { offset: 0, length: start },
  ];
  expect(lengths(at(375_000))[0]).toBe(750_000);
  expect(lengths(at(375_001))[0]).toBe(375_001);
  expect(lengths(at(750_000))[0]).toBe(750_000);
  expect(lengths(at(750_001))[0]).toBe(750_000);
  // The same far from the start of the file.
  expect(places(row(10, 300_000, 7e9)).map(([offset]) => offset)).toEqual(
    [0, 1, 2, 3, 4].map((i) => 7e9 + i * 6e5),
  );
});

test('a gap at a cut is not requested', () => {
  const wanted = [
    { offset: 0, length: 700_000 },
    { offset: 800_000, length: 700_000 },
  ];
  const plan = planReads(wanted, [], { ...options, gapBytes: 200_000, concurrency: 2 });
  expect(plan.ranges.map(({ offset, length, wanted: own }) => [offset, length, own])).toEqual([
    [0, 700_000, 700_000],
    [800_000, 700_000, 700_000],
  ]);
  expect(plan).toMatchObject({ wanted: 1.4e6, cached: 0, asked: 1.4e6, overread: 0 });
});

test('what is read over is counted, and each request has the parts of the wanted ranges that it brings', () => {
  const wanted = [
    { offset: 130, length: 20 },
    { offset: 100, length: 10 },
    { offset: 105, length: 15 },
    { offset: 500, length: 0 },
    { offset: 110, length: 0 },
  ];
  const plan = planReads(wanted, [{ offset: 140, length: 4 }], { ...options, gapBytes: 10 });
  expect(plan).toEqual({
    ranges: [
      {
        offset: 100,
        length: 50,
        wanted: 36,
        pieces: [
          { index: 1, offset: 100, length: 10 },
          { index: 2, offset: 105, length: 15 },
          { index: 0, offset: 130, length: 10 },
          { index: 0, offset: 144, length: 6 },
        ],
      },
    ],
    wanted: 40,
    cached: 4,
    asked: 50,
    overread: 14,
  });
});

test('without a gap of its own, the planner takes the one for the link', () => {
  const two = [
    { offset: 0, length: 10 },
    { offset: 10 + 65_536, length: 10 },
  ];
  expect(places(two, { gapBytes: undefined })).toEqual([[0, 65_556]]);
  const link = { latencyMs: 1, bytesPerMs: 10 } as LinkEstimate;
  expect(places(two, { gapBytes: undefined, link })).toHaveLength(2);
  expect(
    places(two, {
      gapBytes: undefined,
      link: { latencyMs: 1000, bytesPerMs: 1e6 } as LinkEstimate,
      concurrency: 1,
    }),
  ).toHaveLength(1);
});
