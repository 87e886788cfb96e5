import type { TreeLayout } from '../../../api/api';
import { globMatcher } from '../../../base/glob';

/**
 * Branches chosen by name. A pattern is the path of a branch, its name, or one with `*` for any characters;
 * with "tree:" before it, it applies to that tree only. A branch includes those below it.
 */
export interface ChosenBranches {
  patterns: readonly string[];
  /** For each layout and branch, the index of the first matching pattern; -1 for none. */
  groups: readonly Int16Array[];
  /** Number of branches, number of baskets and stored bytes for each pattern; 0 branches if nothing matches. */
  sums: { branches: number; baskets: number; storedBytes: number }[];
}

export function chooseOnMap(layouts: readonly TreeLayout[], patterns: readonly string[]): ChosenBranches {
  const tests = patterns.map(matcher);
  const sums = patterns.map(() => ({ branches: 0, baskets: 0, storedBytes: 0 }));
  const groups = layouts.map(({ tree, basketStart, storedBytes }) => {
    const group = new Int16Array(tree.branches.length).fill(-1);
    for (const branch of tree.branches) {
      const above = branch.parent < 0 ? -1 : (group[branch.parent] ?? -1);
      const own = tests.findIndex((test) => test(tree.path, branch.path, branch.name));
      const found = own >= 0 && (above < 0 || own < above) ? own : above;
      group[branch.index] = found;
      const sum = sums[found];
      if (sum === undefined) continue;
      sum.branches++;
      for (let i = basketStart[branch.index] ?? 0; i < (basketStart[branch.index + 1] ?? 0); i++) {
        sum.baskets++;
        sum.storedBytes += storedBytes[i] ?? 0;
      }
    }
    return group;
  });
  return { patterns, groups, sums };
}

function matcher(pattern: string): (tree: string, path: string, name: string) => boolean {
  const colon = pattern.indexOf(':');
  // C++ names may contain "::".
  const inTree = colon > 0 && pattern[colon + 1] !== ':' ? pattern.slice(0, colon) : undefined;
  const rest = inTree === undefined ? pattern : pattern.slice(colon + 1);
  const like = globMatcher(rest);
  return (tree, path, name) => (inTree === undefined || tree === inTree) && (like(path) || like(name));
}
