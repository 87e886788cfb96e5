import { engineOf } from '../../../../api/engine-api';
import { CALL, ROOT_VERSION, type Rules } from '../../../../base/options';
import { ANY, listOf, OBJECT, POSITIVE, TEXT_BY_NAME, whole } from '../../../../base/shape';
import type { ProcessedTree, ProcessOptions, TreePlace } from '../../../../library/tree-handle';
import { resultsOf } from './process-results';

const PROCESS: Rules<ProcessOptions> = {
  ...CALL,
  set: TEXT_BY_NAME,
  entries: ANY,
  rootVersion: ROOT_VERSION,
  limitMs: whole(1),
  samples: listOf(OBJECT),
  luminosity: POSITIVE,
};

/** Runs a selector; bins of its histograms iterate. */
export async function processOne(
  place: TreePlace,
  module: string | URL,
  options: ProcessOptions = {},
): Promise<ProcessedTree<Record<string, unknown>>> {
  const { file, tree, friends, isChain, openSelector } = place;
  place.check('process', options, PROCESS);
  const { set, entries, rootVersion, limitMs, samples, luminosity, ...call } = options;
  const reader = engineOf(place.reader);
  const selector = { module: String(module), set, limitMs };
  const request = { tree, friends, entries, rootVersion, ...selector };
  const apart = await openSelector?.(reader, { ...selector, isChain: isChain && !samples }, call);
  try {
    const process = apart?.process ?? reader.process;
    if (samples) {
      const { processSamples } = await import('./process-samples');
      const own = { sources: place.sources(), reader: { ...reader, process } };
      return await processSamples(own, request, { samples, luminosity, ...call });
    }
    const made = await process(file, request, call);
    const { passed, optional, partial } = made;
    return {
      results: resultsOf(made),
      entries: made.entries,
      passed,
      ...(optional && { optional }),
      partial,
    };
  } finally {
    apart?.end();
  }
}
