import { DTYPES, type DType, numberAt, sizeOf } from '../../../../core/dtypes';
import { decodeText, TAPE_TAG } from '../../../../core/tape';

/** A number, or an array of numbers, that may differ between tapes of the same shape. */
export interface FreeNumbers {
  dtype: DType;
  count: number;
  /** Position of the first number in the tape. */
  at: number;
}

/** An object with free members. */
export interface FreeObject {
  /** The members and indices that lead to it from the object of the tape. */
  path: readonly (string | number)[];
  members: ReadonlyMap<string, FreeNumbers>;
}

/**
 * An exact tape without the values of some members. Other tapes that differ in these values at most are found by
 * comparing bytes, which takes a fraction of the time that reading their objects does.
 */
export class TapeShape {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #free: ReadonlySet<string>;
  /** The objects with free members, in the order of the tape. */
  readonly objects: FreeObject[] = [];
  /** Start and end of each range that is compared. */
  readonly #fixed: number[] = [];
  #start = 0;
  #at = 0;
  readonly #path: (string | number)[] = [];

  /**
   * @param tape a tape that `readExactTape` reads
   * @param free names of the members whose numbers, or arrays of numbers, may differ; of a single class as "TLeafC.fLen"
   */
  constructor(tape: Uint8Array, free: ReadonlySet<string>) {
    this.#bytes = tape.slice();
    this.#view = new DataView(this.#bytes.buffer);
    this.#free = free;
    this.#pass();
    this.#fixed.push(this.#start, this.#bytes.length);
  }

  /** Whether a tape has the same bytes, except for the numbers of the free members. */
  fits(tape: Uint8Array): boolean {
    const own = this.#bytes;
    if (tape.length !== own.length) return false;
    const fixed = this.#fixed;
    for (let i = 0; i < fixed.length; i += 2) {
      const end = fixed[i + 1] as number;
      for (let at = fixed[i] as number; at < end; at++) if (tape[at] !== own[at]) return false;
    }
    return true;
  }

  /** Passes a value. The numbers of a free one are left out of the comparison, and put into `members`. */
  #pass(member = '', members?: Map<string, FreeNumbers>): void {
    const tag = this.#bytes[this.#at++];
    if (tag === TAPE_TAG.scalar) this.#numbers(() => 1, member, members);
    else if (tag === TAPE_TAG.array) this.#numbers(() => this.#uint32(), member, members);
    else if (tag === TAPE_TAG.string || tag === TAPE_TAG.error) this.#text();
    else if (tag === TAPE_TAG.ref) this.#at += 4;
    else if (tag === TAPE_TAG.list) this.#list();
    else if (tag === TAPE_TAG.object) this.#object();
  }

  #numbers(countOf: () => number, member: string, members: Map<string, FreeNumbers> | undefined): void {
    const dtype = DTYPES[this.#bytes[this.#at++] ?? 0] ?? 'u8';
    const count = countOf();
    const bytes = sizeOf(dtype) * count;
    if (members) {
      members.set(member, { dtype, count, at: this.#at });
      this.#fixed.push(this.#start, this.#at);
      this.#start = this.#at + bytes;
    }
    this.#at += bytes;
  }

  #text(): void {
    const bytes = this.#uint32();
    this.#at += bytes;
  }

  #list(): void {
    this.#at += 4; // its size
    const count = this.#uint32();
    for (let i = 0; i < count; i++) {
      this.#path.push(i);
      this.#pass();
      this.#path.pop();
    }
  }

  #object(): void {
    const end = this.#uint32() + 4 + this.#at;
    this.#at += 4; // its number
    const className = this.#name();
    const members = new Map<string, FreeNumbers>();
    const own: FreeObject = { path: [...this.#path], members };
    const index = this.objects.push(own) - 1;
    while (this.#at < end) {
      const name = this.#name();
      const isFree = this.#free.has(name) || this.#free.has(`${className}.${name}`);
      this.#path.push(name);
      this.#pass(name, isFree ? members : undefined);
      this.#path.pop();
    }
    // Objects within it follow, so that only the last one can be taken out again.
    if (members.size === 0 && index === this.objects.length - 1) this.objects.pop();
  }

  #name(): string {
    const start = this.#at + 2;
    this.#at = start + this.#view.getUint16(this.#at, true);
    return decodeText(this.#bytes.subarray(start, this.#at));
  }

  #uint32(): number {
    const value = this.#view.getUint32(this.#at, true);
    this.#at += 4;
    return value;
  }
}

/** Returns one of some free numbers of a tape; NaN for an integer beyond 2^53. */
export function freeNumber(view: DataView, { dtype, at }: FreeNumbers, index = 0): number {
  if (dtype === 'i64') {
    const place = at + 8 * index;
    const number = view.getInt32(place + 4, true) * 2 ** 32 + view.getUint32(place, true);
    return Number.isSafeInteger(number) ? number : Number.NaN;
  }
  const number = Number(numberAt(view, at + sizeOf(dtype) * index, dtype));
  return dtype === 'u64' && !Number.isSafeInteger(number) ? Number.NaN : number;
}
