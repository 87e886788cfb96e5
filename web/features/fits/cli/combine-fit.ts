import type { Context } from '../../../cli/context';
import type { PartialForm } from '../../../cli/part';
import { type DrawnGiven, showDrawn } from '../../../cli/terminal/show-drawn';
import { nodeModules } from '../../../core/modules/node-modules';
import { modelOfHistogram } from '../../../plot/histogram';
import { histogramOfPartial, type PartialResult } from '../../chains/work/partial';
import { fit } from '../work/fit';
import { functionOf, optionsOf } from './draw-fit';
import { type FitGiven, fitOptions } from './options';
import { checkFitForms, showFit } from './show-fit';

const { 'fit-unbinned': _values, 'fit-shared': _shared, code: _code, ...options } = fitOptions;

/** Partial results of "draw": their sum is drawn, and with --fit a function is fitted to it. */
export const fitPartial: PartialForm = {
  options,
  async show(all: PartialResult<'draw'>, given: DrawnGiven & FitGiven, context: Context): Promise<number> {
    const histogram = histogramOfPartial(all);
    if (given.fit === undefined) {
      const other = Object.keys(options).find((name) => name in given);
      const { UsageError } = await import('../../../cli/arguments');
      if (other !== undefined) throw new UsageError(`--${other} is for --fit.`);
      await showDrawn(histogram, given, context);
      return 0;
    }
    checkFitForms(given);
    const made = await fit(() => nodeModules('fit'), histogram, functionOf(given), optionsOf(given));
    await showFit(made.result, [{ made, model: modelOfHistogram(histogram) }], given, context);
    return made.result.valid ? 0 : 1;
  },
};
