import type { EntryNumbers } from '../api/api';
import { concat } from '../base/bytes';
import type { Failures } from '../pass/failures';
import { rowsGoal } from '../pass/goals/rows';
import type { Source } from '../query/language/source';
import type { Measure } from './measure';
import type { Ask, MemberPass } from './member-pass';

/** Entries that pass a cut, in order. */
export class EntryListMeasure implements Measure {
  readonly label = 'Selecting entries';
  readonly sources: readonly Source[];
  readonly #kept: Float64Array[] = [];
  /** The entries of the current tree that pass, by task. */
  #parts: Float64Array[] = [];
  #rows = 0;

  constructor(
    readonly name: string,
    readonly cut: Source | undefined,
    readonly note: Failures,
  ) {
    this.sources = cut ? [cut] : [];
  }

  async open(pass: MemberPass): Promise<Ask> {
    const all: Source[] = this.cut ? [] : [{ text: '1' }];
    const { first } = pass.member.place;
    this.#parts = [];
    const program = pass.program(await pass.compile(all, this.cut, 'table'));
    const kinds = all.map(() => 'number' as const);
    const goal = rowsGoal(program, kinds, ({ entries }, { number }) => {
      this.#parts[number] = entries.map((entry) => entry + first);
    });
    return {
      goals: [goal],
      onPart: ({ rows }) => {
        this.#rows += rows;
      },
      onFailures: (errors) => this.note.addErrors(errors),
    };
  }

  next(): undefined {
    for (const part of this.#parts) if (part) this.#kept.push(part);
    this.#parts = [];
    return undefined;
  }

  again(): boolean {
    return false;
  }

  result(): EntryNumbers {
    const length = this.#kept.reduce((sum, part) => sum + part.length, 0);
    const numbers = concat(this.#kept, new Float64Array(length));
    return { kind: 'entries', name: this.name, numbers, entries: this.#rows, partial: this.note.toNote() };
  }
}
