import type { Range } from '../source';
import { discard } from './http-body';
import type { Answer } from './http-client';
import { changedError } from './http-errors';
import { validatorOf } from './http-headers';

/** Number of bytes at the start that are compared. They contain UUID, dates and end of a ROOT file. */
const HEAD_BYTES = 4096;

/** Facts about the content of a URL. Each answer is checked to belong to the same content. */
export class HttpContent {
  /** By kind and host, because a redirector may use copies that were made at different times. */
  readonly #validators = new Map<string, string>();
  /** Set only if the server's size is certain. */
  #size: number | undefined;
  /** The start of the file as it was first read. */
  #head: Uint8Array | undefined;
  /** Kinds and hosts of validators whose start was compared, so that the validator identifies this content. */
  readonly #proven = new Set<string>();
  /** Kinds and hosts whose answers are used without a comparison of the start so far, each with a unique mark. */
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

  /** Sets the size after the whole file was read; undefined if the size given by the server is wrong. */
  setSize(size: number | undefined): void {
    this.#size = size;
  }

  setHead(bytes: Uint8Array): void {
    this.#head ??= bytes.slice(0, HEAD_BYTES);
  }

  /** Drops the start of the file if it has bytes of the ranges. */
  forgetHead(ranges: readonly Range[]): void {
    if (ranges.some(({ offset }) => offset < this.headLength)) this.#head = undefined;
  }

  /** Throws FILE_CHANGED, and ends the answer, if its file has another size. */
  noteSize(found: number, response: Answer): void {
    this.#size ??= found;
    if (this.#size === found) return;
    discard(response);
    throw changedError(this.name, `its size was ${this.#size} bytes and is ${found} bytes`);
  }

  /**
   * Compares the start of the file with the start that was read first. Returns false if the bytes are not from the
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

  /** Notes that an answer is used although it may belong to other content. */
  doubt(response: Answer): void {
    const key = keyOf(response);
    if (!this.#doubts.has(key)) this.#doubts.set(key, Symbol());
  }

  /** Returns a function that tells whether any start that has to be compared now has not been compared yet. */
  get doubts(): () => boolean {
    const all = [...this.#doubts];
    return () => all.some(([key, mark]) => this.#doubts.get(key) === mark);
  }

  /**
   * Returns false if it is unknown whether the answer belongs to this content: the server sends no validator, or one
   * of another kind or host whose start was not compared. Throws FILE_CHANGED, and ends the answer.
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
