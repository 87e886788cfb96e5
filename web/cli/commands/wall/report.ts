import { formatCount } from '../../../base/format';
import type { State } from '../../../insight/compare/rules';
import type { Judged } from '../../../plot/wall/judged';
import type { Tile } from '../../../plot/wall/tile';
import type { PageHead } from '../../../plot/wall/wall-page';

const WORDS: readonly (readonly [State, string])[] = [
  ['failed', 'failed'],
  ['error', 'not comparable'],
  ['missing', 'missing'],
  ['ok', 'passed'],
  ['compared', 'compared'],
  ['same', 'the same'],
  ['other', 'not compared'],
];

/** The heading of a page, with the results that can be chosen in it. */
export function wallHead(title: string, tiles: readonly (Tile | Judged)[]): PageHead {
  const states = WORDS.filter(([state]) => countOf(tiles, state) > 0);
  if (states.length === 0) return { title };
  return { title, states, summary: resultsText(tiles) };
}

/** How many plots there are, and of each result. */
export function wallSummary(tiles: readonly (Tile | Judged)[]): string {
  const results = resultsText(tiles);
  const plots = `${formatCount(tiles.length)} ${tiles.length === 1 ? 'plot' : 'plots'}`;
  return results === '' ? plots : `${plots}: ${results}`;
}

function resultsText(tiles: readonly (Tile | Judged)[]): string {
  const results = WORDS.flatMap(([state, words]) => {
    const count = countOf(tiles, state);
    return count > 0 ? [`${formatCount(count)} ${words}`] : [];
  });
  return results.join(', ');
}

function countOf(tiles: readonly (Tile | Judged)[], wanted: State): number {
  return tiles.filter((tile) => 'state' in tile && tile.state === wanted).length;
}
