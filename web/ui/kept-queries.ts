import { type KeptQueries, MAX_LENGTH, MAX_QUERIES } from './state/query-history';
import type { Query } from './state/viewer-state';

const ITEM = 'xylem.queries';

/** The queries that a browser stores, when it allows storage. */
export function keptQueries(storage: Storage | undefined): KeptQueries {
  return {
    load: () => load(storage),
    save(list) {
      try {
        storage?.setItem(ITEM, JSON.stringify(list));
      } catch {
        // The storage is full or refused: the list is lost with the page.
      }
    },
  };
}

/** Entries that do not look like a query are left out. */
function load(storage: Storage | undefined): Query[] {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(ITEM) ?? '[]');
    return Array.isArray(kept) ? kept.flatMap(queryOf).slice(0, MAX_QUERIES) : [];
  } catch {
    return [];
  }
}

function queryOf(kept: unknown): Query[] {
  if (typeof kept !== 'object' || kept === null || !('expr' in kept) || !('cut' in kept)) return [];
  const { expr, cut } = kept;
  if (typeof expr !== 'string' || typeof cut !== 'string' || expr.length + cut.length > MAX_LENGTH) return [];
  return [{ expr, cut, profile: 'profile' in kept && kept.profile === true }];
}
