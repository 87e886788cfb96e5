import type { CallOptions, FileId } from '../../../api/api';
import { throwIfAborted } from '../../../base/abort';
import { CALL, checkOptions, type Rules } from '../../../base/options';
import { ANY, FLAG } from '../../../base/shape';
import type { InsightHost, PageInsight } from '../../../insight/api';
import { estimateLink, type LinkEstimate } from '../../../io/link';
import { basketLayout } from '../../../reads/basket-layout';
import { type CostOptions, type QueryCost, queryCost } from './query-cost';
import { type Outcome, type ReadChoice, type Strategy, simulator, strategiesFor } from './simulate';

export interface SimulateRequest extends ReadChoice {
  /** Path of the tree, optionally with ";cycle". */
  tree: string;
  link: LinkEstimate;
  strategies?: readonly Strategy[] | undefined;
}

declare module '../../../insight/api' {
  interface PageInsight {
    /** Returns the cost of reading over a link, for several ways of reading. */
    simulate(file: FileId, request: SimulateRequest, options?: CallOptions): Promise<Outcome[]>;
    /** Returns the cost of reading branches (by index) over the measured link. Reads nothing. */
    cost(
      file: FileId,
      tree: string,
      branches: readonly number[],
      options?: CallOptions & CostOptions,
    ): Promise<QueryCost>;
  }
}

const COST: Rules<CallOptions & CostOptions> = { ...CALL, entries: ANY, copied: FLAG, told: ANY };

export async function simulate(
  { layoutOf }: InsightHost,
  ...[file, { tree, link, strategies, branches, entries }, options = {}]: Parameters<PageInsight['simulate']>
): Promise<Outcome[]> {
  checkOptions('simulate', options, CALL);
  const known = await layoutOf(file, tree);
  const run = simulator(basketLayout(known), { branches, entries }, link);
  const outcomes: Outcome[] = [];
  for (const strategy of strategies ?? strategiesFor(known.tree.kind)) {
    // Each takes seconds for a tree of 10,000 branches. A call that was aborted meanwhile ends here.
    await new Promise((resolve) => setTimeout(resolve));
    throwIfAborted(options.signal);
    outcomes.push(run(strategy));
  }
  return outcomes;
}

export async function cost(
  { reader, layoutOf }: InsightHost,
  ...[file, tree, branches, options = {}]: Parameters<PageInsight['cost']>
): Promise<QueryCost> {
  checkOptions('cost', options, COST);
  const { entries, copied, told } = options;
  const layout = await layoutOf(file, tree);
  const records = await reader.trace(file);
  const chosen = branches.flatMap((index) => layout.tree.branches[index] ?? []);
  return queryCost(layout, chosen, records, estimateLink(records), { entries, copied, told });
}
