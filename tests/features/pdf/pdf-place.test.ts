import { expect, test } from 'vitest';
import { pageContent } from '../../../web/features/pdf/work/content';
import type { Drawing } from '../../../web/plot/drawing/drawing';

test('a drawing on a page of PDF is in the middle of its place, and scaled to it', () => {
  const rect = { kind: 'rect', x: 1, y: 2, width: 3, height: 4, fill: '#ff0000' } as const;
  const drawing: Drawing = { width: 100, height: 50, title: '', shapes: [rect] };
  const placeOf = (size?: { width: number; height: number }) => {
    const resources = { fonts: [], opacities: [], missing: 0 };
    const [first] = pageContent([{ drawing, x: 10, y: 20, size }], resources).split('\n');
    return first;
  };
  expect(placeOf()).toBe('q 1 0 0 1 10 20 cm');
  expect(placeOf({ width: 100, height: 50 })).toBe('q 1 0 0 1 10 20 cm');
  // Twice as large, with 100 pixels above and below.
  expect(placeOf({ width: 200, height: 300 })).toBe('q 2 0 0 2 10 120 cm');
  expect(placeOf({ width: 300, height: 50 })).toBe('q 1 0 0 1 110 20 cm');
});
