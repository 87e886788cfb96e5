import { type ErrorRecord, XylemError } from '../base/errors';
import type { PartialNote } from './api';

/** Errors that are kept of a result; the others are only counted. */
const MAX_ERRORS = 20;

/** Collects what could not be read: a result without it must not look whole. */
export class Failures {
  #failed = 0;
  #total = 0;
  readonly #errors: ErrorRecord[] = [];

  /** Pieces that are to be read. */
  expect(pieces: number): void {
    this.#total += pieces;
  }

  add(failures: readonly { error: ErrorRecord }[]): void {
    this.#failed += failures.length;
    for (const { error } of failures) if (this.#errors.length < MAX_ERRORS) this.#errors.push(error);
  }

  toNote(): PartialNote | undefined {
    return this.#failed > 0
      ? { failed: this.#failed, total: this.#total, errors: [...this.#errors] }
      : undefined;
  }

  /** A result of which nothing could be read is no result. */
  throwIfAll(): void {
    const first = this.#errors[0];
    if (first && this.#failed >= this.#total) throw new XylemError({ ...first, cause: undefined });
  }
}
