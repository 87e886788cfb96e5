import { coverKinds, type ReadCover } from '../../../reads/read-cover';
import { mapColours } from '../work/file-map-colours';
import { placeText } from '../work/file-map-place';
import { mapLayer, mapPixels } from '../work/file-map-texture';
import type { FileMap } from '../work/map';
import { segmentKinds } from '../work/map';
import type { ChosenBranches } from '../work/map-branches';
import { chosenLetter, coverLetters, kindLetters } from '../work/map-report';

export interface TerminalMapOptions {
  width: number;
  rows: number;
  rowBytes: number;
  chosen: ChosenBranches;
}

const LABEL_WIDTH = 10;

/**
 * A map in letters: a cell shows the chosen branch that has most bytes in it, else the kind that has. Cells
 * after the file's end are empty.
 */
export function letterMap(map: FileMap, { width, rows, rowBytes, chosen }: TerminalMapOptions): string[] {
  const columns = Math.max(10, width - LABEL_WIDTH);
  const classes = segmentKinds.length + chosen.patterns.length;
  const bytes = new Float64Array(columns * rows * classes);
  const cellBytes = rowBytes / columns;
  for (let i = 0; i < map.count; i++) {
    const group = chosen.groups[map.tree[i] ?? -1]?.[map.branch[i] ?? -1] ?? -1;
    const what = group >= 0 ? segmentKinds.length + group : (map.kind[i] ?? 0);
    const end = map.start[i + 1] ?? 0;
    for (let at = map.start[i] ?? 0; at < end; ) {
      const cell = Math.floor(at / cellBytes);
      const stop = Math.max(Math.min(end, (cell + 1) * cellBytes), at + 1);
      const place = cell * classes + what;
      if (cell < columns * rows) bytes[place] = (bytes[place] ?? 0) + stop - at;
      at = stop;
    }
  }
  const letter = (cell: number): string => {
    const here = bytes.subarray(cell * classes, (cell + 1) * classes);
    const marked = largest(here, segmentKinds.length, classes);
    if (marked >= 0) return chosenLetter(marked - segmentKinds.length);
    const kind = segmentKinds[largest(here, 0, segmentKinds.length)];
    return kind === undefined ? ' ' : kindLetters[kind];
  };
  return Array.from({ length: rows }, (_, row) => {
    const cells = Array.from({ length: columns }, (_, column) => letter(row * columns + column));
    return `${label(row, rowBytes)}${cells.join('')}`.trimEnd();
  });
}

/** Below each row of a map: for each cell the strongest read of any of its bytes, in all readings. */
export function coverRows(
  covers: readonly ReadCover[],
  { width, rows, rowBytes }: Pick<TerminalMapOptions, 'width' | 'rows' | 'rowBytes'>,
): string[] {
  const columns = Math.max(10, width - LABEL_WIDTH);
  const cellBytes = rowBytes / columns;
  const most = new Uint8Array(columns * rows);
  for (const { start, kind } of covers) {
    for (const [i, rank] of kind.entries()) {
      const first = Math.floor((start[i] ?? 0) / cellBytes);
      const last = Math.min(most.length, Math.ceil((start[i + 1] ?? 0) / cellBytes));
      for (let cell = first; cell < last; cell++) most[cell] = Math.max(most[cell] ?? 0, rank);
    }
  }
  return Array.from({ length: rows }, (_, row) => {
    const cells = most.subarray(row * columns, (row + 1) * columns);
    const text = Array.from(cells, (rank) => coverLetters[coverKinds[rank] ?? 'none']).join('');
    return (' '.repeat(LABEL_WIDTH) + text).trimEnd();
  });
}

function largest(values: Float64Array, from: number, to: number): number {
  let best = -1;
  for (let i = from; i < to; i++) if ((values[i] ?? 0) > (best < 0 ? 0 : (values[best] ?? 0))) best = i;
  return best;
}

/** A map in 24-bit colours of a terminal, two rows of bytes in a line. */
export function colourMap(map: FileMap, { width, rows, rowBytes, chosen }: TerminalMapOptions): string[] {
  const columns = Math.max(10, width - LABEL_WIDTH);
  const colours = mapColours(map, { dark: true, colouring: 'branch', chosen });
  const over = colours.chosen && mapLayer(map.start, colours.chosen);
  const window = { from: 0, rowBytes: rowBytes / 2, rows: rows * 2, width: columns };
  const pixels = mapPixels(window, mapLayer(map.start, colours.base), over);
  return Array.from({ length: rows }, (_, row) => {
    const cells = Array.from({ length: columns }, (_, column) => {
      const top = pixels[2 * row * columns + column] ?? 0;
      const bottom = pixels[(2 * row + 1) * columns + column] ?? 0;
      if (top === 0) return ' ';
      return bottom === 0 ? `${paint(38, top)}▀\u001b[0m` : `${paint(38, top)}${paint(48, bottom)}▀\u001b[0m`;
    });
    return label(row, rowBytes) + cells.join('');
  });
}

function paint(target: 38 | 48, colour: number): string {
  return `\u001b[${target};2;${colour & 255};${(colour >> 8) & 255};${(colour >> 16) & 255}m`;
}

function label(row: number, rowBytes: number): string {
  return `${placeText(row * rowBytes, rowBytes).padStart(LABEL_WIDTH - 1)} `;
}
