import { abortError } from '../base/errors';
import type { CallOptions, FileId, ReaderApi, TreeLayout } from '../file/api';
import { estimateLink, type LinkEstimate } from '../io/link';
import { examine } from './doctor';
import type { DoctorReport } from './doctor-types';
import { clusterExtents, layoutStats, type TreeStats } from './layout-stats';
import { bytesByKind, type KindSum } from './map';
import { type QueryCost, queryCost } from './query-cost';
import { type MapResult, readMap } from './read-map';
import { type Outcome, type ReadChoice, STRATEGIES, type Strategy, simulator } from './simulate';
import { basketLayout } from './simulate-layout';

/** A map with what a page shows beside it. */
export interface MapReport extends MapResult {
  kinds: KindSum[];
  /** Of each layout, where its clusters begin in the file: the first byte of the baskets of each. */
  clusters: Float64Array[];
}

export interface SimulateRequest extends ReadChoice {
  /** Path of the tree, perhaps with ";cycle". */
  tree: string;
  link: LinkEstimate;
  strategies?: readonly Strategy[] | undefined;
}

/**
 * What takes long to work out of the metadata of large files. A page has it in a worker of its own, so
 * that neither the page nor what is read meanwhile waits. All methods reject with XylemError.
 */
export interface InsightApi {
  /** The map of a file; `walk` names what its lists do not, and reads those bytes. */
  map(file: FileId, options?: CallOptions & { walk?: boolean | undefined }): Promise<MapReport>;
  /** How a tree lies in its file. */
  stats(file: FileId, tree: string, options?: CallOptions): Promise<TreeStats>;
  /** `name` is what the report calls the file; `tree` keeps to one. */
  doctor(
    file: FileId,
    name: string,
    options?: CallOptions & { tree?: string | undefined },
  ): Promise<DoctorReport>;
  simulate(file: FileId, request: SimulateRequest, options?: CallOptions): Promise<Outcome[]>;
  /** What reading branches (by index) will cost now, at the link that was measured; nothing is read for it. */
  cost(file: FileId, tree: string, branches: readonly number[], options?: CallOptions): Promise<QueryCost>;
  /** Gets ready: something is likely to be asked for soon. */
  warm(): void;
}

/** A reader with what is reckoned from it: for pages in another thread, so that they need none of this code. */
export type InsightReader = ReaderApi & { readonly insight: InsightApi };

/** What a reader in the same thread gives to be reckoned with. */
export function createInsight(reader: ReaderApi): InsightApi {
  /** Of the tree that was asked for last: its layout takes long to read, and is asked for again and again. */
  let last: { key: string; layout: Promise<TreeLayout> } | undefined;
  const layoutOf = (file: FileId, tree: string): Promise<TreeLayout> => {
    const key = `${file} ${tree}`;
    if (last?.key === key) return last.layout;
    const layout = reader.layout(file, tree);
    last = { key, layout };
    layout.catch(() => {
      if (last?.layout === layout) last = undefined;
    });
    return layout;
  };
  return {
    async map(file, options = {}) {
      const result = await readMap(reader, file, options);
      const clusters = result.map.layouts.map(clusterBorders);
      return { ...result, kinds: bytesByKind(result.map), clusters };
    },
    stats: async (file, tree) => layoutStats(await layoutOf(file, tree)),
    doctor: (file, name, options) => examine(reader, file, name, options),
    async simulate(file, { tree, link, strategies = STRATEGIES, branches, entries }, options = {}) {
      const layout = basketLayout(await layoutOf(file, tree));
      const run = simulator(layout, { branches, entries }, link);
      const outcomes: Outcome[] = [];
      for (const strategy of strategies) {
        // Each takes seconds for a tree of 10,000 branches: what was aborted meanwhile ends here.
        await new Promise((resolve) => setTimeout(resolve));
        if (options.signal?.aborted) throw abortError();
        outcomes.push(run(strategy));
      }
      return outcomes;
    },
    async cost(file, tree, branches) {
      const layout = await layoutOf(file, tree);
      const records = await reader.trace(file);
      const chosen = branches.flatMap((index) => layout.tree.branches[index] ?? []);
      return queryCost(layout, chosen, records, estimateLink(records));
    },
    warm: () => {},
  };
}

function clusterBorders(layout: TreeLayout): Float64Array {
  if (layout.clusterStart.length === 0) return new Float64Array(0);
  return Float64Array.from(clusterExtents(layout), ({ from }) => from).filter(Number.isFinite);
}
