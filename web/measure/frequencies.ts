import type { Frequencies, PartialNote } from '../api/api';
import { unsupported } from '../base/data-errors';
import type { Column } from '../core/columns';
import { decodeText } from '../core/tape';
import type { Failures } from '../pass/failures';
import { columnsGoal } from '../pass/goals/columns';
import { rowsGoal } from '../pass/goals/rows';
import { type Source, titleOf } from '../query/language/source';
import type { Measure } from './measure';
import type { Ask, MemberPass } from './member-pass';
import { valuesOf } from './table-values';

/** Maximum number of different strings that are counted. */
const MAX_DISTINCT = 100_000;
const TOP = 100;

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

/** Counts different strings, up to a limit. */
class StringCounts {
  readonly #seen = new Map<string, number>();
  #values = 0;

  add(text: string, weight = 1): void {
    const count = this.#seen.get(text);
    this.#values += 1;
    if (count !== undefined) this.#seen.set(text, count + weight);
    else if (this.#seen.size < MAX_DISTINCT) this.#seen.set(text, weight);
  }

  result(title: string, entries: number, partial: PartialNote | undefined): Frequencies {
    const top = [...this.#seen]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, TOP)
      .map(([value, count]) => ({ value, count }));
    return {
      kind: 'frequencies',
      title,
      values: this.#values,
      distinct: this.#seen.size,
      entries,
      top,
      partial,
    };
  }
}

/** Returns the column of strings inside lists and arrays; undefined for other columns. */
function stringsOf(column: Column): (Column & { kind: 'string' }) | undefined {
  if (column.kind === 'string') return column;
  if (column.kind === 'struct') return column.children.map(stringsOf).find((child) => child !== undefined);
  return 'child' in column ? stringsOf(column.child) : undefined;
}
