import { formatBytes, formatCount } from '../../base/format';
import { notFound } from '../../base/suggest';
import { type ClusterExtent, clusterExtents, clustersOf } from '../../insight/doctor/layout-stats';
import { bytesByKind, type FileMap, kindLabels, segmentKinds, segmentName } from '../../insight/map/map';
import { type ChosenBranches, chooseOnMap } from '../../insight/map/map-branches';
import { type MapResult, readMap } from '../../insight/map/read-map';
import { coverKinds, coverLabels, type ReadCover, readCover } from '../../insight/reads/read-cover';
import type { Reading } from '../../insight/reads/reading';
import { together } from '../../insight/reads/reading';
import { type MapColouring, mapColourings } from '../../plot/file-map/file-map-colours';
import { UsageError } from '../arguments';
import { command } from '../command';
import { type Context, progressLine, withFile } from '../context';
import { commonOptions, FILE_TEXT, flag, valued } from '../options';
import { readingsOfFile, savedReadings } from '../saved-report';
import { pictureOptions, wantsPicture, writePicture } from '../terminal/picture';
import { right, tableLines } from '../terminal/table';
import {
  chosenLetter,
  colourMap,
  coverLetters,
  coverRows,
  kindLetters,
  letterMap,
} from '../terminal/terminal-map';

const FITTED_ROWS = 24;
const MAX_ROWS = 10_000;

export const map = command({
  usage: ['FILE'],
  about: `Draws what lies where in a file, from its first byte to its last: the baskets of each tree (the pages
of each RNTuple), the trees' own records, keys, directories, streamer infos, free space. It is known
from metadata alone; no basket is read. ${FILE_TEXT}`,
  options: {
    branches: valued(
      'NAMES',
      'gives the baskets of these branches a colour (a digit where there are no colours); names are separated ' +
        'by commas, * stands for any characters, ? for one',
      { multiple: true },
    ),
    walk: flag(
      'walks the records where the metadata do not say what lies there, as around the pages of an RNTuple, and ' +
        'reads those bytes',
    ),
    reads: valued(
      'TRACE',
      'lays reads over it: the TTreePerfStats in a perfstat.root, what "xylem perf --save" wrote, or a trace of ' +
        'another program, as docs/traces.md lists them; may be repeated. In the picture it is a strip below each row, in text a line of ^ where bytes were read, * where ' +
        'more than once, c and m where they came from the cache or from memory',
      { multiple: true },
    ),
    rows: valued('BYTES', 'bytes of a row, for example 1000000; default: the whole file in 24 rows'),
    colours: valued(
      'BY',
      'in the picture, baskets have the colour of their branch (default), of their entries, or of their kind: ' +
        'branch, entries, kind',
      { choices: mapColourings },
    ),
    ...pictureOptions,
    ...commonOptions,
  },
  json: `{"size", "kinds": [{"kind", "bytes", "segments"}], "overlaps", "notes", "trees": [{"path",
"clusters": [{"firstEntry", "from", "to", "storedBytes"}]}], with --reads "reads": [{"by", "file", "reads",
"total", "beyond", "bytes": {"none", "memory", "store", "read", "again"}}], "segments": [{"offset", "length", "kind",
"name", and of a basket "tree", "branch", "firstEntry", "entries"}]}. The segments have every byte once.`,
  exit: '1 where two things claim the same bytes, or bytes stay unknown after a walk.',
  async run(given, [file = ''], context) {
    wantsPicture(given);
    const colouring = mapColourings.find((name) => name === given.colours) ?? 'branch';
    const rowBytes = given.rows === undefined ? undefined : Number(given.rows);
    if (rowBytes !== undefined && !(Number.isInteger(rowBytes) && rowBytes >= 64)) {
      throw new UsageError('--rows is a whole number of bytes, 64 or more.');
    }
    const traces: Reading[][] = [];
    for (const target of given.reads ?? []) traces.push(await savedReadings(target, given, context));
    return await withFile(file, given, context, async ({ reader, info }) => {
      const progress = progressLine(context);
      const result = await readMap(reader, info.id, { walk: given.walk, onProgress: progress.show });
      await progress.wipe();
      const chosen = chosenOf(result.map, given.branches);
      const { size } = result.map;
      const laid = traces.map((readings): Laid => {
        const report = together(readingsOfFile(readings, { name: info.name, size }));
        return { report, cover: readCover(report.reads, size) };
      });
      for (const { report, cover } of laid) warnOfOther(report, cover, context);
      if (given.json) await putJson(result, laid, context);
      else if (wantsPicture(given)) {
        const text = await svgOf(result.map, { chosen, colouring, rowBytes, title: info.name, laid });
        await writePicture(given, text, context);
      } else await putMap(result, chosen, { rowBytes, laid }, context);
      return tellFaults(result, context);
    });
  },
});

function chosenOf(map: FileMap, lists: string[] | undefined): ChosenBranches {
  const patterns = (lists ?? []).flatMap((list) => list.split(',')).map((name) => name.trim());
  const chosen = chooseOnMap(map.layouts, [...new Set(patterns.filter((name) => name !== ''))]);
  const missing = chosen.patterns.find((_, i) => chosen.sums[i]?.branches === 0);
  if (missing === undefined) return chosen;
  const there = map.layouts.flatMap(({ tree }) => tree.branches.map(({ path }) => path));
  throw notFound('branch', missing, there);
}

/** A saved reading, and the bytes of the file that it covers. */
interface Laid {
  report: Reading;
  cover: ReadCover;
}

function warnOfOther({ file }: Reading, { beyond }: ReadCover, { err }: Context): void {
  if (beyond === 0) return;
  const reads = `${formatCount(beyond)} ${beyond === 1 ? 'read lies' : 'reads lie'}`;
  err.line(`note: ${reads} behind the end of this file; they are of ${file}`);
}

interface SvgGiven {
  chosen: ChosenBranches;
  colouring: MapColouring;
  rowBytes: number | undefined;
  title: string;
  laid: readonly Laid[];
}

async function svgOf(map: FileMap, { laid, ...given }: SvgGiven): Promise<string> {
  const { fileMapSvg } = await import('../../plot/file-map/file-map-svg');
  const name = given.title.split('/').pop() ?? given.title;
  return fileMapSvg(map, {
    ...given,
    title: name,
    reads: laid.map(({ report, cover }) => ({ cover, other: report.by !== 'xylem', by: report.by })),
    borders: Float64Array.from(extentsOf(map), ({ from }) => from),
  });
}

function extentsOf({ layouts }: FileMap): ClusterExtent[] {
  return layouts
    .filter((layout) => clustersOf(layout).length > 0)
    .flatMap(clusterExtents)
    .filter(({ from }) => Number.isFinite(from));
}

async function putMap(
  { map }: MapResult,
  chosen: ChosenBranches,
  given: { rowBytes: number | undefined; laid: readonly Laid[] },
  context: Context,
): Promise<void> {
  const { out } = context;
  const rowBytes = given.rowBytes ?? Math.max(64, map.size / FITTED_ROWS);
  const rows = Math.min(MAX_ROWS, Math.max(1, Math.ceil(map.size / rowBytes)));
  const coloured = out.columns !== undefined && !process.env.NO_COLOR;
  const draw = coloured ? colourMap : letterMap;
  const put = (line: string): void => (coloured ? out.styled(`${line}\n`) : out.line(line));
  const area = { width: out.columns ?? 80, rows, rowBytes };
  const covers = given.laid.map(({ cover }) => cover);
  const below = covers.length > 0 ? coverRows(covers, area) : [];
  for (const [i, line] of draw(map, { ...area, chosen }).entries()) {
    put(line);
    if (below[i]) out.line(below[i]);
    await out.drain();
  }
  out.line();
  const columns = ['', right('Bytes'), right('Share'), right('Pieces'), 'What'] as const;
  const row = (letter: string, bytes: number, pieces: number, what: string): string[] => [
    letter,
    formatCount(bytes),
    `${((100 * bytes) / map.size).toFixed(2)} %`,
    formatCount(pieces),
    what,
  ];
  const kinds = bytesByKind(map).map(({ kind, bytes, segments }) =>
    row(kindLetters[kind], bytes, segments, kindLabels[kind]),
  );
  const patterns = chosen.patterns.map((pattern, i) => {
    const { storedBytes = 0, baskets = 0 } = chosen.sums[i] ?? {};
    return row(chosenLetter(i), storedBytes, baskets, pattern);
  });
  const readings = given.laid.flatMap(({ report, cover }) =>
    coverKinds
      .filter((kind) => kind !== 'none' && cover.bytes[kind] > 0)
      .map((kind) =>
        row(coverLetters[kind], cover.bytes[kind], cover.reads, `${coverLabels[kind]} by ${report.by}`),
      ),
  );
  for (const line of tableLines(columns, [...kinds, ...patterns, ...readings])) out.line(line);
  const unknown = bytesByKind(map).find(({ kind }) => kind === 'unknown');
  if (unknown !== undefined && map.walked === undefined) {
    context.err.line(`${formatBytes(unknown.bytes)} are in no list of the file; --walk names them.`);
  }
}

async function putJson({ map, notes }: MapResult, laid: readonly Laid[], { out }: Context): Promise<void> {
  const { size, overlaps, layouts } = map;
  const trees = layouts.map((layout) => ({
    path: layout.tree.path,
    clusters:
      clustersOf(layout).length === 0
        ? []
        : clusterExtents(layout).filter(({ storedBytes }) => storedBytes > 0),
  }));
  out.put(
    `{"size": ${size}, "kinds": ${JSON.stringify(bytesByKind(map))}, "overlaps": ${JSON.stringify(overlaps)}, `,
  );
  out.put(`"notes": ${JSON.stringify(notes)}, "trees": ${JSON.stringify(trees)}, `);
  if (laid.length > 0) out.put(`"reads": ${JSON.stringify(laid.map(laidJson))}, `);
  out.put('"segments": [');
  for (let i = 0; i < map.count; i++) {
    const offset = map.start[i] ?? 0;
    const layout = layouts[map.tree[i] ?? -1];
    const branch = layout?.tree.branches[map.branch[i] ?? -1];
    const segment = {
      offset,
      length: (map.start[i + 1] ?? 0) - offset,
      kind: segmentKinds[map.kind[i] ?? 0],
      name: segmentName(map, i),
      ...(layout && branch
        ? {
            tree: layout.tree.path,
            branch: branch.path,
            firstEntry: layout.firstEntry[map.item[i] ?? 0],
            entries: layout.entries[map.item[i] ?? 0],
          }
        : {}),
    };
    out.put(`${i > 0 ? ',' : ''}\n${JSON.stringify(segment)}`);
    await out.drain();
  }
  out.line(']}');
}

function laidJson({ report: { by, file }, cover: { reads, total, beyond, bytes } }: Laid): object {
  return { by, file, reads, total, beyond, bytes };
}

/** Reports contradictions. Status 1, because a map with such places does not describe the whole file. */
function tellFaults({ map, notes }: MapResult, { err }: Context): number {
  for (const note of notes) err.line(`note: ${note}`);
  for (const { offset, length, shown, hidden } of map.overlaps.slice(0, 10)) {
    err.line(`overlap: ${length} bytes from ${offset} are claimed by ${shown} and ${hidden}`);
  }
  if (map.overlaps.length > 10) err.line(`overlap: … and ${map.overlaps.length - 10} more`);
  const unknown = map.walked !== undefined && map.kind.includes(segmentKinds.indexOf('unknown'));
  return map.overlaps.length > 0 || unknown ? 1 : 0;
}
