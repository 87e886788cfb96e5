import type { CallOptions, FileId, FileInfo, TreeLayout } from '../api/api';
import type { EngineApi } from '../api/engine-api';
import { throwIfAborted } from '../base/abort';
import { CALL, checkOptions, type Rules } from '../base/options';
import { ANY, FLAG, TEXT } from '../base/shape';
import { type DoctorOptions, type ExaminedFile, examine } from '../features/doctor/work/doctor';
import type { DoctorReport } from '../features/doctor/work/doctor-types';
import type { DatasetModel } from '../features/fleet/work/model';
import type { FleetFinding, FleetRequest } from '../features/fleet/work/simulate-fleet';
import { bytesByKind, type KindSum } from '../features/map/work/map';
import { type MapResult, readMap } from '../features/map/work/read-map';
import { type UsesReport, usesReport } from '../features/traces/work/uses';
import { type CostOptions, type QueryCost, queryCost } from '../features/whatif/work/query-cost';
import {
  type Outcome,
  type ReadChoice,
  type Strategy,
  simulator,
  strategiesFor,
} from '../features/whatif/work/simulate';
import { estimateLink, type LinkEstimate } from '../io/link';
import { basketLayout } from '../reads/basket-layout';
import { clusterExtents, clustersOf, layoutStats, type TreeStats } from '../reads/layout-stats';
import type { Reading } from '../reads/reading';

/** The bytes of a file by kind of content. */
export interface MapSums {
  map: {
    /** Bytes of the file. */
    size: number;
    /** Number of its parts: records, baskets, pages, and gaps. */
    count: number;
  };
  /** Sums for each kind, the largest first. */
  kinds: KindSum[];
  /** Parts that could not be read, and positions where a walk had to stop. */
  notes: string[];
}

/** A map with additional data for the page. */
export interface MapReport extends MapResult {
  kinds: KindSum[];
  /** For each layout, the first byte of the baskets of each cluster. */
  clusters: Float64Array[];
}

export interface SimulateRequest extends ReadChoice {
  /** Path of the tree, optionally with ";cycle". */
  tree: string;
  link: LinkEstimate;
  strategies?: readonly Strategy[] | undefined;
}

/**
 * Computations that take long on the metadata of large files. A page runs them in a separate worker, so that the page
 * and reading do not wait for them. All methods reject with XylemError.
 */
export interface InsightApi {
  /**
   * Returns the bytes of a file by kind of content. With `walk`, bytes that its lists do not name are read and
   * walked.
   */
  map(file: FileId, options?: CallOptions & { walk?: boolean | undefined }): Promise<MapSums>;
  /** Grades the layout of an open file, and lists remedies. */
  doctor(file: ExaminedFile, options?: DoctorOptions): Promise<DoctorReport>;
  /** Prepares for a call that is likely to come soon. @internal */
  warm(): void;
}

/** The data of a report of the page, and the remarks that the verb made while it ran. */
export interface VerbAnswer {
  result: unknown;
  notes: readonly string[];
}

/** Also the calls that only the page makes. */
export interface PageInsight extends InsightApi {
  map(file: FileId, options?: CallOptions & { walk?: boolean | undefined }): Promise<MapReport>;
  stats(file: FileId, tree: string, options?: CallOptions): Promise<TreeStats>;
  /** Returns the cost of reading over a link, for several ways of reading. */
  simulate(file: FileId, request: SimulateRequest, options?: CallOptions): Promise<Outcome[]>;
  /** Returns the cost of reading branches (by index) over the measured link. Reads nothing. */
  cost(
    file: FileId,
    tree: string,
    branches: readonly number[],
    options?: CallOptions & CostOptions,
  ): Promise<QueryCost>;
  /** Returns which parts of a tree the recorded readings used. `name` is the name of the file in commands. */
  uses(
    file: FileId,
    tree: string,
    request: { readings: readonly Reading[]; name: string },
    options?: CallOptions,
  ): Promise<UsesReport>;
  /** Runs a verb of the page's list on an open file. */
  verb(
    file: FileInfo,
    name: string,
    params: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<VerbAnswer>;
  /**
   * Simulates jobs at several sites. A data set whose `file` is the name of the open file uses its metadata, and the
   * given tree if it names none. Other data sets are read from their addresses.
   */
  fleet(
    file: ExaminedFile & { size: number },
    tree: string,
    request: FleetRequest,
    options?: CallOptions,
  ): Promise<FleetFinding[]>;
}

/** A reader with the computations on metadata. */
export type InsightReader = EngineApi & { readonly insight: InsightApi };

const DOCTOR: Rules<DoctorOptions> = { ...CALL, tree: TEXT, deep: FLAG, use: ANY };
const COST: Rules<CallOptions & CostOptions> = { ...CALL, entries: ANY, copied: FLAG, told: ANY };

/** Runs verbs, which are above this floor. */
export type RunVerb = (reader: EngineApi, ...call: Parameters<PageInsight['verb']>) => Promise<VerbAnswer>;

/** Returns the insight of a reader in the same thread. */
export function createInsight(reader: EngineApi, loadVerbs: () => Promise<RunVerb>): PageInsight {
  /** The layout of the last tree. Reading it takes long, and several calls use it. */
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
      checkOptions('map', options, { ...CALL, walk: FLAG });
      const result = await readMap(reader, file, options);
      const clusters = result.map.layouts.map(clusterBorders);
      return { ...result, kinds: bytesByKind(result.map), clusters };
    },
    async stats(file, tree, options) {
      checkOptions('stats', options, CALL);
      return layoutStats(await layoutOf(file, tree));
    },
    async doctor(file, options) {
      checkOptions('doctor', options, DOCTOR);
      return examine(reader, file, options);
    },
    async simulate(file, { tree, link, strategies, branches, entries }, options = {}) {
      checkOptions('simulate', options, CALL);
      const known = await layoutOf(file, tree);
      const layout = basketLayout(known);
      const run = simulator(layout, { branches, entries }, link);
      const outcomes: Outcome[] = [];
      for (const strategy of strategies ?? strategiesFor(known.tree.kind)) {
        // Each takes seconds for a tree of 10,000 branches. A call that was aborted meanwhile ends here.
        await new Promise((resolve) => setTimeout(resolve));
        throwIfAborted(options.signal);
        outcomes.push(run(strategy));
      }
      return outcomes;
    },
    async cost(file, tree, branches, options = {}) {
      checkOptions('cost', options, COST);
      const { entries, copied, told } = options;
      const layout = await layoutOf(file, tree);
      const records = await reader.trace(file);
      const chosen = branches.flatMap((index) => layout.tree.branches[index] ?? []);
      return queryCost(layout, chosen, records, estimateLink(records), { entries, copied, told });
    },
    async uses(file, tree, { readings, name }, options) {
      checkOptions('uses', options, CALL);
      return usesReport(readings, await layoutOf(file, tree), name);
    },
    async fleet(file, tree, request, options = {}) {
      checkOptions('fleet', options, CALL);
      const { simulateFleet, openFacts, pageUse } = await import('../features/fleet/work/open-fleet');
      const facts = (dataset: DatasetModel) => openFacts(reader, file, tree, dataset);
      return simulateFleet(request, { facts, use: pageUse(request) }, options);
    },
    async verb(...call) {
      const run = await loadVerbs();
      return await run(reader, ...call);
    },
    warm: () => {},
  };
}

function clusterBorders(layout: TreeLayout): Float64Array {
  if (clustersOf(layout).length === 0) return new Float64Array(0);
  return Float64Array.from(clusterExtents(layout), ({ from }) => from).filter(Number.isFinite);
}
