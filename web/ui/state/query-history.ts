import { type ReadonlySignal, signal } from '@preact/signals';
import type { Query } from './viewer-state';

export const MAX_QUERIES = 50;
export const MAX_LENGTH = 4000;

/** Queries that are stored between visits. */
export interface KeptQueries {
  load(): Query[];
  save(list: readonly Query[]): void;
}

/** Earlier queries, the last one first. */
export interface QueryHistory {
  readonly list: ReadonlySignal<readonly Query[]>;
  add(query: Query): void;
}

export function createQueryHistory(kept: KeptQueries | undefined): QueryHistory {
  const list = signal<readonly Query[]>(kept?.load() ?? []);
  return {
    list,
    add(query) {
      if (query.expr.length + query.cut.length > MAX_LENGTH) return;
      list.value = [query, ...list.peek().filter((one) => !same(one, query))].slice(0, MAX_QUERIES);
      kept?.save(list.peek());
    },
  };
}

function same(a: Query, b: Query): boolean {
  return a.expr === b.expr && a.cut === b.cut && a.profile === b.profile;
}
