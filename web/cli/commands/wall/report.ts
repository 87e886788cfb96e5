import { formatCount } from '../../../base/format';
import type { State } from '../../../insight/compare/rules';
import type { Judged } from '../../../plot/wall/judged';
import { resultsText, wallResults } from '../../../plot/wall/results';
import type { Tile } from '../../../plot/wall/tile';
import type { PageHead } from '../../../plot/wall/wall-page';

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
