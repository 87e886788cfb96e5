import type { EntryRange, EntrySelection, FileId } from '../../../api/api';
import { chooseEntries } from '../../../model/entry-choice';
import type { BoardReader } from './load';

/** A sample of the entries, because the values of all take too much memory. */
export interface SampledEntries {
  /** Number of entries that were read, and of those that were asked for. */
  count: number;
  of: number;
  /** The ranges of entries that were read, ascending. */
  ranges: readonly EntryRange[];
  /** Those of them that were not yet read when the sample was chosen. */
  rest: EntrySelection;
}

/** Number of ranges of a sample, at most. */
const PIECES = 64;

interface Whole {
  whole: EntrySelection;
  /** Number of entries of the tree. */
  all: number;
  /** The first `count` of `total` chosen entries, before `from`, are read already. */
  from: number;
  count: number;
  total: number;
  /** Number of entries whose values can be kept. */
  fits: number;
}

/**
 * Returns ranges of entries that lie evenly in the tree, together at most as many as can be kept. They are whole clusters where the
 * file says where these are, so that what is read is used.
 */
export async function sampledEntries(
  reader: BoardReader,
  file: FileId,
  tree: string,
  { whole, all, from, count, total, fits }: Whole,
): Promise<SampledEntries> {
  const first = chooseEntries(whole, all).from;
  const borders = await bordersOf(reader, file, tree, all);
  const pieces: EntryRange[] = [];
  const inside = borders.filter((border) => border >= from && border < all);
  const share = (fits - count) / Math.max(1, total - count);
  const wanted = Math.max(1, Math.min(PIECES, Math.floor(inside.length * share)));
  let left = fits - count;
  for (let piece = 0; piece < wanted; piece++) {
    const begin = from + Math.floor(((all - from) * piece) / wanted);
    const room = Math.floor(left / (wanted - piece));
    const start = inside.find((border) => border >= begin) ?? begin;
    const end = [...inside, all].filter((border) => border > start && border <= start + room).at(-1);
    const to = Math.min(all, end ?? start + room);
    const last = pieces.at(-1);
    if (to <= start || (last && start < last[1])) continue;
    pieces.push([start, to]);
    left -= to - start;
  }
  const rest = restOf(whole, pieces, all);
  return { count: fits, of: total, ranges: [[first, from], ...pieces], rest };
}

/** The chosen entries that lie in the pieces. */
function restOf(whole: EntrySelection, pieces: readonly EntryRange[], all: number): EntrySelection {
  const choice = chooseEntries(whole, all);
  return pieces.flatMap(([from, to]): EntryRange[] => {
    const spans = choice.spans(from, to);
    return Array.from({ length: spans.length / 2 }, (_, i) => [spans[2 * i] ?? 0, spans[2 * i + 1] ?? 0]);
  });
}

/** Returns where clusters begin; places at equal distances if that is not known, as for several files. */
async function bordersOf(reader: BoardReader, file: FileId, tree: string, all: number): Promise<number[]> {
  try {
    const { clusterStart } = await reader.layout(file, tree);
    if (clusterStart.length > 1) return [...clusterStart];
  } catch {
    // Several files have no layout of their own.
  }
  return Array.from({ length: 4 * PIECES }, (_, i) => Math.floor((i * all) / (4 * PIECES)));
}
