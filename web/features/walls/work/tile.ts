import type { Drawing } from '../../../plot/drawing/drawing';
import type { AnyPlot } from '../../../plot/model';

/** One plot of a wall, or the reason why it cannot be drawn. */
export interface Tile {
  /** The path of the object or branch, or the expression. */
  name: string;
  /** ROOT's title (TLatex). */
  title: string;
  /** Number of entries; NaN if unknown. */
  entries: number;
  model?: AnyPlot | undefined;
  /** The picture of a canvas, instead of a plot. */
  picture?: Drawing | undefined;
  /** Reason why there is no plot, or only a part of it. */
  why?: string | undefined;
  /** Whether reading failed. */
  failed?: boolean | undefined;
  /** Whether it has no contents: all bins are 0, or there are no points. */
  empty?: boolean | undefined;
  /** Whether the file has nothing with this name. */
  absent?: boolean | undefined;
}

/** Whether a plot shows nothing. */
export function isEmptyPlot({ curves = [], ...model }: AnyPlot): boolean {
  if (curves.length > 0) return false;
  if (model.kind === 'graph') return model.x.length === 0 && (model.overlays ?? []).length === 0;
  const isEmpty = (values: Float64Array) => values.every((value) => value === 0 || Number.isNaN(value));
  if (model.kind === 'map') return isEmpty(model.values);
  return [model, ...(model.overlays ?? [])].every(({ values }) => isEmpty(values));
}

export const WALL_ORDERS = ['file', 'name', 'title', 'entries', 'worst'] as const;
/** Sort orders of the plots of a wall; `worst` needs a reference. */
export type WallOrder = (typeof WALL_ORDERS)[number];

const compareTexts = new Intl.Collator('en', { numeric: true }).compare;

/** Returns the tiles in the chosen order. Equal ones keep their order. `entries` sorts the largest number first. */
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

/** Returns a filter for names and titles: each word of the text has to occur in one of them, in any case. */
export function tileFilter(text: string): (tile: Pick<Tile, 'name' | 'title'>) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return ({ name, title }) => {
    const all = `${name}\n${title}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
}
