import { lastAtMost } from '../../base/search';
import type { Decoder } from '../../core/decoder';
import { DTYPES, type DType, makeArray, numberAt, sizeOf } from '../../core/dtypes';
import { LEVEL } from '../../core/expr-levels';
import { TAPE_TAG } from '../../core/tape';

/** One step from a value on a tape (wasm/src/streamer/tape.h) to the values of a leaf. */
export type TapeStep =
  | { kind: 'member'; name: string }
  /** All elements of a list. */
  | { kind: 'list' }
  | { kind: 'fixed'; size: number }
  /**
   * Zero or one value: one if there is an object (which has the member with this name, if one is given). With `own`,
   * the member belongs to the declared class: a null pointer counts as a value, and an object whose layout lacks the
   * member does not.
   */
  | { kind: 'there'; member?: string | undefined; own?: boolean };

/** A leaf whose values are on tapes. For numbers, a null pointer gives zeros, as in TTree::Draw. */
export interface TapeLeaf {
  /** Index of the decoder's buffer with the offsets of the tapes. The next buffer contains their bytes. */
  tape: number;
  steps: TapeStep[];
  /** `presence`: the value is always 1. */
  kind: 'number' | 'string' | 'presence';
  dtype: DType;
}

/**
 * A column of tapes in a plan, and the levels between an entry and its tapes (see Leaf in web/query/compile/leaf.ts).
 */
export interface TapePlace {
  tape: number;
  levels: { kind: number; value: number }[];
}

export interface TapeColumns {
  leaves: TapeLeaf[];
  /** All tapes of the plan, because a reference may lead from one to another. */
  places: TapePlace[];
}

/**
 * Returns the number of buffers of a leaf: one for each level that is not a fixed array, and one for numbers or two for
 * strings.
 */
export function tapeBuffers({ steps, kind }: Pick<TapeLeaf, 'steps' | 'kind'>): number {
  const levels = steps.filter((step) => step.kind === 'list' || step.kind === 'there').length;
  return levels + (kind === 'string' ? 2 : 1);
}

/** Adds the values of leaves on tapes to a decoder, as buffers after its own, leaf by leaf. */
export function addTapeColumns(decoder: Decoder, { leaves, places }: TapeColumns): void {
  if (leaves.length === 0) return;
  const tapes = new Tapes(decoder, places);
  for (const leaf of leaves) for (const buffer of new LeafReader(tapes, leaf).read()) decoder.put(buffer);
}

const utf8 = new TextEncoder();

/** The bytes of one column of tapes. */
class Tape {
  readonly view: DataView;

  constructor(
    readonly bytes: Uint8Array,
    readonly offsets: Int32Array,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u32(at: number): number {
    return this.view.getUint32(at, true);
  }

  tag(at: number): number {
    return this.bytes[at] ?? TAPE_TAG.null;
  }

  /** Returns the offset after the value at an offset. */
  skip(at: number): number {
    switch (this.bytes[at]) {
      case TAPE_TAG.scalar:
        return at + 2 + sizeOf(DTYPES[this.bytes[at + 1] ?? 0] ?? 'u8');
      case TAPE_TAG.string:
      case TAPE_TAG.error:
        return at + 5 + this.u32(at + 1);
      case TAPE_TAG.array:
        return at + 6 + this.u32(at + 2) * sizeOf(DTYPES[this.bytes[at + 1] ?? 0] ?? 'u8');
      case TAPE_TAG.list:
      case TAPE_TAG.object:
        return at + 9 + this.u32(at + 1);
      case TAPE_TAG.ref:
        return at + 5;
      default:
        return at + 1;
    }
  }

  firstMember(at: number): number {
    return at + 11 + this.view.getUint16(at + 9, true);
  }

  /** Returns the offset of the value of a member of the object at `at`; -1 if it has none. */
  member(at: number, name: Uint8Array): number {
    const end = this.skip(at);
    for (let next = this.firstMember(at); next < end; ) {
      const length = this.view.getUint16(next, true);
      const value = next + 2 + length;
      if (length === name.length && this.#is(next + 2, name)) return value;
      next = this.skip(value);
    }
    return -1;
  }

  /** Calls `use` for the object at `at` and all objects within it that have an id. */
  eachObject(at: number, use: (id: number, at: number) => void): void {
    const tag = this.tag(at);
    const end = this.skip(at);
    if (tag === TAPE_TAG.object) {
      const id = this.u32(at + 5);
      if (id !== 0) use(id, at);
      for (let next = this.firstMember(at); next < end; next = this.skip(next)) {
        next += 2 + this.view.getUint16(next, true);
        this.eachObject(next, use);
      }
    } else if (tag === TAPE_TAG.list) {
      for (let next = at + 9; next < end; next = this.skip(next)) this.eachObject(next, use);
    }
  }

  #is(at: number, name: Uint8Array): boolean {
    for (let i = 0; i < name.length; i++) if (this.bytes[at + i] !== name[i]) return false;
    return true;
  }
}

/** The tapes of a decoder's rows, and for each entry the objects that references lead to. */
class Tapes {
  readonly #tapes = new Map<number, Tape>();
  readonly #entryOffsets = new Map<number, Int32Array>();
  #entry = -1;
  #objects = new Map<number, [Tape, number]>();

  constructor(
    readonly decoder: Decoder,
    readonly places: TapePlace[],
  ) {}

  tape(index: number): Tape {
    const known = this.#tapes.get(index);
    if (known) return known;
    const tape = new Tape(this.decoder.buffer(index + 1), this.#offsets(index));
    this.#tapes.set(index, tape);
    return tape;
  }

  /** Returns the object with an id in the entry that a row of tapes belongs to. */
  object(index: number, row: number, id: number): [Tape, number] | undefined {
    const entry = entryOf(this.#entryOffsetsOf(index), row);
    if (entry !== this.#entry) {
      this.#entry = entry;
      this.#objects = new Map();
      for (const { tape: other } of this.places) {
        const tape = this.tape(other);
        const offsets = this.#entryOffsetsOf(other);
        for (let i = offsets[entry] ?? 0; i < (offsets[entry + 1] ?? 0); i++) {
          tape.eachObject(tape.offsets[i] ?? 0, (one, at) => this.#objects.set(one, [tape, at]));
        }
      }
    }
    return this.#objects.get(id);
  }

  #offsets(index: number): Int32Array {
    const bytes = this.decoder.buffer(index);
    return bytes.length === 0
      ? new Int32Array(1)
      : new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }

  /** Returns the first row of tapes of each entry, and the end. */
  #entryOffsetsOf(index: number): Int32Array {
    const known = this.#entryOffsets.get(index);
    if (known) return known;
    const starts = Int32Array.from({ length: this.decoder.rows + 1 }, (_, i) => i);
    for (const { kind, value } of this.places.find(({ tape }) => tape === index)?.levels ?? []) {
      const offsets = kind === LEVEL.list ? this.#offsets(value) : undefined;
      for (const [i, at] of starts.entries()) starts[i] = offsets ? (offsets[at] ?? 0) : at * value;
    }
    this.#entryOffsets.set(index, starts);
    return starts;
  }
}

function entryOf(offsets: Int32Array, row: number): number {
  return lastAtMost(offsets, offsets.length - 1, row);
}

type Numbers = ReturnType<typeof makeArray>;

/** A growing array of numbers of one type. */
class Growing {
  #values: Numbers;
  length = 0;

  constructor(readonly dtype: DType) {
    this.#values = makeArray(dtype, 256);
  }

  push(value: number | bigint): void {
    if (this.length === this.#values.length) this.#grow();
    (this.#values as { [i: number]: number | bigint })[this.length++] = value;
  }

  bytes(): Uint8Array {
    const { buffer, byteOffset } = this.#values;
    return new Uint8Array(buffer, byteOffset, this.length * sizeOf(this.dtype));
  }

  #grow(): void {
    const more = makeArray(this.dtype, 2 * this.length);
    (more as Uint8Array).set(this.#values as Uint8Array);
    this.#values = more;
  }
}

/** The offset that represents a null pointer. */
const NOTHING = -1;

/** Follows the steps of one leaf through all tapes of a column. */
class LeafReader {
  readonly #names: (Uint8Array | undefined)[];
  readonly #levels: (Growing | undefined)[];
  readonly #counts: number[];
  readonly #data: Growing;
  readonly #big: boolean;
  readonly #texts: Growing | undefined;
  #row = 0;
  #last: { tape?: Tape; at: number; name?: Uint8Array; value: number } = { at: NOTHING, value: NOTHING };

  constructor(
    readonly tapes: Tapes,
    readonly leaf: TapeLeaf,
  ) {
    const { steps, kind, dtype } = leaf;
    const nameOf = (step: TapeStep): string | undefined =>
      step.kind === 'member' ? step.name : step.kind === 'there' ? step.member : undefined;
    const encoded = new Map<string, Uint8Array>();
    this.#names = steps.map((step) => {
      const name = nameOf(step);
      if (name === undefined) return undefined;
      const known = encoded.get(name) ?? utf8.encode(name);
      encoded.set(name, known);
      return known;
    });
    this.#levels = steps.map((step) => {
      if (step.kind === 'there') return new Growing('u8');
      if (step.kind !== 'list') return undefined;
      const offsets = new Growing('i32');
      offsets.push(0);
      return offsets;
    });
    this.#counts = steps.map(() => 0);
    this.#data = new Growing(kind === 'string' ? 'u8' : dtype);
    this.#big = kind === 'number' && (dtype === 'i64' || dtype === 'u64');
    if (kind === 'string') {
      this.#texts = new Growing('i32');
      this.#texts.push(0);
    }
  }

  read(): Uint8Array[] {
    const tape = this.tapes.tape(this.leaf.tape);
    for (let row = 0; row + 1 < tape.offsets.length; row++) {
      this.#row = row;
      this.#visit(tape, tape.offsets[row] ?? 0, 0);
    }
    const buffers = [...this.#levels, this.#texts, this.#data];
    return buffers.flatMap((one) => (one ? [one.bytes()] : []));
  }

  /**
   * Returns the offset of the value of a member. The last one is cached, because the step that tests for a member is
   * followed by the one that reads it.
   */
  #member(tape: Tape, at: number, name: Uint8Array): number {
    const last = this.#last;
    if (last.tape !== tape || last.at !== at || last.name !== name)
      this.#last = { tape, at, name, value: tape.member(at, name) };
    return this.#last.value;
  }

  #visit(tape: Tape, at: number, k: number): void {
    if (at !== NOTHING && tape.bytes[at] === TAPE_TAG.ref) {
      const found = this.tapes.object(this.leaf.tape, this.#row, tape.u32(at + 1));
      // A reference to a missing object cannot be followed.
      this.#value(found?.[0] ?? tape, found?.[1] ?? NOTHING, k, found === undefined);
    } else this.#value(tape, at, k, false);
  }

  #value(tape: Tape, at: number, k: number, lost: boolean): void {
    const step = this.leaf.steps[k];
    if (!step) {
      this.#put(tape, at);
      return;
    }
    const tag = at === NOTHING ? TAPE_TAG.null : tape.tag(at);
    switch (step.kind) {
      case 'member': {
        const name = this.#names[k];
        const value = tag === TAPE_TAG.object && name ? this.#member(tape, at, name) : NOTHING;
        this.#visit(tape, value, k + 1);
        return;
      }
      case 'there': {
        const name = this.#names[k];
        const isThere = !lost && tag !== TAPE_TAG.error;
        const isNull = isThere && tag !== TAPE_TAG.object;
        const has = (wanted: Uint8Array): boolean =>
          tag === TAPE_TAG.object ? this.#member(tape, at, wanted) !== NOTHING : step.own === true && isNull;
        const is = name ? has(name) : isThere;
        this.#levels[k]?.push(is ? 1 : 0);
        if (is) this.#value(tape, at, k + 1, lost);
        return;
      }
      case 'list': {
        const count = countAt(tape, at, tag);
        this.#elements(tape, at, tag, count, k);
        const total = (this.#counts[k] ?? 0) + count;
        this.#counts[k] = total;
        this.#levels[k]?.push(total);
        return;
      }
      case 'fixed': {
        const count = Math.min(countAt(tape, at, tag), step.size);
        this.#elements(tape, at, tag, count, k);
        for (let i = count; i < step.size; i++) this.#visit(tape, NOTHING, k + 1);
      }
    }
  }

  #elements(tape: Tape, at: number, tag: number, count: number, k: number): void {
    if (tag === TAPE_TAG.array) {
      const dtype = tape.bytes[at + 1] ?? 0;
      const size = sizeOf(DTYPES[dtype] ?? 'u8');
      for (let i = 0; i < count; i++) this.#putNumber(tape, at + 6 + i * size, dtype);
      return;
    }
    let next = at + 9;
    for (let i = 0; i < count; i++) {
      this.#visit(tape, next, k + 1);
      next = tape.skip(next);
    }
  }

  #put(tape: Tape, at: number): void {
    const tag = at === NOTHING ? TAPE_TAG.null : tape.tag(at);
    if (this.leaf.kind === 'presence') this.#data.push(1);
    else if (this.#texts) {
      if (tag === TAPE_TAG.string) {
        const end = tape.skip(at);
        for (let i = at + 5; i < end; i++) this.#data.push(tape.bytes[i] ?? 0);
      }
      this.#texts.push(this.#data.length);
    } else if (tag === TAPE_TAG.scalar) this.#putNumber(tape, at + 2, tape.bytes[at + 1] ?? 0);
    else this.#data.push(this.#big ? BigInt(tag === TAPE_TAG.true ? 1 : 0) : tag === TAPE_TAG.true ? 1 : 0);
  }

  #putNumber(tape: Tape, at: number, dtype: number): void {
    const value = numberAt(tape.view, at, DTYPES[dtype] ?? 'u8');
    if (this.leaf.kind === 'presence') this.#data.push(1);
    else if (this.#big) this.#data.push(typeof value === 'bigint' ? value : BigInt(Math.trunc(value) || 0));
    else this.#data.push(Number(value));
  }
}

function countAt(tape: Tape, at: number, tag: number): number {
  if (tag === TAPE_TAG.list) return tape.u32(at + 5);
  return tag === TAPE_TAG.array ? tape.u32(at + 2) : 0;
}
