import { formatCount, formatDuration } from '../../base/format';
import { printableText } from '../../base/printable';
import { firstIndex } from '../../base/search';
import type { FileMap } from '../../insight/map/map';
import { describeRead } from '../../insight/reads/describe-read';
import type { PerfRead, PerfReport } from '../../insight/reads/reading';
import type { ReadOrigin } from '../../io/trace';
import { DARK_PALETTE, PALETTE } from '../drawing/drawing';
import { mapColours } from '../file-map/file-map-colours';
import { coverColour } from '../file-map/file-map-reads';
import { mapLayer, mapPixels } from '../file-map/file-map-texture';

/** The state of a stretch of the file after a read; `hidden` where it shows as it was before. */
export type PieceKind = 'memory' | 'store' | 'read' | 'again' | 'hidden';

/** A stretch of the file that a read had. */
export type FilmPiece = readonly [offset: number, length: number, kind: PieceKind];

/** A read as it is played. Times in seconds of the film. */
export interface FilmRead {
  from: number;
  /** When its first byte came; equal to `from` when that is not known. */
  answered: number;
  to: number;
  origin: ReadOrigin;
  /** Tree entry that needed it; -1 for none. */
  entry: number;
  /** All that it read, in pieces; none of what is decoded. */
  pieces: readonly FilmPiece[];
  /** A line about it. */
  text: string;
}

/** The colours of one theme, "#rrggbb". */
export interface FilmColours
  extends Record<LegendColour | 'paper' | 'ink' | 'faint' | 'grid' | 'wait' | 'mark', string> {
  pieces: Record<PieceKind | 'track', string>;
  /** The map's cells, row by row: "#rrggbb" and how many cells have it; '' after the end of the file. */
  cells: readonly (readonly [colour: string, cells: number])[];
}

export type LegendColour = ReadOrigin | 'wait' | 'mark' | 'again';

/** The reads of a file in time, with all that draws them. It is data alone: JSON holds it. */
export interface Film {
  title: string;
  /** Bytes of the file, and entries of the tree. */
  size: number;
  entries: number;
  /** Length in seconds, and what it is counted in. */
  end: number;
  unit: 's' | 'reads';
  /** In the order of their starts. */
  reads: readonly FilmRead[];
  map: { rows: number; cells: number; rowBytes: number };
  light: FilmColours;
  dark: FilmColours;
  /** Its colours in words. */
  legend: readonly (readonly [colour: LegendColour, text: string])[];
  /** Sentences on pauses and reads that are left out. */
  notes: readonly string[];
}

/** More reads than these are not played. */
const MAX_READS = 20_000;
/** A pause takes at most this part of the time in which something was read. */
const MAX_PAUSE = 0.05;
const ROWS = 32;
const CELLS = 480;

/** Makes the reads of a report ready to be played over the map of their file. */
export function readsFilm(report: PerfReport, map: FileMap): Film {
  const known = report.reads.filter(({ origin, length }) => origin === 'decode' || length > 0);
  const sorted = [...known].sort((a, b) => a.queued - b.queued || a.done - b.done);
  const played = sorted.slice(0, MAX_READS);
  const notes: string[] = [];
  if (sorted.length > played.length)
    notes.push(`The first ${formatCount(MAX_READS)} of ${formatCount(sorted.length)} reads are played.`);
  const isTimed = played.some(({ done }) => done > (played[0]?.queued ?? 0));
  if (!isTimed && played.length > 0)
    notes.push('The trace has no times: reads are played one after another.');
  const { shifts, left } = isTimed ? withoutPauses(played) : { shifts: [], left: 0 };
  if (left > 0) notes.push(`Pauses of ${formatDuration(left * 1000)} between reads are left out.`);
  const piecesOf = pieceMaker(map.size);
  // Bytes are covered in the order in which they came.
  const inOrder = Array.from(played.keys()).sort((a, b) => (played[a]?.done ?? 0) - (played[b]?.done ?? 0));
  const pieces: FilmPiece[][] = [];
  for (const i of inOrder) pieces[i] = piecesOf(played[i]);
  const reads = played.map((read, i): FilmRead => {
    const { origin, entry, queued, started, answered, done } = read;
    const time = (at: number): number => (isTimed ? Math.max(0, at - (shifts[i] ?? 0)) : 0);
    return {
      from: isTimed ? time(Math.min(queued, done)) : i,
      answered: isTimed ? time(Math.min(done, Math.max(started, answered))) : i,
      to: isTimed ? time(done) : i + 1,
      ...{ origin, entry, pieces: pieces[i] ?? [], text: printableText(describeRead(read)) },
    };
  });
  return {
    title: printableText(`${report.tree} in ${report.file.split('/').pop() ?? ''}, read by ${report.by}`),
    size: map.size,
    entries: Math.max(
      1,
      ...map.layouts.filter(({ tree }) => tree.path === report.tree).map(({ tree }) => tree.entries),
    ),
    end: reads.reduce((last, { to }) => Math.max(last, to), 0),
    unit: isTimed ? 's' : 'reads',
    reads,
    map: { rows: ROWS, cells: CELLS, rowBytes: Math.max(1, map.size / ROWS) },
    light: coloursOf(map, false),
    dark: coloursOf(map, true),
    legend: legendOf(reads),
    notes,
  };
}

const LEGEND: readonly (readonly [LegendColour, string])[] = [
  ['wait', 'waiting'],
  ['network', 'from the network'],
  ['disk', 'from disk'],
  ['store', 'from the cache on this machine'],
  ['memory', 'from memory'],
  ['again', 'read again'],
  ['decode', 'decoding'],
];

/** The colours that the reads have, and that of the current one. */
function legendOf(reads: readonly FilmRead[]): Film['legend'] {
  const shown = new Set<LegendColour>(reads.map(({ origin }) => origin));
  if (reads.some(({ from, answered }) => answered > from)) shown.add('wait');
  if (reads.some(({ pieces }) => pieces.some(([, , kind]) => kind === 'again'))) shown.add('again');
  return [...LEGEND.filter(([colour]) => shown.has(colour)), ['mark', 'now']];
}

/** Seconds that each read is earlier without the longest pauses, and what is left out in all. Sorted by start. */
function withoutPauses(reads: readonly PerfRead[]): { shifts: number[]; left: number } {
  const gaps: [read: number, seconds: number][] = [];
  let busy = 0;
  let until = reads[0]?.queued ?? 0;
  reads.forEach(({ queued, done }, i) => {
    if (queued > until) gaps.push([i, queued - until]);
    busy += Math.max(0, done - Math.max(until, queued));
    until = Math.max(until, done);
  });
  const longest = busy > 0 ? MAX_PAUSE * busy : Number.POSITIVE_INFINITY;
  const first = reads[0]?.queued ?? 0;
  const shifts: number[] = [];
  let left = 0;
  let at = 0;
  for (const [read, seconds] of [...gaps, [reads.length, 0] as const]) {
    for (; at < read; at++) shifts.push(first + left);
    left += Math.max(0, seconds - longest);
  }
  return { shifts, left };
}

/** Divides what is read into pieces by what was read before. */
function pieceMaker(size: number): (read: PerfRead | undefined) => FilmPiece[] {
  const any = createCover();
  const source = createCover();
  return (read) => {
    if (read === undefined || read.origin === 'decode' || read.failed !== undefined) return [];
    const { origin } = read;
    const asked = origin === 'network' || origin === 'disk';
    return (read.ranges ?? [read]).flatMap(({ offset, length }) => {
      const end = Math.min(size, offset + length);
      if (end <= offset) return [];
      const parts = (origin === 'memory' ? any : source).split(offset, end);
      any.add(offset, end);
      if (asked) source.add(offset, end);
      const fresh: PieceKind = asked ? 'read' : origin === 'memory' ? 'memory' : 'store';
      return parts.map(([from, to, before]): FilmPiece => {
        const kind = !before ? fresh : asked ? 'again' : 'hidden';
        return [from, to - from, kind];
      });
    });
  };
}

/** A set of bytes, as stretches that do not touch. */
function createCover() {
  const starts: number[] = [];
  const ends: number[] = [];
  /** The first stretch that ends at or after a byte. */
  const firstAt = (byte: number): number => firstIndex(ends.length, (i) => (ends[i] ?? 0) >= byte);
  return {
    /** The parts of a stretch, in their order, and whether each is in the set. */
    split(from: number, to: number): [from: number, to: number, covered: boolean][] {
      const parts: [number, number, boolean][] = [];
      let at = from;
      for (let i = firstAt(from); i < starts.length && (starts[i] ?? 0) < to; i++) {
        const start = Math.max(at, starts[i] ?? 0);
        const end = Math.min(to, ends[i] ?? 0);
        if (end <= start) continue;
        if (start > at) parts.push([at, start, false]);
        parts.push([start, end, true]);
        at = end;
      }
      if (at < to) parts.push([at, to, false]);
      return parts;
    },
    add(from: number, to: number): void {
      const first = firstAt(from);
      let after = first;
      let start = from;
      let end = to;
      for (; after < starts.length && (starts[after] ?? 0) <= to; after++) {
        start = Math.min(start, starts[after] ?? 0);
        end = Math.max(end, ends[after] ?? 0);
      }
      starts.splice(first, after - first, start);
      ends.splice(first, after - first, end);
    },
  };
}

function coloursOf(map: FileMap, dark: boolean): FilmColours {
  const { ink, faint, grid, paper, network, disk, memory, store, decode, wait } = dark
    ? DARK_PALETTE
    : PALETTE;
  const piece = (kind: 'read' | 'again' | 'store' | 'memory' | 'none') => coverColour(kind, false, dark);
  const { base } = mapColours(map, { dark, colouring: 'branch', chosen: undefined });
  const window = { from: 0, rowBytes: Math.max(1, map.size / ROWS), rows: ROWS, width: CELLS };
  const cells: [string, number][] = [];
  let before = -1;
  for (const pixel of mapPixels(window, mapLayer(map.start, base))) {
    // Four bits of each colour: neighbours that hardly differ are one.
    const colour = pixel === 0 ? 0 : ((pixel & 0xf0f0f0) | 0x080808) >>> 0;
    if (colour === before) cells[cells.length - 1] = [cells.at(-1)?.[0] ?? '', (cells.at(-1)?.[1] ?? 0) + 1];
    else cells.push([colour === 0 ? '' : hex(colour), 1]);
    before = colour;
  }
  return {
    ...{
      ink,
      faint,
      grid,
      paper,
      network,
      disk,
      memory,
      store,
      decode,
      wait,
      mark: ink,
      again: piece('again'),
    },
    pieces: {
      track: piece('none'),
      hidden: piece('none'),
      ...{ read: piece('read'), again: piece('again'), store: piece('store'), memory: piece('memory') },
    },
    cells,
  };
}

/** "#rrggbb" of a packed pixel, whose lowest byte is red. */
function hex(pixel: number): string {
  const rgb = ((pixel & 255) << 16) | (pixel & 0xff00) | ((pixel >> 16) & 255);
  return `#${((1 << 24) | rgb).toString(16).slice(-6)}`;
}
