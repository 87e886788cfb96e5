import type { TreeLayout } from '../../../api/api';
import type { FileRecords, RecordKind, WalkedRecords } from '../../../api/engine-api';
import type { KindSum, SegmentKind } from '../../../api/insight';
import { lastAtMost, own } from '../../../base/search';
import { sortedOrder } from '../../../base/sort';
import type { Range } from '../../../io/source';

/** Kinds of content of a file. `behind` is content after the end that the header gives. */
export const segmentKinds = [
  'unknown',
  'header',
  'directory',
  'keys',
  'streamers',
  'freelist',
  'free',
  'gap',
  'tree',
  'ntuple',
  'basket',
  'page',
  'blob',
  'object',
  'behind',
] as const satisfies readonly SegmentKind[];
/** The list that describes a segment: the file's records, baskets or parts of a layout, or a walk. */
export const segmentOrigins = ['none', 'record', 'basket', 'part', 'walk'] as const;

/** Two records or baskets that claim the same bytes. This happens only in damaged files. */
export interface Overlap {
  offset: number;
  length: number;
  /** The one that the map shows there, and the one that it hides. */
  shown: string;
  hidden: string;
}

/**
 * A file from its first to its last byte, as segments without gaps. Segment `i` extends from `start[i]` to `start[i +
 * 1]`.
 */
export interface FileMap {
  size: number;
  count: number;
  /** Length: count + 1. */
  start: Float64Array;
  /** Index in `segmentKinds`. */
  kind: Uint8Array;
  /** Index in `layouts` of the tree of a basket, page or part; -1 for none. */
  tree: Int32Array;
  /** Index of the branch in that tree; -1 for none. */
  branch: Int32Array;
  /** Index in `segmentOrigins`, and index in the list that it names. */
  origin: Uint8Array;
  item: Int32Array;
  layouts: readonly TreeLayout[];
  records: FileRecords;
  walked: WalkedRecords | undefined;
  overlaps: Overlap[];
}

export interface MapInput {
  records: FileRecords;
  /** Layouts of the known trees. Shared baskets belong to the first tree. */
  layouts: readonly TreeLayout[];
  /** Records found by a walk in ranges that the other lists do not describe. */
  walked?: WalkedRecords | undefined;
}

/** Maximum number of listed overlaps, because a damaged file may have any number. */
const MAX_OVERLAPS = 1000;

const kindOf = (kind: SegmentKind): number => segmentKinds.indexOf(kind);
const UNKNOWN = kindOf('unknown');

/** Claims on ranges of bytes, stored as columns. */
class Claims {
  readonly offset: Float64Array;
  readonly end: Float64Array;
  readonly kind: Uint8Array;
  readonly tree: Int32Array;
  readonly branch: Int32Array;
  readonly origin: Uint8Array;
  readonly item: Int32Array;
  count = 0;

  constructor(capacity: number) {
    this.offset = new Float64Array(capacity);
    this.end = new Float64Array(capacity);
    this.kind = new Uint8Array(capacity);
    this.tree = new Int32Array(capacity);
    this.branch = new Int32Array(capacity);
    this.origin = new Uint8Array(capacity);
    this.item = new Int32Array(capacity);
  }

  add(offset: number, end: number, kind: number, origin: number, item: number, tree = -1, branch = -1): void {
    const i = this.count++;
    this.offset[i] = offset;
    this.end[i] = end;
    this.kind[i] = kind;
    this.tree[i] = tree;
    this.branch[i] = branch;
    this.origin[i] = origin;
    this.item[i] = item;
  }
}

/** Combines everything known about a file to a map. */
export function fileMap({ records, layouts, walked }: MapInput): FileMap {
  const claims = metadataClaims(records, layouts);
  const size = records.size;
  const map = lay(claims, size, { records, layouts, walked: undefined });
  return walked === undefined ? map : fillHoles(map, walked);
}

/** Returns the ranges of the file that a map does not name. Each should begin with a record. */
export function unknownRanges(map: FileMap): Range[] {
  const ranges: Range[] = [];
  for (let i = 0; i < map.count; i++) {
    if (map.kind[i] !== UNKNOWN) continue;
    const offset = map.start[i] ?? 0;
    ranges.push({ offset, length: (map.start[i + 1] ?? 0) - offset });
  }
  return ranges;
}

export function segmentAt(map: FileMap, byte: number): number {
  return lastAtMost(map.start, map.count, byte);
}

/** Returns the piece of the file that holds a byte. */
export function pieceAt(map: FileMap, byte: number): { offset: number; length: number } {
  const segment = segmentAt(map, byte);
  const offset = map.start[segment] ?? 0;
  return { offset, length: (map.start[segment + 1] ?? 0) - offset };
}

function metadataClaims(records: FileRecords, layouts: readonly TreeLayout[]): Claims {
  const baskets = layouts.reduce((sum, { offset, parts }) => sum + offset.length + parts.length, 0);
  const claims = new Claims(records.records.length + baskets + 1);
  for (const [i, { kind, offset, length }] of records.records.entries()) {
    claims.add(offset, offset + length, kindOf(kind), 1, i);
  }
  if (records.end < records.size) claims.add(records.end, records.size, kindOf('behind'), 0, 0);
  for (const [t, layout] of layouts.entries()) {
    const { basketStart, offset, storedBytes, parts, tree } = layout;
    const kind = kindOf(tree.kind === 'TTree' ? 'basket' : 'page');
    for (let b = 0; b + 1 < basketStart.length; b++) {
      const last = basketStart[b + 1] ?? 0;
      for (let i = basketStart[b] ?? 0; i < last; i++) {
        const at = offset[i] ?? 0;
        const bytes = storedBytes[i] ?? 0;
        if (at > 0 && bytes > 0) claims.add(at, at + bytes, kind, 2, i, t, b);
      }
    }
    for (const [i, part] of parts.entries()) {
      if (part.length > 0) claims.add(part.offset, part.offset + part.length, kindOf('ntuple'), 3, i, t);
    }
  }
  return claims;
}

/** Sorts claims. Bytes claimed twice belong to the claim that begins first. */
function lay(claims: Claims, size: number, rest: Pick<FileMap, 'records' | 'layouts' | 'walked'>): FileMap {
  const order = sortedOrder(claims.offset.subarray(0, claims.count));
  const capacity = 2 * claims.count + 1;
  const map: FileMap = {
    size,
    count: 0,
    start: new Float64Array(capacity + 1),
    kind: new Uint8Array(capacity),
    tree: new Int32Array(capacity),
    branch: new Int32Array(capacity),
    origin: new Uint8Array(capacity),
    item: new Int32Array(capacity),
    overlaps: [],
    ...rest,
  };
  let at = 0;
  let last = -1;
  for (let k = 0; k < order.length; k++) {
    const i = order[k] ?? 0;
    const offset = claims.offset[i] ?? 0;
    const end = Math.min(claims.end[i] ?? 0, size);
    if (offset >= size) continue;
    if (offset > at) push(map, at, UNKNOWN);
    if (offset < at) {
      // Identical pages are stored once, and cycles of a tree share baskets.
      const same = last >= 0 && claims.offset[last] === offset && claims.end[last] === claims.end[i];
      const shared = same && (claims.origin[i] ?? 0) >= 2 && (claims.origin[last] ?? 0) >= 2;
      if (!shared && map.overlaps.length < MAX_OVERLAPS) {
        map.overlaps.push({
          offset,
          length: Math.min(at, end) - offset,
          shown: claimName(claims, last, rest),
          hidden: claimName(claims, i, rest),
        });
      }
    }
    const from = Math.max(offset, at);
    if (end <= from) continue;
    push(map, from, claims.kind[i] ?? 0, claims.origin[i], claims.item[i], claims.tree[i], claims.branch[i]);
    at = end;
    last = i;
  }
  if (at < size) push(map, at, UNKNOWN);
  return trim(map);
}

function push(map: FileMap, at: number, kind: number, origin = 0, item = 0, tree = -1, branch = -1): void {
  const i = map.count++;
  map.start[i] = at;
  map.kind[i] = kind;
  map.origin[i] = origin;
  map.item[i] = item;
  map.tree[i] = tree;
  map.branch[i] = branch;
}

function trim(map: FileMap): FileMap {
  const { count } = map;
  map.start[count] = map.size;
  return {
    ...map,
    start: map.start.slice(0, count + 1),
    kind: map.kind.slice(0, count),
    tree: map.tree.slice(0, count),
    branch: map.branch.slice(0, count),
    origin: map.origin.slice(0, count),
    item: map.item.slice(0, count),
  };
}

const kindOfClass: Partial<Record<string, SegmentKind>> = {
  '': 'gap',
  TBasket: 'basket',
  RBlob: 'blob',
  TTree: 'tree',
  TNtuple: 'tree',
  TNtupleD: 'tree',
  'ROOT::RNTuple': 'ntuple',
  TDirectory: 'directory',
  TDirectoryFile: 'directory',
};

/**
 * Names unknown ranges of a map by walked records. A record may contain known ranges, for example a blob with pages
 * of an RNTuple.
 */
function fillHoles(map: FileMap, walked: WalkedRecords): FileMap {
  const order = sortedOrder(walked.offset);
  const claims = new Claims(map.count + 2 * (walked.offset.length + 1) + map.count);
  let next = 0;
  for (let i = 0; i < map.count; i++) {
    const start = map.start[i] ?? 0;
    const end = map.start[i + 1] ?? 0;
    if (map.kind[i] !== UNKNOWN) {
      claims.add(
        start,
        end,
        map.kind[i] ?? 0,
        map.origin[i] ?? 0,
        map.item[i] ?? 0,
        map.tree[i],
        map.branch[i],
      );
      continue;
    }
    // An earlier record may extend into this range.
    while (next > 0 && endOf(walked, order[next - 1] ?? 0) > start) next--;
    for (let at = start; next < order.length; next++) {
      const w = order[next] ?? 0;
      const from = Math.max(walked.offset[w] ?? 0, at);
      const to = Math.min(endOf(walked, w), end);
      if (from >= end) break;
      if (to <= from) continue;
      const className = walked.texts[walked.className[w] ?? 0] ?? '';
      claims.add(from, to, kindOf(own(kindOfClass, className) ?? 'object'), 4, w);
      at = to;
    }
  }
  const { records, layouts, overlaps } = map;
  const filled = lay(claims, map.size, { records, layouts, walked });
  return { ...filled, overlaps: [...overlaps, ...filled.overlaps] };
}

function endOf(walked: WalkedRecords, i: number): number {
  return (walked.offset[i] ?? 0) + (walked.length[i] ?? 0);
}

type Lists = Pick<FileMap, 'records' | 'layouts' | 'walked'>;

function claimName(claims: Claims, i: number, lists: Lists): string {
  const { kind, origin, item, tree, branch } = claims;
  return nameOf(lists, kind[i] ?? 0, origin[i] ?? 0, item[i] ?? 0, tree[i] ?? -1, branch[i] ?? -1);
}

/** Describes a segment briefly: "basket 12 of Muon_pt", "list of keys of /", "unknown". */
export function segmentName(map: FileMap, i: number): string {
  const { kind, origin, item, tree, branch } = map;
  return nameOf(map, kind[i] ?? 0, origin[i] ?? 0, item[i] ?? 0, tree[i] ?? -1, branch[i] ?? -1);
}

function nameOf(
  { records, layouts, walked }: Lists,
  kind: number,
  origin: number,
  item: number,
  tree: number,
  branch: number,
): string {
  const what = kindLabels[segmentKinds[kind] ?? 'unknown'];
  const layout = layouts[tree];
  switch (segmentOrigins[origin]) {
    case 'basket': {
      const path = layout?.tree.branches[branch]?.path ?? '';
      return `${what} ${item - (layout?.basketStart[branch] ?? 0)} of ${path}`;
    }
    case 'part':
      return `${layout?.parts[item]?.name ?? what} of ${layout?.tree.path ?? ''}`;
    case 'record': {
      const record = records.records[item];
      if (record === undefined) return what;
      return named(record.kind) ? `${what} ${record.name}` : what;
    }
    case 'walk': {
      const className = walked?.texts[walked.className[item] ?? 0] ?? '';
      const name = walked?.texts[walked.name[item] ?? 0] ?? '';
      return [className === 'TBasket' || className === '' ? what : className, name].filter(Boolean).join(' ');
    }
    default:
      return what;
  }
}

function named(kind: RecordKind): boolean {
  return ['directory', 'keys', 'tree', 'ntuple', 'object'].includes(kind);
}

/** The name of one segment of each kind. */
export const kindLabels: Record<SegmentKind, string> = {
  unknown: 'unknown',
  header: 'file header',
  directory: 'directory',
  keys: 'list of keys',
  streamers: 'streamer infos',
  freelist: 'free list',
  free: 'free space',
  gap: 'gap',
  tree: 'tree',
  ntuple: 'RNTuple',
  basket: 'basket',
  page: 'page',
  blob: 'blob',
  object: 'object',
  behind: "behind the file's end",
};

/** Returns the bytes of each kind that occurs, the largest first. */
export function bytesByKind(map: FileMap): KindSum[] {
  const bytes = new Float64Array(segmentKinds.length);
  const segments = new Float64Array(segmentKinds.length);
  for (let i = 0; i < map.count; i++) {
    const k = map.kind[i] ?? 0;
    bytes[k] = (bytes[k] ?? 0) + (map.start[i + 1] ?? 0) - (map.start[i] ?? 0);
    segments[k] = (segments[k] ?? 0) + 1;
  }
  return segmentKinds
    .map((kind, k) => ({ kind, bytes: bytes[k] ?? 0, segments: segments[k] ?? 0 }))
    .filter(({ segments: n }) => n > 0)
    .sort((a, b) => b.bytes - a.bytes);
}
