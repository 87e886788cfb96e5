import type { PlainObject } from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { rootMembers } from '../../../bins/to-root';
import type { AnyPlot, GraphModel } from '../../../plot/model';
import { loadKinds, modelOfObject } from '../../../plot/stored/stored';
import { histogram } from '../work/kinds/histogram';
import { isOf } from '../work/kinds/kinds';
import type { ScaledSample } from '../work/partial/samples';

/** Indices of ROOT's colours for the samples of a stack, from below. */
const COLOURS = [867, 800, 632, 616, 416, 432, 820, 860, 900, 880];

/** A histogram of all samples: those with cross sections on top of each other, and over them the data as points. */
export async function stackOf(name: string, samples: readonly ScaledSample[]): Promise<AnyPlot> {
  const isData = ({ sample }: ScaledSample): boolean => sample.crossSection === undefined;
  const simulated = samples.filter((one) => !isData(one));
  const below = simulated.length > 0 ? simulated : samples;
  const stack = await modelOf(name, below, (i) => COLOURS[i % COLOURS.length] ?? 0, 'hist');
  const data = simulated.length > 0 ? samples.filter(isData) : [];
  for (const one of data) {
    const { x, y, ink, note, shapes, label = '' } = await modelOf(name, [one], () => 0, 'e');
    const points = { title: label, x, y, dots: false, ink, note, shapes };
    stack.overlays = [...(stack.overlays ?? []), points];
  }
  return stack;
}

async function modelOf(
  name: string,
  samples: readonly ScaledSample[],
  colour: (i: number) => number,
  option: string,
): Promise<GraphModel> {
  const arr = samples.flatMap(({ sample, state, entries }, i) => {
    const one = state[name];
    if (!isOf('histogram', one)) return [];
    return [
      {
        ...rootMembers(histogram.value(one, name, entries)),
        fTitle: sample.name,
        fLineColor: 1,
        fFillColor: colour(i),
      },
    ];
  });
  const fHists = { _typename: 'TList', arr, opt: arr.map(() => option) };
  const stack = { _typename: 'THStack', fName: name, fTitle: '', fHists } as unknown as PlainObject;
  await loadKinds(stack);
  const model = modelOfObject(stack, new Map());
  if (model?.kind === 'graph') return model;
  throw unsupported(
    `"${name}" has more than one axis, so that its samples cannot be stacked in a picture.`,
    'Use --root OUT, which has the histograms of all samples.',
  );
}
