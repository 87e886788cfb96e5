import { type MapColouring, mapColourings } from '../work/file-map-colours';
import type { MapPlace, MapRows } from '../work/file-map-place';

/** The state of a map in a link. */
export interface MapState {
  branches: string[];
  colouring: MapColouring;
  rows: MapRows;
  /** Whether reads are shown on it. */
  reads: boolean;
  /** A stretch of the file that is shown and outlined. */
  place: MapPlace | undefined;
}

export function parseMapState(text: string): MapState {
  const query = new URLSearchParams(text);
  const colouring = mapColourings.find((name) => name === query.get('colour')) ?? 'branch';
  const [offset = -1, length = 0] = (query.get('at') ?? '').split('+').map(Number);
  const placed = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length > 0;
  return {
    branches: query.getAll('branch').slice(0, 64),
    colouring,
    rows: query.get('rows') === '1MB' ? '1MB' : 'fitted',
    reads: query.get('reads') === '1',
    place: placed ? { offset, length } : undefined,
  };
}
