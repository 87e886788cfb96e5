import { type ErrorRecord, toXylemError } from '../base/errors';
import { addSummary, emptySummary, sumOf } from '../core/summary';
import type { BranchInfo, BranchSummary, CallOptions, SummaryRequest } from './api';
import { type EntryTree, membersOf } from './chain';
import { chooseEntries } from './entry-choice';
import { type BranchScan, type PartResult, planBranch, scanBranches, type TaskRunner } from './scan';
import { throttle } from './throttle';

/**
 * Sums up branches of numbers in one pass over the file, or over the files of a chain one after
 * another. A branch that cannot be read whole has its error; the others are there all the same.
 * Throws NOT_FOUND, ARGUMENT and ABORTED.
 */
export async function summarizeBranches(
  tree: EntryTree,
  runner: TaskRunner,
  request: SummaryRequest,
  options: CallOptions,
): Promise<BranchSummary[]> {
  const which =
    request.branches ?? tree.info.branches.filter(({ kind }) => kind === 'number').map(({ index }) => index);
  const targets = which.map((name) => new Target(tree.branch(name)));
  for (const { branch } of targets) chooseEntries(request.entries, branch.entries);
  for (const error of tree.info.partial?.errors ?? []) for (const target of targets) target.error ??= error;
  const report = throttle(options.onProgress);
  const label = targets.length === 1 ? (targets[0]?.branch.path ?? '') : `${targets.length} branches`;
  for await (const member of membersOf(tree, request.entries, options)) {
    if ('error' in member) {
      for (const target of targets) target.error ??= member.error;
      continue;
    }
    const scans: BranchScan[] = [];
    const planned: Target[] = [];
    for (const target of targets) {
      try {
        scans.push(planBranch(member.tree, member.branch(target.branch).index, member.entries));
        planned.push(target);
      } catch (thrown) {
        target.error ??= toXylemError(thrown).toRecord();
      }
    }
    await scanBranches(member.tree, runner, scans, {
      ...options,
      goal: { kind: 'summary' },
      onResult: (scan, part) => planned[scan]?.add(part),
      onBytes: (progress) => report(() => ({ label: `Reading ${label}`, ...progress })),
    });
  }
  return targets.map((target) => target.result());
}

class Target {
  readonly #summary = emptySummary();
  #entries = 0;
  error: ErrorRecord | undefined;

  constructor(readonly branch: BranchInfo) {}

  add({ rows, summary, failures }: PartResult): void {
    this.#entries += rows;
    this.error ??= failures[0]?.error;
    if (summary) addSummary(this.#summary, summary);
  }

  result(): BranchSummary {
    const { values, nans, infinities, deviation, integers, min, max } = this.#summary;
    const some = values > 0;
    const sum = sumOf(this.#summary);
    return {
      branch: this.branch,
      entries: this.#entries,
      values: values + infinities,
      nans,
      infinities,
      min: some ? min : Number.NaN,
      max: some ? max : Number.NaN,
      sum,
      mean: some ? sum / values : Number.NaN,
      stdDev: some ? Math.sqrt(deviation / values) : Number.NaN,
      integer: some && integers,
      error: this.error,
    };
  }
}
