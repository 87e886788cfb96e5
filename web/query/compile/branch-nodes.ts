import type { BranchInfo, TreeInfo } from '../../api/api';
import { trimEndOf, withoutDimensions } from '../../base/text';

/** A leaf that was found by its name. `member` selects one of several leaves in a branch. */
export interface LeafNode {
  node: BranchNode;
  member?: string | undefined;
}

/** A branch, its sub-branches, and the parts of its name. */
export interface BranchNode {
  branch: BranchInfo;
  /** The name without dimensions. */
  name: string;
  /**
   * The words of the name that do not repeat the name of the parent branch. A member of a member has two
   * words or more.
   */
  local: string[];
  parent: BranchNode | undefined;
  children: BranchNode[];
  /** Whether this is a base class, whose members belong to the object above. */
  base: boolean;
  /** Whether the branch has a leaf. Of split objects, only those at the top level have one. */
  holds: boolean;
}

/** The branches and leaves of a TTree, looked up as TTree::FindBranch and TTree::FindLeaf do. */
export class BranchNodes {
  readonly top: BranchNode[] = [];
  readonly all: BranchNode[] = [];
  readonly #leaves = new Map<string, LeafNode>();

  constructor(readonly info: Pick<TreeInfo, 'name' | 'branches'>) {
    for (const branch of info.branches) {
      const parent = this.all[branch.parent];
      const name = withoutDimensions(branch.name);
      const local = localName(name, parent);
      const base = parent !== undefined && isBase(branch, local);
      const node: BranchNode = {
        branch,
        name,
        local: local.split('.'),
        parent,
        children: [],
        base,
        holds: true,
      };
      (parent?.children ?? this.top).push(node);
      this.all[branch.index] = node;
    }
    for (const node of this.all) {
      const { branch, base, children } = node;
      const split = branch.kind === 'group' && !isCount(branch);
      node.holds = children.length === 0 || !split || (branch.parent < 0 && !base);
      if (!node.holds) continue;
      for (const { name, member } of leavesOf(node)) {
        const leaf = { node, member };
        for (const form of formsOf(node, name)) if (!this.#leaves.has(form)) this.#leaves.set(form, leaf);
      }
    }
  }

  /**
   * Finds the first leaf with a name: the leaf's own name, the name in its title, or one of these after
   * the name of its branch.
   */
  leaf(name: string): LeafNode | undefined {
    const withoutTree = this.#withoutTree(name);
    return this.#leaves.get(name) ?? (withoutTree === undefined ? undefined : this.#leaves.get(withoutTree));
  }

  branch(name: string): BranchNode | undefined {
    const withoutTree = this.#withoutTree(name);
    return (withoutTree && branchIn(this.top, withoutTree)) || branchIn(this.top, name);
  }

  /** Returns the name from "tree.name". */
  #withoutTree(name: string): string | undefined {
    const prefix = `${this.info.name}.`;
    return name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
  }
}

/** Returns the leaf of the branch itself that has one of the names. */
export function leafOf(node: BranchNode, names: readonly string[]): LeafNode | undefined {
  if (!node.holds) return undefined;
  for (const { name, member } of leavesOf(node)) {
    const forms = formsOf(node, name);
    if (names.some((wanted) => forms.includes(wanted))) return { node, member };
  }
  return undefined;
}

/**
 * Finds a sub-branch by its name, which may include the name of the branch above. Members of base classes
 * are searched too.
 */
export function branchBelow(node: BranchNode, name: string): BranchNode | undefined {
  const long = `${node.name}${node.name.endsWith('.') ? '' : '.'}${name}`;
  const own = node.children.find(
    (child) => child.name === name || child.name === long || (node.base && child.local.join('.') === name),
  );
  if (own) return own;
  for (const child of node.children) {
    const found = child.base && branchBelow(child, name);
    if (found) return found;
  }
  return undefined;
}

function branchIn(list: readonly BranchNode[], name: string): BranchNode | undefined {
  const dot = name.indexOf('.');
  for (const node of list) {
    if (node.name === '') continue;
    if (node.name === name) return node;
    if (name.startsWith(`${node.name}.`)) {
      const found = branchBelow(node, name) ?? branchBelow(node, name.slice(node.name.length + 1));
      if (found) return found;
    }
    if (dot > 0 && node.name === name.slice(0, dot)) return branchIn(node.children, name.slice(dot + 1));
  }
  return undefined;
}

/** Returns the name without the name of the nearest branch above that it begins with. */
function localName(name: string, parent: BranchNode | undefined): string {
  for (let above = parent; above; above = above.parent) {
    const prefix = above.name.endsWith('.') ? above.name : `${above.name}.`;
    if (name.startsWith(prefix) && name.length > prefix.length) return name.slice(prefix.length);
  }
  return name;
}

/** Whether a branch has a leaf for the size of a collection. Its title names that leaf. */
export function isCount({ name, title }: BranchInfo): boolean {
  return title === `${trimEndOf(name, '.')}_`;
}

function isBase({ typeName }: BranchInfo, local: string): boolean {
  return typeName === 'BASE' || typeName.replaceAll(' ', '') === local.replaceAll(' ', '');
}

/**
 * Names of a branch's leaves. A leaf list has the names in its title; any other branch has its own name
 * and its title, which may be the bare name of a member.
 */
function leavesOf({ branch, children }: BranchNode): { name: string; member?: string }[] {
  const { title, typeName, kind } = branch;
  if (typeName.startsWith('struct{')) {
    const names = title.split(':').map(leafName);
    if (names.length > 1) return names.map((name) => ({ name, member: name }));
  }
  // A split collection has a leaf for its size, "hits_".
  const counts = children.length > 0 && (kind !== 'group' || isCount(branch));
  const names = new Set(counts ? [] : [withoutDimensions(branch.name)]);
  const titled = leafName(title);
  if (titled !== '' && !titled.includes(' ')) names.add(titled);
  return [...names].map((name) => ({ name }));
}

/** Returns "x" for "x[n]/F", also for "x[n]/d[0,1,8]". */
export function leafName(title: string): string {
  return withoutDimensions(withoutDimensions(title).replace(/\/[A-Za-z]$/, ''));
}

function formsOf({ name: branch }: BranchNode, leaf: string): string[] {
  return branch.endsWith('.') ? [leaf, `${branch}.${leaf}`, `${branch}${leaf}`] : [leaf, `${branch}.${leaf}`];
}
