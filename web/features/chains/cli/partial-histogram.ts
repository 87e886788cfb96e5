import type { Histogram } from '../../../api/api';
import { argumentError } from '../../../base/errors';
import type { OwnFiles } from '../../../cli/own-files';
import { Combiner, histogramOfPartial } from '../work/partial';
import { parsePartial } from '../work/partial-text';
import { readPartials } from './read-partials';

/** Returns the histogram of the partial results of "draw" in a file, added up. Throws ARGUMENT for results of others. */
export async function histogramOfPartials(path: string, files: OwnFiles): Promise<Histogram> {
  const combiner = new Combiner();
  for await (const { text, name } of readPartials([path], files))
    combiner.add(await parsePartial(text, name));
  const all = combiner.result();
  if (all.kind !== 'draw')
    throw argumentError(
      `"${path}" has partial results of "${all.kind}", which are no histogram.`,
      'Take results of "xylem draw … --partial".',
    );
  return histogramOfPartial(all);
}
