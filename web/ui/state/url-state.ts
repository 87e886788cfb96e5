import { XylemError } from '../base/errors';
import { fitsPlotField, isPlotField, type PlotState, plotFields } from './plot-state';

/** What a link can say: the file, and what to show of it. Every field is optional. */
export interface PageState extends PlotState {
  url?: string | undefined;
  /** Path of a tree, perhaps with ";cycle". */
  tree?: string | undefined;
  /** What to draw of that tree: the path of a branch, or expressions as TTree::Draw takes them. */
  draw?: string | undefined;
  /** Selects and weighs what is drawn. */
  cut?: string | undefined;
  /** "prof": the mean of y in bins of x is drawn. */
  opt?: string | undefined;
  /** Path of another key to show. */
  item?: string | undefined;
  /** Address of the file to compare with. */
  with?: string | undefined;
  /** Addresses of more files that are open, with spaces between. */
  also?: string | undefined;
  /** How the file or tree is shown, and the state of that view. */
  view?: string | undefined;
  show?: string | undefined;
}

const longest = 8192;
export const pageFields = [
  'url',
  'tree',
  'draw',
  'cut',
  'opt',
  'item',
  'with',
  'also',
  'view',
  'show',
  ...plotFields,
] as const;

/** Whether a field can have this value; one that cannot is as if it were not there. */
export function isPageField(field: (typeof pageFields)[number], value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > longest) return false;
  if (isPlotField(field)) return fitsPlotField(field, value);
  return field !== 'opt' || value === 'prof';
}

/**
 * Reads the query of a page's address; a field that is not sensible is left out, the others stay.
 * Links of JSROOT say `file=` for the address, `item=` for a path, also that of a branch, and among others
 * `opt=logy`.
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

/** The query that `parsePageState` reads, with its "?", or "" for an empty state. */
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
 * Makes an address to read from what a person typed or a link gave: absolute http(s) addresses are
 * kept as they are (a signed address must not change), others are taken relative to `base`.
 * Throws ARGUMENT for other schemes and for addresses with a password in them.
 */
export function readableUrl(typed: string, base: string): string {
  const text = typed.trim();
  if (text === '') throw refused('The address is empty.', 'Paste the address of a ROOT file.');
  if (/^(x?root)s?:\/\//i.test(text)) {
    throw refused(
      'root:// is the XRootD protocol, which browsers cannot speak.',
      'Many sites serve the same file over HTTPS: ask for its https:// address, or download the file and drop it here.',
    );
  }
  const hostLike = /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?\/\S/i.test(text) && !/^[^/]+\.root\//i.test(text);
  const candidate = hostLike ? `https://${text}` : text;
  let parsed: URL;
  try {
    parsed = new URL(candidate, base);
  } catch (cause) {
    throw refused(`"${text}" is not an address.`, 'It should look like https://host/path/file.root.', cause);
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
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
  return /^https?:\/\//i.test(candidate) ? candidate : parsed.href;
}

function refused(message: string, fix: string, cause?: unknown): XylemError {
  return new XylemError({ code: 'ARGUMENT', message, fix, ...(cause === undefined ? {} : { cause }) });
}
