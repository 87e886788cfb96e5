import type { BranchInfo, TreeInfo, TreeLayout } from '../../../../api/api';
import { codecOf } from '../../../../core/compression';
import type { EntryChoice } from '../../../../model/entry-choice';

/**
 * The work of a reading, as numbers of things that each cost CPU time: bytes, baskets, entries and calls. CPU time is the sum of
 * these numbers, each multiplied by what one of them costs (`CpuCosts`).
 */
export type CpuCounts = ReadonlyMap<string, number>;

/** The cost of one of each thing, in ns. */
export type CpuCosts = Readonly<Record<string, number>>;

/**
 * How a program deserialises the values of a branch. `items`: a member of all items of a collection; `clones`: those of a TClonesArray,
 * whose items are not made anew.
 */
export type ValueKind =
  | ('number' | 'list' | 'member' | 'vector' | 'text')
  | ('items' | 'collection' | 'clones' | 'object');

/** Programs of which the CPU time is known. */
export const CPU_PROGRAMS = ['root', 'uproot', 'xylem'] as const;
export type CpuProgram = (typeof CPU_PROGRAMS)[number];

export interface CountedReading {
  program: CpuProgram;
  /** Indices of the branches that are read. */
  branches: readonly number[];
  entries: Pick<EntryChoice, 'from' | 'to' | 'next' | 'bounds'>;
}

/**
 * Counts what a reading of a TTree does, from metadata alone. ROOT calls TTree::GetEntry for each chosen entry, uproot reads all from
 * the first to the last.
 */
export function cpuCounts(layout: TreeLayout, { program, branches, entries }: CountedReading): CpuCounts {
  const { tree, basketStart, firstEntry, entries: inBasket, storedBytes, compress, offset } = layout;
  const whole = program === 'uproot';
  const counts = new Map<string, number>();
  const add = (name: string, count: number) => {
    if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
  };
  const { from, to } = entries;
  const chosen = whole ? to - from : (entries.bounds(from, to)?.rows ?? 0);
  if (chosen === 0) return counts;
  const { leaves, elements } = passedBranches(tree);
  const touched = PASSED_KB * (leaves + elements) + READ_KB * branches.length;
  const isRoot = program === 'root';
  const shareOf = (limits: readonly [number, number]) => (isRoot ? share(touched, limits) : 0);
  const [cool, farLeaf, farElement] = [shareOf(COOL_KB), shareOf(FAR_KB), shareOf(FAR_ELEMENT_KB)];
  if (isRoot) {
    add('entry', chosen);
    add('leaf passed', chosen * leaves);
    add('far leaf passed', chosen * leaves * share(leaves, FAR_PASSED));
    add('element passed', chosen * elements);
    add('far element passed', chosen * elements * share(elements, FAR_ELEMENTS));
    add('element', elements);
  }
  if (program === 'uproot') add('tree branch', leaves + elements);
  for (const index of branches) {
    const branch = tree.branches[index];
    if (branch === undefined) continue;
    const [first = 0, end = 0] = [basketStart[index], basketStart[index + 1]];
    if (first === end && branch.kind === 'group') continue;
    let [baskets, stored, unpacked] = [0, 0, 0];
    const bytesOfEntry = valueBytes(layout, branch) / Math.max(1, branch.entries);
    for (let basket = first; basket < end; basket++) {
      const start = firstEntry[basket] ?? 0;
      const stop = start + (inBasket[basket] ?? 0);
      const next = whole ? Math.max(from, start) : entries.next(Math.max(from, start));
      if (next >= Math.min(to, stop)) continue;
      // A basket in the record of the tree is in memory, and its bytes are not compressed any more.
      if (offset[basket] === 0) continue;
      baskets++;
      stored += storedBytes[basket] ?? 0;
      unpacked += bytesOfEntry * (stop - start);
    }
    const { algorithm } = codecOf(compress[index] ?? 0);
    add(`${algorithm} in`, stored);
    add(`${algorithm} out`, unpacked);
    const kind = valueKind(tree, branch);
    const isJagged =
      kind === 'list' || kind === 'vector' || kind === 'items' || kind === 'text' || kind === 'clones';
    add(isJagged && program === 'uproot' ? 'jagged basket' : 'basket', baskets);
    const isLeaf = kind === 'number' || kind === 'list';
    add(isLeaf ? 'branch' : 'element branch', 1);
    add(isJagged && program === 'uproot' ? 'jagged call' : `${kind} call`, chosen);
    add('cool call', cool * chosen);
    const far = isLeaf ? farLeaf : farElement;
    add(isLeaf ? 'far leaf call' : 'far element call', far * chosen);
    add('far basket', far * baskets);
    add(`${kind} byte`, chosen * bytesOfEntry);
  }
  return counts;
}

/**
 * Counts the branches at which TTree::GetEntry looks for each entry, whether they are read or not: those of the tree itself, and all
 * below those that are TBranchElements.
 */
function passedBranches({ branches }: TreeInfo) {
  let [leaves, elements] = [0, 0];
  for (const { depth, title } of branches) {
    if (depth === 0 && LEAF_LIST.test(title)) leaves++;
    else elements++;
  }
  return { leaves, elements };
}

/*
 * For each entry ROOT goes through the objects of all branches in turn. If they do not fit into a cache of the processor, it finds none
 * of them there when it comes to the next entry. These are the kB, about, that are touched of a branch that is passed, and of one that is read.
 */
const PASSED_KB = 0.13;
const READ_KB = 1.5;
/** Sizes in kB that fit into a cache of the first and of the second level, and that do not fit any more. */
const COOL_KB = [16, 48] as const;
const FAR_KB = [400, 1400] as const;
/** The same of TBranchElements, which slow down most where the cache of the last level is full. */
const FAR_ELEMENT_KB = [2000, 10_000] as const;
/** Numbers of branches that are passed. */
const FAR_PASSED = [200, 800] as const;
const FAR_ELEMENTS = [1000, 6000] as const;

/** Returns 0 up to the first limit, 1 from the second on, and a number between them in between. */
function share(size: number, [least, most]: readonly [number, number]): number {
  return Math.min(1, Math.max(0, (size - least) / (most - least)));
}

/** Bytes of the key of a basket without names. */
const KEY_BYTES = 70;

/** Uncompressed bytes of the values of a branch: all of its baskets, without their keys. */
function valueBytes({ basketStart }: TreeLayout, { index, totalBytes }: BranchInfo): number {
  const baskets = (basketStart[index + 1] ?? 0) - (basketStart[index] ?? 0);
  return Math.max(0, totalBytes - KEY_BYTES * baskets);
}

/** Returns the CPU time in ms; undefined if the cost of something that is needed is not known. */
export function cpuMs(counts: CpuCounts, costs: CpuCosts): number | undefined {
  let ns = 0;
  for (const [name, count] of counts) {
    if (count === 0) continue;
    const cost = costs[name];
    if (cost === undefined) return undefined;
    ns += count * cost;
  }
  return ns / 1e6;
}

const NUMBER = /^(u?int(8|16|32|64)_t|float|double|bool|char|Double32_t|Float16_t)$/;
/** The title of a TBranch: a list of leaves with their types. */
const LEAF_LIST = /\/[A-Za-z]$/;
const ARRAY = /\[\d*\]/g;

/** Returns how the values of a branch are deserialised, from its type and its title. */
export function valueKind({ branches }: TreeInfo, branch: BranchInfo): ValueKind {
  const { typeName, title, kind } = branch;
  const plain = typeName.replace(ARRAY, '');
  const isNumber = NUMBER.test(plain);
  if (LEAF_LIST.test(title)) return typeName === plain ? 'number' : 'list';
  const above = branches[branch.parent];
  if (typeName.startsWith('TClonesArray') || above?.typeName.startsWith('TClonesArray')) return 'clones';
  if (title.endsWith('_') && branches[branch.index + 1]?.parent === branch.index) return 'collection';
  if (/\[[\w.]*_\]$/.test(title)) return isNumber ? 'items' : 'object';
  if (isNumber) return 'member';
  if (kind === 'string') return 'text';
  const item = /^(?:std::)?vector<(.+)>$/.exec(plain)?.[1]?.trim();
  return item !== undefined &&
    /^(unsigned |signed |long )?(int|char|short|long|float|double|bool|long long)$/.test(item)
    ? 'vector'
    : 'object';
}
