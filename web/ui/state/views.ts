import { pageVerbs } from '../../verbs/page';

/** A view of a file or of a tree: its tab, without the code that shows it. */
export interface NamedView {
  label: string;
  /** Other words by which it is found. */
  words: string;
  /** The views that show how contents are stored and read stand apart from those that show them. */
  group?: 'inspect' | undefined;
  on: readonly ('file' | 'tree')[];
  /** Whether the view is only there for a list of files. */
  chain?: boolean | undefined;
  /** Whether the view is only there where selectors are written and run. */
  selectors?: boolean | undefined;
}

/** The views that are no verbs, by their ids. */
export const OWN_VIEWS = {
  overview: {
    label: 'Overview',
    words: 'facts size entries summary',
    on: ['file', 'tree'],
  },
  draw: {
    label: 'Draw',
    words: 'expression query cut plot histogram TTree::Draw',
    on: ['tree'],
  },
  table: {
    label: 'Table',
    words: 'entries rows values scan export csv parquet',
    on: ['tree'],
  },
  wall: {
    label: 'Wall',
    words: 'gallery histograms small multiples dqm plots',
    on: ['file', 'tree'],
  },
  all: {
    label: 'All files',
    words: 'chain list combine',
    on: ['tree'],
    chain: true,
  },
  dataset: {
    label: 'Compare files',
    words: 'diff missing branches',
    on: ['tree'],
    chain: true,
  },
  selector: {
    label: 'Selector',
    words: 'code process loop TSelector analysis javascript',
    on: ['tree'],
    selectors: true,
  },
  save: {
    label: 'Save',
    words: 'merge hadd salvage write',
    on: ['file'],
  },
  map: {
    label: 'Map',
    words: 'bytes places baskets',
    group: 'inspect',
    on: ['file', 'tree'],
  },
  reads: {
    label: 'Reads',
    words: 'requests performance TTreePerfStats cost',
    group: 'inspect',
    on: ['tree'],
  },
  layout: {
    label: 'Layout',
    words: 'compression size baskets clusters treemap',
    group: 'inspect',
    on: ['tree'],
  },
  doctor: {
    label: 'Doctor',
    words: 'heal repair slow problems',
    group: 'inspect',
    on: ['file', 'tree'],
  },
  fleet: {
    label: 'Fleet',
    words: 'grid jobs sites push pull simulate cache XCache',
    group: 'inspect',
    on: ['tree'],
  },
  server: {
    label: 'Server',
    words: 'probe ranges cors http',
    group: 'inspect',
    on: ['file'],
  },
  classes: {
    label: 'Classes',
    words: 'streamers types members',
    group: 'inspect',
    on: ['file'],
  },
} as const satisfies Readonly<Record<string, NamedView>>;

const { classes, ...first } = OWN_VIEWS;

/**
 * All views by their ids (`?view=…` in the address), in the order of their tabs: first those that show contents, then those that
 * show how they are stored.
 */
export const VIEWS: Readonly<Record<string, NamedView>> = {
  ...first,
  ...Object.fromEntries(
    Object.entries(pageVerbs).map(([id, { label, words, on }]) => [
      id,
      { label, words, on, group: 'inspect' },
    ]),
  ),
  classes,
};
