import type { Range } from '../source';
import { discard } from './http-body';
import type { Answer } from './http-client';
import { changedError } from './http-errors';
import { validatorOf } from './http-headers';

/** Bytes of the start that are compared; they have the UUID, the dates and the end that ROOT writes. */
const HEAD_BYTES = 4096;

/** Knowledge of the content behind a URL, by which each answer is checked to be of the same content. */
export class HttpContent {
  /** By kind and host, because a redirector may send requests to copies that were made at different times. */
  readonly #validators = new Map<string, string>();
  /** Set only when the server gave the size for certain. */
  #size: number | undefined;
  /** The start of the file as it was first read. */
  #head: Uint8Array | undefined;
  /** Kinds and hosts whose start was compared with the head: what their validator names is this content. */
  readonly #proven = new Set<string>();
  /** Kinds and hosts whose answers are used although their start was not compared since, each with a mark of its own. */
  readonly #doubts = new Map<string, symbol>();

  constructor(readonly name: string) {}

  get size(): number | undefined {
    return this.#size;
  }

  /** The first validator that was seen. */
  get validator(): string | undefined {
    return this.#validators.values().next().value;
  }

  /** Number of known bytes of the start. */
  get headLength(): number {
    return this.#head?.length ?? 0;
  }

  /** Sets the size after all of the file was read; undefined when what the server says of it is wrong. */
  setSize(size: number | undefined): void {
    this.#size = size;
  }

  setHead(bytes: Uint8Array): void {
    this.#head ??= bytes.slice(0, HEAD_BYTES);
  }

  /** Forgets the start of the file when it has bytes of the ranges. */
  forgetHead(ranges: readonly Range[]): void {
    if (ranges.some(({ offset }) => offset < this.headLength)) this.#head = undefined;
  }

  /** Throws FILE_CHANGED, and ends the answer, when its file has another size. */
  noteSize(found: number, response: Answer): void {
    this.#size ??= found;
    if (this.#size === found) return;
    discard(response);
    throw changedError(this.name, `its size was ${this.#size} bytes and is ${found} bytes`);
  }

  /**
   * Compares the start of the file with the start that was read first; false when the bytes are not of the
   * start. Throws FILE_CHANGED.
   */
  checkHead(offset: number, bytes: Uint8Array, response: Answer): boolean {
    const head = this.#head;
    if (offset > 0) return false;
    const common = Math.min(head?.length ?? 0, bytes.length);
    for (let i = 0; i < common; i++) {
      if (bytes[i] !== head?.[i]) throw changedError(this.name, `its byte ${i} is another one`);
    }
    if (common < (head?.length ?? 0)) return true;
    const key = keyOf(response);
    this.#doubts.delete(key);
    if (validatorOf(response)) this.#proven.add(key);
    return true;
  }

  /** Remembers that an answer is used of which it is not known that it is of this content. */
  doubt(response: Answer): void {
    const key = keyOf(response);
    if (!this.#doubts.has(key)) this.#doubts.set(key, Symbol());
  }

  /** Returns a function that says whether any start that has to be compared now is still to be. */
  get doubts(): () => boolean {
    const all = [...this.#doubts];
    return () => all.some(([key, mark]) => this.#doubts.get(key) === mark);
  }

  /**
   * Returns false when it is not known that the answer is of this content: the server does not say so, or another
   * server or another kind of validator does, whose start was not compared. Throws FILE_CHANGED, and ends the answer.
   */
  checkIdentity(response: Answer): boolean {
    const found = validatorOf(response);
    if (!found) return false;
    const key = keyOf(response);
    const before = this.#validators.get(key) ?? found.value;
    this.#validators.set(key, before);
    if (before !== found.value) {
      discard(response);
      throw changedError(this.name, `its ${found.kind} was ${before} and is ${found.value}`);
    }
    if (this.#proven.has(key)) return true;
    if (this.#proven.size > 0 || this.#validators.size > 1) return false;
    // The first content that is seen. Its start is on the way.
    this.doubt(response);
    return true;
  }
}

/** The kind of the validator and the host of an answer. */
function keyOf(response: Answer): string {
  const host = response.url ? new URL(response.url).host : '';
  return `${validatorOf(response)?.kind} ${host}`;
}
