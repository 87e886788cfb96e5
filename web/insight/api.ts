import type { CallOptions, FileId, FileInfo, TreeLayout } from '../api/api';
import type { EngineApi } from '../api/engine-api';
import type { InsightApi } from '../api/insight';
import { unsupported } from '../base/data-errors';
import type { LoadModule } from '../core/modules/registry';
import * as features from '../features/work';
import type { WorkPart } from '../features/work-part';

/** The data of a report of the page, and the remarks that the verb made while it ran. */
export interface VerbAnswer {
  result: unknown;
  notes: readonly string[];
}

/** Also the calls that only the page makes. Each feature declares its own. */
export interface PageInsight extends InsightApi {
  /** Runs a verb of the page's list on an open file. */
  verb(
    file: FileInfo,
    name: string,
    params: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<VerbAnswer>;
}

/** A reader with the computations on metadata. */
export type InsightReader = EngineApi & { readonly insight: InsightApi };

/** The reader and the shared data for the calls of features. */
export interface InsightHost {
  reader: EngineApi;
  /** Returns the layout of a tree. That of the last one is kept, because several calls use it. */
  layoutOf(file: FileId, tree: string): Promise<TreeLayout>;
  /** Loads modules of WebAssembly; undefined where there are none. */
  modules?: LoadModule | undefined;
}

/** The calls of features, each loaded when it is first used. */
export type InsightCalls = {
  readonly [Name in Exclude<keyof PageInsight, 'warm' | 'verb'>]?: () => Promise<
    (host: InsightHost, ...args: Parameters<PageInsight[Name]>) => ReturnType<PageInsight[Name]>
  >;
};

/** Runs verbs, which are above this floor. */
export type RunVerb = (reader: EngineApi, ...call: Parameters<PageInsight['verb']>) => Promise<VerbAnswer>;

type Call = (...args: unknown[]) => Promise<unknown>;

/** Returns the insight of a reader in the same thread. `moved` receives the results that nothing else uses. */
export function createInsight(
  reader: EngineApi,
  loadVerbs: () => Promise<RunVerb>,
  moved: (result: object) => void = () => {},
  modules?: LoadModule,
): PageInsight {
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
  const calls = Object.values<WorkPart>(features).flatMap(({ insight = {}, moves }) =>
    Object.entries(insight).map(([name, load]): [string, Call] => [
      name,
      async (...args) => {
        const call = (await load()) as (host: InsightHost, ...args: unknown[]) => Promise<object>;
        const result = await call({ reader, layoutOf, modules }, ...args);
        if (moves?.some((one) => one === name)) moved(result);
        return result;
      },
    ]),
  );
  return {
    ...{ map: missing('map of files'), doctor: missing('doctor') },
    ...(Object.fromEntries(calls) as Record<keyof InsightCalls, never>),
    verb: async (...call) => (await loadVerbs())(reader, ...call),
    warm: () => {},
  };
}

/** The answer to a call of a feature that is not part of this build. */
const missing = (what: string) => async (): Promise<never> => {
  throw unsupported(`This build of xylem has no ${what}.`);
};
