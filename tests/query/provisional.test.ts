import { afterEach, expect, test, vi } from 'vitest';
import type { FileSource, Histogram, Progress } from '../../web/api/api';
import { bufferSpec, fixtureBytes, makeEngine } from '../engine/fixtures';

afterEach(() => vi.restoreAllMocks());

test.each([{ expr: 'noise' }, { expr: 'noise', cut: 'n*(n>1)' }, { expr: 'noise:n' }])(
  'while the range of $expr is found, what has come is drawn, with axes that hold it',
  async (what) => {
    // Progress is told each tenth of a second: here each time.
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
    const engine = await makeEngine();
    const files = Array.from({ length: 5 }, (_, i) => ({
      source: bufferSpec(`file${i}`, fixtureBytes('codec_zlib')) as FileSource,
    }));
    const { id } = await engine.open({ kind: 'chain', files });
    const told: Progress[] = [];
    const whole = await engine.draw(
      id,
      { tree: 't', ...what },
      { onProgress: (progress) => told.push(progress) },
    );
    const seen = told.flatMap(({ label, partial }) =>
      label === 'Finding the range' && partial ? [partial] : [],
    );
    expect(seen.length).toBeGreaterThan(2);
    const { fills } = whole as Histogram;
    let before = 0;
    for (const { fills: some, sums, axes, effective } of seen) {
      expect(some).toBeGreaterThanOrEqual(before);
      expect(some).toBeLessThanOrEqual(fills);
      expect(axes).toHaveLength((whole as Histogram).axes.length);
      // Nothing lies outside.
      expect(effective).toBeGreaterThan(0);
      const [x, y] = axes;
      const width = (x?.bins ?? 0) + 2;
      const outside = sums.filter((_, cell) => {
        const column = cell % width;
        const row = Math.floor(cell / width);
        return column === 0 || column === width - 1 || (y && (row === 0 || row === y.bins + 1));
      });
      expect(Math.max(...outside)).toBe(0);
      before = some;
    }
    expect(before).toBeGreaterThan(0);
    expect(seen[0]?.fills).toBeLessThan(fills);
    // The result is that which is found without any progress.
    vi.restoreAllMocks();
    expect(await engine.draw(id, { tree: 't', ...what })).toEqual(whole);
  },
);
