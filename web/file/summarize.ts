import { toXylemError } from '../base/errors';
import { addSummary, emptySummary, type Summary, sumOf } from '../core/summary';
import type { BranchSummary, CallOptions, SummaryRequest } from './api';
import type { DataModel } from './data-model';
import { type BranchScan, planBranch, scanBranches, type TaskRunner } from './scan';
import { throttle } from './throttle';

/**
 * Sums up branches of numbers in one pass over the file. A branch that cannot be read whole has its
 * error; the others are there all the same. Throws NOT_FOUND, ARGUMENT and ABORTED.
 */
export async function summarizeBranches(
  tree: DataModel,
  runner: TaskRunner,
  request: SummaryRequest,
  options: CallOptions,
): Promise<BranchSummary[]> {
  const which =
    request.branches ?? tree.info.branches.filter(({ kind }) => kind === 'number').map(({ index }) => index);
  const results: BranchSummary[] = [];
  const scans: BranchScan[] = [];
  const targets: { result: BranchSummary; summary: Summary }[] = [];
  for (const name of which) {
    const branch = tree.branch(name);
    const result = toResult(branch, 0, emptySummary());
    results.push(result);
    try {
      scans.push(planBranch(tree, branch.index, request.entries));
      targets.push({ result, summary: emptySummary() });
    } catch (thrown) {
      result.error = toXylemError(thrown).toRecord();
    }
  }
  const report = throttle(options.onProgress);
  const label = scans.length === 1 ? (scans[0]?.branch.path ?? '') : `${scans.length} branches`;
  await scanBranches(tree, runner, scans, {
    ...options,
    goal: { kind: 'summary' },
    onResult: (scan, part) => {
      const target = targets[scan];
      if (!target) return;
      target.result.entries += part.rows;
      target.result.error ??= part.failures[0]?.error;
      if (part.summary) addSummary(target.summary, part.summary);
    },
    onBytes: (progress) => report(() => ({ label: `Reading ${label}`, ...progress })),
  });
  for (const { result, summary } of targets) {
    const { entries, error } = result;
    Object.assign(result, toResult(result.branch, entries, summary), error && { error });
  }
  return results;
}

function toResult(branch: BranchSummary['branch'], entries: number, summary: Summary): BranchSummary {
  const { values, nans, infinities, deviation, integers } = summary;
  const some = values > 0;
  const sum = sumOf(summary);
  return {
    branch,
    entries,
    values: values + infinities,
    nans,
    infinities,
    min: some ? summary.min : Number.NaN,
    max: some ? summary.max : Number.NaN,
    sum,
    mean: some ? sum / values : Number.NaN,
    stdDev: some ? Math.sqrt(deviation / values) : Number.NaN,
    integer: some && integers,
  };
}
