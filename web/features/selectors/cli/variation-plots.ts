import type { Histogram } from '../../../api/api';
import { modelOfHistogram } from '../../../plot/histogram';
import { layered } from '../../../plot/layers/layered';
import type { AnyPlot } from '../../../plot/model';
import { NOMINAL } from '../work/vary';
import { type Summand, sumOf, variationsOf } from './systematics';

/**
 * Returns a plot for each source of variations of a histogram of one axis: what is not varied, the variations, and below the ratio of
 * each to it. The variations have no errors, because they are made of the same entries.
 */
export function variationPlots(
  name: string,
  nominal: Histogram,
  summands: readonly Summand[],
): { source: string; model: AnyPlot }[] {
  if (nominal.axes.length !== 1 || nominal.profile) return [];
  const before = sumOf(name, summands, NOMINAL);
  if (!before) return [];
  const modelOf = (contents: Float64Array): AnyPlot => {
    const sums = Float64Array.of(0, ...contents, 0);
    const model = modelOfHistogram({ ...nominal, sums, squares: new Float64Array(sums.length) });
    return model.kind === 'bins' ? { ...model, hidesErrors: true, stats: [] } : model;
  };
  return [...variationsOf(name, summands)].flatMap(([source, variations]) => {
    const parts = variations.flatMap((variation) => {
      const contents = sumOf(name, summands, variation);
      return contents ? [{ model: modelOf(contents), label: variation }] : [];
    });
    if (parts.length === 0) return [];
    const first = { model: modelOf(before), label: 'not varied' };
    const { model } = layered([first, ...parts], { norm: 'none', below: 'ratio' });
    return [{ source, model: { ...model, title: `${nominal.title || name}, ${source}` } as AnyPlot }];
  });
}
