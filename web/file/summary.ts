import { toXylemError } from '../base/errors';
import { distinctOf, mergeSurveys, type Survey } from '../core/survey';
import type { BranchSummary, CallOptions, SummaryRequest } from './api';
import type { EntryTree } from './chain';
import { Failures } from './failures';
import type { TaskRunner } from './scan';
import { scanEntries } from './scan-entries';
import { throttle } from './throttle';

/** Branches whose baskets are read and decoded side by side. */
const SIDE_BY_SIDE = 4;

/** What the values of each branch are like. A branch that has no summary has its error in place of it. */
export async function summarizeBranches(
  tree: EntryTree,
  runner: TaskRunner,
  request: SummaryRequest,
  options: CallOptions,
): Promise<BranchSummary[]> {
  const results: BranchSummary[] = request.branches.map((which) => ({ branch: tree.branch(which) }));
  const surveys: (Survey | undefined)[] = [];
  const report = throttle(options.onProgress);
  let done = 0;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < results.length; i = next++) {
      const result = results[i];
      if (!result) continue;
      try {
        surveys[i] = await surveyOf(tree, runner, result, request, options);
      } catch (thrown) {
        const error = toXylemError(thrown);
        if (error.code === 'ABORTED') throw error;
        result.error = error.toRecord();
      }
      done += 1;
      report(() => ({
        label: `Summary of ${result.branch.path}`,
        bytesDone: done,
        bytesTotal: results.length,
        entriesDone: done,
        entriesTotal: results.length,
      }));
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  markDuplicates(results, surveys);
  return results;
}

async function surveyOf(
  tree: EntryTree,
  runner: TaskRunner,
  result: BranchSummary,
  { entries }: SummaryRequest,
  { signal }: CallOptions,
): Promise<Survey | undefined> {
  const note = new Failures();
  const waiting = new Map<number, Survey | undefined>();
  let whole: Survey | undefined;
  let next = 0;
  let rows = 0;
  await scanEntries(tree, runner, result.branch, entries, note, {
    signal,
    goal: { kind: 'survey' },
    onResult: (_scan, run, part) => {
      rows += part.rows;
      waiting.set(run, part.survey);
      // Checksums depend on the order, and runs end in any.
      for (; waiting.has(next); next++) {
        const survey = waiting.get(next);
        waiting.delete(next);
        if (survey) whole = whole ? mergeSurveys(whole, survey) : survey;
      }
    },
  });
  note.throwIfAll();
  result.entries = rows;
  result.partial = note.toNote();
  if (whole) Object.assign(result, figuresOf(whole));
  return result.partial ? undefined : whole;
}

function figuresOf(survey: Survey): Partial<BranchSummary> {
  const { summary, items, zeros } = survey;
  const { count, exact } = distinctOf(survey);
  const constant = exact && count === 1;
  const known = { values: items, zeros, distinct: count, distinctExact: exact, constant };
  const numbers = summary.values + summary.nans + summary.infinities;
  if (numbers === 0) return known;
  const some = summary.values > 0;
  return {
    ...known,
    nan: summary.nans,
    infinities: summary.infinities,
    min: some ? summary.min : Number.NaN,
    max: some ? summary.max : Number.NaN,
    mean: some ? summary.sum / summary.values : Number.NaN,
    stdDev: some ? Math.sqrt(Math.max(0, summary.deviation) / summary.values) : Number.NaN,
  };
}

/** Branches of the same values in the same lists; the first of them is named. */
function markDuplicates(results: BranchSummary[], surveys: (Survey | undefined)[]): void {
  const seen = new Map<string, BranchSummary>();
  for (const [i, result] of results.entries()) {
    const survey = surveys[i];
    if (!survey || survey.items === 0 || result.constant) continue;
    const { items, groups, hash, lengths } = survey;
    const key = [items, groups, hash, lengths, result.min === undefined].join();
    const first = seen.get(key);
    if (first) result.duplicateOf = first.branch.path;
    else seen.set(key, result);
  }
}
