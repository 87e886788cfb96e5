import { XylemError } from '../../../base/errors';
import { parseXrootdUrl, plainAddress, protocolOf } from '../../../io/schemes';
import { plotFields } from '../../../plot/look/look';
import { fitsPlotField, isPlotField } from '../plot-state';

/** Maximum number of characters of a field. Longer ones are ignored. */
export const MAX_FIELD = 8192;
export const pageFields = [
  'url',
  // A tree, perhaps with ";cycle"; its drawing, as attributes of the element have it: "opt" is "prof" for a profile.
  ...(['tree', 'draw', 'cut', 'opt'] as const),
  // Another key to show.
  'item',
  // More open files, with spaces between their addresses, and the size of the whole blocks that are requested of all.
  ...(['also', 'align'] as const),
  // The view of the file or tree, its state, and the plots of a wall.
  ...(['view', 'show', 'items'] as const),
  ...plotFields,
] as const;
/** The state in a link: the file, and what to show of it. Every field is optional. */
export type PageState = { [F in (typeof pageFields)[number]]?: string | undefined };

/** Whether a field can have this value. Otherwise it is ignored. */
export function isPageField(field: (typeof pageFields)[number], value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_FIELD) return false;
  if (isPlotField(field)) return fitsPlotField(field, value);
  return field !== 'opt' || value === 'prof';
}

/**
 * Parses the query of a page's address. Invalid fields are left out. Links for JSROOT have `file=` for the address,
 * `item=` for a path (also of a branch), and options such as `opt=logy`.
 */
export function parsePageState(search: string): PageState {
  const query = new URLSearchParams(search);
  const state: PageState = {};
  for (const field of pageFields) {
    const value = query.get(field);
    if (isPageField(field, value)) state[field] = value;
  }
  const file = query.get('file');
  if (state.url === undefined && isPageField('url', file)) state.url = file;
  const log = ['x', 'y'].filter((axis) => query.get('opt')?.toLowerCase().includes(`log${axis}`)).join('');
  if (state.log === undefined && log !== '') state.log = log;
  return state;
}

/** Returns the query that `parsePageState` reads, with its "?", or "" for an empty state. */
export function formatPageState(state: PageState): string {
  const query = new URLSearchParams();
  for (const field of pageFields) {
    const value = state[field];
    if (value !== undefined && value !== '') query.set(field, value);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * Resolves an address in a page or a link. Absolute http(s) and root:// addresses are not changed, because a
 * signature would become invalid; others are relative to `base`, as in browsers. Throws ARGUMENT for other schemes
 * and for addresses with a password.
 */
export function readableUrl(given: string, base: string): string {
  const text = plainAddress(given.trim());
  if (text === '') throw refused('The address is empty.', 'Paste the address of a ROOT file.');
  if (protocolOf(text) === 'xrootd') {
    parseXrootdUrl(text);
    return text;
  }
  let parsed: URL;
  try {
    parsed = new URL(text, base);
  } catch (cause) {
    throw refused(`"${text}" is not an address.`, 'It should look like https://host/path/file.root.', cause);
  }
  if (protocolOf(parsed.href) !== 'http') {
    throw refused(
      `Addresses that start with ${parsed.protocol} cannot be read.`,
      'Use an http:// or https:// address; a file of your own can be dropped on the page.',
    );
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw refused(
      'The address has a user name or password in it, which browsers refuse to send.',
      'Use an address without them, for example a signed link.',
    );
  }
  return protocolOf(text) ? text : parsed.href;
}

/** Returns the error for an address that cannot be read. */
export function refused(message: string, fix: string, cause?: unknown): XylemError {
  return new XylemError({ code: 'ARGUMENT', message, fix, ...(cause === undefined ? {} : { cause }) });
}
