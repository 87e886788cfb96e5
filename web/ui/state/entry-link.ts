import type { ViewerStore } from './viewer-state';
import { VIEWS } from './views';

/** The state of the card of an entry in a link. */
export interface EntryLink {
  /** The number that was asked for. The tree may not have it; it is NaN where the link has no number. */
  entry: number;
  /** The cut that the next and the previous entry pass. */
  cut?: string;
  /** Words of the branches that are shown. */
  find?: string;
  /** Collections that are drawn; undefined for the usual ones. */
  objects?: readonly string[] | undefined;
}

/** Returns the parameters of the view "entry". */
export function entryLink({ entry, cut = '', find = '', objects }: EntryLink): string {
  const query = new URLSearchParams({ at: String(entry) });
  if (cut !== '') query.set('cut', cut);
  if (find !== '') query.set('find', find);
  if (objects !== undefined) query.set('objects', objects.join(','));
  return query.toString();
}

/** Parses the parameters of the view "entry". Parts that are not valid are left out. */
export function parseEntryLink(text: string): EntryLink {
  const query = new URLSearchParams(text);
  const at = query.get('at') ?? '0';
  const objects = query.get('objects');
  return {
    entry: at === '' ? Number.NaN : Number(at),
    cut: query.get('cut') ?? '',
    find: query.get('find') ?? '',
    objects: objects === null ? undefined : objects.split(',').filter((name) => name !== ''),
  };
}

/** Returns a function that shows an entry of the shown tree as a card; undefined if the page has no such view. */
export function cardOf({ selection }: ViewerStore): ((entry: number) => void) | undefined {
  return Object.hasOwn(VIEWS, 'entry')
    ? (entry) => selection.setView('entry', entryLink({ entry }))
    : undefined;
}
