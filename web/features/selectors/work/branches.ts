import type { PackedSource } from '../../../api/engine-api';
import { argumentError } from '../../../base/errors';
import { didYouMean, similar } from '../../../base/suggest';

/** A branch or an expression that some files lack. */
export interface OptionalBranch {
  expr: string;
  /**
   * The value in files that lack a branch of `expr`: a number, or an expression such as `0*Jet_pt`. undefined: the code gets
   * undefined, which no result takes.
   */
  missing: number | string | undefined;
}

export type BranchText = string | OptionalBranch;

/** The names and expressions that a selector reads. */
export interface BranchSources {
  names: string[];
  sources: PackedSource[];
}

/** Whether a value is the entry of an optional branch. */
export function isOptional(value: unknown): value is OptionalBranch {
  if (typeof value !== 'object' || value === null || !('missing' in value)) return false;
  const { expr, missing, ...more } = value as Record<string, unknown>;
  const isExpr = (one: unknown): boolean => typeof one === 'string' && one.trim() !== '';
  const isValue = missing === undefined || (typeof missing === 'number' && Number.isFinite(missing));
  return isExpr(expr) && (isValue || isExpr(missing)) && Object.keys(more).length === 0;
}

/** Returns the expression of a branch. */
export function textOf(branch: BranchText): string {
  return typeof branch === 'string' ? branch : branch.expr;
}

/** Returns the expressions by their names. */
export function textsOf(branches: Readonly<Record<string, BranchText>>): Record<string, string> {
  return Object.fromEntries(Object.entries(branches).map(([name, one]) => [name, textOf(one)]));
}

/**
 * Returns what a selector reads. `own` are expressions of a sample, which are taken in place of those of the same names. Throws
 * ARGUMENT if the selector does not have such a name.
 */
export function branchSources(
  branches: Readonly<Record<string, BranchText>>,
  own: Readonly<Record<string, string>> = {},
): BranchSources {
  const names = Object.keys(branches);
  const odd = Object.keys(own).find((name) => !names.includes(name));
  if (odd !== undefined) {
    throw argumentError(
      `A sample has an expression for "${odd}", which is not one of the branches of the selector.`,
      didYouMean(similar(odd, names)) ?? `They are ${names.slice(0, 20).join(', ')}.`,
    );
  }
  const sources = names.map((name): PackedSource => {
    if (Object.hasOwn(own, name)) return own[name] ?? '';
    const one = branches[name] ?? '';
    if (typeof one === 'string') return one;
    const { expr, missing } = one;
    return { text: expr, otherwise: missing === undefined ? null : String(missing) };
  });
  return { names, sources };
}

/** Numbers of files in which an optional branch was there, and in which it was missing. */
export type OptionalCounts = Record<string, [there: number, missing: number]>;

/** Returns the counts of one file; undefined if no branch is optional. */
export function countsOf(
  { names, sources }: BranchSources,
  absent: readonly number[],
): OptionalCounts | undefined {
  const optional = names.flatMap((name, i): [string, [number, number]][] => {
    if (typeof sources[i] === 'string') return [];
    return [[name, absent.includes(i) ? [0, 1] : [1, 0]]];
  });
  return optional.length > 0 ? Object.fromEntries(optional) : undefined;
}

/** Returns the sum of the counts of several files. */
export function addCounts(
  one: OptionalCounts | undefined,
  other: OptionalCounts | undefined,
): OptionalCounts | undefined {
  if (!one || !other) return one ?? other;
  const sum = structuredClone(one);
  for (const [name, [there, missing]] of Object.entries(other)) {
    const [had = 0, lacked = 0] = Object.hasOwn(sum, name) ? (sum[name] ?? []) : [];
    sum[name] = [had + there, lacked + missing];
  }
  return sum;
}

/**
 * Returns sentences about optional branches that are missing everywhere, because their names may be misspelt, and about groups of
 * files of which only some have them. `isWhole` is false if some files were not read: they may have what the others lack.
 */
export function missingNotes(
  groups: readonly { name: string; counts: OptionalCounts | undefined }[],
  isWhole = true,
): string[] {
  const all = groups.reduce<OptionalCounts | undefined>(
    (sum, { counts }) => addCounts(sum, counts),
    undefined,
  );
  const nowhere = Object.entries(all ?? {}).flatMap(([name, [there, missing]]) =>
    isWhole && there === 0 && missing > 0
      ? [`no file has what "${name}" reads; look for a misspelt branch`]
      : [],
  );
  const some = groups.flatMap(({ name: group, counts = {} }) =>
    Object.entries(counts).flatMap(([name, [there, missing]]) =>
      there > 0 && missing > 0
        ? [
            `${missing} of ${there + missing} files${group === '' ? '' : ` of the sample "${group}"`} lack what "${name}" reads`,
          ]
        : [],
    ),
  );
  // Without samples, data and simulation may be in one list.
  return [...nowhere, ...some];
}
