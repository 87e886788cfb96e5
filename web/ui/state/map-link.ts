/** What a link to the map of a file says. */
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
