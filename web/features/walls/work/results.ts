import { formatCount } from '../../../base/format';
import type { Verdict } from './rules';

/** Error if two files have no histogram in common. */
export const NOTHING_COMPARED = 'Nothing was compared: no histogram that can be compared is in both files.';

/** Number of plots by result, for a wall with a reference. Each plot is counted in exactly one of the first five. */
export interface WallResults {
  /** Plots whose bins were compared. */
  compared: number;
  /** Plots that are in one file only. */
  notInReference: number;
  onlyInReference: number;
  /** Plots whose bins cannot be compared, or that cannot be read. */
  errors: number;
  /** Plots that are not histograms in either file. */
  others: number;
  /** Plots of any kind that meet a condition of an alarm. */
  failed: number;
  /** Compared plots that are equal. */
  same: number;
}

export function wallResults(verdicts: readonly Verdict[]): WallResults {
  const results: WallResults = {
    ...{ compared: 0, notInReference: 0, onlyInReference: 0, errors: 0, others: 0, failed: 0, same: 0 },
  };
  for (const { state, only, agreement } of verdicts) {
    if (only === 'reference') results.onlyInReference++;
    else if (only === 'file') results.notInReference++;
    else if (state === 'other') results.others++;
    else if (state === 'error' || agreement === undefined) results.errors++;
    else results.compared++;
    if (state === 'failed') results.failed++;
    if (state === 'same') results.same++;
  }
  return results;
}

/** Returns the results in words. The page, the command line and reports show the same text. */
export function resultsText(results: WallResults): string {
  const { compared, same, failed, errors, notInReference, onlyInReference, others } = results;
  const equal = same > 0 ? ` (${formatCount(same)} the same)` : '';
  const more: [number, string][] = [
    [errors, 'not comparable'],
    [notInReference, 'not in the reference'],
    [onlyInReference, 'only in the reference'],
    [others, 'not histograms'],
  ];
  return [
    `${formatCount(failed)} failed`,
    `${formatCount(compared)} compared${equal}`,
    ...more.flatMap(([count, words]) => (count > 0 ? [`${formatCount(count)} ${words}`] : [])),
  ].join(', ');
}
