import type { CallOptions, DrawnTogether, DrawOutcome, RulesOfRoot } from '../../../api/api';
import type { Sample } from '../../../api/selector';
import { argumentError, fromRecord, XylemError } from '../../../base/errors';
import type { HistogramShape } from '../../../bins/filled-histogram';
import { addHistogram, type HistogramSum, histogramOfSum } from '../../../bins/histogram-sum';
import { addSums, type ExactSums, emptySums } from '../../../core/sums/exact-sums';
import { givenShape } from '../../../measure/histogram-shape';
import { entriesOf, type OpenInput, refuseUnreadable } from '../../../measure/partial-kind';
import { weightsOf } from '../../../measure/sample-scale';
import { parseExpression } from '../../../query/language/parser';
import { passes } from './passes';
import { type AskedPlots, plotDraw } from './plots';

/*
 * A cutflow is made of one histogram. Each entry has a number whose bit i says whether it passes the cut i, and the histogram
 * has a bin for each such number. How many entries are left after each cut, with which others, and in which order, are sums
 * over its bins.
 */

/** Maximum number of cuts. There is a bin for each combination of passed cuts. */
export const MAX_CUTS = 16;

export interface CutflowQuery {
  cuts: readonly string[];
  /** An expression with one value for each entry; empty for none. */
  weight: string;
  rootVersion: RulesOfRoot;
  samples?: Sample[];
  /** The variables of the cuts, if they are plotted. Partial results have none. */
  plots?: AskedPlots | undefined;
}

/** The sums of the entries of one sample. */
export interface MaskSum {
  /** Entries for each combination of passed cuts. */
  counts: HistogramSum;
  /** Their weights, if there are any. */
  weighted?: HistogramSum | undefined;
  /** The sum of weights by which the sample is scaled. */
  scaledBy: ExactSums;
  /** The histograms of the plots that the query asks for. */
  plots?: readonly HistogramSum[] | undefined;
}

/** Sums by the names of the samples; without samples the name is empty. */
export type CutflowSum = Map<string, MaskSum>;

/** Throws ARGUMENT for cuts that are too many, empty, or cannot be parsed. */
export function checkCuts({ cuts, weight }: Pick<CutflowQuery, 'cuts' | 'weight'>): void {
  if (cuts.length > MAX_CUTS)
    throw argumentError(
      `These are ${cuts.length} cuts, and ${MAX_CUTS} are counted at most.`,
      'Join some of them by &&.',
    );
  for (const [i, cut] of cuts.entries()) {
    if (cut.trim() === '') throw argumentError(`The cut ${i + 1} is empty.`, 'Write a condition.');
    parseExpression(cut);
  }
  if (weight !== '') parseExpression(weight);
}

/** Returns the expression of the number of an entry. */
const maskOf = (cuts: readonly string[]): string =>
  cuts.map((cut, i) => `${2 ** i}*${passes(cut)}`).join('+') || '0';

/** Returns the weight of the entries of a sample: of the query and of the sample; empty for none. */
export const weightOf = ({ weight }: Pick<CutflowQuery, 'weight'>, sample: Sample | undefined): string =>
  [weight, sample?.weight ?? '']
    .filter((one) => one !== '')
    .map((one) => `(${one})`)
    .join('*');

function maskDraw({ cuts }: CutflowQuery, cut: string): DrawnTogether {
  const bins = 2 ** cuts.length;
  return { expr: maskOf(cuts), cut, axes: [{ bins, range: [-0.5, bins - 0.5] }], exact: true };
}

export const shapeOf = (query: CutflowQuery): HistogramShape =>
  givenShape({ tree: '', ...maskDraw(query, '') });

/**
 * Reads the entries of an input in one pass. Throws ARGUMENT for a weight that has several values for an entry, and the errors
 * of reading, also if only a part is unreadable.
 */
export async function readMasks(
  query: CutflowQuery,
  input: OpenInput,
  options: CallOptions,
): Promise<{ sum: CutflowSum; read: [number, number] }> {
  const read = await entriesOf(input, options);
  const { reader, info, tree, entries, sample: name = '' } = input;
  const { cuts, rootVersion, samples, plots } = query;
  const sample = samples?.find((one) => one.name === name);
  const weight = weightOf(query, sample);
  const flows = [maskDraw(query, ''), ...(weight === '' ? [] : [maskDraw(query, weight), lengths(weight)])];
  const draws = [...flows, ...(plots?.asked.map((one) => plotDraw(cuts, weight, one)) ?? [])];
  const found = await reader.drawAll(info.id, { tree, entries, rootVersion, draws }, options);
  const [counts, weighted, values] = found.slice(0, flows.length).map(exactOf);
  if (values && values.fills > 0 && (values.min[0] !== 1 || values.max[0] !== 1))
    throw argumentError(
      `The weight ${weight} has several values for an entry.`,
      'Give one that has one value, for example Muon_weight[0], or a product of all elements.',
      { url: info.name },
    );
  if (!counts) throw new XylemError({ code: 'INTERNAL', message: 'No counts.' });
  const scaledBy = sample
    ? await weightsOf(sample, { entries: read[1] - read[0], rootVersion }, input, options)
    : emptySums(1);
  const histograms = plots && found.slice(flows.length).map(exactOf);
  return { sum: new Map([[name, { counts, weighted, scaledBy, plots: histograms }]]), read };
}

/** Counts the values that an expression has for an entry. */
const lengths = (expr: string): DrawnTogether => ({
  expr: `Length$(${expr})`,
  axes: [{ bins: 1, range: [1, 2] }],
  exact: true,
});

function exactOf(outcome: DrawOutcome): HistogramSum {
  if (outcome.kind === 'error') throw fromRecord(outcome.error);
  if (outcome.kind !== 'histogram' || !outcome.exact)
    throw new XylemError({ code: 'INTERNAL', message: 'No exact sums.' });
  refuseUnreadable(outcome.partial);
  return { ...outcome, exact: outcome.exact };
}

/** Adds sums of the same query. Changes `sum`. */
export function addMasks(sum: CutflowSum, more: CutflowSum): void {
  for (const [name, one] of more) {
    const there = sum.get(name);
    if (!there) {
      sum.set(name, one);
      continue;
    }
    addHistogram(there.counts, one.counts);
    if (there.weighted && one.weighted) addHistogram(there.weighted, one.weighted);
    addSums(there.scaledBy, one.scaledBy);
    there.plots?.forEach((own, i) => {
      const other = one.plots?.[i];
      if (other) addHistogram(own, other);
    });
  }
}

/** The entries of one combination of passed cuts: how many, their sum of weights, and the sum of squared weights. */
export interface Masked {
  entries: Float64Array;
  weights: Float64Array;
  squares: Float64Array;
}

/** Returns the bins of a sum, one for each combination of passed cuts. */
export function maskedOf(query: CutflowQuery, { counts, weighted }: MaskSum): Masked {
  const bins = 2 ** query.cuts.length;
  const binsOf = (sum: HistogramSum) => {
    const { sums, squares } = histogramOfSum(shapeOf(query), sum);
    return { sums: sums.subarray(1, bins + 1), squares: squares.subarray(1, bins + 1) };
  };
  const { sums: entries } = binsOf(counts);
  if (!weighted) return { entries, weights: entries, squares: entries };
  const { sums: weights, squares } = binsOf(weighted);
  return { entries, weights, squares };
}
