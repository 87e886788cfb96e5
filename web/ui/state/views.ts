import * as features from '../../features/page';
import { pageVerbs } from '../../verbs/page';
import type { ListedView, PagePart } from '../part';

/** A view of a file or of a tree: its tab, without the code that shows it. */
export interface NamedView {
  label: string;
  /** Other words by which it is found. */
  words: string;
  /** The views that show how contents are stored and read stand apart from those that show them. */
  group?: 'inspect' | undefined;
  /** Position among the tabs. */
  order: number;
  on: readonly ('file' | 'tree')[];
  /** Whether the view is only there for a list of files. */
  chain?: boolean | undefined;
  /** Whether the view is only there where selectors are written and run. */
  selectors?: boolean | undefined;
  /** Whether the view of a file is only there if the file has plots. */
  plots?: boolean | undefined;
}

/** The views of the page itself that are no verbs, by their ids. */
export const OWN_VIEWS = {
  overview: {
    label: 'Overview',
    words: 'facts size entries summary',
    order: 0,
    on: ['file', 'tree'],
  },
  draw: {
    label: 'Draw',
    words: 'expression query cut plot histogram TTree::Draw',
    order: 10,
    on: ['tree'],
  },
  table: {
    label: 'Table',
    words: 'entries rows values scan export csv parquet',
    order: 20,
    on: ['tree'],
  },
  classes: {
    label: 'Classes',
    words: 'streamers types members',
    group: 'inspect',
    order: 200,
    on: ['file'],
  },
} as const satisfies Readonly<Record<string, NamedView>>;

/** Position of the views of verbs. */
const VERBS = 150;

/**
 * All views by their ids (`?view=…` in the address), in the order of their tabs: first those that show contents, then those that
 * show how they are stored.
 */
export const VIEWS: Readonly<Record<string, NamedView & Partial<ListedView>>> = Object.fromEntries(
  [
    ...Object.entries<NamedView>(OWN_VIEWS),
    ...Object.values<PagePart>(features).flatMap(({ views }) => Object.entries(views ?? {})),
    ...Object.entries(pageVerbs).map(([id, { label, words, on }]) => {
      return [id, { label, words, on, group: 'inspect', order: VERBS }] as const;
    }),
  ].sort(([, one], [, other]) => one.order - other.order),
);
