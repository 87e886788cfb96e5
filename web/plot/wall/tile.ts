import type { Drawing } from '../drawing/drawing';
import type { AnyPlot } from '../model';

/** One plot of a wall, or the reason why it is none. */
export interface Tile {
  /** The path of the object or branch, or the expression. */
  name: string;
  /** ROOT's title (TLatex). */
  title: string;
  /** Number of entries; NaN where there is no such number. */
  entries: number;
  model?: AnyPlot | undefined;
  /** In place of a plot the picture of a canvas. */
  picture?: Drawing | undefined;
  /** Why there is no plot, or only a part of it. */
  why?: string | undefined;
  /** It could not be read. */
  failed?: boolean | undefined;
  /** The file has nothing of this name. */
  absent?: boolean | undefined;
}

export const WALL_ORDERS = ['file', 'name', 'title', 'entries', 'worst'] as const;
/** How the plots of a wall are sorted; `worst` needs a reference. */
export type WallOrder = (typeof WALL_ORDERS)[number];

const compareTexts = new Intl.Collator('en', { numeric: true }).compare;

/** Tiles in the order that was chosen; equal ones keep theirs. The most entries come first. */
export function sortedTiles<T extends Pick<Tile, 'name' | 'title' | 'entries'>>(
  tiles: readonly T[],
  order: WallOrder,
): T[] {
  const sorted = [...tiles];
  if (order === 'name') sorted.sort((a, b) => compareTexts(a.name, b.name));
  if (order === 'title')
    sorted.sort((a, b) => compareTexts(a.title, b.title) || compareTexts(a.name, b.name));
  if (order === 'entries') sorted.sort((a, b) => known(b.entries) - known(a.entries));
  return sorted;
}

function known(entries: number): number {
  return Number.isNaN(entries) ? -1 : entries;
}

/** Tests names and titles: each word of the text occurs in one of them, whatever its case. */
export function tileFilter(text: string): (tile: Pick<Tile, 'name' | 'title'>) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return ({ name, title }) => {
    const all = `${name}\n${title}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
}
