import { formatCount } from '../../../base/format';
import type { Verdict } from './rules';
import { isAlarm, stateOf } from './states';

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
  /** Compared plots that are over a threshold. */
  over: number;
  /** Plots that need attention: these, those that are missing in a file, and those that cannot be compared. */
  alarms: number;
  /** Compared plots that are equal. */
  same: number;
}

export function wallResults(verdicts: readonly Verdict[]): WallResults {
  const results: WallResults = {
    ...{ compared: 0, notInReference: 0, onlyInReference: 0, errors: 0, others: 0 },
    ...{ over: 0, alarms: 0, same: 0 },
  };
  for (const verdict of verdicts) {
    const { state, only, agreement } = verdict;
    if (only === 'reference') results.onlyInReference++;
    else if (only === 'file') results.notInReference++;
    else if (state === 'other') results.others++;
    else if (state === 'error' || agreement === undefined) results.errors++;
    else results.compared++;
    if (stateOf(verdict) === 'over') results.over++;
    if (isAlarm(verdict)) results.alarms++;
    if (state === 'same') results.same++;
  }
  return results;
}

/** Returns the results in words. The page, the command line and reports show the same text. */
export function resultsText(results: WallResults): string {
  const { compared, same, alarms, over, errors, notInReference, onlyInReference, others } = results;
  const texts = (counts: [number, string][]) =>
    counts.flatMap(([count, words]) => (count > 0 ? [`${formatCount(count)} ${words}`] : []));
  const why = texts([
    [over, 'over a threshold'],
    [errors, 'not comparable'],
    [notInReference, 'not in the reference'],
    [onlyInReference, 'only in the reference'],
  ]);
  return [
    `${formatCount(alarms)} ${alarms === 1 ? 'alarm' : 'alarms'}${inBrackets(why)}`,
    `${formatCount(compared)} compared${inBrackets(texts([[same, 'the same']]))}`,
    ...texts([[others, 'not histograms']]),
  ].join(', ');
}

const inBrackets = (parts: readonly string[]): string => (parts.length > 0 ? ` (${parts.join(', ')})` : '');
