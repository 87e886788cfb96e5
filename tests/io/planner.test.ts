import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseGap } from '../../web/io/gap';
import type { LinkEstimate } from '../../web/io/link';
import { type PlanOptions, planReads } from '../../web/io/planner';
import { endOf, subtract, totalLength, union } from '../../web/io/ranges';
import type { Range } from '../../web/io/source';
import { cpuMs } from '../cpu';

const ranges = fc.array(fc.record({ offset: fc.nat(2_000_000), length: fc.nat(300_000) }), { maxLength: 40 });
const options = fc.record({
  gapBytes: fc.oneof(fc.constant(0), fc.nat(200_000)),
  maxRangeBytes: fc.integer({ min: 1000, max: 1_000_000 }),
  concurrency: fc.integer({ min: 1, max: 8 }),
});

type Given = PlanOptions & { gapBytes: number };

function property(check: (wanted: Range[], cached: Range[], options: Given) => void) {
  fc.assert(fc.property(ranges, ranges, options, check), { numRuns: 300 });
}

test('every wanted byte that is not cached is in exactly one piece of its range', () => {
  property((wanted, cached, given) => {
    const plan = planReads(wanted, cached, given);
    const pieces: Range[][] = wanted.map(() => []);
    for (const range of plan.ranges) {
      for (const piece of range.pieces) {
        expect(piece.offset >= range.offset && endOf(piece) <= endOf(range)).toBe(true);
        pieces[piece.index]?.push(piece);
      }
    }
    for (const [index, range] of wanted.entries()) {
      const own = pieces[index] ?? [];
      const missing = subtract(union([range]), union(cached));
      expect(union(own)).toEqual(missing);
      expect(totalLength(own)).toBe(totalLength(missing));
    }
  });
});

test('requests ascend, are disjoint, bounded, and begin and end with wanted bytes', () => {
  property((wanted, cached, given) => {
    const missing = subtract(union(wanted), union(cached));
    let last = -1;
    for (const range of planReads(wanted, cached, given).ranges) {
      expect(range.offset).toBeGreaterThanOrEqual(last);
      expect(range.length).toBeGreaterThan(0);
      expect(range.length).toBeLessThanOrEqual(given.maxRangeBytes);
      const ends = [range.offset, endOf(range) - 1].map((offset) => ({ offset, length: 1 }));
      expect(subtract(ends, missing)).toEqual([]);
      last = endOf(range);
    }
  });
});

test('gaps up to gapBytes are read over, longer ones never', () => {
  property((wanted, cached, given) => {
    const { ranges: asked } = planReads(wanted, cached, given);
    const missing = subtract(union(wanted), union(cached));
    for (const gap of subtract(union(asked), missing)) expect(gap.length).toBeLessThanOrEqual(given.gapBytes);
    const unlimited = { ...given, concurrency: 1, maxRangeBytes: Number.MAX_SAFE_INTEGER };
    const merged = planReads(wanted, cached, unlimited).ranges;
    for (const [index, range] of merged.entries()) {
      const before = merged[index - 1];
      if (before) expect(range.offset - endOf(before)).toBeGreaterThan(given.gapBytes);
    }
  });
});

test('the totals add up', () => {
  property((wanted, cached, given) => {
    const plan = planReads(wanted, cached, given);
    const missing = totalLength(subtract(union(wanted), union(cached)));
    expect(plan.wanted).toBe(totalLength(union(wanted)));
    expect(plan.cached).toBe(plan.wanted - missing);
    expect(plan.asked).toBe(totalLength(plan.ranges));
    expect(plan.overread).toBe(plan.asked - missing);
    expect(plan.ranges.reduce((sum, range) => sum + range.wanted, 0)).toBe(missing);
  });
});

test('one long span is shared by all connections, at borders of what is wanted', () => {
  const baskets = Array.from({ length: 600 }, (_, index) => ({
    offset: 1000 + index * 10_000,
    length: 10_000,
  }));
  const plan = planReads(baskets, [], { gapBytes: 0, maxRangeBytes: 8_000_000, concurrency: 6 });
  expect(plan.ranges.map((range) => range.length)).toEqual(new Array(6).fill(1_000_000));
  expect(plan.ranges.every((range) => range.offset % 10_000 === 1000)).toBe(true);
});

test('a short span is one request', () => {
  const plan = planReads([{ offset: 0, length: 60_000 }], [], {
    gapBytes: 0,
    maxRangeBytes: 8e6,
    concurrency: 6,
  });
  expect(plan.ranges).toHaveLength(1);
});

test('a hundred thousand ranges are planned without comparing each with all', () => {
  const wanted = Array.from({ length: 100_000 }, (_, index) => ({ offset: index * 5000, length: 2000 }));
  const cached = wanted.filter((_, index) => index % 3 === 0);
  const before = cpuMs();
  const plan = planReads(wanted, cached, { gapBytes: 1000, maxRangeBytes: 8e6, concurrency: 6 });
  expect(plan.ranges).toHaveLength(66_666);
  expect(cpuMs() - before).toBeLessThan(20_000);
});

test('union and subtract agree with sets of bytes', () => {
  const small = fc.array(fc.record({ offset: fc.nat(60), length: fc.nat(12) }), { maxLength: 8 });
  const bytes = (list: Range[]) =>
    new Set(list.flatMap(({ offset, length }) => Array.from({ length }, (_, at) => offset + at)));
  fc.assert(
    fc.property(small, small, (a, b) => {
      const taken = bytes(b);
      const expected = [...bytes(a)].filter((at) => !taken.has(at)).sort((x, y) => x - y);
      expect([...bytes(subtract(union(a), union(b)))]).toEqual(expected);
      expect(totalLength(union(a))).toBe(bytes(a).size);
    }),
    { numRuns: 300 },
  );
});

/** As many ranges of 20 kB as there are gaps, and one more. */
function scattered(gaps: number[]): Range[] {
  let offset = 0;
  return [0, ...gaps].map((gap) => {
    offset += gap;
    const range = { offset, length: 20_000 };
    offset += range.length;
    return range;
  });
}
const even = (count: number, gap: number) => scattered(new Array<number>(count - 1).fill(gap));
const slow = { latencyMs: 72, bytesPerMs: 1000 };
const far = { latencyMs: 240, bytesPerMs: 1_000_000 };

test('with a measured link, more than a tenth is read over only where it saves much time', () => {
  const links = fc.record({
    latencyMs: fc.double({ min: 0.1, max: 300, noNaN: true }),
    bytesPerMs: fc.double({ min: 100, max: 1e6, noNaN: true }),
  });
  const gaps = fc.array(fc.oneof(fc.nat(3000), fc.nat(2_000_000)), { minLength: 1, maxLength: 200 });
  const time = (link: typeof slow, requests: number, bytes: number) =>
    Math.max(
      link.latencyMs + bytes / link.bytesPerMs,
      (requests * link.latencyMs + bytes / link.bytesPerMs) / 6,
    );
  fc.assert(
    fc.property(gaps, links, (list, link) => {
      const missing = scattered(list);
      const wanted = totalLength(missing);
      const chosen = chooseGap(missing, { link, concurrency: 6, manyParts: 0 });
      const over = list.filter((gap) => gap <= chosen);
      const asked = wanted + over.reduce((sum, gap) => sum + gap, 0);
      if (chosen <= 1024 || asked <= 1.1 * wanted) return;
      expect(time(link, missing.length - over.length, asked)).toBeLessThan(
        0.75 * time(link, missing.length, wanted),
      );
    }),
  );
});

test('the gap follows the link: bytes on a slow one, round trips on a fast and distant one', () => {
  const missing = even(300, 900_000);
  expect(chooseGap(missing, { link: slow, concurrency: 6, manyParts: 0 })).toBeLessThan(900_000);
  expect(chooseGap(missing, { link: far, concurrency: 6, manyParts: 0 })).toBe(900_000);
  expect(chooseGap(missing, { link: far, concurrency: 6, manyParts: 160 })).toBeLessThan(1000);
  // Many ranges in one request cost little each; what is read over costs at most as much as what is wanted.
  const near = { latencyMs: 0.5, bytesPerMs: 1_000_000 };
  expect(chooseGap(even(300, 60_000), { link: near, concurrency: 6, manyParts: 160 })).toBeLessThan(60_000);
  expect(chooseGap(even(300, 15_000), { link: near, concurrency: 6, manyParts: 160 })).toBe(15_000);
  expect(chooseGap(even(300, 1500), { link: slow, concurrency: 6, manyParts: 160 })).toBeLessThan(1500);
  // A few go at once: nothing is gained by reading over.
  expect(chooseGap(even(6, 900_000), { link: far, concurrency: 6, manyParts: 0 })).toBeLessThan(900_000);
});

test('a gap of exactly the least size is read over, and one byte more is not', () => {
  // Reading over 1 kB costs more than the 100 bytes on either side, but not much more.
  const link = { latencyMs: 100, bytesPerMs: 100, samples: 5 } as LinkEstimate;
  const gapOf = (gap: number, manyParts = 0) => {
    const missing = [
      { offset: 0, length: 100 },
      { offset: 100 + gap, length: 100 },
    ];
    return chooseGap(missing, { link, concurrency: 2, manyParts });
  };
  expect(gapOf(1023)).toBe(1023);
  expect(gapOf(1024)).toBe(1024);
  expect(gapOf(1025)).toBe(0);
});

test('a gap as long as the planner may read over is read over, and one byte more is not', () => {
  const options = { gapBytes: 50, maxRangeBytes: 1e6, concurrency: 1 };
  const asked = (gap: number) =>
    planReads(
      [
        { offset: 0, length: 10 },
        { offset: 10 + gap, length: 10 },
      ],
      [],
      options,
    ).ranges.length;
  expect([asked(49), asked(50), asked(51)]).toEqual([1, 1, 2]);
});

/** Ranges and bytes that are asked for when gaps of up to `gap` are read over. */
function askedWith(missing: readonly Range[], gap: number): { ranges: number; asked: number } {
  let [ranges, asked] = [0, 0];
  let end = Number.NEGATIVE_INFINITY;
  for (const range of missing) {
    const between = range.offset - end;
    if (between <= gap) asked += between;
    else ranges++;
    asked += range.length;
    end = endOf(range);
  }
  return { ranges, asked };
}

test('no other gap that may be read over gets the bytes sooner', () => {
  const given = fc.record({
    gaps: fc.array(fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.nat(2_000_000)), { maxLength: 12 }),
    length: fc.integer({ min: 50, max: 200_000 }),
    latencyMs: fc.double({ min: 1, max: 300, noNaN: true }),
    bytesPerMs: fc.double({ min: 50, max: 1e6, noNaN: true }),
    concurrency: fc.integer({ min: 1, max: 6 }),
  });
  fc.assert(
    fc.property(given, ({ gaps, length, latencyMs, bytesPerMs, concurrency }) => {
      const missing: Range[] = [{ offset: 0, length }];
      for (const gap of gaps) missing.push({ offset: endOf(missing.at(-1) as Range) + gap, length });
      const cost = (gap: number): number => {
        const { ranges, asked } = askedWith(missing, gap);
        const ms = asked / bytesPerMs;
        return Math.max(latencyMs + ms, (ranges * latencyMs + ms) / concurrency);
      };
      const chosen = chooseGap(missing, {
        link: { latencyMs, bytesPerMs } as LinkEstimate,
        concurrency,
        manyParts: 0,
      });
      const free = askedWith(missing, 0).asked * 1.1;
      const small = Math.max(0, ...gaps.filter((gap) => gap <= 1024));
      const modest = gaps.filter((gap) => gap > 1024 && askedWith(missing, gap).asked <= free);
      const best = Math.min(cost(small), ...modest.map(cost));
      const any = Math.min(...[0, ...gaps].map(cost));
      // Much more than a tenth is read over only where that saves a quarter of the time.
      expect(cost(chosen)).toBeCloseTo(any < best * 0.75 ? any : best, 6);
    }),
    { numRuns: 500 },
  );
});

test('with requests of several ranges, the gap is chosen by the rounds of them', () => {
  const link = { latencyMs: 100, bytesPerMs: 10_000 } as LinkEstimate;
  // 2001 ranges of 1 kB, 10 kB apart: 100 in a request and 6 at once are 4 rounds.
  const missing = even(2001, 10_000).map(({ offset }) => ({ offset, length: 1000 }));
  expect(chooseGap(missing, { link, concurrency: 6, manyParts: 100 })).toBe(0);
  expect(chooseGap(missing, { link, concurrency: 6, manyParts: 1 })).toBeGreaterThan(0);
  // A few requests are under way at once anyhow, so that ranges need not share one.
  const few = missing.slice(0, 12);
  const alone = chooseGap(few, { link, concurrency: 6, manyParts: 0 });
  expect(chooseGap(few, { link, concurrency: 6, manyParts: 100 })).toBe(alone);
});

test('where the link is not known, gaps of up to 64 kB are read over', () => {
  const asked = (gap: number) =>
    planReads(even(3, gap), [], { link: undefined, concurrency: 6, maxRangeBytes: 10_000_000 }).ranges.length;
  expect(asked(65_536)).toBe(1);
  expect(asked(65_537)).toBe(3);
});
