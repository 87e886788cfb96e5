import type { Histogram } from '../../../api/api';
import { type AgreementOptions, agreementOf, agreementRank } from '../../../bins/agreement';
import { comparedBins, otherBins } from '../../../bins/compared-bins';
import { lineInk } from '../../../plot/drawing/drawing';
import { layered } from '../../../plot/layers/layered';
import {
  type Condition,
  conditionsFor,
  judge,
  type Rule,
  type State,
  shortNumber,
  type Verdict,
} from './rules';
import type { Tile } from './tile';

/** A plot of a wall, and the histogram that is compared. */
export interface WallItem {
  tile: Tile;
  histogram?: Histogram | undefined;
}

export interface JudgeOptions extends AgreementOptions {
  rules: readonly Rule[];
  /** Name of the file, shown beside the name of the reference. */
  label: string;
}

/** A plot with its result, and lines that explain it. */
export interface Judged extends Tile {
  verdict: Verdict;
  state: State;
  notes: string[];
}

/** Draws each plot over its reference and compares them. Plots that only the reference has come last. */
export function judgeWall(
  items: readonly WallItem[],
  references: readonly WallItem[],
  options: JudgeOptions,
): Judged[] {
  const conditions = conditionsFor(options.rules);
  const byName = new Map(references.map((item) => [item.tile.name, item]));
  const judged = items.map((item) => {
    const { name } = item.tile;
    const reference = byName.get(name);
    byName.delete(name);
    const isThere = reference !== undefined && !reference.tile.absent;
    if (item.tile.absent && isThere) return onlyReference(reference.tile, conditions(name));
    if (!item.tile.absent && !isThere) return alone(item.tile, 'file', conditions(name));
    return pairOf(item, reference ?? item, conditions(name), options);
  });
  for (const { tile } of byName.values()) judged.push(onlyReference(tile, conditions(tile.name)));
  return judged;
}

/** Returns a plot that only the reference has, in the style of references. */
function onlyReference(tile: Tile, conditions: readonly Condition[]): Judged {
  const { model } = tile;
  const look = { norm: 'none', below: 'none' } as const;
  const part = model && { model, label: 'reference', ink: lineInk(1), dash: '5 3' };
  return alone({ ...tile, model: part && layered([part], look).model }, 'reference', conditions);
}

function alone(tile: Tile, only: 'file' | 'reference', conditions: readonly Condition[]): Judged {
  const isFailed = conditions.some(({ text }) => text === 'missing');
  const why = only === 'file' ? 'It is not in the reference.' : 'It is only in the reference.';
  return withVerdict(tile, { state: isFailed ? 'failed' : 'missing', why: [why], only });
}

function pairOf(
  { tile, histogram }: WallItem,
  reference: WallItem,
  conditions: readonly Condition[],
  options: JudgeOptions,
): Judged {
  // An incomplete plot is not compared.
  if (tile.failed || reference.tile.failed) {
    const why = tile.failed ? tile.why : `The reference cannot be read: ${reference.tile.why}`;
    return withVerdict(tile, { state: 'error', why: [why ?? ''] });
  }
  if (!histogram && !reference.histogram)
    return withVerdict(withReference(tile, reference.tile, options), {
      state: 'other',
      why: ['It is not a histogram, and was not compared.'],
    });
  if (!histogram || !reference.histogram) {
    const why = reference.tile.why ?? 'Only one of both is a histogram.';
    return withVerdict(tile, { state: 'error', why: [`It cannot be compared: ${why}`] });
  }
  const other = otherBins(histogram.axes, reference.histogram.axes);
  if (other !== undefined)
    return withVerdict(withReference(tile, reference.tile, options), {
      state: 'error',
      why: [`It cannot be compared: ${other}.`],
    });
  const [bins, others] = [comparedBins(histogram), comparedBins(reference.histogram)];
  const agreement = agreementOf(bins, others, options);
  const empty = [bins, others].map(({ counts }) => counts.every((count) => count === 0));
  if (empty[0] !== empty[1]) {
    const why = empty[0] ? 'It is empty, and the reference is not.' : 'The reference is empty.';
    return withVerdict(withReference(tile, reference.tile, options), { state: 'error', why: [why] });
  }
  return withVerdict(withReference(tile, reference.tile, options), judge(agreement, conditions));
}

/** Draws the plot over its reference, and the ratio below if the bins are the same. */
function withReference(tile: Tile, reference: Tile, { label, sameArea }: JudgeOptions): Tile {
  if (!tile.model || !reference.model) return tile;
  const { model, refused } = layered(
    [
      { model: reference.model, label: 'reference', ink: lineInk(1) },
      { model: tile.model, label, ink: lineInk(0) },
    ],
    { norm: sameArea ? 'first' : 'none', below: 'ratio' },
  );
  return refused.size > 0 ? tile : { ...tile, model: { ...model, title: tile.model.title } };
}

function withVerdict(tile: Tile, verdict: Verdict): Judged {
  const { agreement, state, why } = verdict;
  const notes = agreement && !agreement.same ? [agreementText(agreement)] : [];
  const told = state === 'same' ? ['It is the same as the reference.'] : why;
  return { ...tile, verdict, state, notes: [...told.filter((one) => one !== tile.why), ...notes] };
}

/** Returns the result in a few words. */
export function shortVerdict({ state, why, agreement }: Verdict): string {
  if (state === 'same') return 'the same as the reference';
  if (!agreement) return why[0] ?? '';
  const { chi2, kolmogorov, outside, onlyFlow } = agreement;
  if (onlyFlow) return 'only under- or overflow differs';
  const of = (name: string, p: number) => `${name} ${Number.isNaN(p) ? '–' : shortNumber(p)}`;
  const share = `${shortNumber(Math.round(1000 * outside) / 10)} % outside`;
  return [of('chi2 p', chi2.p), ...(kolmogorov ? [of('KS p', kolmogorov.p)] : []), share].join(', ');
}

function agreementText(agreement: NonNullable<Verdict['agreement']>): string {
  const { chi2, kolmogorov, option, outside, onlyFlow } = agreement;
  const parts = [
    ...(onlyFlow ? ['only under- or overflow differs'] : []),
    Number.isNaN(chi2.p)
      ? 'chi2 is not defined'
      : `chi2/ndf ${shortNumber(chi2.chi2)}/${chi2.ndf} (${option}), p ${shortNumber(chi2.p)}`,
    ...(kolmogorov && !Number.isNaN(kolmogorov.p) ? [`Kolmogorov p ${shortNumber(kolmogorov.p)}`] : []),
    `${shortNumber(100 * outside)} % of bins outside`,
  ];
  return parts.join('; ');
}

const RANKS: Record<State, number> = {
  failed: 0,
  error: 0,
  ok: 1,
  compared: 1,
  missing: 2,
  other: 3,
  same: 4,
};

/**
 * Compares two results for sorting, the worst first: plots that failed or cannot be compared, then by the smallest
 * probability of the tests.
 */
export function compareWorst(a: Verdict, b: Verdict): number {
  const rank = ({ agreement }: Verdict) => (agreement ? agreementRank(agreement) : 0);
  const perNdf = ({ agreement }: Verdict) =>
    agreement && agreement.chi2.ndf > 0 ? agreement.chi2.chi2 / agreement.chi2.ndf || 0 : 0;
  return RANKS[a.state] - RANKS[b.state] || rank(a) - rank(b) || perNdf(b) - perNdf(a);
}

export function worstFirst(judged: readonly Judged[]): Judged[] {
  return [...judged].sort((a, b) => compareWorst(a.verdict, b.verdict));
}
