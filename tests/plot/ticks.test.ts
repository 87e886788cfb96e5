import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearTicks, logTicks, minorTicks, niceStep } from '../../web/plot/drawing/ticks';

describe('linearTicks', () => {
  it.each([
    [0, 1, 5, ['0', '0.2', '0.4', '0.6', '0.8', '1.0']],
    [0, 10, 5, ['0', '2', '4', '6', '8', '10']],
    [-3.2, 3.2, 6, ['−2', '0', '2']],
    [0, 25_000, 5, ['0', '5000', '10,000', '15,000', '20,000', '25,000']],
    [0, 3e6, 3, ['0', '1×10⁶', '2×10⁶', '3×10⁶']],
    [0, 0.0004, 4, ['0', '1×10⁻⁴', '2×10⁻⁴', '3×10⁻⁴', '4×10⁻⁴']],
  ])('from %d to %d has the labels people expect', (low, high, count, labels) => {
    expect(linearTicks(low, high, count).labels).toEqual(labels);
  });

  it('tells apart ticks of a narrow range far from zero', () => {
    const { labels } = linearTicks(1_600_000_000, 1_600_000_010, 5);
    expect(new Set(labels).size).toBe(labels.length);
  });

  it.each([
    [[0, 5, 10], 16, 1],
    [[0, 2, 4], 12, 0.5],
    [[0.1, 0.2], 12, 0.02],
    [[1, 10, 100], 0, 0],
    [[5], 0, 0],
  ])('has minor ticks between %j and beyond', (values, count, step) => {
    const found = minorTicks(values);
    expect(found.filter((one) => values.includes(one))).toEqual([]);
    expect(found.length).toBe(count);
    if (count > 0) expect((found[1] ?? 0) - (found[0] ?? 0)).toBeCloseTo(step, 12);
  });

  it('stays in its range, ascends, and keeps to the number asked for', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
        fc.integer({ min: 2, max: 20 }),
        (low, span, count) => {
          const high = low + span;
          fc.pre(high - low > Math.abs(low) * 1e-9);
          const { values, labels } = linearTicks(low, high, count);
          const step = niceStep(high - low, count);
          expect(values.length).toBeLessThanOrEqual(count + 1);
          expect(labels).toHaveLength(values.length);
          values.forEach((value, i) => {
            expect(value).toBeGreaterThanOrEqual(low - step * 1e-6);
            expect(value).toBeLessThanOrEqual(high + step * 1e-6);
            if (i > 0) expect(value).toBeGreaterThan(values[i - 1] ?? Number.NaN);
          });
        },
      ),
    );
  });

  it('gives one tick for a range without extent', () => {
    expect(linearTicks(4, 4, 5).values).toEqual([4]);
  });
});

describe('logTicks', () => {
  const labelled = (low: number, high: number, count: number) =>
    logTicks(low, high, count).labels.filter((label) => label !== '');

  it('labels the powers of ten', () => {
    expect(labelled(0.5, 2e5, 8)).toEqual(['1', '10', '100', '1000', '10⁴', '10⁵']);
  });

  it('leaves powers out when there are too many', () => {
    expect(labelled(1, 1e12, 5)).toEqual(['1', '1000', '10⁶', '10⁹', '10¹²']);
  });

  it('adds 2 and 5 when there are few powers', () => {
    expect(labelled(1, 60, 6)).toEqual(['1', '2', '5', '10', '20', '50']);
  });

  it('falls back to even steps within one decade', () => {
    expect(labelled(22, 38, 4)).toEqual(['25', '30', '35']);
  });
});
