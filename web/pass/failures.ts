import type { PartialNote } from '../api/api';
import { type ErrorRecord, XylemError } from '../base/errors';
import type { Range } from '../io/source';
import { fewerEntries, noBaskets } from '../model/absent';
import { unitBytes } from '../model/data-model';
import type { UnitsOfFile } from './types';

/** Maximum number of errors that are kept. Beyond it, only the first error of each file is kept. */
const MAX_ERRORS = 20;

/** Collects errors, so that an incomplete result does not look complete. */
export class Failures {
  #failed = 0;
  #total = 0;
  readonly #errors: ErrorRecord[] = [];
  readonly #files = new Set<string>();

  /** Adds to the number of units that will be read. */
  expect(units: number): void {
    this.#total += units;
  }

  add(failures: readonly { error: ErrorRecord }[]): void {
    this.#failed += failures.length;
    for (const { error } of failures) this.#keep(error);
  }

  #keep(error: ErrorRecord): void {
    const url = error.where?.url;
    if (this.#errors.length >= MAX_ERRORS && (url === undefined || this.#files.has(url))) return;
    this.#errors.push(error);
    if (url !== undefined) this.#files.add(url);
  }

  addAll(other: Failures): void {
    this.#failed += other.#failed;
    this.#total += other.#total;
    for (const error of other.#errors) this.#keep(error);
  }

  addErrors(errors: readonly ErrorRecord[]): void {
    this.add(errors.map((error) => ({ error })));
  }

  toNote(): PartialNote | undefined {
    return this.#failed > 0
      ? { failed: this.#failed, total: this.#total, errors: [...this.#errors] }
      : undefined;
  }

  /** Throws the first error if nothing could be read. */
  throwIfAll(): void {
    const first = this.#errors[0];
    if (first && this.#failed >= this.#total) throw new XylemError({ ...first, cause: undefined });
  }
}

export function isReadable({ offset, length }: Range): boolean {
  return offset >= 0 && length > 0 && Number.isSafeInteger(offset + length);
}

/** Returns the error of a unit with impossible ranges, or of one that stands for entries that no basket contains. */
export function badUnit({ tree, scan }: UnitsOfFile, index: number): ErrorRecord {
  const { branch, units } = scan;
  const { name, ranges, first, from, to, absent } = units.at(index);
  if (absent && first >= branch.entries) return fewerEntries(tree.info, branch).toRecord();
  if (absent) return noBaskets(tree.info, branch, first + from, first + to).toRecord();
  const bad = ranges.find((range) => !isReadable(range));
  const { offset, length } = bad ?? { offset: 0, length: 0 };
  return new XylemError({
    code: 'CORRUPT',
    message: `${name} of ${branch.path} claims ${length} bytes at byte ${offset}.`,
    where: { path: branch.path, offset },
    fix: 'The tree may not have been closed properly.',
  }).toRecord();
}

/** Adds the place of a unit to an error of the core, whose offsets are relative to the origin of the unit. */
export function placed(error: ErrorRecord, { tree, scan }: UnitsOfFile, index: number): ErrorRecord {
  const { branch, units } = scan;
  const unit = units.at(index);
  const offset = (error.where?.offset ?? 0) + unit.origin;
  return {
    ...error,
    where: { path: `${tree.info.path}/${branch.path}`, offset, length: unitBytes(unit) },
    message: `${unit.name} of ${branch.path}: ${error.message}`,
  };
}
