// Stored numbers of any size: documents have no exponents, and no "Infinity".
import { expect, it } from 'vitest';
import { pageContent } from '../../../web/features/pdf/work/content';
import { drawingSvg, type Shape } from '../../../web/plot/drawing/drawing';

function documentsOf(shapes: Shape[]): string[] {
  const drawing = { width: 100, height: 100, title: '', shapes };
  const resources = { fonts: [], opacities: [], missing: 0 };
  return [drawingSvg(drawing), pageContent([{ drawing, x: 0, y: 0 }], resources)];
}

it.each([1e30, -1e30, Number.POSITIVE_INFINITY])('a point at %s is out of sight', (far) => {
  const shapes: Shape[] = [
    { kind: 'dots', points: [[far, 10]], radius: 2, fill: 'ink' },
    { kind: 'rect', x: far, y: 10, width: 5, height: 20, fill: 'ink' },
  ];
  for (const text of documentsOf(shapes)) {
    expect(text).not.toMatch(/\de\+?\d|Infinity|NaN/);
    expect(text).toContain('1000000');
  }
});
