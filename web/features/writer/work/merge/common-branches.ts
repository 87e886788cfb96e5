import { unsupported } from '../../../../base/data-errors';
import type { Members } from '../../../../bins/object-values';
import type { NtupleStructure } from '../encode/ntuple-metadata';
import { branchesOf, membersOf, structureOf } from './tree-structure';

/** A top-level branch with its sub-branches. */
interface TopBranch {
  /**
   * Equal for two branches if the record of one also describes the baskets of the other, including those of all
   * sub-branches.
   */
  structure: string;
  /** The branches with the lengths of its arrays. */
  needs: Set<string>;
}

interface TreeBranches {
  /** The first file that has entries. */
  file: string;
  branches: Map<string, TopBranch>;
  /** Reason why a branch is left out, by its name. */
  lost: Map<string, string>;
}

/** Finds the branches, and fields of RNTuples, that are the same in all inputs. */
export class CommonBranches {
  readonly #trees = new Map<string, TreeBranches>();

  /** Adds the tree of a file. A tree without entries may not have branches yet. */
  add(path: string, file: string, data: Members): void {
    if (Number(data.fEntries) > 0) this.#add(path, file, topBranches(data), 'of another type');
  }

  /** Adds the RNTuple of a file. Its fields are treated like the branches of a tree. */
  addFields(path: string, file: string, structure: NtupleStructure): void {
    if (structure.entries === 0) return;
    this.#add(path, file, topFields(structure), 'of another type, or stored or projected in another way,');
  }

  #add(path: string, file: string, own: Map<string, TopBranch>, other: string): void {
    const known = this.#trees.get(path);
    if (!known) {
      this.#trees.set(path, { file, branches: own, lost: new Map() });
      return;
    }
    const { branches, lost } = known;
    for (const [name, { structure }] of branches) {
      const there = own.get(name);
      if (there?.structure === structure || lost.has(name)) continue;
      lost.set(name, there ? `it is ${other} in ${file} than in ${known.file}` : `${file} lacks it`);
    }
    for (const name of own.keys())
      if (!branches.has(name) && !lost.has(name)) lost.set(name, `${known.file} lacks it`);
  }

  /**
   * Returns the branches or fields of a path that are left out, with the reasons. Throws UNSUPPORTED if none is left.
   */
  leftOut(path: string): ReadonlyMap<string, string> {
    const { branches, lost } = this.#trees.get(path) ?? {
      branches: new Map<string, TopBranch>(),
      lost: new Map(),
    };
    for (let before = -1; before !== lost.size; ) {
      before = lost.size;
      for (const [name, { needs }] of branches) {
        const missing = [...needs].find((one) => lost.has(one));
        if (missing !== undefined && !lost.has(name))
          lost.set(name, `it needs ${missing}, which is left out`);
      }
    }
    if (branches.size > 0 && [...branches.keys()].every((name) => lost.has(name))) {
      throw unsupported(
        `${path} has no branch or field that is the same in all files.`,
        'Leave out the files that differ from the others.',
        { path },
      );
    }
    return lost;
  }
}

function topBranches(data: Members): Map<string, TopBranch> {
  const all = branchesOf(data);
  const topOf = new Map<unknown, string>();
  for (const { top, branch } of all)
    for (const one of [branch, ...membersOf(branch.fLeaves)]) topOf.set(one, top);
  const structures = new Map<string, string[]>();
  const found = new Map<string, TopBranch>();
  for (const { path, top, branch } of all) {
    const parts = structures.get(top) ?? [];
    parts.push(path, structureOf(branch));
    structures.set(top, parts);
    const counters = [branch.fBranchCount, branch.fBranchCount2];
    for (const { fLeafCount } of membersOf(branch.fLeaves)) counters.push(fLeafCount);
    const needs = found.get(top)?.needs ?? new Set();
    for (const counter of counters) {
      const holder = topOf.get(counter);
      if (holder !== undefined && holder !== top) needs.add(holder);
    }
    found.set(top, { structure: '', needs });
  }
  for (const [top, one] of found) one.structure = JSON.stringify(structures.get(top));
  return found;
}

function topFields({ names, structures, tops, needs }: NtupleStructure): Map<string, TopBranch> {
  const nameOf = new Map(Array.from(new Set(tops), (top, i) => [top, names[i] ?? '']));
  const found = new Map(
    names.map((name, i): [string, TopBranch] => [
      name,
      { structure: String(structures[i]), needs: new Set() },
    ]),
  );
  for (let i = 0; i < needs.length; i += 2)
    found.get(nameOf.get(needs[i] ?? 0) ?? '')?.needs.add(nameOf.get(needs[i + 1] ?? 0) ?? '');
  return found;
}
