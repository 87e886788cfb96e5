import { basename } from 'node:path';
import type { Histogram } from '../../../api/api';
import type { GatheredState } from '../../../api/selector';
import { argumentError } from '../../../base/errors';
import { type Context, refuseTerminal } from '../../../cli/context';
import { saveFile } from '../../../sinks/node-save-file';
import { memorySink } from '../../../sinks/sink';
import { addState } from '../work/gathered';
import { isOf, kindOf } from '../work/kinds/kinds';
import { inOrder } from '../work/kinds/varied';
import { type ScaledSample, scaledCopy } from '../work/partial/samples';
import { NOMINAL } from '../work/vary';
import { isHistogram } from './cell-rows';

/** The name of the data in programs that fit. */
const DATA = 'data_obs';

interface Shape {
  path: string;
  histogram: Histogram;
}

/**
 * Writes the histograms of samples for programs that fit: RESULT/SAMPLE, RESULT/SAMPLE_VARIATION, and the sum of the data as
 * RESULT/data_obs. Throws ARGUMENT if two have the same path.
 */
export async function saveShapes(
  target: string,
  samples: readonly ScaledSample[],
  { force }: { force?: boolean | undefined },
  { out, reader }: Pick<Context, 'out' | 'reader'>,
): Promise<void> {
  if (target === '-') refuseTerminal(out);
  const shapes = shapesOf(samples);
  const paths = shapes.map(({ path }) => path);
  const twice = paths.find((path, i) => paths.indexOf(path) !== i);
  if (twice !== undefined)
    throw argumentError(`Two histograms have the path "${twice}".`, 'Rename a sample or a variation.');
  const { writeRoot } = await import('../../../node');
  const sink = memorySink();
  await writeRoot(
    sink,
    async (file) => {
      for (const { path, histogram } of shapes) await file.histogram(path, histogram);
    },
    { name: target === '-' ? undefined : basename(target), reader: await reader() },
  );
  if (target === '-') await out.write(sink.bytes());
  else await saveFile(target, (put) => put(sink.bytes()), { replaces: force ? 'all' : 'nothing' });
}

function shapesOf(samples: readonly ScaledSample[]): Shape[] {
  const isData = ({ sample }: ScaledSample): boolean => sample.crossSection === undefined;
  const shapes = samples
    .filter((one) => !isData(one))
    .flatMap(({ sample, state }) => shapesIn(state, sample.name, true));
  let data: GatheredState | undefined;
  for (const { state } of samples.filter(isData)) data = addState(data, scaledCopy(state), undefined);
  return data ? [...shapes, ...shapesIn(data, DATA, false)] : shapes;
}

function shapesIn(state: GatheredState, sample: string, isVaried: boolean): Shape[] {
  return Object.entries(state).flatMap(([name, one]): Shape[] => {
    const parts = isOf('varied', one) ? inOrder(one.of) : ([[NOMINAL, one]] as const);
    return parts.flatMap(([variation, part]): Shape[] => {
      const histogram = kindOf(part).value(part, name, 0);
      if (!isHistogram(histogram) || histogram.profile || (variation !== NOMINAL && !isVaried)) return [];
      const suffix = variation === NOMINAL ? '' : `_${variation}`;
      return [{ path: `${name}/${sample}${suffix}`, histogram }];
    });
  });
}
