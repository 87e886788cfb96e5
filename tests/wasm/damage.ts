/** A reproducible stream of numbers: the same seed gives the same damage. */
export interface Random {
  /** A whole number from 0 to n - 1. */
  below(n: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return { below, pick: (from) => from[below(from.length)] as (typeof from)[number] };
}

/** A record of a small ROOT file (32-bit seeks). Offsets and lengths in bytes. */
export interface FileRecord {
  offset: number;
  length: number;
  keyLength: number;
  objectLength: number;
}

/** The records of a file, one after another, without the gaps. */
export function recordsOf(file: Uint8Array): FileRecord[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const records: FileRecord[] = [];
  for (let offset = view.getUint32(8); offset + 26 <= file.length; ) {
    const length = view.getInt32(offset);
    if (length === 0) break;
    if (length > 0) {
      const objectLength = view.getInt32(offset + 6);
      records.push({ offset, length, keyLength: view.getUint16(offset + 14), objectLength });
    }
    offset += Math.abs(length);
  }
  return records;
}

/** Bytes from the header's start to fSeekInfo and fNbytesInfo. */
const SEEK_INFO = 37;
const NBYTES_INFO = 41;
const END = 12;

/**
 * A copy of a file whose objects (of keys with 32-bit seeks: not the baskets) are stored without
 * compression after its old end, so that damage reaches what is inside of them.
 */
export function storePlain(
  file: Uint8Array,
  decompress: (packed: Uint8Array, length: number) => Uint8Array,
): Uint8Array {
  const parts: Uint8Array[] = [file.slice()];
  let end = file.length;
  const head = new DataView((parts[0] as Uint8Array).buffer);
  for (const record of recordsOf(file)) {
    const packed = file.subarray(record.offset + record.keyLength, record.offset + record.length);
    if (packed.length === record.objectLength || record.objectLength > 1 << 20) continue;
    if (head.getUint16(record.offset + 4) > 1000) continue; // 64-bit seeks: baskets
    // What names this record: the header, or a copy of its key in a list of keys.
    const key = file.subarray(record.offset, record.offset + 22);
    const info = head.getUint32(SEEK_INFO) === record.offset;
    const copy = info ? -1 : indexOf(file, key, record.offset + 22);
    if (!info && copy < 0) continue;
    const plain = new Uint8Array(record.keyLength + record.objectLength);
    plain.set(file.subarray(record.offset, record.offset + record.keyLength));
    plain.set(decompress(packed, record.objectLength), record.keyLength);
    const view = new DataView(plain.buffer);
    view.setInt32(0, plain.length);
    view.setUint32(18, end);
    if (info) {
      head.setUint32(SEEK_INFO, end);
      head.setUint32(NBYTES_INFO, plain.length);
    } else {
      head.setInt32(copy, plain.length);
      head.setUint32(copy + 18, end);
    }
    parts.push(plain);
    end += plain.length;
  }
  head.setUint32(END, end);
  const whole = new Uint8Array(end);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  for (let at = from; at + wanted.length <= bytes.length; at++) {
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}

const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0x4000, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000];
const MORE_EXTREMES = [0xffffffff, 0x40000000, 0x3fffffff, 0x10000000, 0x00ffffff, 0x20000001];

/** One piece of damage in place; says what it did. May give a shorter file. */
type Damage = (bytes: Uint8Array, random: Random) => [Uint8Array, string];

const flip: Damage = (bytes, random) => {
  const places = Array.from({ length: 1 + random.below(6) }, () => random.below(bytes.length));
  for (const at of places) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  return [bytes, `bits flipped at ${places.join(' ')}`];
};

const smear: Damage = (bytes, random) => {
  const at = random.below(bytes.length);
  const length = 1 + random.below(40);
  const value = random.pick([0, 0xff, 0x7f, 0x40, -1]);
  const end = Math.min(bytes.length, at + length);
  for (let i = at; i < end; i++) bytes[i] = value < 0 ? random.below(256) : value;
  return [bytes, `bytes ${at} to ${end} set to ${value < 0 ? 'noise' : value}`];
};

const cut: Damage = (bytes, random) => {
  const length = random.below(bytes.length);
  return [bytes.slice(0, length), `cut to ${length} bytes`];
};

const forget: Damage = (bytes, random) => {
  const from = random.below(bytes.length);
  bytes.fill(0, from);
  return [bytes, `zeros from ${from} on`];
};

/** A number of 2 or 4 bytes anywhere becomes one that lies at a border of its type. */
const smash: Damage = (bytes, random) => {
  const at = random.below(Math.max(1, bytes.length - 4));
  return put(bytes, at, random);
};

/** The same in the header of a file or of a record. */
const smashHeader: Damage = (bytes, random) => {
  const record = random.pick([undefined, ...recordsOf(bytes)]);
  const fields = record ? [0, 4, 6, 14, 16, 18, 22, 26] : [4, 8, 12, 16, 20, 24, 28, 33, 37, 41];
  return put(bytes, (record?.offset ?? 0) + random.pick(fields), random);
};

function put(bytes: Uint8Array, at: number, random: Random): [Uint8Array, string] {
  const value = random.pick([...EXTREMES, ...MORE_EXTREMES, random.below(256), random.below(bytes.length)]);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (at + 4 > bytes.length) return [bytes, 'nothing done'];
  if (value <= 0xffff && random.below(2) === 0) view.setUint16(at, value);
  else view.setUint32(at, value);
  return [bytes, `number at ${at} set to ${value}`];
}

const exchange: Damage = (bytes, random) => {
  const length = 1 + random.below(Math.min(2000, bytes.length >> 2));
  const a = random.below(bytes.length - length);
  const b = random.below(bytes.length - length);
  const kept = bytes.slice(a, a + length);
  bytes.copyWithin(a, b, b + length);
  if (random.below(2) === 0) bytes.set(kept, b);
  return [bytes, `${length} bytes of ${a} and ${b} exchanged or copied`];
};

const KINDS: readonly Damage[] = [flip, flip, smear, cut, forget, smash, smash, smash, smashHeader, exchange];

/** A damaged copy, and what was done to it. */
export function damage(file: Uint8Array, random: Random): { bytes: Uint8Array; what: string } {
  let bytes: Uint8Array = file.slice();
  const done: string[] = [];
  for (let n = 1 + random.below(3); n > 0 && bytes.length > 100; n--) {
    const [next, what] = random.pick(KINDS)(bytes, random);
    bytes = next;
    done.push(what);
  }
  return { bytes, what: done.join(', ') };
}
