import type { ViewerStore } from './viewer-state';
import { VIEWS } from './views';

/** The state of the map of a file in a link. */
export interface MapLink {
  branches?: readonly string[];
  colouring?: string;
  rows?: string;
  /** Whether reads are shown on it. */
  reads?: boolean;
  /** A stretch of the file that is shown and outlined. */
  place?: { offset: number; length: number } | undefined;
}

/** Returns the parameters of the view "map". */
export function mapLink({ branches, colouring, rows, reads, place }: MapLink): string {
  const query = new URLSearchParams((branches ?? []).map((branch) => ['branch', branch]));
  if (colouring !== undefined && colouring !== 'branch') query.set('colour', colouring);
  if (rows !== undefined && rows !== 'fitted') query.set('rows', rows);
  if (reads) query.set('reads', '1');
  if (place !== undefined) query.set('at', `${place.offset}+${place.length}`);
  return query.toString();
}

/** Returns a function that shows the map of the shown file; undefined if the page has no map. */
export function mapOf({ selection }: ViewerStore): ((link: MapLink) => void) | undefined {
  return Object.hasOwn(VIEWS, 'map') ? (link) => selection.setView('map', mapLink(link)) : undefined;
}
