import type { BranchInfo, BranchSummary, CallOptions, SummaryRequest } from '../api/api';
import { unsupported } from '../base/data-errors';
import { type ErrorRecord, toXylemError, type XylemError } from '../base/errors';
import { canSketch, type DistinctSketch, distinctOf, mergeSketches } from '../core/sums/distinct-sketch';
import {
  addExactSummary,
  type ExactSummary,
  emptyExactSummary,
  exactSummaryOf,
  figuresOf,
} from '../core/sums/exact-summary';
import { addSummary, emptySummary, type Summary, sumOf } from '../core/sums/summary';
import { fewerEntries } from '../model/absent';
import { type EntryTree, membersOf } from '../model/chain';
import { chooseEntries } from '../model/entry-choice';
import { sketchGoal } from '../pass/goals/sketch';
import { summaryGoal } from '../pass/goals/summary';
import { planBranch, runPass } from '../pass/pass';
import { throttle } from '../pass/throttle';
import type { BranchPlan, Part, TaskRunner } from '../pass/types';

/**
 * Summarises branches of numbers in one pass over the file, or over the files of a chain one after another. If a branch
 * cannot be read completely, its result is an error, and the other branches are still returned. Throws NOT_FOUND,
 * ARGUMENT and ABORTED.
 */
export async function summarizeBranches(
  tree: EntryTree,
  runner: TaskRunner,
  request: SummaryRequest,
  options: CallOptions,
): Promise<BranchSummary[]> {
  const which =
    request.branches ?? tree.info.branches.filter(({ kind }) => kind === 'number').map(({ index }) => index);
  const exact = request.exact === true;
  const sketches = exact || request.details === true;
  const targets = which.map((name) => new Target(tree.branch(name), exact));
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
    const scans: BranchPlan[] = [];
    const planned: Target[] = [];
    for (const target of targets) {
      try {
        const scan = planBranch(member.tree, member.branch(target.branch).index, member.entries);
        if (sketches && !canSketch(scan.plan.schema)) throw cannotSketch(target.branch);
        scans.push(scan);
        planned.push(target);
        const { to } = chooseEntries(member.entries, member.tree.info.entries);
        if (scan.branch.entries < to)
          target.missing ??= fewerEntries(member.tree.info, scan.branch).toRecord();
      } catch (thrown) {
        target.error ??= toXylemError(thrown).toRecord();
      }
    }
    const goals = sketches
      ? planned.map((target, i) =>
          sketchGoal(i, (scans[i] as BranchPlan).plan.schema, (sketch, part) =>
            target.addSketch(sketch, part),
          ),
        )
      : [summaryGoal((summary, { column }) => planned[column]?.addSummary(summary))];
    await runPass(member.tree, runner, scans, {
      ...options,
      goals,
      alone: exact,
      onPart: (part) => planned[part.column]?.add(part),
      onBytes: (progress) => report(() => ({ label: `Reading ${label}`, ...progress })),
    });
    for (const target of planned) target.endFile();
  }
  const results = targets.map((target) => target.result());
  markDuplicates(results, targets);
  return results;
}

function cannotSketch({ path, typeName }: BranchInfo): XylemError {
  return unsupported(
    `${path} (${typeName}) does not hold numbers or texts of one kind.`,
    'Choose one of its members.',
    { path },
  );
}

/** Finds branches with identical values and list lengths. Each gets the name of the first of them. */
function markDuplicates(results: BranchSummary[], targets: Target[]): void {
  const seen = new Map<string, string>();
  for (const [i, { branch, details, error }] of results.entries()) {
    const sketch = targets[i]?.sketch;
    if (!sketch || !details || error || details.constant) continue;
    const { items, groups, hash, lengths, summary } = sketch;
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
  /** Sketches of parts that arrived before earlier parts, by the index of their first unit. */
  readonly #waiting = new Map<number, { next: number; sketch: DistinctSketch }>();
  #next = 0;
  sketch: DistinctSketch | undefined;
  error: ErrorRecord | undefined;
  missing: ErrorRecord | undefined;

  readonly #exact: ExactSummary | undefined;

  constructor(
    readonly branch: BranchInfo,
    exact: boolean,
  ) {
    if (exact) this.#exact = emptyExactSummary();
  }

  add({ rows, failures }: Part): void {
    this.#entries += rows;
    this.error ??= failures[0]?.error;
  }

  addSummary(summary: Summary): void {
    addSummary(this.#summary, summary);
  }

  addSketch(sketch: DistinctSketch, { number, count }: Part): void {
    if (this.#exact) {
      addExactSummary(this.#exact, exactSummaryOf(sketch));
      return;
    }
    addSummary(this.#summary, sketch.summary);
    this.#waiting.set(number, { next: number + count, sketch });
    this.#mergeReady();
  }

  /** Numbers of units start from 0 in the next file. */
  endFile(): void {
    this.#next = 0;
    this.#waiting.clear();
  }

  /** Merges parts in order, because checksums depend on it. */
  #mergeReady(): void {
    for (let part = this.#waiting.get(this.#next); part; part = this.#waiting.get(this.#next)) {
      this.#waiting.delete(this.#next);
      this.#next = part.next;
      this.sketch = this.sketch ? mergeSketches(this.sketch, part.sketch) : part.sketch;
    }
  }

  #details(): BranchSummary['details'] {
    if (!this.sketch || this.sketch.items === 0 || this.error) return undefined;
    const { count, exact } = distinctOf(this.sketch);
    const { zeros } = this.sketch;
    return { zeros, distinct: count, distinctExact: exact, constant: exact && count === 1 };
  }

  result(): BranchSummary {
    const exact = this.#exact;
    if (exact) {
      const { branch, missing, error } = this;
      return { branch, entries: this.#entries, ...figuresOf(exact), exact, missing, error };
    }
    const { values, nans, infinities, deviation, integers, min, max } = this.#summary;
    const some = values > 0;
    const texts = this.branch.kind === 'string';
    const details = this.#details();
    const sum = sumOf(this.#summary);
    return {
      branch: this.branch,
      entries: this.#entries,
      values: texts ? (this.sketch?.items ?? 0) : values + infinities,
      nans,
      infinities,
      min: some ? min : Number.NaN,
      max: some ? max : Number.NaN,
      sum,
      mean: some ? sum / values : Number.NaN,
      stdDev: some ? Math.sqrt(deviation / values) : Number.NaN,
      integer: some && integers,
      ...(details && { details }),
      missing: this.missing,
      error: this.error,
    };
  }
}
