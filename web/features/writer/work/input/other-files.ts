import type { BranchInfo, TreeInfo } from '../../../../api/api';
import { unsupported } from '../../../../base/data-errors';

/** Returns the branches with baskets in another file (TBranch::SetFile). That file is neither read nor written. */
export function branchesElsewhere({ branches }: TreeInfo): BranchInfo[] {
  return branches.filter(({ otherFile }) => otherFile !== undefined);
}

/** Throws UNSUPPORTED if a branch has baskets in another file. `what` is the operation that needs them. */
export function refuseOtherFiles(path: string, branches: readonly BranchInfo[], what: string): void {
  const [first] = branches;
  if (!first) return;
  throw unsupported(
    `Baskets of "${path}/${first.path}" lie in another file, "${first.otherFile}", and ${what}.`,
    `Leave the branch out${branches.length > 1 ? `, and ${branches.length - 1} more like it` : ''}, or copy all entries of this file alone.`,
    { path: `${path}/${first.path}` },
  );
}

/** Returns one line for each other file that a copy of a tree needs. `path` is the path of its key. */
export function otherFilesNotes(path: string, tree: TreeInfo): string[] {
  const files = new Map<string, string[]>();
  for (const { path: branch, otherFile = '' } of branchesElsewhere(tree))
    files.set(otherFile, [...(files.get(otherFile) ?? []), branch]);
  return Array.from(files, ([file, names]) => {
    const what =
      names.length === 1
        ? `baskets of ${names[0]} lie`
        : `baskets of ${names.length} branches (${names[0]}, …) lie`;
    return `${path}: ${what} in another file, "${file}", which is not copied: it is still needed`;
  });
}
