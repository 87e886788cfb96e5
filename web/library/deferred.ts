import { forward } from '../base/forward';
import type { WriteApi } from '../features/writer/work/api';
import type { PageInsight } from '../insight/api';

/** Returns an insight whose calls wait for the real one, which is made or loaded for the first of them. */
export function deferredInsight(
  get: () => Promise<PageInsight> | PageInsight,
  warm: () => void,
): PageInsight {
  const methods = {
    map: true,
    stats: true,
    doctor: true,
    simulate: true,
    cost: true,
    uses: true,
    fleet: true,
    verb: true,
  } as const;
  return { ...forward<Omit<PageInsight, 'warm'>>(methods, get), warm };
}

/** Returns a writer whose calls wait for the real one, which is loaded for the first of them. */
export function deferredWriter(get: () => Promise<WriteApi>): WriteApi {
  const methods = {
    heal: true,
    skim: true,
    salvage: true,
    merge: true,
    exportTree: true,
    histogram: true,
    planHeal: true,
    planSkim: true,
    planMerge: true,
  } as const;
  return forward<WriteApi>(methods, get);
}
