/** Writes big-endian records of a ROOT file, for what no real file has. */
export class Bytes {
  readonly #parts: number[] = [];

  u8(...values: number[]): this {
    this.#parts.push(...values.map((value) => value & 0xff));
    return this;
  }
  u16(value: number): this {
    return this.u8(value >> 8, value);
  }
  u32(value: number): this {
    return this.u8(value >>> 24, value >>> 16, value >>> 8, value);
  }
  /** Text with one length byte, or 255 and four. */
  text(text: string): this {
    if (text.length < 255) this.u8(text.length);
    else this.u8(255).u32(text.length);
    return this.raw(text);
  }
  raw(text: string): this {
    for (const char of text) this.u8(char.charCodeAt(0));
    return this;
  }
  add(other: Bytes): this {
    for (const byte of other.#parts) this.#parts.push(byte);
    return this;
  }
  /** TObject: version, fUniqueID, fBits. */
  object(): this {
    return this.u16(1).u32(0).u32(0);
  }
  /** The tag of a pointer to an object of a class named here. */
  pointer(className: string): this {
    return this.u32(0xffffffff).raw(className).u8(0);
  }
  /** The same with a byte count before it, and the object. */
  counted(className: string, object: Bytes): this {
    const length = 4 + className.length + 1 + object.length;
    return this.u32(0x40000000 | length)
      .pointer(className)
      .add(object);
  }
  get length(): number {
    return this.#parts.length;
  }
  done(): Uint8Array {
    return Uint8Array.from(this.#parts);
  }
}

/** A stored record of one object. */
export function record(className: string, object: Bytes, name = ''): Uint8Array {
  const keyLength = 26 + 1 + className.length + 2 + name.length;
  return new Bytes()
    .u32(keyLength + object.length)
    .u16(4)
    .u32(object.length)
    .u32(0)
    .u16(keyLength)
    .u16(1)
    .u32(100)
    .u32(100)
    .text(className)
    .text(name)
    .text('')
    .add(object)
    .done();
}

/** A member of a class, by TStreamerElement's fType. */
export interface Member {
  name: string;
  type: number;
  typeName: string;
  dimensions?: number[];
  /** The member that counts, for types of 40 and more. */
  count?: string;
  stl?: boolean;
}

export interface ClassInfo {
  name: string;
  /** Default: 1. */
  version?: number;
  members: Member[];
}

const named = (name: string, title = ''): Bytes => new Bytes().u16(1).object().text(name).text(title);

function element(member: Member): Bytes {
  const dimensions = member.dimensions ?? [];
  const base = new Bytes().u16(4).add(named(member.name));
  base.u32(member.type).u32(4).u32(0).u32(dimensions.length);
  for (let i = 0; i < 5; i++) base.u32(dimensions[i] ?? 0);
  base.text(member.typeName);
  if (member.type === 0) return new Bytes().pointer('TStreamerBase').u16(3).add(base).u32(1);
  if (member.stl) return new Bytes().pointer('TStreamerSTL').u16(3).add(base).u32(1).u32(0);
  if (member.count !== undefined) {
    const pointer = new Bytes().pointer('TStreamerBasicPointer').u16(2).add(base);
    return pointer.u32(1).text(member.count).text('');
  }
  return new Bytes().pointer('TStreamerObjectAny').u16(2).add(base);
}

/** The record of streamer infos. */
export function streamerInfos(classes: ClassInfo[]): Uint8Array {
  const list = new Bytes().u16(5).object().text('').u32(classes.length);
  for (const { name, version = 1, members } of classes) {
    list.pointer('TStreamerInfo').u16(9).add(named(name)).u32(1).u32(version);
    list.pointer('TObjArray').u16(3).object().text('').u32(members.length).u32(0);
    for (const member of members) list.add(element(member));
    list.u8(0);
  }
  return record('TList', list);
}
