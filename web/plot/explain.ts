import type { TreeLayout } from '../api/api';
import { formatBytes, formatCount, formatDuration } from '../base/format';
import { type Colour, type Drawing, lineInk, type Shape, TEXT_SIZE } from './drawing/drawing';
import { fittedTitle } from './drawing/latex';

/** The words that pictures explain. */
export const PICTURED = ['Baskets', 'Pages', 'Clusters', 'Over-read', 'Round trip', 'TTreeCache'] as const;
export type PicturedWord = (typeof PICTURED)[number];

/** A word shown with the baskets of a file. */
export interface Explained {
  drawing: Drawing;
  /** Description of the picture, with the numbers of the file. */
  caption: string;
}

const WIDTH = 440;
const LEFT = 96;
const RIGHT = 12;
const ROW = 22;
/** A typical link: round-trip time in ms, and bytes per round trip. */
const LATENCY = 20;
const BYTES_PER_MS = 12_500;
const CACHE_BYTES = 30e6;
const MAX_ROWS = 5;
const MAX_CLUSTERS = 4;
const MAX_REQUESTS = 8;

interface Place {
  offset: number;
  bytes: number;
  first: number;
  entries: number;
}

interface BranchPlaces {
  path: string;
  bytes: number;
  places: Place[];
}

/** Explains a word by a tree of a file; undefined if the tree has no example of it. */
export function explain(word: PicturedWord, layout: TreeLayout): Explained | undefined {
  const branches = largest(layout);
  const [branch] = branches;
  if (branch === undefined) return undefined;
  const unit = layout.pageBytes === undefined ? 'basket' : 'page';
  switch (word) {
    case 'Baskets':
    case 'Pages':
      return unitsOf(branch, unit, layout);
    case 'Clusters':
      return clustersOf(branches, unit, layout);
    case 'Over-read':
      return overRead(branches, unit);
    case 'Round trip':
      return roundTrips(branch, unit);
    case 'TTreeCache':
      return cacheFill(branches, layout);
  }
}

/** Returns the branches with the most bytes in the file, with their baskets in entry order. */
function largest({
  tree,
  basketStart,
  offset,
  storedBytes,
  firstEntry,
  entries,
}: TreeLayout): BranchPlaces[] {
  const all = tree.branches.map(({ path, index }): BranchPlaces => {
    const places: Place[] = [];
    for (let i = basketStart[index] ?? 0; i < (basketStart[index + 1] ?? 0); i++) {
      const at = offset[i] ?? 0;
      // Those in the tree's own record have no place.
      if (at > 0)
        places.push({
          offset: at,
          bytes: storedBytes[i] ?? 0,
          first: firstEntry[i] ?? 0,
          entries: entries[i] ?? 0,
        });
    }
    return { path, places, bytes: places.reduce((sum, { bytes }) => sum + bytes, 0) };
  });
  return all
    .filter(({ places }) => places.length > 0)
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, MAX_ROWS);
}

const endOf = ({ offset, bytes }: Place): number => offset + bytes;

function box(x: number, y: number, width: number, fill: Colour, title?: string): Shape {
  return { kind: 'rect', x, y, width: Math.max(1.5, width), height: ROW - 6, fill, ...(title && { title }) };
}

function name(text: string, y: number): Shape {
  return {
    kind: 'text',
    x: LEFT - 8,
    y: y + 12,
    text: fittedTitle(text, (LEFT - 12) / TEXT_SIZE),
    anchor: 'end',
  };
}

function small(text: string, x: number, y: number, anchor: 'start' | 'end' = 'start'): Shape {
  return { kind: 'text', x, y, text, anchor, fill: 'faint', size: 11 };
}

function picture(title: string, height: number, shapes: Shape[]): Drawing {
  return { width: WIDTH, height, title, shapes };
}

/** Returns a scale from values to pixels. */
function scaleTo(from: number, to: number): (value: number) => number {
  return (value) => LEFT + ((value - from) / Math.max(1, to - from)) * (WIDTH - LEFT - RIGHT);
}

function counted(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;
}

function unitsOf({ path, places, bytes }: BranchPlaces, unit: string, layout: TreeLayout): Explained {
  const end = layout.offset.reduce((most, at, i) => Math.max(most, at + (layout.storedBytes[i] ?? 0)), 1);
  const x = scaleTo(0, end);
  const shapes: Shape[] = [name(path, 6), box(LEFT, 6, WIDTH - LEFT - RIGHT, 'grid')];
  for (const place of places)
    shapes.push(box(x(place.offset), 6, x(endOf(place)) - x(place.offset), 'network'));
  shapes.push(small('first byte', LEFT, 42), small(formatBytes(end), WIDTH - RIGHT, 42, 'end'));
  const [first] = places;
  return {
    drawing: picture(`${path} in the file`, 50, shapes),
    caption:
      `${path} has ${counted(places.length, unit)} with ${formatBytes(bytes)}, here at their places in the file. ` +
      `The first has ${formatBytes(first?.bytes ?? 0)}` +
      (unit === 'basket'
        ? `, the values of ${counted(first?.entries ?? 0, 'entry').replace('entrys', 'entries')}.`
        : '.'),
  };
}

function clustersOf(
  branches: readonly BranchPlaces[],
  unit: string,
  layout: TreeLayout,
): Explained | undefined {
  const starts = layout.trueStart.length > 0 ? layout.trueStart : layout.clusterStart;
  if (starts.length === 0) return undefined;
  const shown = Math.min(MAX_CLUSTERS, starts.length);
  const end = starts[shown] ?? layout.tree.entries;
  const x = scaleTo(0, end);
  const shapes: Shape[] = [];
  branches.forEach(({ path, places }, row) => {
    const y = 6 + row * ROW;
    shapes.push(name(path, y));
    for (const { first, entries } of places) {
      if (first >= end) continue;
      shapes.push(box(x(first) + 1, y, x(Math.min(end, first + entries)) - x(first) - 2, lineInk(row)));
    }
  });
  const bottom = 6 + branches.length * ROW;
  for (const start of starts.subarray(0, shown))
    shapes.push({ kind: 'path', d: `M${x(start)} 2V${bottom + 4}`, stroke: 'ink', width: 2 });
  shapes.push(
    small('entry 0', LEFT, bottom + 18),
    small(formatCount(end), WIDTH - RIGHT, bottom + 18, 'end'),
  );
  const part = starts.length > shown ? `, of which the first ${shown} are shown` : '';
  return {
    drawing: picture('Clusters along the entries', bottom + 26, shapes),
    caption:
      `${layout.tree.name} has ${counted(starts.length, 'cluster')}${part}: a line where each begins. ` +
      `The ${unit}s of ${branches.length === 1 ? 'its branch' : `its ${branches.length} largest branches`} stand at their entries.`,
  };
}

/** Returns the two nearest baskets with other bytes between them, of one branch if possible. */
function pairWithGap(
  branches: readonly BranchPlaces[],
): [Place & { path: string }, Place & { path: string }] | undefined {
  const all = branches.flatMap(({ path, places }) => places.map((place) => ({ ...place, path })));
  all.sort((a, b) => a.offset - b.offset);
  let best: [(typeof all)[number], (typeof all)[number]] | undefined;
  for (const list of [all.filter(({ path }) => path === branches[0]?.path), all]) {
    for (const [i, place] of list.entries()) {
      const next = list[i + 1];
      if (next === undefined || next.offset <= endOf(place)) continue;
      if (best === undefined || next.offset - endOf(place) < best[1].offset - endOf(best[0]))
        best = [place, next];
    }
    if (best !== undefined) return best;
  }
  return undefined;
}

function overRead(branches: readonly BranchPlaces[], unit: string): Explained | undefined {
  const pair = pairWithGap(branches);
  if (pair === undefined) return undefined;
  const [one, two] = pair;
  const gap = two.offset - endOf(one);
  const x = scaleTo(one.offset, endOf(two));
  const shapes: Shape[] = [
    name('one request', 6),
    box(LEFT, 6, WIDTH - LEFT - RIGHT, 'memory', 'read over'),
    box(x(one.offset), 6, x(endOf(one)) - x(one.offset), 'network'),
    box(x(two.offset), 6, x(endOf(two)) - x(two.offset), 'network'),
    small(`byte ${formatCount(one.offset)}`, LEFT, 42),
    small(`byte ${formatCount(endOf(two))}`, WIDTH - RIGHT, 42, 'end'),
  ];
  const which =
    one.path === two.path ? `${counted(2, unit)} of ${one.path}` : `${unit}s of ${one.path} and ${two.path}`;
  const ms = Math.max(1, gap / BYTES_PER_MS);
  return {
    drawing: picture('Two baskets and what lies between them', 50, shapes),
    caption:
      `Two ranges: the ${which.replace('2 ', 'two ')} have ${formatBytes(one.bytes)} and ${formatBytes(two.bytes)}, and ${formatBytes(gap)} ` +
      `lie between them. One request for both over-reads these, ` +
      `about ${formatDuration(ms)} at 100 Mbit/s; a second request one after the other costs a round trip, ${LATENCY} ms on a usual link.`,
  };
}

function roundTrips({ path, places }: BranchPlaces, unit: string): Explained {
  const count = Math.min(MAX_REQUESTS, places.length);
  const sent = places.slice(0, count).map(({ bytes }) => bytes / BYTES_PER_MS);
  const all = sent.reduce((sum, ms) => sum + ms, 0);
  const x = scaleTo(0, count * LATENCY + all);
  const shapes: Shape[] = [name('one by one', 6), name('all at once', 6 + ROW)];
  const put = (from: number, to: number, row: number, colour: Colour) =>
    shapes.push(box(x(from), 6 + row * ROW, x(to) - x(from) - 1, colour));
  let at = 0;
  for (const ms of sent) {
    put(at, at + LATENCY, 0, 'wait');
    put(at + LATENCY, at + LATENCY + ms, 0, 'network');
    at += LATENCY + ms;
  }
  put(0, LATENCY, 1, 'wait');
  put(LATENCY, LATENCY + all, 1, 'network');
  shapes.push(
    small('light: on the way', LEFT, 6 + 2 * ROW + 14),
    small(formatDuration(at), WIDTH - RIGHT, 6 + 2 * ROW + 14, 'end'),
  );
  return {
    drawing: picture('Requests one by one, and at once', 6 + 2 * ROW + 22, shapes),
    caption:
      `The first ${counted(count, unit)} of ${path}, each asked for when the one before has come: ${count} round trips of ${LATENCY} ms, ` +
      `${formatDuration(at)} in all. Asked for at once they wait for one: ${formatDuration(LATENCY + all)}.`,
  };
}

function cacheFill(branches: readonly BranchPlaces[], layout: TreeLayout): Explained | undefined {
  // An RNTuple is read with a pool of clusters instead.
  if (layout.pageBytes !== undefined) return undefined;
  const three = branches.slice(0, 3);
  const baskets = three.flatMap(({ path, places }, row) => places.map((place) => ({ ...place, path, row })));
  baskets.sort((a, b) => a.first - b.first);
  const all = baskets.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytes = 0;
  let filled = 0;
  for (const basket of baskets) {
    if (filled > 0 && bytes + basket.bytes > CACHE_BYTES) break;
    bytes += basket.bytes;
    filled++;
  }
  const end = baskets.reduce((most, basket) => Math.max(most, endOf(basket)), 1);
  const x = scaleTo(0, end);
  const shapes: Shape[] = three.flatMap(({ path }, row) => [
    name(path, 6 + row * ROW),
    box(LEFT, 6 + row * ROW, WIDTH - LEFT - RIGHT, 'grid'),
  ]);
  baskets.forEach((basket, i) => {
    const { row, offset } = basket;
    shapes.push(
      box(x(offset), 6 + row * ROW, x(endOf(basket)) - x(offset), i < filled ? 'network' : 'other'),
    );
  });
  const bottom = 6 + three.length * ROW;
  shapes.push(
    small('first byte', LEFT, bottom + 12),
    small(formatBytes(end), WIDTH - RIGHT, bottom + 12, 'end'),
  );
  const rest =
    filled < baskets.length
      ? ` The grey ones come in about ${formatCount(Math.max(1, Math.ceil((all - bytes) / CACHE_BYTES)))} more.`
      : '';
  return {
    drawing: picture('The first fill of a TTreeCache', bottom + 20, shapes),
    caption:
      `A job that reads ${three.map(({ path }) => path).join(', ')} with a TTreeCache of 30 MB gets ${counted(filled, 'basket')}, ` +
      `${formatBytes(bytes)}, in its first fill: one vector of ranges instead of ${counted(filled, 'read')}.${rest}`,
  };
}
