import type { Histogram } from '../api/api';
import { processedOf } from '../measure/gathered';
import { drawn } from './drawn';
import { PROCESS } from './options';
import type { ProcessedTree, ProcessOptions, TreePlace } from './tree-handle';

/** Runs a selector; bins of its histograms iterate. */
export async function processOne(
  { tree, friends, check, process }: TreePlace,
  module: string | URL,
  options: ProcessOptions = {},
): Promise<ProcessedTree<Record<string, unknown>>> {
  check('process', options, PROCESS);
  const { set, entries, rootVersion, limitMs, ...call } = options;
  const request = { tree, friends, module: String(module), set, entries, rootVersion, limitMs };
  const made = await process(request, call);
  const results: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(processedOf(made)))
    results[name] = made.state[name]?.kind === 'histogram' ? drawn(one as Histogram) : one;
  const { passed, partial } = made;
  return { results, entries: made.entries, passed, partial };
}
