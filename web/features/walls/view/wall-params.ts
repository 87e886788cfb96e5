import { REFERENCE } from '../../../ui/state/address/page-url';
import { WALL_STATES, type WallState } from '../work/states';
import { WALL_ORDERS, type WallOrder } from '../work/tile';
import { WALL_SIZES, type WallSize } from './wall-sizes';

/** The choices of a wall, as in the address: the state of its view. */
export interface WallParams {
  /** A pattern of stored objects, or names of branches; undefined for the default. */
  items?: string | undefined;
  /** Address of the file that the plots are compared with. */
  reference?: string | undefined;
  filter: string;
  sort: WallOrder;
  log: boolean;
  same: boolean;
  size: WallSize;
  /** The group of plots that is shown; undefined for all. */
  state?: WallState | undefined;
  /** Conditions under which a plot is marked, for example `chi2<0.01,ks<0.01`. */
  fail: string;
  /** Half-width of the band around the reference, as a fraction of it. */
  band: number;
  /** Whether the reference is scaled to the same sum. */
  area: boolean;
}

const BAND = 0.1;
const SIZE: WallSize = 'L';

function oneOf<K extends string>(table: Readonly<Record<K, unknown>>, text: string | null): K | undefined {
  return Object.keys(table).find((key): key is K => key === text);
}

export function parseWallParams(text: string): WallParams {
  const query = new URLSearchParams(text);
  const sort = query.get('sort');
  const band = Number(query.get('band') || BAND);
  return {
    items: query.get('items') ?? undefined,
    reference: query.get(REFERENCE) ?? undefined,
    filter: query.get('filter') ?? '',
    sort: WALL_ORDERS.find((order) => order === sort) ?? 'file',
    log: query.has('log'),
    same: query.has('same'),
    size: oneOf(WALL_SIZES, query.get('size')) ?? SIZE,
    state: oneOf(WALL_STATES, query.get('state')),
    fail: query.get('fail') ?? '',
    band: band >= 0 && Number.isFinite(band) ? band : BAND,
    area: query.has('area'),
  };
}

/** Returns the text that `parseWallParams` reads; empty for the defaults. */
export function formatWallParams(params: WallParams): string {
  const { items, reference, filter, sort, log, same, size, state, fail, band, area } = params;
  const query = new URLSearchParams();
  if (items !== undefined) query.set('items', items);
  if (reference !== undefined) query.set(REFERENCE, reference);
  if (filter !== '') query.set('filter', filter);
  if (sort !== 'file') query.set('sort', sort);
  if (log) query.set('log', '1');
  if (same) query.set('same', '1');
  if (size !== SIZE) query.set('size', size);
  if (state !== undefined) query.set('state', state);
  if (fail !== '') query.set('fail', fail);
  if (band !== BAND) query.set('band', String(band));
  if (area) query.set('area', '1');
  return query.toString();
}
