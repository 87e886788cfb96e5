import { expect, test } from 'vitest';
import { hitsOf } from '../../web/plot/chart/hover';
import { readoutOf } from '../../web/plot/chart/readout';
import { type PlotModel, uniformEdges } from '../../web/plot/model';
import { panelsOf } from '../../web/plot/panels';

const model: PlotModel = {
  ...{ kind: 'bins', title: 'h', xTitle: '', yTitle: '', mark: 'steps', stats: [] },
  ...{ edges: uniformEdges(4, 0, 4), values: Float64Array.of(3, Number.NaN, 0, 5) },
};

test('the pointer tells of a bin whose content is NaN, and of each other bin', () => {
  const [panel] = panelsOf(
    model,
    { left: 0, right: 400, top: 0, bottom: 300 },
    { log: { x: false, y: false } },
  );
  if (panel === undefined) throw new Error('no panel');
  const { frame, layers } = panel;
  const textAt = (x: number) => {
    const hits = hitsOf(model, panel, { x: frame.x.toPixel(x), y: 100 });
    return readoutOf(model, layers, { hits, cell: undefined });
  };
  expect([0.5, 1.5, 2.5, 3.5].map(textAt)).toEqual([
    '[0, 1)\n3',
    '[1, 2)\nno value (NaN)',
    '[2, 3)\n0',
    '[3, 4)\n5',
  ]);
  expect(textAt(4.5)).toBe('');
});
