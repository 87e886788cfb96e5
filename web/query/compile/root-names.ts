import { type BranchNode, BranchNodes, branchBelow, type LeafNode, leafOf } from './branch-nodes';

/** Meaning of a path: a branch, its leaf if it has several, and the words after it. */
export interface NamedLeaf extends LeafNode {
  rest: string[];
}

/** Describes the objects of branches. */
export interface Objects {
  /** Whether the objects of an unsplit branch have a member. */
  hasMember(node: BranchNode, member: string): boolean;
  isCollection(node: BranchNode): boolean;
  /** Whether the file has a class with this name. */
  isClass(name: string): boolean;
}

/** Resolves the words of a path in a TTree from left to right, as TTreeFormula does. */
export class RootNames {
  readonly nodes: BranchNodes;
  readonly #holders = new Map<string, BranchNode | undefined>();

  constructor(
    info: BranchNodes['info'],
    readonly objects: Objects,
  ) {
    this.nodes = new BranchNodes(info);
  }

  /** Resolves a path; undefined if no branch has such a name. */
  find(words: readonly string[]): NamedLeaf | undefined {
    const found = this.#walk(words);
    if (!found || found.member !== undefined) return found;
    return descend(found.node, found.rest, this.objects);
  }

  #walk(words: readonly string[]): NamedLeaf | undefined {
    let node: BranchNode | undefined;
    let leaf: LeafNode | undefined;
    let first = '';
    let second = '';
    let work = '';
    for (const [i, word] of words.entries()) {
      const last = i === words.length - 1;
      const rest = words.slice(i + 1);
      work = work === '' ? word : `${work}.${word}`;
      if (!node) {
        first = work;
        // The name of a branch may end with a dot.
        const dotted = last ? undefined : `${first}.`;
        node = (dotted && this.nodes.branch(dotted)) || this.nodes.branch(first);
        leaf = (dotted && this.nodes.leaf(dotted)) || this.nodes.leaf(first);
        if (leaf && !(node && !last) && isTerminal(leaf.node)) return { ...leaf, rest };
        if (!node && !leaf) {
          const holder = i === 0 ? this.#holder(word) : undefined;
          if (holder) return { node: holder, rest: [word, ...rest] };
          node = this.#below(first);
        }
        if (node) work = '';
        else if (leaf) return { ...leaf, rest };
        continue;
      }
      const names = [work, `${first}.${work}`, `${first}.${second}.${work}`, word];
      const own = leafOf(node, names);
      if (own && isTerminal(own.node)) return { ...own, rest };
      const below: BranchNode | undefined = firstOf(names, (name) => branchBelow(node as BranchNode, name));
      let found = own;
      if (below) {
        node = below;
        found = leafOf(node, names) ?? (node.holds ? { node } : undefined);
        if (found && isTerminal(node)) return { ...found, rest };
      }
      if (!found) continue;
      second = second === '' ? work : `${second}.${work}`;
      leaf = found;
      work = '';
    }
    const rest = work === '' ? [] : work.split('.');
    if (node && !leaf?.node) return node.holds ? { node, rest } : undefined;
    return leaf && { ...leaf, rest };
  }

  /** Returns the first branch whose objects have a member with this name, used if no branch has the name. */
  #holder(word: string): BranchNode | undefined {
    if (!this.#holders.has(word)) {
      this.#holders.set(
        word,
        this.nodes.all.find((node) => isTerminal(node) && node.holds && this.objects.hasMember(node, word)),
      );
    }
    return this.#holders.get(word);
  }

  #below(name: string): BranchNode | undefined {
    return firstOf(this.nodes.top, (node) => branchBelow(node, name));
  }
}

function isTerminal({ children }: BranchNode): boolean {
  return children.length === 0;
}

function firstOf<T, R>(list: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of list) {
    const found = find(one);
    if (found) return found;
  }
  return undefined;
}

/** Returns all sub-branches that are members of an object, including those of its base classes. */
function membersOf(node: BranchNode): BranchNode[] {
  return node.children.flatMap((child) =>
    child.base && !isTerminal(child) ? [child, ...membersOf(child)] : [child],
  );
}

function begins(rest: readonly string[], { local }: BranchNode): boolean {
  return local.every((part, i) => rest[i] === part);
}

/**
 * Goes from a split object to the branch of a member. Base classes may be named or left out, and a
 * collection whose elements have the member need not be named, as in TTreeFormula.
 */
function descend(node: BranchNode, rest: string[], objects: Objects, implied = true): NamedLeaf {
  const [word] = rest;
  const here = { node, rest };
  if (word === undefined || isTerminal(node)) return here;
  const members = membersOf(node);
  for (const child of members) {
    if (!child.base && begins(rest, child))
      return descend(child, rest.slice(child.local.length), objects, implied);
    if (child.base && isTerminal(child) && objects.hasMember(child, word)) return { node: child, rest };
  }
  if (
    rest.length > 1 &&
    (members.some((child) => child.base && begins(rest, child)) || objects.isClass(word))
  ) {
    const found = descend(node, rest.slice(1), objects, false);
    if (found.node !== node) return found;
  }
  for (const child of implied ? members : []) {
    if (child.base) continue;
    if (isTerminal(child)) {
      if (objects.isCollection(child) && objects.hasMember(child, word)) return { node: child, rest };
    } else if (objects.isCollection(child)) {
      const found = descend(child, rest, objects, false);
      if (found.node !== child) return found;
    }
  }
  return here;
}
