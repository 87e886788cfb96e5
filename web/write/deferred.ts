import { forward } from '../base/forward';
import type { WriteApi } from './api';

/** Returns a writer whose calls wait for the real one, which is loaded for the first of them. */
export function deferredWriter(get: () => Promise<WriteApi>): WriteApi {
  return forward<WriteApi>({ heal: true, skim: true, merge: true, exportTree: true, planHeal: true }, get);
}
