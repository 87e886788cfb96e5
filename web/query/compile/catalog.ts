import type { BranchInfo, TreeInfo } from '../../api/api';
import { bareName } from '../../base/text';
import type { DataModel } from '../../model/data-model';
import { OddWords } from '../language/odd-words';
import type { NameRules } from '../language/parser';
import { leafName } from './branch-nodes';

/** Meaning of a name in an expression: a branch, and one of its leaves if it has several. */
export interface Named {
  branch: BranchInfo;
  member?: string | undefined;
}

/** The names of a tree. If several branches have the same name, it means the first one that holds values. */
export class Catalog implements NameRules {
  #odd: OddWords | undefined;
  readonly #names = new Map<string, Named & { rank: number }>();

  constructor(info: Pick<TreeInfo, 'branches'>) {
    const full: string[] = [];
    for (const branch of info.branches) {
      const bare = bareName(branch.name);
      const above = branch.parent >= 0 ? (full[branch.parent] ?? '') : '';
      const parentBare = above.slice(above.lastIndexOf('.') + 1);
      const local =
        parentBare !== '' && bare.startsWith(`${parentBare}.`) ? bare.slice(parentBare.length + 1) : bare;
      const whole = above === '' ? bare : `${above}.${local}`;
      // The name of a base class is not part of the names below it.
      full[branch.index] = branch.parent >= 0 && branch.name === branch.typeName ? above : whole;
      this.#add(branch.path, branch, 0);
      this.#add(branch.name, branch, 1);
      this.#add(bare, branch, 2);
      this.#add(whole, branch, 3);
      this.#add(branch.path.replaceAll('/', '.'), branch, 3);
      const leaves = leavesOf(branch);
      for (const leaf of leaves) {
        const member = leaves.length > 1 ? leaf : undefined;
        this.#add(`${bare}.${leaf}`, branch, 3, member);
        this.#add(leaf, branch, 4, member);
      }
    }
  }

  /** Returns the branch with a name; undefined if there is none. */
  find(name: string): Named | undefined {
    return this.#names.get(name);
  }

  /** Whether the name is the path of a sub-branch, written with slashes. */
  isPath(name: string): boolean {
    const found = this.#names.get(name);
    return found !== undefined && found.rank === 0 && found.branch.path === name;
  }

  oddWord(text: string, at: number, to: number): string {
    this.#odd ??= new OddWords(this.#names.keys());
    return this.#odd.at(text, at, to);
  }

  isDotted(name: string): boolean {
    return this.#names.has(name);
  }

  /** Returns all names, for suggestions. */
  names(): string[] {
    return [...this.#names.keys()];
  }

  #add(name: string, branch: BranchInfo, rank: number, member?: string): void {
    if (name === '') return;
    const there = this.#names.get(name);
    const better =
      there === undefined ||
      (there.branch.kind === 'group' && branch.kind !== 'group') ||
      (rank < there.rank && (branch.kind !== 'group' || there.branch.kind === 'group'));
    if (better) this.#names.set(name, { branch, rank, member });
  }
}

const catalogs = new WeakMap<DataModel, Catalog>();

/** Returns the names of a tree, built once per tree. */
export function catalogOf(model: DataModel): Catalog {
  const found = catalogs.get(model) ?? new Catalog(model.info);
  catalogs.set(model, found);
  return found;
}

/** Names of the leaves that differ from the name of the branch, for example with the title "x/F:y[n]/I". */
function leavesOf(branch: BranchInfo): string[] {
  if (branch.depth > 0 || !/\/[A-Za-z]$/.test(branch.title)) return [];
  const leaves = branch.title.split(':').map(leafName);
  if (!leaves.every((leaf) => /^[A-Za-z_]\w*$/.test(leaf))) return [];
  return leaves.length === 1 && leaves[0] === branch.name ? [] : leaves;
}
