import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EntryRange, EntrySelection } from '../../web/api/api';
import { chooseEntries, countOf, entryNumbers, sliceSelection } from '../../web/model/entry-choice';

const MOST = 300;
const entry = fc.nat(MOST);
const range = fc.tuple(entry, entry).map(([a, b]): EntryRange => [Math.min(a, b), Math.max(a, b)]);
const ranges = fc
  .uniqueArray(entry, { maxLength: 12 })
  .map((borders) => borders.sort((a, b) => a - b))
  .map((borders) =>
    Array.from({ length: borders.length >> 1 }, (_, i) => borders.slice(2 * i, 2 * i + 2) as EntryRange),
  );
const entries = fc.uniqueArray(entry).map((list) => Float64Array.from(list.sort((a, b) => a - b)));
const sample = fc.record(
  { fraction: fc.double({ min: 0.001, max: 1, noNaN: true }), seed: fc.nat(), within: range },
  { requiredKeys: ['fraction'] },
);
const selections = fc.oneof(range, ranges, entries, sample) as fc.Arbitrary<EntrySelection>;

/** The chosen entries one by one, as the text of EntrySelection says; of a sample by its own word. */
function chosenOf(selection: EntrySelection, total: number): number[] {
  const all = Array.from({ length: total }, (_, i) => i);
  if (selection instanceof Float64Array) return all.filter((i) => selection.includes(i));
  if ('fraction' in selection) {
    return all
      .filter((i) => chooseEntries({ ...selection, within: [i, i + 1] }, total).next(0) === i)
      .filter((i) => !selection.within || (i >= selection.within[0] && i < selection.within[1]));
  }
  const list = (typeof selection[0] === 'number' ? [selection] : selection) as EntryRange[];
  return all.filter((i) => list.some(([from, to]) => i >= from && i < to));
}

test('a choice is what the selection says, in all its forms', () => {
  fc.assert(
    fc.property(selections, fc.nat(MOST), entry, entry, (selection, total, a, b) => {
      const chosen = chosenOf(selection, total);
      const choice = chooseEntries(selection, total);
      expect([...entryNumbers(choice)]).toEqual(chosen);
      expect([choice.from, choice.to]).toEqual([
        chosen[0] ?? choice.from,
        chosen.length > 0 ? (chosen.at(-1) ?? 0) + 1 : choice.from,
      ]);
      expect(choice.next(a)).toBe(chosen.find((i) => i >= a) ?? Number.POSITIVE_INFINITY);
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const spans = choice.spans(from, to);
      expect(countOf(spans)).toBe(chosen.filter((i) => i >= from && i < to).length);
      const part = chosen.filter((i) => i >= from && i < to);
      const last = part.at(-1);
      expect(choice.bounds(from, to)).toEqual(
        last === undefined ? undefined : { from: part[0], to: last + 1, rows: part.length },
      );
      expect(choice.spans(from, to, from)).toEqual(spans.map((border) => border - from));
      for (let i = 0; i < spans.length; i++) {
        if (i > 0) expect(spans[i]).toBeGreaterThan(spans[i - 1] ?? 0);
        expect(spans[i]).toBeGreaterThanOrEqual(from);
        expect(spans[i]).toBeLessThanOrEqual(to);
      }
    }),
    { numRuns: 400, examples: [[[[0, 61]], 61, 60, 60]] },
  );
});

test('slices of a selection choose together what the whole chooses', () => {
  fc.assert(
    fc.property(selections, fc.nat(MOST), fc.array(entry, { maxLength: 5 }), (selection, total, cuts) => {
      const borders = [0, ...cuts.sort((a, b) => a - b), MOST + 1];
      const parts = borders
        .slice(1)
        .map((to, i) => sliceSelection(selection, borders[i] ?? 0, to))
        .flatMap((part) => [...entryNumbers(chooseEntries(part, total))]);
      expect(parts).toEqual([...entryNumbers(chooseEntries(selection, total))]);
    }),
  );
});

test('a sample has about the part asked for, another seed gives another, the same seed the same', () => {
  const numbers = (fraction: number, seed: number) =>
    entryNumbers(chooseEntries({ fraction, seed }, 100_000));
  for (const fraction of [0.01, 0.2, 0.5]) {
    for (const seed of [0, 1, 2 ** 32 - 1]) {
      const size = numbers(fraction, seed).length;
      // Six standard deviations of a binomial distribution.
      const allowed = 6 * Math.sqrt(100_000 * fraction * (1 - fraction));
      expect(Math.abs(size - 100_000 * fraction)).toBeLessThan(allowed);
    }
  }
  expect(numbers(0.2, 7)).toEqual(numbers(0.2, 7));
  const [a, b] = [new Set(numbers(0.2, 1)), numbers(0.2, 2)];
  const both = b.filter((i) => a.has(i)).length;
  expect(Math.abs(both - 100_000 * 0.04)).toBeLessThan(6 * Math.sqrt(100_000 * 0.04));
  expect(numbers(1, 0)).toHaveLength(100_000);
});

test('entries are chosen beyond 2^32 as well', () => {
  const within: EntryRange = [2 ** 40, 2 ** 40 + 10_000];
  const numbers = entryNumbers(chooseEntries({ fraction: 0.1, within }, 2 ** 41));
  expect(Math.abs(numbers.length - 1000)).toBeLessThan(200);
  const low = entryNumbers(chooseEntries({ fraction: 0.1, within: [0, 10_000] }, 2 ** 41));
  expect([...numbers].map((entry) => entry - 2 ** 40)).not.toEqual([...low]);
});

test.each([
  [[5, 3]],
  [[0.5, 2]],
  [
    [
      [0, 5],
      [3, 8],
    ],
  ],
  [
    [
      [5, 8],
      [0, 2],
    ],
  ],
  [Float64Array.of(3, 3)],
  [Float64Array.of(4, 2)],
  [Float64Array.of(-1)],
  [{ fraction: 0 }],
  [{ fraction: 1.5 }],
  [{ fraction: Number.NaN }],
  [{ fraction: 0.5, seed: 0.5 }],
  [{ fraction: 0.5, within: [3, 1] }],
])('%j is refused', (selection) => {
  expect(() => chooseEntries(selection as EntrySelection, 100)).toThrowError(
    expect.objectContaining({ code: 'ARGUMENT' }),
  );
});

test('a sample of more entries than can be looked at is refused', () => {
  expect(() => chooseEntries({ fraction: 0.01 }, 2 ** 50)).toThrowError(
    expect.objectContaining({ code: 'BUDGET' }),
  );
});
