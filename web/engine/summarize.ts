import { type ErrorRecord, toXylemError, XylemError } from '../base/errors';
import { addSummary, emptySummary, sumOf } from '../core/summary';
import { distinctOf, isSurveyed, mergeSurveys, type Survey } from '../core/survey';
import type { BranchInfo, BranchSummary, CallOptions, SummaryRequest, ValueDetails } from './api';
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
    try {
      await member.tree.prepare(member.entries, { signal: options.signal });
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code === 'ABORTED') throw error;
      for (const target of targets) target.error ??= error.toRecord();
      continue;
    }
    const scans: BranchScan[] = [];
    const planned: Target[] = [];
    for (const target of targets) {
      try {
        const scan = planBranch(member.tree, member.branch(target.branch).index, member.entries);
        if (request.details && !isSurveyed(scan.plan.schema)) throw notSurveyed(target.branch);
        scans.push(scan);
        planned.push(target);
      } catch (thrown) {
        target.error ??= toXylemError(thrown).toRecord();
      }
    }
    await scanBranches(member.tree, runner, scans, {
      ...options,
      goal: { kind: request.details ? 'survey' : 'summary' },
      onResult: (scan, part) => planned[scan]?.add(part),
      onBytes: (progress) => report(() => ({ label: `Reading ${label}`, ...progress })),
    });
    for (const target of planned) target.endFile();
  }
  const results = targets.map((target) => target.result());
  markDuplicates(results, targets);
  return results;
}

function notSurveyed({ path, typeName }: BranchInfo): XylemError {
  return new XylemError({
    code: 'UNSUPPORTED',
    message: `${path} (${typeName}) does not hold numbers or texts of one kind.`,
    where: { path },
    fix: 'Choose one of its members.',
  });
}

/** Branches of the same values in the same lists; the first of them is named. */
function markDuplicates(results: BranchSummary[], targets: Target[]): void {
  const seen = new Map<string, string>();
  for (const [i, { branch, details, error }] of results.entries()) {
    const survey = targets[i]?.survey;
    if (!survey || !details || error || details.constant) continue;
    const { items, groups, hash, lengths, summary } = survey;
    const numbers = summary.values + summary.nans + summary.infinities;
    const key = [items, groups, hash, lengths, numbers].join();
    const first = seen.get(key);
    if (first === undefined) seen.set(key, branch.path);
    else details.duplicateOf = first;
  }
}

class Target {
  readonly #summary = emptySummary();
  #entries = 0;
  /** Surveys of parts that came before the ones in front of them, by the number of their first piece. */
  readonly #waiting = new Map<number, { next: number; survey: Survey }>();
  #next = 0;
  survey: Survey | undefined;
  error: ErrorRecord | undefined;

  constructor(readonly branch: BranchInfo) {}

  add({ number, count, rows, summary, survey, failures }: PartResult): void {
    this.#entries += rows;
    this.error ??= failures[0]?.error;
    if (summary) addSummary(this.#summary, summary);
    if (!survey) return;
    addSummary(this.#summary, survey.summary);
    this.#waiting.set(number, { next: number + count, survey });
    this.#mergeReady();
  }

  /** The pieces of the next file are numbered anew. */
  endFile(): void {
    this.#next = 0;
    this.#waiting.clear();
  }

  /** Checksums depend on the order of the parts. */
  #mergeReady(): void {
    for (let part = this.#waiting.get(this.#next); part; part = this.#waiting.get(this.#next)) {
      this.#waiting.delete(this.#next);
      this.#next = part.next;
      this.survey = this.survey ? mergeSurveys(this.survey, part.survey) : part.survey;
    }
  }

  #details(): ValueDetails | undefined {
    if (!this.survey || this.survey.items === 0 || this.error) return undefined;
    const { count, exact } = distinctOf(this.survey);
    const { zeros } = this.survey;
    return { zeros, distinct: count, distinctExact: exact, constant: exact && count === 1 };
  }

  result(): BranchSummary {
    const { values, nans, infinities, deviation, integers, min, max } = this.#summary;
    const some = values > 0;
    const texts = this.branch.kind === 'string';
    const details = this.#details();
    const sum = sumOf(this.#summary);
    return {
      branch: this.branch,
      entries: this.#entries,
      values: texts ? (this.survey?.items ?? 0) : values + infinities,
      nans,
      infinities,
      min: some ? min : Number.NaN,
      max: some ? max : Number.NaN,
      sum,
      mean: some ? sum / values : Number.NaN,
      stdDev: some ? Math.sqrt(deviation / values) : Number.NaN,
      integer: some && integers,
      ...(details && { details }),
      error: this.error,
    };
  }
}
