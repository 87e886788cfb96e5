import { rowsGoal } from '../pass/goals/rows';
import { expressionError } from '../query/language/errors';
import { type Source, titleOf } from '../query/language/source';
import type { Ask, MemberPass } from './member-pass';
import { valuesOf } from './table-values';

/** Maximum number of labels on an axis; more are not readable. */
const MAX_LABELS = 1000;

/**
 * Finds the labels of expressions with string values: the different strings of all instances that pass, in the order of
 * their first appearance. TTree::Draw gives each string a bin and fills at its centre.
 */
export class Labels {
  readonly label = 'Finding the labels';
  readonly #all: Set<string>[];
  /** The strings of the current tree by task, because tasks finish in any order. */
  #found: Set<string>[][] = [];

  constructor(
    /** The expressions, and for each whether its values are strings. */
    readonly sources: Source[],
    readonly strings: readonly boolean[],
    readonly cut: Source | undefined,
  ) {
    this.#all = sources.map(() => new Set());
  }

  async open(pass: MemberPass): Promise<Ask> {
    const compiled = await pass.compile(this.sources, this.cut, 'weighed');
    const { outputs, together } = compiled;
    this.#found = [];
    const kinds = outputs.map(({ kind }) => kind);
    const goal = rowsGoal(pass.program(compiled), kinds, ({ entries, outputs: values }, { number }) => {
      const own = this.sources.map(() => new Set<string>());
      this.#found[number] = own;
      const readers = values.map(valuesOf);
      for (let row = 0; row < entries.length; row++) {
        const lists = readers.map((read) => read());
        const weights = together ? lists[this.sources.length] : undefined;
        for (const [k, isString] of this.strings.entries()) {
          if (!isString) continue;
          for (const [i, text] of lists[k]?.entries() ?? [])
            if (text !== undefined && (weights === undefined || weights[i] !== 0)) own[k]?.add(String(text));
        }
      }
    });
    // Units that cannot be read are reported when the histogram is filled.
    return { goals: [goal], onFailures: () => {} };
  }

  next(): undefined {
    for (const own of this.#found)
      for (const [k, texts] of own?.entries() ?? []) for (const text of texts) this.#all[k]?.add(text);
    return undefined;
  }

  /** Returns the expressions with their labels. Throws BUDGET if there are too many. */
  labelled(): Source[] {
    return this.sources.map((source, k) => {
      if (!this.strings[k]) return source;
      const labels = [...(this.#all[k] ?? [])];
      if (labels.length > MAX_LABELS) {
        const { from = 0, to = source.text.length, text } = source;
        const message = `"${titleOf(source)}" holds ${labels.length} different texts, more than the ${MAX_LABELS} of an axis.`;
        const fix = 'Select some of them by a cut.';
        throw expressionError(text, { at: from, end: to }, message, fix, 'BUDGET');
      }
      return { ...source, labels };
    });
  }
}
