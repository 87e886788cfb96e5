import type { BranchInfo, TreeInfo } from '../../api/api';

/**
 * Returns the axis title for a branch that contains others and has numbers itself: the number of elements of its
 * collection in each entry (a split std::map, std::vector or TClonesArray). Undefined for branches whose numbers are
 * values, as in every RNTuple.
 */
export function elementsTitle(
  branch: BranchInfo,
  { kind, branches }: Pick<TreeInfo, 'kind' | 'branches'>,
): string | undefined {
  const holds = branches[branch.index + 1]?.parent === branch.index;
  return kind === 'TTree' && branch.kind === 'number' && holds
    ? `Number of elements of ${branch.name}`
    : undefined;
}

/** Returns a branch if its numbers are its values; undefined if they are numbers of elements. */
export function wholeBranch(branch: BranchInfo | undefined, tree: TreeInfo): BranchInfo | undefined {
  return branch && elementsTitle(branch, tree) === undefined ? branch : undefined;
}
