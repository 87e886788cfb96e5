import { forward } from '../base/forward';
import type { PageInsight } from './api';

/** Returns an insight whose calls wait for the real one, which is created or loaded for the first of them. */
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
