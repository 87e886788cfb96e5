import { describe, expect, it } from 'vitest';
import { columnsIn, WALL_SIZES } from '../../../web/features/walls/view/wall-sizes';
import type { Verdict } from '../../../web/features/walls/work/rules';
import {
  hasState,
  isAlarm,
  stateOf,
  WALL_STATES,
  type WallState,
} from '../../../web/features/walls/work/states';
import { isEmptyPlot } from '../../../web/features/walls/work/tile';
import type { AnyPlot } from '../../../web/plot/model';

const verdict = (state: Verdict['state'], only?: Verdict['only']): Verdict => ({ state, why: [], only });

describe('a plot is in the group of its result', () => {
  it.each<[Verdict, string | undefined, boolean]>([
    [verdict('same'), 'ok', false],
    [verdict('ok'), 'ok', false],
    [verdict('compared'), 'ok', false],
    [verdict('failed'), 'over', true],
    [verdict('error'), 'error', true],
    [verdict('missing', 'file'), 'missing', true],
    // A condition "missing" makes it fail; it is still missing.
    [verdict('failed', 'reference'), 'missing', true],
    [verdict('other'), undefined, false],
  ])('%o', (one, group, alarm) => {
    expect(stateOf(one)).toBe(group);
    expect(isAlarm(one)).toBe(alarm);
    const states = Object.keys(WALL_STATES) as WallState[];
    expect(states.filter((state) => hasState({ verdict: one }, state))).toEqual(group ? [group] : []);
  });

  it('an empty plot is empty besides, also without a reference', () => {
    expect(hasState({ empty: true, verdict: verdict('error') }, 'empty')).toBe(true);
    expect(hasState({ empty: true, verdict: verdict('error') }, 'error')).toBe(true);
    expect(hasState({ empty: true }, 'empty')).toBe(true);
    expect(hasState({ empty: false }, 'ok')).toBe(false);
    expect(isAlarm(undefined)).toBe(false);
  });
});

describe('a plot is empty', () => {
  const plot = (values: number[], more: object = {}) =>
    ({ kind: 'bins', values: Float64Array.from(values), ...more }) as unknown as AnyPlot;
  it.each<[string, AnyPlot, boolean]>([
    ['with zeros', plot([0, 0]), true],
    ['with means of nothing', plot([Number.NaN, 0]), true],
    ['not with one entry', plot([0, 1]), false],
    ['not with weights that are negative', plot([0, -1]), false],
    ['not if another part of a stack has contents', plot([0], { overlays: [plot([2])] }), false],
    ['not with a function', plot([0], { curves: [{}] }), false],
    ['without points', { kind: 'graph', x: new Float64Array() } as unknown as AnyPlot, true],
    ['not with points at 0', { kind: 'graph', x: new Float64Array(1) } as unknown as AnyPlot, false],
    ['as a map of zeros', { kind: 'map', values: new Float64Array(4) } as unknown as AnyPlot, true],
  ])('%s', (_, model, empty) => expect(isEmptyPlot(model)).toBe(empty));
});

it('columns fill the width', () => {
  for (const size of ['S', 'M', 'L'] as const)
    for (const width of [100, 320, 1632, 2500]) {
      const { columns, each } = columnsIn(width, size);
      const { gap, width: least } = WALL_SIZES[size];
      expect(columns * each + (columns - 1) * gap).toBeCloseTo(width, 6);
      if (columns > 1) expect(each).toBeGreaterThanOrEqual(least);
    }
});
