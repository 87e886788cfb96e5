import { isArray, type Members, numberOf } from '../../../../bins/object-values';

/** A branch in the record of a tree. */
export interface BranchData {
  /** Names from the tree down, joined by "/". A number is added to a name that occurs again. */
  path: string;
  /** The path of its top-level branch, which may be itself. */
  top: string;
  branch: Members;
}

/** Returns the branches in the record of a tree, depth first: the order of the branch table. */
export function branchesOf(tree: Members): BranchData[] {
  const found: BranchData[] = [];
  const seen = new Map<string, number>();
  const visit = (owner: Members, above: string, holder?: string): void => {
    for (const branch of membersOf(owner.fBranches)) {
      const name = `${above}${String(branch.fName)}`;
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      const path = count === 1 ? name : `${name} (${count})`;
      const top = holder ?? path;
      found.push({ path, top, branch });
      visit(branch, `${path}/`, top);
    }
  };
  visit(tree, '');
  return found;
}

/** Returns the objects in a TObjArray, without references and empty places. */
export function membersOf(list: unknown): Members[] {
  const items = (list as Members | null | undefined)?.arr;
  if (!Array.isArray(items)) return [];
  return items.filter(
    (item): item is Members =>
      item !== null &&
      typeof item === 'object' &&
      !Array.isArray(item) &&
      !isArray(item) &&
      '_typename' in item,
  );
}

const BRANCH_MEMBERS = [
  ...['_typename', 'fTitle', 'fClassName', 'fParentName', 'fClonesName', 'fCheckSum', 'fClassVersion'],
  ...['fID', 'fType', 'fStreamerType', 'fSplitLevel'],
];
const LEAF_MEMBERS = [
  '_typename',
  'fName',
  'fTitle',
  'fLen',
  'fLenType',
  'fOffset',
  'fIsUnsigned',
  'fID',
  'fType',
];
/**
 * Members of a text leaf that are compared. fLen is one more than the length of the longest text so far, so it may
 * differ.
 */
const TEXT_MEMBERS = LEAF_MEMBERS.filter((member) => member !== 'fLen');

function isText({ _typename }: Members): boolean {
  return _typename === 'TLeafC';
}

/**
 * Returns a text that is the same for two branches exactly if the record of one describes the baskets of the other:
 * types, versions of classes, leaves, and whether baskets have the offsets of their entries.
 */
export function structureOf(branch: Members): string {
  const pick = (object: Members, members: readonly string[]) =>
    members.map((member) => (object[member] === undefined ? '' : String(object[member])));
  const io = branch.fIOFeatures as Members | null | undefined;
  return JSON.stringify([
    pick(branch, BRANCH_MEMBERS),
    numberOf(branch, 'fEntryOffsetLen') > 0,
    Number(io?.fIOBits ?? 0),
    membersOf(branch.fLeaves).map((leaf) => pick(leaf, isText(leaf) ? TEXT_MEMBERS : LEAF_MEMBERS)),
  ]);
}

/**
 * Widens the limits of the first branch to include those of the second. Readers allocate memory for the largest count
 * of an array (fMaximum) and for the longest text (fLen) in the tree's record.
 */
export function widenLimits(into: Members, other: Members): void {
  widen(into, other);
  const leaves = membersOf(other.fLeaves);
  for (const [i, leaf] of membersOf(into.fLeaves).entries()) {
    const more = leaves[i];
    if (!more) continue;
    widen(leaf, more);
    if (isText(leaf)) leaf.fLen = Math.max(numberOf(leaf, 'fLen'), numberOf(more, 'fLen'));
  }
}

function widen(into: Members, other: Members): void {
  const { fMaximum, fMinimum } = other;
  if (isNumeric(into.fMaximum) && isNumeric(fMaximum) && fMaximum > into.fMaximum) into.fMaximum = fMaximum;
  if (isNumeric(into.fMinimum) && isNumeric(fMinimum) && fMinimum < into.fMinimum) into.fMinimum = fMinimum;
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
