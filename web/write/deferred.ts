import { forward } from '../base/forward';
import type { WriteApi } from './api';

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
