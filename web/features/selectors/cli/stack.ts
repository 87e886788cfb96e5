import type { Histogram, PlainObject } from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { rootMembers } from '../../../bins/to-root';
import { modelOfHistogram } from '../../../plot/histogram';
import { layered } from '../../../plot/layers/layered';
import { withBand } from '../../../plot/layers/stack-band';
import type { PlotLook } from '../../../plot/look/look';
import { type AnyPlot, type GraphModel, statNumber } from '../../../plot/model';
import { loadKinds, modelOfObject } from '../../../plot/stored/stored';
import { kindOf } from '../work/kinds/kinds';
import type { ScaledSample } from '../work/partial/samples';
import { systematicsOf } from './systematics';

/** Indices of ROOT's colours for the samples of a stack, from below. */
const COLOURS = [867, 800, 632, 616, 416, 432, 820, 860, 900, 880];

export interface StackLook extends Pick<PlotLook, 'below'> {
  /** The luminosity as text, such as "59.7 fb^{-1}"; undefined if nothing was scaled. */
  luminosity?: string | undefined;
  /** The samples with the variations of their results, if there are any: their systematic errors are in the band. */
  varied?: readonly ScaledSample[] | undefined;
}

/**
 * A histogram of all samples: those with cross sections on top of each other, with the errors of their sum as a band,
 * and over them the data as points. Throws UNSUPPORTED if it has more than one axis.
 */
export async function stackOf(
  name: string,
  samples: readonly ScaledSample[],
  { below, luminosity, varied = [] }: StackLook,
): Promise<AnyPlot> {
  const isData = ({ sample }: ScaledSample): boolean => sample.crossSection === undefined;
  const simulated = samples.filter((one) => !isData(one));
  const isScaled = simulated.length > 0;
  const histograms = histogramsOf(name, isScaled ? simulated : samples);
  const stack = await stackModel(name, histograms);
  const data = histogramsOf(name, isScaled ? samples.filter(isData) : []);
  const parts = data.map(({ sample, histogram }) => {
    const model = modelOfHistogram(histogram);
    if (model.kind !== 'bins') return { model, label: sample };
    const value = model.values.reduce((sum, one) => sum + (one || 0), 0);
    return { model: { ...model, stats: [{ label: sample, value: statNumber(value) }] }, label: sample };
  });
  const first = histograms[0]?.histogram;
  const title = [first?.title || name, ...(isScaled && luminosity !== undefined ? [luminosity] : [])].join(
    ', ',
  );
  const { model, why } = layered([{ model: stack, label: stack.label ?? name }, ...parts], {
    norm: 'none',
    below,
  });
  if (why !== undefined && parts.length > 0) throw unsupported(why);
  // Layers take their titles from each other.
  const whole = { ...(model as GraphModel), title, xTitle: stack.xTitle, label: stack.label };
  if (!isScaled) return whole;
  const systematics = systematicsOf(
    name,
    varied.filter((one) => !isData(one)),
  );
  return withBand(whole, systematics ? 'Total error' : 'Statistical error', systematics);
}

interface OfSample {
  sample: string;
  histogram: Histogram;
}

function histogramsOf(name: string, samples: readonly ScaledSample[]): OfSample[] {
  return samples.flatMap(({ sample, state, entries }) => {
    const one = state[name];
    const value = one && (kindOf(one).value(one, name, entries) as Histogram);
    return value?.kind === 'histogram' ? [{ sample: sample.name, histogram: value }] : [];
  });
}

async function stackModel(name: string, histograms: readonly OfSample[]): Promise<GraphModel> {
  const arr = histograms.map(({ sample, histogram }, i) => ({
    ...rootMembers(histogram),
    ...{ fTitle: sample, fLineColor: 1, fFillColor: COLOURS[i % COLOURS.length] ?? 0 },
  }));
  const fHists = { _typename: 'TList', arr, opt: arr.map(() => 'hist') };
  const stack = { _typename: 'THStack', fName: name, fTitle: '', fHists } as unknown as PlainObject;
  await loadKinds(stack);
  const model = modelOfObject(stack, new Map());
  if (model?.kind === 'graph') return model;
  throw unsupported(
    `"${name}" has more than one axis, so that its samples cannot be stacked in a picture.`,
    'Use --root OUT, which has the histograms of all samples.',
  );
}
