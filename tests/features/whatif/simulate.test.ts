import { describe, expect, test } from 'vitest';
import { simulateReading } from '../../../web/features/whatif/work/simulate';
import { cacheReads, readBuffers } from '../../../web/features/whatif/work/simulate-blocks';
import { LowestOfHighest } from '../../../web/features/whatif/work/simulate-ranges';
import { visitBaskets } from '../../../web/reads/basket-layout';
import { type RecordedRun, recordedLayout, recordedRuns } from '../traces/recorded';

const link = { latencyMs: 10, bytesPerMs: 1000 };

function choiceOf(layout: ReturnType<typeof recordedLayout>, run: Pick<RecordedRun, 'branches' | 'entries'>) {
  const [from, to, step] = run.entries;
  const branches = layout.names.flatMap((_, i) =>
    run.branches === null || run.branches.includes(layout.tops[i] ?? '') ? [i] : [],
  );
  return { branches, entries: { from, to, step } };
}

// The simulation is the real thing step by step: it is held to more than the 10 % that were asked for.
describe.each(Object.entries(recordedRuns()))('%s, as ROOT counted', (name, { runs }) => {
  const layout = recordedLayout(name);
  const title = (run: RecordedRun) =>
    `${run.branches ? 'some' : 'all'} branches, entries ${run.entries.join(':')}, ${run.cache / 1e6} MB${run.known ? ', known' : ''}`;

  test.each(runs.map((run) => [title(run), run] as const))(
    '%s',
    (_title, run) => {
      const strategy =
        run.cache === 0
          ? ({ kind: 'none' } as const)
          : ({ kind: 'cache', bytes: run.cache, known: run.known } as const);
      const [outcome] = simulateReading(layout, choiceOf(layout, run), link, [strategy]);
      expect(outcome).toMatchObject({
        calls: run.ReadCalls,
        bytes: run.BytesRead,
        overread: run.BytesReadExtra,
      });
    },
    60_000,
  );
});

test('the recorded runs are of all files, caches and choices', () => {
  const files = recordedRuns();
  expect(Object.keys(files).sort()).toEqual(['aodlike', 'aodlike-flushed', 'h1like', 'h1like-flushed']);
  for (const { runs } of Object.values(files)) {
    for (const cache of [0, 10e6, 30e6, 200e6]) {
      expect(runs.some((run) => run.cache === cache && run.branches === null)).toBe(true);
    }
  }
});

describe('strategies', () => {
  const layout = recordedLayout('h1like');
  const names = ['md0_d', 'dm_d', 'ptds_d', 'etads_d', 'ptd0_d', 'rpd0_t', 'ik', 'njets'];
  const all = { branches: names, entries: [0, layout.entries, 1] as [number, number, number] };
  const outcomes = simulateReading(layout, choiceOf(layout, all), link);

  test('xylem asks no oftener than ROOT with any cache, and everything costs less than no cache', () => {
    const [none, ahead, ten] = outcomes;
    const xylem = outcomes.at(-1);
    expect(none?.calls).toBe(288);
    expect(ahead?.bytes).toBeGreaterThan(none?.bytes ?? 0);
    expect(ahead?.overread).toBe((ahead?.bytes ?? 0) - (none?.bytes ?? 0));
    expect(xylem?.calls).toBeLessThanOrEqual(none?.calls ?? 0);
    for (const each of [xylem, ten]) expect(each?.ms).toBeLessThan(none?.ms ?? 0);
  });

  test('a slower link costs more, a wider one less', () => {
    const slow = simulateReading(layout, choiceOf(layout, all), { latencyMs: 100, bytesPerMs: 1000 });
    const wide = simulateReading(layout, choiceOf(layout, all), { latencyMs: 10, bytesPerMs: 10_000 });
    outcomes.forEach((outcome, i) => {
      expect(slow[i]?.ms).toBeGreaterThan(outcome.ms);
      expect(wide[i]?.ms).toBeLessThan(outcome.ms);
    });
  });

  test('no branches and no entries cost nothing', () => {
    for (const choice of [
      { branches: [], entries: { from: 0, to: 10, step: 1 } },
      { branches: [0], entries: { from: 5, to: 5, step: 1 } },
    ]) {
      for (const outcome of simulateReading(layout, choice, link)) {
        expect(outcome).toMatchObject({ calls: 0, bytes: 0, overread: 0, ms: 0 });
      }
    }
  });
});

test('a sample visits the baskets that hold its entries, each once', () => {
  const layout = recordedLayout('h1like-flushed');
  const branches = [0, 3, 20];
  const entries = { from: 7, to: 200_000, step: 1000 };
  const visits = visitBaskets(layout, branches, entries);
  const wanted = new Set<number>();
  for (let entry = entries.from; entry < entries.to; entry += entries.step) {
    for (const branch of branches) {
      for (let basket = layout.starts[branch] ?? 0; basket < (layout.starts[branch + 1] ?? 0); basket++) {
        if ((layout.firsts[basket] ?? 0) <= entry && entry < (layout.ends[basket] ?? 0)) wanted.add(basket);
      }
    }
  }
  expect([...visits.basket].sort((a, b) => a - b)).toEqual([...wanted].sort((a, b) => a - b));
});

test('reads go over gaps within the read-ahead, and long blocks are read alone', () => {
  const block = (offset: number, length: number) => ({ offset, length, wanted: length });
  expect(readBuffers([block(0, 100), block(500, 100), block(300_000, 300_000), block(600_000, 5)])).toEqual([
    { offset: 0, length: 600, wanted: 200 },
    { offset: 300_000, length: 300_000, wanted: 300_000 },
    { offset: 600_000, length: 5, wanted: 5 },
  ]);
  const offsets = new Float64Array([1000, 0, 500]);
  const bytes = new Int32Array([10, 500, 500]);
  expect(cacheReads([0, 1, 2], offsets, bytes)).toEqual([{ offset: 0, length: 1010, wanted: 1010 }]);
});

test('the lowest of the highest is what a full count gives', () => {
  const ranges = new LowestOfHighest(5);
  const last = new Array<number>(5).fill(-1);
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  for (let i = 0; i < 2000; i++) {
    const branch = random(5);
    const end = random(50) + (i >> 2);
    ranges.update(branch, end, end);
    last[branch] = Math.max(last[branch] ?? -1, end);
    const loaded = last.filter((value) => value >= 0);
    expect(ranges.lowest()).toBe(Math.min(...loaded));
  }
});
