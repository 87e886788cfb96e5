import type { SegmentKind } from '../../../api/insight';
import type { Reading } from '../../../api/reading';
import { formatBytes, formatCount } from '../../../base/format';
import { type CoverKind, coverKinds, coverLabels, type ReadCover } from '../../../reads/read-cover';
import { column, type Report } from '../../../report/report';
import { bytesByKind, kindLabels } from './map';
import type { ChosenBranches } from './map-branches';
import type { MapResult } from './read-map';

/** Letters of kinds, for output without colours. */
export const kindLetters: Record<SegmentKind, string> = {
  unknown: '?',
  header: 'H',
  directory: 'D',
  keys: 'K',
  streamers: 'S',
  freelist: 'F',
  free: '.',
  gap: '-',
  tree: 'T',
  ntuple: 'N',
  basket: '=',
  page: '=',
  blob: 'B',
  object: 'O',
  behind: '!',
};

/** Letter of a chosen branch: 1 to 9, then small letters. */
export function chosenLetter(index: number): string {
  return index < 9 ? String(index + 1) : String.fromCharCode(97 + ((index - 9) % 26));
}

/** Letters below the map for the reads of its bytes. */
export const coverLetters: Record<CoverKind, string> = {
  none: ' ',
  memory: 'm',
  store: 'c',
  read: '^',
  again: '*',
};

/** A saved reading, and the bytes of the file that it covers. */
export interface Laid {
  report: Pick<Reading, 'by' | 'file'>;
  cover: ReadCover;
}

/** The map of a file, with what is marked on it. */
export interface MarkedMap extends MapResult {
  name: string;
  chosen: ChosenBranches;
  laid: readonly Laid[];
}

interface Row {
  letter: string;
  bytes: number;
  share: number;
  pieces: number;
  what: string;
}

const COLUMNS = [
  column<Row>('letter', '', 'text', ({ letter }) => letter),
  column<Row>('bytes', 'Bytes', 'count', ({ bytes }) => bytes),
  column<Row>('share', 'Share', 'percent', ({ share }) => share, {
    text: ({ share }) => `${(100 * share).toFixed(2)} %`,
  }),
  column<Row>('pieces', 'Pieces', 'count', ({ pieces }) => pieces),
  column<Row>('what', 'What', 'text', ({ what }) => what),
];

/** Overlaps that are named. */
const NAMED = 10;

/** The bytes of each kind, of the chosen branches, and of what reads covered. */
export function mapReport({ name, map, notes, chosen, laid }: MarkedMap): Report {
  const row = (letter: string, bytes: number, pieces: number, what: string): Row => ({
    ...{ letter, bytes, pieces, what },
    share: bytes / map.size,
  });
  const kinds = bytesByKind(map);
  const rows = [
    ...kinds.map(({ kind, bytes, segments }) => row(kindLetters[kind], bytes, segments, kindLabels[kind])),
    ...chosen.patterns.map((pattern, i) => {
      const { storedBytes = 0, baskets = 0 } = chosen.sums[i] ?? {};
      return row(chosenLetter(i), storedBytes, baskets, pattern);
    }),
    ...laid.flatMap(({ report, cover }) =>
      coverKinds
        .filter((kind) => kind !== 'none' && cover.bytes[kind] > 0)
        .map((kind) =>
          row(coverLetters[kind], cover.bytes[kind], cover.reads, `${coverLabels[kind]} by ${report.by}`),
        ),
    ),
  ];
  const unknown = kinds.find(({ kind }) => kind === 'unknown');
  const { overlaps } = map;
  return {
    title: `${name}: ${formatBytes(map.size)}`,
    tables: [{ id: 'kinds', columns: COLUMNS, rows }],
    notes: [
      ...laid.filter(({ cover }) => cover.beyond > 0).map(beyondText),
      ...(unknown !== undefined && map.walked === undefined
        ? [`${formatBytes(unknown.bytes)} are in no list of the file; --walk names them.`]
        : []),
      ...notes,
      ...overlaps
        .slice(0, NAMED)
        .map(
          ({ offset, length, shown, hidden }) =>
            `overlap: ${length} bytes from ${offset} are claimed by ${shown} and ${hidden}`,
        ),
      ...(overlaps.length > NAMED ? [`overlap: … and ${overlaps.length - NAMED} more`] : []),
    ],
  };
}

function beyondText({ report, cover: { beyond } }: Laid): string {
  const reads = `${formatCount(beyond)} ${beyond === 1 ? 'read lies' : 'reads lie'}`;
  return `${reads} behind the end of this file; they are of ${report.file}`;
}
