import type { OpenedFile, Region } from './metadata';
import { xxh3 } from './xxh3';

/** Numbers at which counts, lengths and places go wrong. */
const INTS = [
  ...[0, 1, 2, 3, 4, 7, 8, 9, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff],
  ...[
    0xfffffffe, 0x40000000, 0x3fffffff, 0x40000001, 0x20000000, 0x1fffffff, 0x10000000, 0x0fffffff,
    0xc0000000,
  ],
  ...[1_000_000, 100_000],
];
const LONGS = [
  ...INTS.map(BigInt),
  ...[32n, 33n, 40n, 52n, 53n, 61n, 62n, 63n].map((power) => 1n << power),
  ...[(1n << 32n) + 1n, (1n << 32n) - 8n, (1n << 63n) - 1n, (1n << 64n) - 1n],
];
/** How often a kind of region is chosen. */
const WEIGHTS: Record<Region['kind'], number> = {
  ...{ header: 1, key: 2, basket: 5, blob: 10, anchor: 4, streamers: 6, tree: 10, object: 5, list: 3 },
};

/**
 * Changes one to five places of a file whose metadata are uncompressed: bytes, bits, numbers of 2 to 8 bytes, and pieces
 * that come from elsewhere. Checksums of RNTuples are made right again.
 */
export function mutate(
  { bytes, regions, places }: OpenedFile,
  random: () => number,
): Uint8Array<ArrayBuffer> {
  const made = bytes.slice();
  const view = new DataView(made.buffer);
  const below = (limit: number): number => Math.floor(random() * limit);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const kinds = [...new Set(regions.flatMap(({ kind, length }) => (length > 0 ? [kind] : [])))];
  const near = places.slice(0, 40);
  const changed: Region[] = [];
  for (let left = one([1, 1, 1, 2, 2, 3, 5]); left > 0; left--) {
    const kind = weighted(kinds, random);
    const region = one(regions.filter((own) => own.kind === kind && own.length > 0));
    const [from, to] = bodyOf(region);
    const at = region.at + from + below(Math.max(1, to - from));
    const end = region.at + to;
    const little = kind === 'blob';
    const what = random();
    const copy = (source: number, length: number): void => {
      if (length > 0) made.copyWithin(at, source, source + length);
    };
    if (what < 0.18) made[at] = one([0, 1, 255, 0x80, 0x7f, 0x40, below(256)]);
    else if (what < 0.3) made[at] = (made[at] ?? 0) ^ (1 << below(8));
    else if (what < 0.42 && at + 2 <= end) view.setUint16(at, one(INTS) & 0xffff, little);
    else if (what < 0.62 && at + 4 <= end)
      view.setUint32(at, one([...INTS, ...near, made.length, region.at, region.length]) >>> 0, little);
    else if (what < 0.74 && at + 8 <= end)
      view.setBigUint64(
        at,
        BigInt.asUintN(64, one([...LONGS, ...near.map(BigInt), BigInt(made.length)])),
        little,
      );
    else if (what < 0.84 && at + 4 <= end) {
      const old = view.getUint32(at, little);
      view.setUint32(at, (old + one([-1, 1, -2, 2, 8, -8, 0x40000000, 0x10000000, old])) >>> 0, little);
    } else if (what < 0.93) {
      const length = Math.min(one([1, 2, 4, 8, 16, 40]), end - at);
      copy(region.at + from + below(Math.max(1, to - from - length)), length);
    } else {
      const other = one(regions);
      const length = Math.min(one([4, 8, 30]), end - at, other.length);
      copy(other.at + below(Math.max(1, other.length - length)), length);
    }
    changed.push(region);
  }
  for (const region of changed) repair(made, region);
  return made;
}

function weighted(kinds: readonly Region['kind'][], random: () => number): Region['kind'] {
  let left = random() * kinds.reduce((sum, kind) => sum + WEIGHTS[kind], 0);
  for (const kind of kinds) {
    left -= WEIGHTS[kind];
    if (left < 0) return kind;
  }
  return kinds[0] ?? 'header';
}

/** Bytes of a region that may change: without type and length of an envelope, and without checksums. */
function bodyOf({ kind, length }: Region): [from: number, to: number] {
  const isSummed = (kind === 'blob' || kind === 'anchor') && length > 24;
  return [kind === 'blob' ? 8 : kind === 'anchor' && length > 20 ? 6 : 0, isSummed ? length - 8 : length];
}

function repair(bytes: Uint8Array, { kind, at, length }: Region): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (kind === 'blob' && length > 24) {
    const own = Number(view.getBigUint64(at, true) >> 16n);
    const end = at + (own >= 16 && own <= length ? own : length);
    view.setBigUint64(end - 8, xxh3(bytes.subarray(at, end - 8)), true);
  }
  if (kind === 'anchor' && length >= 78)
    view.setBigUint64(at + length - 8, xxh3(bytes.subarray(at + 6, at + length - 8)));
}
