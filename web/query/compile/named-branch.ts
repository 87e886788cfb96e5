import type { BranchInfo, TreeInfo } from '../../api/api';
import type { Expr, NameRules } from '../language/parser';
import type { Source } from '../language/source';
import { parseSource } from './aliases';
import { namesOf } from './branches-of-query';
import { wholeBranch } from './elements';

/**
 * Returns the branch of an expression that is only a branch, perhaps with an index: "Muon_pt", "Muon_pt[0]". Undefined
 * for all others, also for a branch of which the expression means the number of its elements, and for a text that cannot be
 * parsed with the names of this tree alone, such as one with names of friends.
 */
export function namedBranch(source: Source, tree: TreeInfo): BranchInfo | undefined {
  return wholeBranch(
    source.branch === undefined ? branchOfText(source, tree) : tree.branches[source.branch],
    tree,
  );
}

function branchOfText(source: Source, tree: TreeInfo): BranchInfo | undefined {
  const names = namesOf(tree);
  const expr = parsed(source, names);
  if (expr?.kind !== 'path' || expr.collection) return undefined;
  return names.find(expr.segments.map(({ name }) => name).join('.'))?.branch;
}

function parsed(source: Source, names: NameRules): Expr | undefined {
  try {
    return parseSource(source, names);
  } catch {
    return undefined;
  }
}
