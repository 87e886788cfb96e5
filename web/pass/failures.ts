import type { PartialNote } from '../api/api';
import { type ErrorRecord, XylemError } from '../base/errors';

/** Number of errors that are kept; the others are only counted. */
const MAX_ERRORS = 20;

/** Collects errors, so that an incomplete result does not look complete. */
export class Failures {
  #failed = 0;
  #total = 0;
  readonly #errors: ErrorRecord[] = [];

  /** Adds to the number of units that are to be read. */
  expect(units: number): void {
    this.#total += units;
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

  /** Throws when nothing could be read. */
  throwIfAll(): void {
    const first = this.#errors[0];
    if (first && this.#failed >= this.#total) throw new XylemError({ ...first, cause: undefined });
  }
}
