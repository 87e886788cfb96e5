import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { automaticLimits, doubled, extended } from '../../web/bins/auto-axis';

/** Recorded by recorders/limits.py from ROOT's THLimitsFinder and TH1::ExtendAxis. */
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'values/limits.json'), 'utf8')) as {
  chosen: [
    bins: number,
    min: number,
    max: number,
    integer: boolean,
    got: number,
    low: number,
    high: number,
  ][];
  extended: [low: number, high: number, value: number, newLow: number, newHigh: number][];
};

test('the axis that is chosen for values is the one that ROOT chooses', () => {
  expect(recorded.chosen.length).toBeGreaterThan(900);
  const wrong = recorded.chosen.filter(([bins, min, max, integer, got, low, high]) => {
    const axis = automaticLimits(bins, min, max, integer);
    return axis.bins !== got || axis.low !== low || axis.high !== high;
  });
  expect(wrong.map((given) => [given, automaticLimits(given[0], given[1], given[2], given[3])])).toEqual([]);
});

test('an axis is extended to a value as TH1::ExtendAxis does it', () => {
  for (const [low, high, value, newLow, newHigh] of recorded.extended) {
    const axis = { bins: 10, low, high };
    expect(extended(axis, value), `[${low}, ${high}) to ${value}`).toEqual({
      bins: 10,
      low: newLow,
      high: newHigh,
    });
  }
});

test('a doubled axis has twice the range upwards', () => {
  expect(doubled({ bins: 4, low: 1, high: 5 })).toEqual({ bins: 4, low: 1, high: 9 });
});
