import type { Gathered } from '../../../../api/selector';
import { argumentError } from '../../../../base/errors';
import type { Core } from '../../../../core/core';
import type { Json, Wrong } from '../../../../measure/json';
import type { RowSpool } from '../rows/spool';
import type { SelectorJob } from './kinds';

/** A file and a tree in it. */
export interface Source {
  file: string;
  tree: string;
}

/** A part of the entries: its file, its tree and its first entry. */
export interface Place extends Source {
  from: number;
}

/**
 * A kind of results of selectors. All code that creates, adds, saves or shows results uses these members. A new kind
 * is a file with an object of this type, and a line in kinds.ts.
 */
export interface ResultKind<G extends Gathered = Gathered, Value = unknown> {
  /**
   * Returns the members of `job` that create such a result. `begin` is also called without a core, to find out what
   * it creates. `spool` takes rows that are not to stay in memory.
   */
  job?(core: Core | undefined, spool: RowSpool | undefined): Partial<SelectorJob>;
  /** Arguments of these members, as shown by the editor of the page. */
  help?: Readonly<Partial<Record<keyof SelectorJob, string>>>;
  /** Returns what has to be equal in two results to add them. Without it they can always be added. */
  form?(one: G): unknown;
  /** Adds a result of the same form. The sum is the same in any order and grouping. Changes `sum`. */
  add(sum: G, more: G): void;
  /** Returns a copy in which each weight is `scale` times as large. */
  scaled(one: G, scale: number): G;
  /** Whether a result consists of rows. Rows are not scaled: rows of data are added to those of the other samples. */
  isRows?: boolean;
  /** Returns the result with all rows of a file in one part, so that it does not depend on how the entries were divided. */
  joined?(one: G, place: Place): G;
  /** Returns the members of the result in a partial result, besides its kind. Equal results have equal texts. */
  json(one: G): object;
  /**
   * Reads what `json` wrote, or a result that a worker sent. Both may hold anything. `source` is the place of a worker's result,
   * and undefined for JSON. Calls `wrong` if the data is not such a result.
   */
  from(given: Json, wrong: Wrong, source: Source | undefined): G;
  /** Returns the result in the form for programs. `entries` is the number of entries that were read. */
  value(one: G, name: string, entries: number): Value;
  /**
   * Returns the lines for the overview in the terminal, and for the page if it has no component for the kind. Without
   * it JSON is shown.
   */
  lines?(value: Value, one?: G): string[];
}

/** A result object that `begin` creates with its job. The thread that runs the selector fills it. */
export abstract class Made<G extends Gathered = Gathered> {
  #taken = false;

  /** Returns the filled content. Throws ARGUMENT the second time, because it would count twice. */
  take(place: Place): G {
    this.checkOwn();
    this.#taken = true;
    return this.gathered(place);
  }

  /**
   * Throws ARGUMENT if the content was already taken, because later fills would be lost. Every method that fills
   * calls it first.
   */
  protected checkOwn(): void {
    if (this.#taken) {
      throw argumentError(
        'An object of the state is there twice, or is one that an earlier call of begin made, so that it would count twice.',
        'Make each object anew each time that begin is called, and keep it under one name.',
      );
    }
  }

  /** Returns the filled content as plain data. */
  protected abstract gathered(place: Place): G;
}
