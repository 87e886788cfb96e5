import type { Gathered } from '../../../../api/selector';
import { overBudget } from '../../../../base/data-errors';
import { argumentError, type XylemError } from '../../../../base/errors';
import { formatNumber } from '../../../../base/format';
import { roundedSum } from '../../../../core/sums/exact-sums';
import { itemsOf, recordOf, sumJson } from '../../../../measure/json';
import {
  addCounted,
  amountOf,
  type Counted,
  countedFrom,
  countedText,
  MadeCounter,
  scaledCounted,
} from './counter';
import { Made, type ResultKind } from './kind';

/** Sums by names, such as those of triggers. */
export interface SelectorLabels {
  add(label: string, amount?: number): void;
}

export interface LabelsResult extends Gathered {
  kind: 'labels';
  sums: Map<string, Counted>;
  /** Labels that come first, in this order; the others follow by their texts. */
  order?: string[] | undefined;
}

const MAX_LABELS = 100_000;

export const labels: ResultKind<LabelsResult, Record<string, number>> = {
  job: () => ({ labels: (order) => new MadeLabels(order) }),
  help: { labels: "(['all', 'two muons', …])" },
  form: ({ order }) => order,
  add({ sums }, more) {
    for (const [label, one] of more.sums) {
      const there = sums.get(label);
      if (there) addCounted(there, one);
      else sums.set(label, one);
    }
  },
  scaled: (one, scale) => ({
    ...one,
    sums: new Map([...one.sums].map(([label, sum]) => [label, scaledCounted(sum, scale)])),
  }),
  json: (one) => ({
    ...(one.order && { order: one.order }),
    sums: labelsInOrder(one).map(([label, { sum, squares, count }]) => [
      label,
      sumJson(sum),
      ...(squares && count !== undefined ? [sumJson(squares), count] : []),
    ]),
  }),
  from({ sums, order }, wrong, source) {
    const pairs = itemsOf(sums instanceof Map ? [...sums] : sums) ?? wrong('labels are missing');
    const first =
      order === undefined ? undefined : (itemsOf(order) ?? wrong('the order of labels is missing'));
    if (!(first ?? []).every((one) => typeof one === 'string')) wrong('the order of labels is not of texts');
    return {
      kind: 'labels',
      sums: new Map(
        pairs.map((pair) => {
          const [label, sum, squares, count] = itemsOf(pair) ?? wrong('a label is missing');
          const given = source ? (recordOf(sum) ?? wrong('a label is missing')) : { sum, squares, count };
          const name = typeof label === 'string' ? label : wrong('a label is not a text');
          return [name, countedFrom(given, wrong)];
        }),
      ),
      ...(first && { order: first as string[] }),
    };
  },
  value: (one) =>
    Object.fromEntries(labelsInOrder(one).map(([label, { sum }]) => [label, roundedSum(sum, 0)])),
  lines: (value, one) =>
    one
      ? labelsInOrder(one).map(([label, counted]) => `${label}: ${countedText(counted)}`)
      : Object.entries(value).map(([label, sum]) => `${label}: ${formatNumber(sum)}`),
};

/** Returns the sums in the order in which they are shown. */
export function labelsInOrder({ sums, order = [] }: LabelsResult): [label: string, sum: Counted][] {
  const place = new Map(order.map((label, i) => [label, i]));
  const rank = (label: string): number => place.get(label) ?? order.length;
  return [...sums].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

class MadeLabels extends Made<LabelsResult> implements SelectorLabels {
  readonly #counters = new Map<string, MadeCounter>();

  /** Labels of the order are there, also if nothing is added to them. */
  constructor(readonly order?: readonly string[]) {
    super();
    if (order !== undefined && !(Array.isArray(order) && order.every((one) => typeof one === 'string')))
      throw argumentError(
        'labels takes a list of labels, in their order.',
        "Write job.labels(['all', 'trigger']).",
      );
    for (const label of order ?? []) this.#counters.set(label, new MadeCounter());
  }

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
      sums: new Map([...this.#counters].map(([label, counter]) => [label, counter.counted()])),
      ...(this.order && { order: [...this.order] }),
    };
  }
}

function labelError(label: unknown): XylemError {
  return argumentError(
    `The label that add got is ${label === undefined ? 'undefined' : 'an object'}.`,
    "Give a text: add('trigger', weight).",
  );
}
