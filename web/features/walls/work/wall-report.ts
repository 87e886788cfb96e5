import { formatCount } from '../../../base/format';
import { dataJson } from '../../../base/json';
import { column, type Report } from '../../../report/report';
import type { Judged } from './judged';
import { NOTHING_COMPARED, resultsText, wallResults } from './results';
import type { State } from './rules';
import type { Tile } from './tile';
import type { PageHead } from './wall-page';

/** The plots of a file, perhaps compared with those of another. */
export interface Wall {
  /** Name of the file. */
  title: string;
  tiles: readonly (Tile | Judged)[];
  /** Patterns of rules that are for none of the plots. */
  idleRules: readonly string[];
  compared: boolean;
}

export const isJudged = (tile: Tile | Judged): tile is Judged => 'verdict' in tile;

const PLOT = column<Tile>('plot', 'Plot', 'text', ({ name }) => name, { whole: true });

const COLUMNS = [
  PLOT,
  column<Tile>('entries', 'Entries', 'count', ({ entries }) => (Number.isNaN(entries) ? undefined : entries)),
  column<Tile>('why', 'Remarks', 'text', ({ why }) => why),
];

const COMPARED_COLUMNS = [
  column<Judged>('result', 'Result', 'text', ({ state }) => state),
  PLOT,
  column<Judged>('why', 'Remarks', 'text', ({ notes, why }) =>
    [...notes, ...(why !== undefined && !notes.includes(why) ? [why] : [])].join('  '),
  ),
];

/** All plots, each with its result. */
export function wallReport({ title, tiles, idleRules, compared }: Wall): Report {
  const notes = idleRules.map((items) => `the rule for "${items}" is for none of the plots`);
  if (comparesNothing({ tiles, compared })) notes.push(NOTHING_COMPARED);
  const table = compared
    ? { id: 'plots', columns: COMPARED_COLUMNS, rows: tiles }
    : { id: 'plots', columns: COLUMNS, rows: tiles };
  return { title: `${title}: ${wallSummary(tiles)}`, tables: [table], notes };
}

/** Status 1: a part must not be taken for the whole, and a check that compares nothing must not pass. */
export function wallStatus({ tiles, compared }: Wall): 0 | 1 {
  if (!compared) return tiles.some(({ model, failed }) => model && failed) ? 1 : 0;
  const bad = tiles.filter(isJudged).some(({ state }) => state === 'failed' || state === 'error');
  return bad || comparesNothing({ tiles, compared }) ? 1 : 0;
}

const comparesNothing = ({ tiles, compared }: Pick<Wall, 'tiles' | 'compared'>): boolean =>
  compared && !tiles.some((tile) => isJudged(tile) && tile.verdict.agreement);

/** All results as JSON: numbers that are not finite are texts. */
export const wallJson = ({ tiles }: Wall): string => dataJson({ plots: tiles.map(plotJson) });

function plotJson(tile: Tile | Judged) {
  const { name, title, entries, why } = tile;
  return {
    name,
    title,
    entries: Number.isNaN(entries) ? null : entries,
    ...(why !== undefined && { error: why }),
    ...(isJudged(tile) && { state: tile.state, why: tile.verdict.why, ...tile.verdict.agreement }),
  };
}

const WORDS: readonly (readonly [State, string])[] = [
  ['failed', 'failed'],
  ['error', 'not comparable'],
  ['missing', 'in one file only'],
  ['ok', 'passed'],
  ['compared', 'compared'],
  ['same', 'the same'],
  ['other', 'not compared'],
];

/** The heading of a page, with the results that can be chosen in it. */
export function wallHead(title: string, tiles: readonly (Tile | Judged)[]): PageHead {
  const states = WORDS.filter(([state]) => countOf(tiles, state) > 0);
  if (states.length === 0) return { title };
  return { title, states, summary: summaryOf(tiles) };
}

/** How many plots there are, and of each result. */
export function wallSummary(tiles: readonly (Tile | Judged)[]): string {
  const plots = `${formatCount(tiles.length)} ${tiles.length === 1 ? 'plot' : 'plots'}`;
  return tiles.some((tile) => 'verdict' in tile) ? `${plots}: ${summaryOf(tiles)}` : plots;
}

function summaryOf(tiles: readonly (Tile | Judged)[]): string {
  return resultsText(wallResults(tiles.flatMap((tile) => ('verdict' in tile ? [tile.verdict] : []))));
}

function countOf(tiles: readonly (Tile | Judged)[], wanted: State): number {
  return tiles.filter((tile) => 'state' in tile && tile.state === wanted).length;
}
