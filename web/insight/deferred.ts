import { forward } from '../base/forward';
import type { InsightApi } from './api';

/** Returns an insight whose calls wait for the real one, which is made or loaded for the first of them. */
export function deferredInsight(get: () => Promise<InsightApi> | InsightApi, warm: () => void): InsightApi {
  const methods = {
    map: true,
    stats: true,
    doctor: true,
    simulate: true,
    cost: true,
    uses: true,
    fleet: true,
  } as const;
  return { ...forward<Omit<InsightApi, 'warm'>>(methods, get), warm };
}
