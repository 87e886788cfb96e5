import type { BranchInfo, TreeInfo } from '../api/api';
import { chooseBranches } from '../model/choose';
import { isRange } from '../model/entry-choice';
import { branchesOfQuery } from '../query/compile/branches-of-query';
import { readCost } from '../reads/read-cost';
import { treeOf } from './trees';
import type { AskedEntries, VerbCall, VerbFile } from './verb';

interface AskedTree extends AskedEntries {
  tree?: string | undefined;
}

/** Returns what it costs to read entries of branches of a tree. */
export const branchesCost = (
  open: VerbFile,
  { branches, ...asked }: AskedTree & { branches?: readonly string[] | undefined },
  call: VerbCall,
) => costOf(open, asked, (info) => chooseBranches(info, branches), call);

/** Returns what it costs to read entries of columns of a tree, which are branches or expressions. */
export const columnsCost = (
  open: VerbFile,
  { columns, cut, ...asked }: AskedTree & { columns: readonly string[]; cut?: string | undefined },
  call: VerbCall,
) => costOf(open, asked, (info) => branchesRead(info, columns, cut), call);

async function costOf(
  open: VerbFile,
  { tree, ...asked }: AskedTree,
  choose: (tree: TreeInfo) => BranchInfo[],
  { entriesOf }: VerbCall,
) {
  const { info } = await open.tree(await treeOf(open, tree));
  const chosen = choose(info);
  const entries = await entriesOf(asked, info.entries);
  const range = entries !== undefined && isRange(entries) ? entries : undefined;
  const cost = await readCost(open, info, chosen, range ?? [0, info.entries]);
  return { ...cost, what: `${chosen.length} branches` };
}

/** Returns the branches that columns and a cut name. Reading reports the ones that do not exist. */
export function branchesRead(
  tree: TreeInfo,
  columns: readonly string[],
  cut: string | undefined,
): BranchInfo[] {
  const found = columns.flatMap((column) => {
    try {
      return chooseBranches(tree, [column]);
    } catch {
      return branchesOfQuery(tree, column);
    }
  });
  const inCut = cut === undefined ? [] : branchesOfQuery(tree, cut);
  return [...new Set([...found, ...inCut])].sort((a, b) => a.index - b.index);
}
