import { type Reading, together } from '../../api/reading';
import { flag, listOf, NUMBER, oneOf, optional, type Shape, TEXT, whole } from '../../base/shape';
import { notFound } from '../../base/suggest';
import { type ClusterExtent, clusterExtents, clustersOf } from '../../reads/layout-stats';
import { readCover } from '../../reads/read-cover';
import { readingsOf } from '../../reads/readings-of';
import { FILE } from '../../verbs/params';
import { namedReadings } from '../../verbs/readings';
import { verb } from '../../verbs/verb';
import { mapColourings } from './work/file-map-colours';
import { bytesByKind, type FileMap, segmentKinds, segmentName, unknownRanges } from './work/map';
import { type ChosenBranches, chooseOnMap } from './work/map-branches';
import { type Laid, type MarkedMap, mapReport } from './work/map-report';
import { readMap } from './work/read-map';

/** Bytes of a row; 1e6 is a number, too. */
const ROW: Shape<number> = {
  ...whole(64),
  parse(word) {
    const value = NUMBER.parse?.(word);
    return value !== undefined && whole(64).is(value) ? value : undefined;
  },
};

export const map = verb({
  name: 'map',
  words: 'FILE',
  about: `Draws what lies where in a file, from its first byte to its last: the baskets of each tree (the pages
of each RNTuple), the trees' own records, keys, directories, streamer infos, free space. It is known
from metadata alone; no basket is read. FILE is a path or an http(s) URL.`,
  examples: [
    ['sample.root', 'every byte of a file'],
    ['sample.root --branches Muon_pt --svg map.svg', 'where a branch lies, as a picture'],
  ],
  params: {
    file: FILE,
    branches: optional(
      listOf(TEXT),
      'NAMES',
      'gives the baskets of these branches a colour (a digit where there are no colours); names are separated ' +
        'by commas, * stands for any characters, ? for one',
    ),
    walk: flag(
      'walks the records where the metadata do not say what lies there, as around the pages of an RNTuple, and ' +
        'reads those bytes',
    ),
    reads: optional(
      listOf(TEXT),
      'TRACE',
      'lays reads over it: the TTreePerfStats in a perfstat.root, what "xylem perf --save" wrote, or a trace of ' +
        'another program, as docs/features/traces.md lists them; may be repeated. In the picture it is a strip below each row, in text a line of ^ where bytes were read, * where ' +
        'more than once, c and m where they came from the cache or from memory',
    ),
    rows: optional(ROW, 'BYTES', 'bytes of a row, for example 1000000; default: the whole file in 24 rows'),
    colours: optional(
      oneOf(...mapColourings),
      'BY',
      'in the picture, baskets have the colour of their branch (default), of their entries, or of their kind: ' +
        'branch, entries, kind',
    ),
  },
  json: `{"size", "kinds": [{"kind", "bytes", "segments"}], "overlaps", "notes", "trees": [{"path",
"clusters": [{"firstEntry", "from", "to", "storedBytes"}]}], with --reads "reads": [{"by", "file", "reads",
"total", "beyond", "bytes": {"none", "memory", "store", "read", "again"}}], "segments": [{"offset", "length", "kind",
"name", and of a basket "tree", "branch", "firstEntry", "entries"}]}. The segments have every byte once.`,
  exit: '1 where two things claim the same bytes, or bytes stay unknown after a walk.',
  async run({ file, branches, walk, reads = [] }, call): Promise<MarkedMap> {
    const traces: Reading[][] = [];
    for (const trace of reads) traces.push(await namedReadings(trace, call));
    return await call.withFile(file, async ({ reader, info, path }) => {
      const { name } = info;
      const { signal, onProgress } = call;
      const found = await readMap(reader, info.id, { walk, signal, onProgress });
      const { size } = found.map;
      const laid = traces.map((readings): Laid => {
        const report = together(readingsOf(readings, { name: path, size }));
        return { report, cover: readCover(report.reads, size) };
      });
      return { ...found, name, chosen: chosenOf(found.map, branches), laid };
    });
  },
  report: mapReport,
  // A map with such places does not describe the whole file.
  status({ map }) {
    const unknown = map.walked !== undefined && map.kind.includes(segmentKinds.indexOf('unknown'));
    return map.overlaps.length > 0 || unknown ? 1 : 0;
  },
  toJson: mapJson,
  outputs: {
    svg: {
      about: 'write a picture to the file OUT ("-" is stdout)',
      whole: true,
      isPicture: true,
      async make({ map, name, chosen, laid }, { colours = 'branch', rows }) {
        const { fileMapSvg } = await import('./work/file-map-svg');
        return fileMapSvg(map, {
          ...{ chosen, colouring: colours, rowBytes: rows, title: name.split('/').pop() ?? name },
          reads: laid.map(({ report, cover }) => ({ cover, other: report.by !== 'xylem', by: report.by })),
          borders: Float64Array.from(extentsOf(map), ({ from }) => from),
        });
      },
    },
  },
  tool: {
    title: 'What lies where in a file',
    description:
      'The bytes of baskets, records of trees, keys, streamer infos and free space of a file, and what two things claim. From metadata alone; with walk it reads the bytes that no list names.',
    without: ['reads', 'rows', 'colours'],
    text: true,
    async cost({ file, walk }, call) {
      const what = 'the bytes that no list of the file names';
      if (!walk) return { bytes: 0, requests: 0, what };
      return await call.withFile(file, async ({ reader, info }) => {
        const { map } = await readMap(reader, info.id, { signal: call.signal });
        const holes = unknownRanges(map);
        return { bytes: holes.reduce((sum, { length }) => sum + length, 0), requests: holes.length, what };
      });
    },
  },
});

function chosenOf(map: FileMap, lists: readonly string[] = []): ChosenBranches {
  const patterns = lists.flatMap((list) => list.split(',')).map((name) => name.trim());
  const chosen = chooseOnMap(map.layouts, [...new Set(patterns.filter((name) => name !== ''))]);
  const missing = chosen.patterns.find((_, i) => chosen.sums[i]?.branches === 0);
  if (missing === undefined) return chosen;
  const there = map.layouts.flatMap(({ tree }) => tree.branches.map(({ path }) => path));
  throw notFound('branch', missing, there);
}

function extentsOf({ layouts }: FileMap): ClusterExtent[] {
  return layouts
    .filter((layout) => clustersOf(layout).length > 0)
    .flatMap(clusterExtents)
    .filter(({ from }) => Number.isFinite(from));
}

function* mapJson({ map, notes, laid }: MarkedMap): Generator<string> {
  const { size, overlaps, layouts } = map;
  const trees = layouts.map((layout) => ({
    path: layout.tree.path,
    clusters:
      clustersOf(layout).length === 0
        ? []
        : clusterExtents(layout).filter(({ storedBytes }) => storedBytes > 0),
  }));
  yield `{"size": ${size}, "kinds": ${JSON.stringify(bytesByKind(map))}, "overlaps": ${JSON.stringify(overlaps)}, `;
  yield `"notes": ${JSON.stringify(notes)}, "trees": ${JSON.stringify(trees)}, `;
  if (laid.length > 0) yield `"reads": ${JSON.stringify(laid.map(laidJson))}, `;
  yield '"segments": [';
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
    yield `${i > 0 ? ',' : ''}\n${JSON.stringify(segment)}`;
  }
  yield ']}';
}

function laidJson({ report: { by, file }, cover: { reads, total, beyond, bytes } }: Laid): object {
  return { by, file, reads, total, beyond, bytes };
}
