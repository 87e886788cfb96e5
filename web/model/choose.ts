import { notFound } from '../base/suggest';
import type { BranchInfo, TreeInfo } from './api';

/**
 * The branches that are named, separated by commas, or all that hold values. A name may be the whole
 * path, or its last part where that is unique; trailing dots and [n] may be left out. A branch that
 * only holds others stands for those below it. Throws NOT_FOUND.
 */
export function chooseBranches(tree: TreeInfo, names: readonly string[] | undefined): BranchInfo[] {
  // The fields within others of an RNTuple are in the values of these.
  const withinOthers = (branch: BranchInfo): boolean => tree.kind === 'RNTuple' && branch.depth > 0;
  if (names === undefined) {
    return tree.branches.filter((branch) => branch.kind !== 'group' && !withinOthers(branch));
  }
  const chosen = names.flatMap((list) => splitNames(list, tree)).flatMap((name) => named(tree, name));
  return [...new Set(chosen.flatMap((branch) => withMembers(tree, branch)))];
}

/** A list may itself be the name of one branch, commas and all. */
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
  const bare = bareName(name);
  const same = tree.branches.filter((branch) => bareName(branch.path) === bare);
  if (same.length > 0) return same;
  const last = tree.branches.filter((branch) => bareName(branch.name) === bare);
  if (last.length === 1) return last;
  throw notFound(
    'branch',
    name,
    tree.branches.map((branch) => branch.path),
  );
}

function bareName(path: string): string {
  return path
    .split('/')
    .map((part) => part.replace(/(\[[^\]]*\])+$/, '').replace(/\.+$/, ''))
    .join('/');
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
