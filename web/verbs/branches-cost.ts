import { chooseBranches } from '../model/choose';
import { isRange } from '../model/entry-choice';
import { readCost } from '../reads/read-cost';
import { treeOf } from './trees';
import type { AskedEntries, VerbCall, VerbFile } from './verb';

interface AskedBranches extends AskedEntries {
  tree?: string | undefined;
  branches?: readonly string[] | undefined;
}

/** Returns what it costs to read entries of branches of a tree. */
export async function branchesCost(
  open: VerbFile,
  { tree, branches, ...asked }: AskedBranches,
  { entriesOf }: VerbCall,
) {
  const { info } = await open.tree(await treeOf(open, tree));
  const chosen = chooseBranches(info, branches);
  const entries = await entriesOf(asked, info.entries);
  const range = entries !== undefined && isRange(entries) ? entries : undefined;
  const cost = await readCost(open, info, chosen, range ?? [0, info.entries]);
  return { ...cost, what: `${chosen.length} branches` };
}
