import type { BranchInfo } from '../api/api';
import { XylemError } from '../base/errors';
import type { QueryJob } from '../pass/build-task';
import { planJob } from '../pass/run';
import { type Compiled, type CompileMode, compile } from '../query/compile/compile';
import type { Source } from '../query/language/source';
import type { FillJob } from './fill-job';
import type { Query, QueryMember } from './members';
import { PlainFill } from './plain-fill';
import { ProgramFill } from './program-fill';

/** Makes the job for one tree. If that saves reading, the cut is evaluated first. */
export async function jobOf(
  query: Query,
  member: QueryMember,
  sources: Source[],
  mode: CompileMode,
): Promise<QueryJob<Compiled>> {
  const { runner, cut, options } = query;
  const { model, scopes, friends, place, entries } = member;
  const expressions = expressionsOf(query, member, sources);
  const compiled = compile(scopes, expressions, cut, mode, place);
  const select = cut && expressions.length > 0 ? compile(scopes, [], cut, 'table', place) : undefined;
  return planJob(model, friends, runner, compiled, select, entries, options);
}

/**
 * Returns the object that fills histograms from one tree. If the values are those of a branch, decoding
 * fills and no program runs, unless the sums have to be exact. Throws UNSUPPORTED if exact sums would depend on where
 * in a chain the tree stands.
 */
export async function fillJobOf(
  query: Query,
  member: QueryMember,
  expressions: Source[],
  exact = false,
): Promise<FillJob> {
  const { runner, options } = query;
  const { model, entries } = member;
  const plain = exact ? undefined : plainBranch(query, member, expressions);
  if (plain) return PlainFill.open(model, runner, plain.branch, entries, plain.integer, options);
  const job = await jobOf(query, member, expressions, 'fill');
  if (exact && job.compiled.placed) throw placeError();
  return new ProgramFill(job);
}

/** The error of what does not add up over files. */
export function placeError(): XylemError {
  return new XylemError({
    code: 'UNSUPPORTED',
    message:
      'Entry$, Entries$ and random numbers depend on the files before, so that such results do not add up.',
    fix: 'LocalEntry$ counts the entries of each file.',
  });
}

/** Returns the branch that a single expression without a cut names; undefined for anything else. */
export function plainBranch(
  query: Query,
  member: QueryMember,
  sources: Source[],
): { branch: BranchInfo; integer: boolean } | undefined {
  if (query.cut || sources.length !== 1) return undefined;
  const { scopes, place } = member;
  const expressions = expressionsOf(query, member, sources);
  const { plain, outputs } = compile(scopes, expressions, undefined, 'table', place);
  return plain && { branch: plain, integer: outputs[0]?.integer ?? false };
}

/** Returns the expressions of a request, or the branch that it names instead. */
function expressionsOf({ branch }: Query, member: QueryMember, sources: Source[]): Source[] {
  return branch ? [{ text: branch.path, branch: member.branch(branch).index }] : sources;
}

/** Returns the cut as an expression; undefined for an empty cut, which selects everything. */
export function cutSource(cut: string | undefined): Source | undefined {
  return cut === undefined || cut.trim() === '' ? undefined : { text: cut };
}
