import type { CallOptions, EntrySelection, FileId } from '../../../api/api';
import { throwIfAborted } from '../../../base/abort';
import { CALL, checkOptions, type Rules } from '../../../base/options';
import { ANY, FLAG } from '../../../base/shape';
import type { InsightHost, PageInsight } from '../../../insight/api';
import { estimateLink, type LinkEstimate } from '../../../io/link';
import { chooseEntries } from '../../../model/entry-choice';
import { basketLayout } from '../../../reads/basket-layout';
import { type SourceKind, xylemCost } from '../../../reads/planned';
import type { Strategy } from './programs';
import { type CostOptions, type QueryCost, queryCost } from './query-cost';
import { type Outcome, simulator, strategiesFor } from './simulate';

export interface SimulateRequest {
  /** Path of the tree, optionally with ";cycle". */
  tree: string;
  /** Indices of branches in the order in which ROOT reads them for an entry: the tree's order, depth first. */
  branches: readonly number[];
  entries?: EntrySelection | undefined;
  /** Size of the file in bytes. */
  size: number;
  /** The kind of source that xylem reads. Default: that of the file. */
  kind?: SourceKind | undefined;
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
  { reader, layoutOf }: InsightHost,
  ...[file, request, options = {}]: Parameters<PageInsight['simulate']>
): Promise<Outcome[]> {
  checkOptions('simulate', options, CALL);
  const { tree, link, strategies, branches, entries, size, kind } = request;
  const known = await layoutOf(file, tree);
  const choice = chooseEntries(entries, known.tree.entries);
  const run = simulator(basketLayout(known), { branches, entries: choice }, link);
  const outcomes: Outcome[] = [];
  for (const strategy of strategies ?? strategiesFor(known.tree.kind)) {
    // Each takes seconds for a tree of 10,000 branches. A call that was aborted meanwhile ends here.
    await new Promise((resolve) => setTimeout(resolve));
    throwIfAborted(options.signal);
    outcomes.push(run(strategy));
  }
  const summarize = { tree, branches: [...branches], entries };
  const asked = { reader, info: { id: file, size }, request: { summarize }, kind };
  return [...outcomes, { strategy: { kind: 'xylem' }, ...(await xylemCost(asked, link, options)) }];
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
  return queryCost({ reader, file, path: tree, layout }, chosen, records, estimateLink(records), {
    entries,
    copied,
    told,
  });
}
