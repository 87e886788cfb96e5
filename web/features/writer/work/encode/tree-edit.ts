import { XylemError } from '../../../../base/errors';
import type { PrimitiveArray } from '../../../../core/columns';
import type { TapeValue } from '../../../../core/tape';
import { embeddedBaskets } from './embedded-baskets';
import type { BranchPlan, ObjectData, TreePlan } from './types';

type Data = { [member: string]: TapeValue };

/** Minimum number of elements of fBasketSeek and similar arrays, as ROOT writes them. */
const MIN_BASKETS = 10;

/**
 * Writes a plan into the record of a tree from `ObjectCodec.read`. The object is changed in place and returned.
 * Throws ARGUMENT for a plan that does not match the tree, UNSUPPORTED if the tree's version has no member for a
 * value of the plan, and CORRUPT if its branches lack the members that are summed.
 */
export function editTree(tree: ObjectData, plan: TreePlan): ObjectData {
  const kept = new Set<Data>();
  const dropped = new Set<Data>();
  const list = branchesOf(tree);
  if (list.length !== plan.branches.length)
    throw refused(`a tree of ${list.length} branches cannot take the plan of ${plan.branches.length}`);
  for (const [i, { branch, parent }] of list.entries()) {
    const own = plan.branches[i];
    (own === null || (parent && dropped.has(parent)) ? dropped : kept).add(branch);
    if (own && kept.has(branch)) editBranch(branch, own);
  }
  editReferences(tree, plan);
  if (dropped.size > 0) dropBranches(tree, kept, dropped);
  setNumber(tree, 'fEntries', plan.entries);
  if (plan.branches.some((own) => own !== undefined)) setSums(tree, kept);
  setClusters(tree, plan);
  if (plan.name !== undefined) tree.fName = plan.name;
  if (plan.title !== undefined) tree.fTitle = plan.title;
  if (plan.dropIndex) dropIndex(tree);
  return tree;
}

/** Returns the branches depth first, in the order of the branch table. */
export function branchesOf(tree: Data): { branch: Data; parent?: Data }[] {
  const found: { branch: Data; parent?: Data }[] = [];
  const add = (parent: Data, isTree: boolean): void => {
    for (const branch of objectsOf(parent, 'fBranches')) {
      found.push(isTree ? { branch } : { branch, parent });
      add(branch, false);
    }
  };
  add(tree, true);
  return found;
}

function editBranch(branch: Data, plan: BranchPlan): void {
  const { seek, bytes, firstEntry } = plan;
  if (bytes.length !== seek.length || firstEntry.length !== seek.length)
    throw refused(`the plan of branch "${nameOf(branch)}" has lists of different lengths`, branch);
  const all: { seek: number; bytes: number; first: number; embedded: Data | null }[] = seek.map((at, i) => ({
    seek: at,
    bytes: bytes[i] ?? 0,
    first: firstEntry[i] ?? 0,
    embedded: null,
  }));
  for (const { first, object } of plan.dropEmbedded ? [] : embeddedBaskets(branch))
    all.push({ seek: 0, bytes: 0, first, embedded: object });
  all.sort((a, b) => a.first - b.first);
  for (let i = 1; i < all.length; i++)
    if (all[i]?.first === all[i - 1]?.first)
      throw refused(`two baskets of branch "${nameOf(branch)}" begin with entry ${all[i]?.first}`, branch);
  // The open basket, which is in the tree's record, has the index fWriteBasket.
  const written = all.at(-1)?.embedded ? all.length - 1 : all.length;
  const length = Math.max(MIN_BASKETS, written + 1);
  const firsts = all.map(({ first }) => first);
  const end = written === all.length ? (plan.end ?? plan.entries) : plan.entries;
  if (written === all.length && written > 0) firsts.push(end);
  setArray(
    branch,
    'fBasketSeek',
    all.map(({ seek: at }) => at),
    length,
  );
  setArray(
    branch,
    'fBasketBytes',
    all.map(({ bytes: size }) => size),
    length,
  );
  setArray(branch, 'fBasketEntry', firsts, length);
  for (const counter of ['fEntryCount', 'fBytesCount', 'fSeekCount'])
    if (branch[counter] !== undefined) branch[counter] = length; // of trees before ROOT 3
  branch.fMaxBaskets = length;
  branch.fWriteBasket = written;
  setEmbedded(
    branch,
    all.map(({ embedded }) => embedded),
    written,
  );
  setNumber(branch, 'fEntries', plan.entries);
  setNumber(branch, 'fEntryNumber', end);
  setNumber(branch, 'fTotBytes', plan.totalBytes);
  setNumber(branch, 'fZipBytes', plan.storedBytes);
  if (plan.compress !== undefined) branch.fCompress = plan.compress;
  if (plan.basketSize !== undefined) branch.fBasketSize = plan.basketSize;
  if (seek.length > 0 && branch.fFileName !== undefined) branch.fFileName = '';
  if (plan.maximum !== undefined) raiseMaximum(branch, plan.maximum);
}

/**
 * Puts the baskets of the record at their indices. The list ends with the last of them. Before ROOT 5.0 it ends at
 * index fWriteBasket, because ROOT reads that element without checking the length.
 */
function setEmbedded(branch: Data, baskets: (Data | null)[], written: number): void {
  const list = branch.fBaskets;
  if (!isObject(list)) return;
  const isOld = branch.fFirstEntry === undefined;
  const length = isOld ? written + 1 : baskets.findLastIndex((basket) => basket !== null) + 1;
  list.arr = Array.from({ length }, (_, i) => baskets[i] ?? null);
}

/** Counters give the maximum memory of their arrays, so the number can only grow. */
function raiseMaximum(branch: Data, maximum: number): void {
  for (const holder of [branch, ...objectsOf(branch, 'fLeaves')]) {
    if (holder.fMaximum === undefined || holder.fIsRange === false) continue;
    if (Number(holder.fMaximum) < maximum) setNumber(holder, 'fMaximum', maximum);
  }
}

/** Changes the branch of a tree with TRefs that says which entry has an object. It has its own baskets. */
function editReferences(tree: Data, { branchRef, branches }: TreePlan): void {
  const branch = tree.fBranchRef;
  if (!isObject(branch)) return;
  if (branchRef) editBranch(branch, branchRef);
  else if (Number(branch.fWriteBasket) > 0 && branches.some((own) => own !== undefined))
    throw refused('the baskets of its references (fBranchRef) have no new places', tree, 'UNSUPPORTED');
}

function dropBranches(tree: Data, kept: ReadonlySet<Data>, dropped: ReadonlySet<Data>): void {
  for (const holder of [tree, ...kept])
    setList(holder, 'fBranches', (branch) => !isObject(branch) || !dropped.has(branch));
  // A TNtuple reads its values into an array of this length.
  if (tree.fNvar !== undefined) setNumber(tree, 'fNvar', objectsOf(tree, 'fBranches').length);
  const leaves = new Set([...kept].flatMap((branch) => objectsOf(branch, 'fLeaves')));
  setList(tree, 'fLeaves', (leaf) => !isObject(leaf) || leaves.has(leaf));
  for (const branch of kept) {
    const counters = ['fBranchCount', 'fBranchCount2'].map((name) => branch[name]);
    const without =
      counters.some((counter) => isObject(counter) && dropped.has(counter)) ||
      objectsOf(branch, 'fLeaves').some(({ fLeafCount }) => isObject(fLeafCount) && !leaves.has(fLeafCount));
    if (without) throw refused(`branch "${nameOf(branch)}" needs the branch that counts its values`, branch);
  }
}

function setSums(tree: Data, branches: Iterable<Data>): void {
  let total = 0;
  let stored = 0;
  for (const { fTotBytes, fZipBytes } of branches) {
    total += Number(fTotBytes);
    stored += Number(fZipBytes);
  }
  setNumber(tree, 'fTotBytes', total);
  setNumber(tree, 'fZipBytes', stored);
  if (tree.fFlushedBytes !== undefined && Number(tree.fFlushedBytes) > 0)
    setNumber(tree, 'fFlushedBytes', stored);
}

function setClusters(tree: Data, { autoFlush, clusters }: TreePlan): void {
  if (autoFlush !== undefined) setNumber(tree, 'fAutoFlush', autoFlush);
  if (!clusters) return;
  const { end, size } = clusters;
  if (end.length !== size.length) throw refused('ranges of clusters need an end and a size each', tree);
  if (tree.fNClusterRange === undefined) {
    if (end.length === 0) return;
    throw refused('trees of its version have no ranges of clusters', tree, 'UNSUPPORTED');
  }
  tree.fNClusterRange = end.length;
  setArray(tree, 'fClusterRangeEnd', end, end.length);
  setArray(tree, 'fClusterSize', size, size.length);
}

function dropIndex(tree: Data): void {
  for (const name of ['fTreeIndex', 'fEventList']) if (tree[name] !== undefined) tree[name] = null;
  for (const name of ['fIndexValues', 'fIndex']) {
    const { [name]: old } = tree;
    if (old !== undefined && ArrayBuffer.isView(old)) tree[name] = old.subarray(0, 0);
  }
}

/** Writes numbers to an array of the member's type, with zeroes up to a length. */
function setArray(holder: Data, name: string, values: readonly number[], length: number): void {
  const old = holder[name];
  if (old === null || old === undefined || !ArrayBuffer.isView(old))
    throw refused(`it has no array ${name}`, holder, 'UNSUPPORTED');
  holder[name] = arrayLike(old, values, length, name === 'fBasketSeek');
}

function arrayLike(
  old: PrimitiveArray,
  values: readonly number[],
  length: number,
  mayWiden: boolean,
): PrimitiveArray {
  const wide = old instanceof BigInt64Array || (mayWiden && values.some((value) => value > 0x7fffffff));
  if (wide) {
    const array = new BigInt64Array(length);
    for (let i = 0; i < values.length; i++) array[i] = BigInt(values[i] ?? 0);
    return array;
  }
  const array = new Int32Array(length);
  array.set(values);
  const wrong = values.find((value, i) => array[i] !== value);
  if (wrong !== undefined) throw refused(`${wrong} has no place in 32 bits`, undefined, 'UNSUPPORTED');
  return array;
}

/** Writes a number in the form of the member: 64-bit numbers are a bigint. */
function setNumber(holder: Data, name: string, value: number): void {
  const old = holder[name];
  if (old === undefined) return;
  if (!Number.isInteger(value)) throw refused(`its ${name} would be ${value}`, holder, 'CORRUPT');
  holder[name] = typeof old === 'bigint' ? BigInt(value) : value;
}

/** Returns the objects of a TObjArray, or of any list that has them in `arr`. */
export function objectsOf(holder: Data, name: string): Data[] {
  return listOf(holder, name).filter(isObject);
}

function listOf(holder: Data, name: string): readonly TapeValue[] {
  const list = holder[name];
  return isObject(list) && Array.isArray(list.arr) ? list.arr : [];
}

function setList(holder: Data, name: string, keep: (item: TapeValue) => boolean): void {
  const list = holder[name];
  if (isObject(list) && Array.isArray(list.arr)) list.arr = list.arr.filter(keep);
}

function isObject(value: TapeValue | undefined): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

function nameOf({ fName }: Data): string {
  return typeof fName === 'string' ? fName : '';
}

function refused(
  why: string,
  holder?: Data,
  code: 'ARGUMENT' | 'CORRUPT' | 'UNSUPPORTED' = 'ARGUMENT',
): XylemError {
  const path = holder && nameOf(holder);
  return new XylemError({
    code,
    message: `The record of a tree cannot be changed: ${why}.`,
    ...(path && { where: { path } }),
  });
}
