import type { BranchInfo, TreeInfo, TreeLayout } from '../api/api';
import type { FileUse } from '../api/reading';
import { chooseBranches } from '../model/choose';
import { branchesOfQuery } from '../query/compile/branches-of-query';
import { branchesRead } from './branches-read';

/** Parameters that describe a use: one of them, and `cut` with `draw`. */
export interface AskedUse {
  /** Names branches, with * and ?. */
  branches?: readonly string[] | undefined;
  /** Path of a trace. */
  reads?: string | undefined;
  /** An expression. */
  draw?: string | undefined;
  cut?: string | undefined;
  /** Path of a selector's module. */
  selector?: string | undefined;
}

/** Returns the use for a file with this name and size; undefined if none was requested. */
export type UseOfFile = (file: { name: string; size: number }) => FileUse | undefined;

/** Returns the use of branches or of an expression; undefined if neither was requested. */
export function plainUse({ branches, draw, cut }: AskedUse): FileUse | undefined {
  if (branches !== undefined) return { name: branches.join(','), branches };
  return draw === undefined ? undefined : { name: draw, draw: { expr: draw, cut } };
}

/** The branches of a tree that a use reads. */
export interface UsedBranches {
  branches: readonly BranchInfo[];
  /** Set for a recorded reading: the list is complete, so branches that these need are not added. */
  recorded?: boolean | undefined;
}

/**
 * Returns the branches of a tree that a use reads; undefined if it reads none. Throws the errors of selecting
 * branches.
 */
export function usedBranches(use: FileUse, layout: TreeLayout): UsedBranches | undefined {
  const { tree } = layout;
  const { reading, draw, branches, selector } = use;
  if (reading !== undefined) {
    if (reading.tree !== undefined && reading.tree !== tree.path && reading.tree !== tree.name)
      return undefined;
    const read = branchesRead(reading, layout).flatMap((index) => tree.branches[index] ?? []);
    return { branches: read, recorded: true };
  }
  const found =
    selector !== undefined
      ? branchesOfSelector(tree, selector)
      : draw
        ? branchesOfQuery(tree, draw.expr, draw.cut)
        : chooseBranches(tree, branches);
  return found.length > 0 ? { branches: found, recorded: false } : undefined;
}

function branchesOfSelector(
  tree: TreeInfo,
  { branches, where }: NonNullable<FileUse['selector']>,
): BranchInfo[] {
  const found = Object.values(branches).flatMap((text) => branchesOfQuery(tree, text, where));
  const indices = new Set(found.map(({ index }) => index));
  return tree.branches.filter(({ index }) => indices.has(index));
}
