import { expect, it } from 'vitest';
import { pointUnder } from '../../../web/features/sessions/view/note-state';
import type { PlotFrame } from '../../../web/plot/drawing/frame';
import type { AnyPlot } from '../../../web/plot/model';

/** 0 to 10 along x are 0 to 100 pixels, 0 to 50 along y are 200 to 0. */
const frame = {
  box: { left: 0, right: 100, top: 0, bottom: 200 },
  x: { toPixel: (value: number) => value * 10, toValue: (pixel: number) => pixel / 10 },
  y: { toPixel: (value: number) => 200 - value * 4, toValue: (pixel: number) => (200 - pixel) / 4 },
} as unknown as PlotFrame;
const bins = (values: number[]) =>
  ({
    kind: 'bins',
    edges: Float64Array.of(0, 2, 6, 8),
    values: Float64Array.from(values),
  }) as unknown as AnyPlot;

it('the arrow of a note points at the content of the bin at its x', () => {
  expect(pointUnder(bins([1, 25, 3]), frame, { x: 40, y: 20 })).toEqual({ x: 4, y: 25 });
  expect(pointUnder(bins([1, 25, 3]), frame, { x: 60, y: 20 })).toEqual({ x: 6, y: 3 });
});

it('and elsewhere where there is no bin, no number, nothing in sight, or no room for an arrow', () => {
  const place = { x: 40, y: 20 };
  for (const content of [Number.NaN, 60, -5, 44])
    expect(pointUnder(bins([1, content, 3]), frame, place)).toBeUndefined();
  expect(pointUnder(bins([1, 2, 3]), frame, { x: 90, y: 20 })).toBeUndefined();
  expect(pointUnder({ kind: 'map' } as unknown as AnyPlot, frame, place)).toBeUndefined();
});
