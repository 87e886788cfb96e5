import { expect, test } from 'vitest';
import { terminalBins } from '../../web/cli/terminal/terminal-plot';
import type { PlotModel } from '../../web/plot/model';

test('a profile has a point at each mean, on a line as long as its errors; empty bins have none', () => {
  const model: PlotModel = {
    kind: 'bins',
    title: 'y:x',
    xTitle: 'x',
    yTitle: 'Mean of y',
    edges: Float64Array.of(0, 1, 2, 3),
    values: Float64Array.of(-4, 0, 4),
    errors: Float64Array.of(2, 0, 0.1),
    mark: 'points',
    stats: [],
  };
  const rows = terminalBins(model, { width: 40, height: 10 }).slice(1, 11);
  const column = (at: number): string => rows.map((row) => row[at] ?? ' ').join('');
  const [first, second, third] = [0, 1, 2].map((i) => column(11 + 9 * i + 4));
  expect(first).toMatch(/^ +│+●│+ *$/);
  expect(second?.trim()).toBe('');
  expect(third).toMatch(/^ *│?●│? +$/);
  expect(first?.indexOf('●')).toBeGreaterThan(third?.indexOf('●') ?? 0);
});
