import type { BranchInfo, DrawResult, TreeInfo } from '../api/api';
import { settle } from '../base/abort';
import { chooseBranches } from '../model/choose';

/**
 * Returns the branch that a word names by its path, or by the last part of the path if that is unique. Undefined if
 * the word is an expression, or names several branches.
 */
export async function branchNamed(tree: TreeInfo, word: string): Promise<BranchInfo | undefined> {
  const exact = tree.branches.filter(({ path }) => path === word);
  if (exact.length === 1 && exact[0]?.kind !== 'group') return drawable(exact[0]);
  if (exact.length === 0 && !/^[\w./]+$/.test(word)) return undefined;
  const chosen = await settle((async () => chooseBranches(tree, [word]))());
  const [branch, another] = chosen.ok ? chosen.value : [];
  return another ? undefined : drawable(branch);
}

/** The name of a branch with several leaves is an expression: its first leaf, as in ROOT. */
function drawable(branch: BranchInfo | undefined): BranchInfo | undefined {
  return branch?.kind === 'number' || branch?.kind === 'string' ? branch : undefined;
}

/** A drawing whose axes have another title. */
export function titled<T extends DrawResult>(result: T, title: string): T {
  if (result.kind !== 'histogram') return result;
  return { ...result, title, axes: result.axes.map((axis) => ({ ...axis, title })) };
}
