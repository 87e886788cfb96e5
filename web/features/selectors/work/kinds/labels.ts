import type { Gathered } from '../../../../api/selector';
import { overBudget } from '../../../../base/data-errors';
import { argumentError, type XylemError } from '../../../../base/errors';
import { formatNumber } from '../../../../base/format';
import { addSums, type ExactSums, roundedSum, scaledSums } from '../../../../core/sums/exact-sums';
import { itemsOf, sumFrom, sumJson } from '../../../../measure/json';
import { amountOf, MadeCounter } from './counter';
import { Made, type ResultKind } from './kind';

/** Sums by names, such as those of triggers. */
export interface SelectorLabels {
  add(label: string, amount?: number): void;
}

export interface LabelsResult extends Gathered {
  kind: 'labels';
  sums: Map<string, ExactSums>;
}

const MAX_LABELS = 100_000;

export const labels: ResultKind<LabelsResult, Record<string, number>> = {
  job: () => ({ labels: () => new MadeLabels() }),
  help: { labels: '()' },
  add({ sums }, more) {
    for (const [label, one] of more.sums) {
      const there = sums.get(label);
      if (there) addSums(there, one);
      else sums.set(label, one);
    }
  },
  scaled: (one, scale) => ({
    ...one,
    sums: new Map([...one.sums].map(([label, sum]) => [label, scaledSums(sum, () => scale)])),
  }),
  json: ({ sums }) => ({ sums: inOrder(sums).map(([label, sum]) => [label, sumJson(sum)]) }),
  from({ sums }, wrong) {
    const pairs = itemsOf(sums instanceof Map ? [...sums] : sums) ?? wrong('labels are missing');
    return {
      kind: 'labels',
      sums: new Map(
        pairs.map((pair) => {
          const [label, sum] = itemsOf(pair) ?? wrong('a label is missing');
          return [typeof label === 'string' ? label : wrong('a label is not a text'), sumFrom(sum, wrong)];
        }),
      ),
    };
  },
  value: ({ sums }) => Object.fromEntries(inOrder(sums).map(([label, sum]) => [label, roundedSum(sum, 0)])),
  lines: (value) => Object.entries(value).map(([label, sum]) => `${label}: ${formatNumber(sum)}`),
};

function inOrder(sums: LabelsResult['sums']): [label: string, sum: ExactSums][] {
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
}

class MadeLabels extends Made<LabelsResult> implements SelectorLabels {
  readonly #counters = new Map<string, MadeCounter>();

  add(label: string, ...given: readonly number[]): void {
    this.checkOwn();
    const amount = amountOf('add of labels takes a label and', given);
    if (label === undefined || typeof label === 'object') throw labelError(label);
    const name = String(label);
    let counter = this.#counters.get(name);
    if (!counter) {
      if (this.#counters.size === MAX_LABELS) {
        throw overBudget(
          `There are more than ${MAX_LABELS} different labels.`,
          'Take labels for a table, or put the rare ones together.',
        );
      }
      counter = new MadeCounter();
      this.#counters.set(name, counter);
    }
    counter.add(amount);
  }

  protected gathered(): LabelsResult {
    return {
      kind: 'labels',
      sums: new Map([...this.#counters].map(([label, counter]) => [label, counter.sum()])),
    };
  }
}

function labelError(label: unknown): XylemError {
  return argumentError(
    `The label that add got is ${label === undefined ? 'undefined' : 'an object'}.`,
    "Give a text: add('trigger', weight).",
  );
}
