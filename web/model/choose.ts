import type { BranchInfo, TreeInfo } from '../api/api';
import { argumentError } from '../base/errors';
import { globMatcher, isGlob } from '../base/glob';
import { notFound } from '../base/suggest';
import { bareName } from '../base/text';

/**
 * Returns the branches with these names (separated by commas), or all branches with values. A name may be a whole
 * path, or its last part if that is unique; trailing dots and [n] may be omitted. In a pattern, * matches any
 * characters and ? matches one, in paths and in last parts. A branch that only contains others is replaced by its
 * sub-branches. Throws NOT_FOUND, and ARGUMENT for texts without a name.
 */
export function chooseBranches(tree: TreeInfo, names: readonly string[] | undefined): BranchInfo[] {
  // The values of a field of an RNTuple include those of its subfields.
  const withinOthers = (branch: BranchInfo): boolean => tree.kind === 'RNTuple' && branch.depth > 0;
  if (names === undefined) {
    return tree.branches.filter((branch) => branch.kind !== 'group' && !withinOthers(branch));
  }
  const words = names.flatMap((list) => splitNames(list, tree));
  if (words.length === 0 && names.length > 0)
    throw argumentError(`"${names.join(',')}" names no branch.`, 'Name branches, or leave the names out.');
  const chosen = words.flatMap((name) => named(tree, name));
  return [...new Set(chosen.flatMap((branch) => withMembers(tree, branch)))];
}

/** Splits a list at commas, unless the whole text is the name of a branch. */
function splitNames(list: string, tree: TreeInfo): string[] {
  if (tree.branches.some((branch) => branch.path === list)) return [list];
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function named(tree: TreeInfo, name: string): BranchInfo[] {
  const exact = tree.branches.filter((branch) => branch.path === name);
  if (exact.length > 0) return exact;
  if (isGlob(name)) {
    const like = globMatcher(name);
    const alike = tree.branches.filter((branch) => like(branch.path) || like(branch.name));
    // The values of a field of an RNTuple include those of its subfields.
    const whole = alike.filter((branch) => tree.kind !== 'RNTuple' || !hasAbove(tree, branch, alike));
    if (whole.length > 0) return whole;
  }
  const bare = barePath(name);
  const same = tree.branches.filter((branch) => barePath(branch.path) === bare);
  if (same.length > 0) return same;
  const last = tree.branches.filter((branch) => barePath(branch.name) === bare);
  if (last.length === 1) return last;
  throw notFound(
    'branch',
    name,
    tree.branches.map((branch) => branch.path),
  );
}

/** Whether a branch above this one is chosen, too. */
function hasAbove(tree: TreeInfo, branch: BranchInfo, chosen: readonly BranchInfo[]): boolean {
  for (let up = tree.branches[branch.parent]; up; up = tree.branches[up.parent]) {
    if (chosen.includes(up)) return true;
  }
  return false;
}

function barePath(path: string): string {
  return path.split('/').map(bareName).join('/');
}

function withMembers(tree: TreeInfo, branch: BranchInfo): BranchInfo[] {
  if (branch.kind !== 'group') return [branch];
  const below: BranchInfo[] = [];
  for (const other of tree.branches.slice(branch.index + 1)) {
    if (other.depth <= branch.depth) break;
    if (other.kind !== 'group') below.push(other);
  }
  return below;
}
