import type { BranchInfo } from '../../../../api/api';
import { unsupported } from '../../../../base/data-errors';
import type { XylemError } from '../../../../base/errors';
import type { Members } from '../../../../bins/object-values';
import type { TapeValue } from '../../../../core/tape';
import { type BranchData, branchesOf, membersOf } from './tree-structure';

/** A top-level branch, with its sub-branches, that the first file with entries lacks. */
interface Added {
  /** The first file that has it. */
  file: string;
  branch: Members;
  counters: Counter[];
}

/** A branch or leaf, and the one that has the lengths of its arrays. */
interface Counter {
  holder: Members;
  member: string;
  /** The branch with the lengths. If a leaf is meant, also the index of the leaf. */
  path: string;
  leaf?: number;
}

interface TreeUnion {
  tops: Set<string>;
  added: Added[];
  /** Types of branches by their paths. */
  types: Map<string, string>;
  /** Whether the first file describes its classes. */
  isDescribed: boolean;
}

/** Finds the branches that the tree of any input has. */
export class UnionBranches {
  readonly #trees = new Map<string, TreeUnion>();

  /**
   * Adds the tree of a file. `branches` are those of its record, depth first. A tree without entries may not have
   * branches yet. Throws UNSUPPORTED if branches would be added and a file does not describe its classes, as before
   * ROOT 3.
   */
  add(
    path: string,
    file: string,
    data: Members,
    branches: readonly BranchInfo[],
    isDescribed: boolean,
  ): void {
    if (Number(data.fEntries) === 0) return;
    const own = branchesOf(data);
    let known = this.#trees.get(path);
    const isFirst = known === undefined;
    if (!known) {
      known = { tops: new Set(), added: [], types: new Map(), isDescribed };
      this.#trees.set(path, known);
    }
    const { tops, added, types } = known;
    const fresh = new Set(own.map(({ top }) => top).filter((top) => !tops.has(top)));
    const [name] = fresh;
    if (name !== undefined && !isFirst && !(isDescribed && known.isDescribed))
      throw notDescribed(path, file, name);
    for (const [i, one] of own.entries()) {
      if (!fresh.has(one.top)) continue;
      tops.add(one.top);
      types.set(one.path, branches[i]?.typeName ?? '');
      if (isFirst || one.path !== one.top) continue;
      const parts = own.filter(({ top }) => top === one.top);
      for (const { branch } of parts) dropBaskets(branch);
      added.push({ file, branch: one.branch, counters: countersOf(parts, own) });
    }
  }

  /** Whether a tree gets branches that its first file with entries lacks. */
  adds(path: string): boolean {
    return (this.#trees.get(path)?.added.length ?? 0) > 0;
  }

  typeOf(path: string, branch: string): string {
    return this.#trees.get(path)?.types.get(branch) ?? '';
  }

  /**
   * Adds the branches of other files to the record of a tree. Throws UNSUPPORTED if they were written in another
   * layout.
   */
  graft(path: string, data: Members): void {
    const { added = [] } = this.#trees.get(path) ?? {};
    if (added.length === 0) return;
    const samples = new Map<unknown, Members>();
    for (const { branch } of branchesOf(data))
      for (const one of [branch, ...membersOf(branch.fLeaves)]) samples.set(one._typename, one);
    for (const { file, branch } of added) {
      const parts = [branch, ...branchesOf(branch).map((below) => below.branch)];
      for (const one of parts.flatMap((part) => [part, ...membersOf(part.fLeaves)]))
        if (!sameMembers(one, samples.get(one._typename) ?? one)) throw otherLayout(path, file, branch);
      listOf(data.fBranches).push(branch);
      for (const part of parts) listOf(data.fLeaves).push(...membersOf(part.fLeaves));
    }
    const all = new Map(branchesOf(data).map((one) => [one.path, one.branch]));
    for (const { counters } of added)
      for (const { holder, member, path: owner, leaf } of counters) {
        const branch = all.get(owner);
        holder[member] = (leaf === undefined ? branch : membersOf(branch?.fLeaves)[leaf]) ?? null;
      }
  }
}

/** Returns the counters of branches, from the record that contains them. */
function countersOf(parts: readonly BranchData[], all: readonly BranchData[]): Counter[] {
  const places = new Map<unknown, { path: string; leaf?: number }>();
  for (const { path, branch } of all) {
    places.set(branch, { path });
    for (const [leaf, one] of membersOf(branch.fLeaves).entries()) places.set(one, { path, leaf });
  }
  return parts.flatMap(({ branch }) =>
    [branch, ...membersOf(branch.fLeaves)].flatMap((holder) =>
      ['fBranchCount', 'fBranchCount2', 'fLeafCount'].flatMap((member) => {
        const place = places.get(holder[member]);
        return place ? [{ holder, member, ...place }] : [];
      }),
    ),
  );
}

/** Its baskets are listed when they are copied. */
function dropBaskets(branch: Members): void {
  const list = branch.fBaskets as Members | null | undefined;
  if (list && Array.isArray(list.arr)) list.arr = [];
}

function listOf(list: TapeValue | undefined): TapeValue[] {
  const items = (list as Members | null | undefined)?.arr;
  return Array.isArray(items) ? items : [];
}

function sameMembers(a: Members, b: Members): boolean {
  return Object.keys(a).sort().join() === Object.keys(b).sort().join();
}

function notDescribed(path: string, file: string, branch: string): XylemError {
  return unsupported(
    `Branch ${branch} of ${path} in ${file} cannot be added: files without descriptions of classes are too old for it.`,
    'Take --schema filter, which leaves such branches out.',
    { path },
  );
}

function otherLayout(path: string, file: string, { fName }: Members): XylemError {
  return unsupported(
    `Branch ${String(fName)} of ${path} in ${file} was written by another version of ROOT than the first file, so that it cannot be added.`,
    'Merge files of one version of ROOT, or take --schema filter, which leaves such branches out.',
    { path },
  );
}
