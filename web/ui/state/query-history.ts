import { type ReadonlySignal, signal } from '@preact/signals';
import type { Query } from './viewer-state';

const ITEM = 'xylem.queries';
const MAX_QUERIES = 50;
const MAX_LENGTH = 4000;

/** Earlier queries, the last one first. Stored by the browser when it allows storage. */
export interface QueryHistory {
  readonly list: ReadonlySignal<readonly Query[]>;
  add(query: Query): void;
}

export function createQueryHistory(storage: Storage | undefined): QueryHistory {
  const list = signal<readonly Query[]>(load(storage));
  return {
    list,
    add(query) {
      if (query.expr.length + query.cut.length > MAX_LENGTH) return;
      list.value = [query, ...list.peek().filter((one) => !same(one, query))].slice(0, MAX_QUERIES);
      try {
        storage?.setItem(ITEM, JSON.stringify(list.peek()));
      } catch {
        // The storage is full or refused: the list is lost with the page.
      }
    },
  };
}

function same(a: Query, b: Query): boolean {
  return a.expr === b.expr && a.cut === b.cut && a.profile === b.profile;
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
