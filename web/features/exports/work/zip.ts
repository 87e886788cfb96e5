import { tableCrc32 } from '../../../base/crc32';

/** A file of an archive; its bytes are asked for once. */
export interface ZipMember {
  name: string;
  data: AsyncIterable<Uint8Array>;
}

interface Written {
  name: Uint8Array;
  offset: number;
  size: number;
  crc: number;
}

/** Bit 3: sizes follow the data; bit 11: names are UTF-8. */
const FLAGS = 0x0808;
const VERSION_ZIP64 = 45;
/** 1980-01-01 00:00, so that the same data give the same archive. */
const DATE = 0x0021;
const BIG = 0xffffffff;

/**
 * A ZIP archive as it is written: members stored, not compressed; sizes and checksums after the data
 * and in the directory at the end, in 64 bits (APPNOTE 4.3.9, 4.5.3). Nothing is kept but the
 * directory.
 */
export async function* zip(members: AsyncIterable<ZipMember>): AsyncGenerator<Uint8Array> {
  const written: Written[] = [];
  let offset = 0;
  for await (const member of members) {
    const name = new TextEncoder().encode(member.name);
    const head = localHeader(name);
    yield head;
    let size = 0;
    let crc = 0;
    for await (const bytes of member.data) {
      crc = tableCrc32(bytes, crc);
      size += bytes.length;
      yield bytes;
    }
    const tail = dataDescriptor(crc, size);
    yield tail;
    written.push({ name, offset, size, crc });
    offset += head.length + size + tail.length;
  }
  let length = 0;
  for (const one of written) {
    const entry = directoryEntry(one);
    length += entry.length;
    yield entry;
  }
  yield directoryEnd(written.length, offset, length);
}

/** Writes little-endian fields one after another. */
class Fields {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.#view = new DataView(this.bytes.buffer);
  }

  u16(...values: number[]): this {
    for (const value of values) {
      this.#view.setUint16(this.#at, value, true);
      this.#at += 2;
    }
    return this;
  }

  u32(...values: number[]): this {
    for (const value of values) {
      this.#view.setUint32(this.#at, value, true);
      this.#at += 4;
    }
    return this;
  }

  u64(...values: number[]): this {
    for (const value of values) {
      this.#view.setBigUint64(this.#at, BigInt(value), true);
      this.#at += 8;
    }
    return this;
  }

  put(bytes: Uint8Array): this {
    this.bytes.set(bytes, this.#at);
    this.#at += bytes.length;
    return this;
  }
}

function localHeader(name: Uint8Array): Uint8Array {
  const extra = 20;
  return new Fields(30 + name.length + extra)
    .u32(0x04034b50)
    .u16(VERSION_ZIP64, FLAGS, 0, 0, DATE)
    .u32(0, BIG, BIG)
    .u16(name.length, extra)
    .put(name)
    .u16(1, 16)
    .u64(0, 0).bytes;
}

function dataDescriptor(crc: number, size: number): Uint8Array {
  return new Fields(24).u32(0x08074b50, crc).u64(size, size).bytes;
}

function directoryEntry({ name, offset, size, crc }: Written): Uint8Array {
  const extra = 28;
  return new Fields(46 + name.length + extra)
    .u32(0x02014b50)
    .u16(VERSION_ZIP64, VERSION_ZIP64, FLAGS, 0, 0, DATE)
    .u32(crc, BIG, BIG)
    .u16(name.length, extra, 0, 0, 0)
    .u32(0, BIG)
    .put(name)
    .u16(1, 24)
    .u64(size, size, offset).bytes;
}

function directoryEnd(count: number, offset: number, length: number): Uint8Array {
  return new Fields(56 + 20 + 22)
    .u32(0x06064b50)
    .u64(44)
    .u16(VERSION_ZIP64, VERSION_ZIP64)
    .u32(0, 0)
    .u64(count, count, length, offset)
    .u32(0x07064b50, 0)
    .u64(offset + length)
    .u32(1)
    .u32(0x06054b50)
    .u16(0, 0, 0xffff, 0xffff)
    .u32(BIG, BIG)
    .u16(0).bytes;
}
