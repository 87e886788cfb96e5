import { WALL_ORDERS, type WallOrder } from '../../plot/wall/tile';

/** The choices of a wall, as in the address: the state of its view. */
export interface WallParams {
  /** A pattern of stored objects, or words that name branches; undefined for what is there first. */
  items?: string | undefined;
  /** Address of the file that the plots are compared with. */
  reference?: string | undefined;
  filter: string;
  sort: WallOrder;
  log: boolean;
  same: boolean;
}

export function parseWallParams(text: string): WallParams {
  const query = new URLSearchParams(text);
  const sort = query.get('sort');
  return {
    items: query.get('items') ?? undefined,
    reference: query.get('reference') ?? undefined,
    filter: query.get('filter') ?? '',
    sort: WALL_ORDERS.find((order) => order === sort) ?? 'file',
    log: query.has('log'),
    same: query.has('same'),
  };
}

/** The text that `parseWallParams` reads; empty for the first choices. */
export function formatWallParams({ items, reference, filter, sort, log, same }: WallParams): string {
  const query = new URLSearchParams();
  if (items !== undefined) query.set('items', items);
  if (reference !== undefined) query.set('reference', reference);
  if (filter !== '') query.set('filter', filter);
  if (sort !== 'file') query.set('sort', sort);
  if (log) query.set('log', '1');
  if (same) query.set('same', '1');
  return query.toString();
}
