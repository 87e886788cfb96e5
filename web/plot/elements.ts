import type { BranchInfo, TreeInfo } from '../api/api';

/**
 * Title of the numbers of a branch that holds others and has numbers itself: the number of elements of its
 * collection in each entry (a std::map, std::vector or TClonesArray that was split). Undefined for branches
 * whose numbers are values, as all are in an RNTuple.
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
