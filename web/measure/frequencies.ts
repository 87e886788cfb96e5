import type { Frequencies } from '../api/api';
import { unsupported } from '../base/data-errors';
import { decodeText } from '../core/tape';
import type { Failures } from '../pass/failures';
import { columnsGoal } from '../pass/goals/columns';
import { rowsGoal } from '../pass/goals/rows';
import { type Source, titleOf } from '../query/language/source';
import type { Measure } from './measure';
import type { Ask, MemberPass } from './member-pass';
import { StringCounts, stringsOf } from './string-counts';
import { valuesOf } from './table-values';

/** The most frequent strings. Each instance that passes counts once, with its weight. */
export class FrequencyMeasure implements Measure {
  readonly label: string;
  readonly sources: readonly Source[];
  readonly #seen = new StringCounts();
  #rows = 0;

  constructor(
    readonly source: Source,
    readonly cut: Source | undefined,
    readonly note: Failures,
  ) {
    this.label = `Drawing ${titleOf(source)}`;
    this.sources = cut ? [source, cut] : [source];
  }

  async open(pass: MemberPass): Promise<Ask> {
    const { source, cut } = this;
    const compiled = await pass.compile([source], cut, 'weighed', 'string');
    const goals = [];
    if (compiled.plain?.kind === 'string') {
      // All strings of a branch, as they are stored.
      const count = columnsGoal((column) => {
        const strings = stringsOf(column);
        for (let i = 0; strings && i < strings.length; i++)
          this.#seen.add(decodeText(strings.bytes.subarray(strings.offsets[i], strings.offsets[i + 1])));
      }, pass.column(compiled.plain));
      goals.push(count);
    } else {
      const { outputs, together } = compiled;
      if (outputs[0]?.kind !== 'string') {
        throw unsupported(`${titleOf(source)} holds strings in other files only.`);
      }
      const kinds = outputs.map(({ kind }) => kind);
      const count = rowsGoal(pass.program(compiled), kinds, ({ entries, outputs: values }) => {
        const [strings, weights] = values.map(valuesOf);
        for (let row = 0; row < entries.length; row++) {
          const weight = together ? weights?.() : undefined;
          for (const [i, text] of (strings?.() ?? []).entries()) {
            const counts = weight ? Number(weight[i] ?? 0) : 1;
            if (text !== undefined && counts !== 0) this.#seen.add(String(text), counts);
          }
        }
      });
      goals.push(count);
    }
    return {
      goals,
      onPart: ({ rows }) => {
        this.#rows += rows;
      },
      onFailures: (errors) => this.note.addErrors(errors),
    };
  }

  next(): undefined {
    return undefined;
  }

  again(): boolean {
    return false;
  }

  result(): Frequencies {
    return this.#seen.result(titleOf(this.source), this.#rows, this.note.toNote());
  }
}
