import { arrayOf, type Members, numberOf, objectOf, unaddable } from '../../../../../bins/object-values';

/** Number of entries of a TEntryListBlock, and of the integers that hold a bit for each. */
const BLOCK_ENTRIES = 64_000;
const BLOCK_NUMBERS = BLOCK_ENTRIES / 16;

/** TObject::kMustCleanup in fBits. */
const MUST_CLEAN_UP = 1 << 3;

/**
 * Adds a TEntryList as its Merge() does: entries of one tree in one file form a set; lists for other trees and files
 * become sub-lists of the first.
 */
export function addEntryList(into: Members, other: Members): void {
  const key = (list: Members) => `${String(list.fTreeName)} ${String(list.fFileName)}`;
  const own = listsOf(into);
  // hadd reads the whole list, so it belongs to no directory.
  const parts = listsOf(other) ?? [{ ...other, fBits: numberOf(other, 'fBits') & ~MUST_CLEAN_UP }];
  for (const part of [into, ...(own ?? []), ...parts]) checkList(part);
  if (entriesOf(into) === 0n && !own && !into.fTreeName && !into.fFileName) {
    for (const name of ['fNBlocks', 'fTreeName', 'fFileName', 'fN', 'fLists', 'fBlocks'])
      into[name] = other[name] ?? null;
    return;
  }
  for (const part of parts) {
    const lists = listsOf(into);
    if (!lists && key(part) === key(into)) addBlocks(into, part);
    else if (!lists) {
      const first = newList(into);
      into.fLists = {
        ...{ _typename: 'TList', fUniqueID: 0, fBits: 0, name: '' },
        ...{ arr: [first, part], opt: ['', ''] },
      };
      into.fBlocks = null;
      into.fN = entriesOf(first) + entriesOf(part);
    } else {
      const known = lists.find((list) => key(list) === key(part));
      const before = known ? entriesOf(known) : 0n;
      if (known) addBlocks(known, part);
      else appendTo(objectOf(into, 'fLists'), part);
      into.fN = entriesOf(into) - before + entriesOf(known ?? part);
    }
  }
}

function appendTo(list: Members, item: Members): void {
  if (!Array.isArray(list.arr)) throw unaddable('Its lists are not a list.');
  list.arr.push(item);
  if (Array.isArray(list.opt)) list.opt.push('');
}

/** Returns the sub-lists of a list; undefined if it has none. */
function listsOf(list: Members): Members[] | undefined {
  if (!list.fLists) return undefined;
  const items = objectOf(list, 'fLists').arr;
  if (!Array.isArray(items)) throw unaddable('Its lists are not a list.');
  return items as Members[];
}

function entriesOf(list: Members): bigint {
  return BigInt((list.fN as bigint | number | undefined) ?? 0);
}

/** Returns a copy of a list, in the form that ROOT gives to a new sub-list. */
function newList({ fTreeName, fFileName, fBlocks, fNBlocks, fN, ...rest }: Members): Members {
  const versions = Object.entries(rest).filter(([name]) => name.startsWith('$'));
  return {
    ...Object.fromEntries(versions),
    ...{ _typename: 'TEntryList', fUniqueID: 0, fBits: 0, fName: '', fTitle: '', fLists: null },
    fNBlocks: fNBlocks ?? 0,
    fBlocks: fBlocks ?? null,
    fN: fN ?? 0n,
    ...(rest.fEntriesToProcess !== undefined && { fEntriesToProcess: 0n }),
    fTreeName: fTreeName ?? '',
    fFileName: fFileName ?? '',
    ...(rest.fReapply !== undefined && { fReapply: false }),
  };
}

function blocksOf(list: Members): Members[] {
  if (!list.fBlocks) return [];
  const items = objectOf(list, 'fBlocks').arr;
  if (!Array.isArray(items)) throw unaddable('Its blocks are not an array.');
  return items as Members[];
}

/** Throws UNSUPPORTED if the blocks of a list do not match its members. */
function checkList(list: Members): void {
  if (list._typename !== 'TEntryList') throw unaddable(`It holds a ${String(list._typename)}.`);
  for (const block of blocksOf(list)) {
    const { length } = arrayOf(block, 'fIndices');
    const wanted = numberOf(block, 'fType') === 0 ? BLOCK_NUMBERS : numberOf(block, 'fNPassed');
    if (length < wanted) throw unaddable(`A block of it has ${length} numbers, and needs ${wanted}.`);
  }
}

function addBlocks(into: Members, other: Members): void {
  const blocks = blocksOf(into);
  const more = blocksOf(other);
  if (more.length === 0) return;
  if (blocks.length === 0) into.fBlocks = other.fBlocks ?? null;
  else
    for (const [i, block] of more.entries()) {
      const own = blocks[i];
      if (own) addBlock(own, block);
      else blocks.push(block);
    }
  const all = blocksOf(into);
  into.fNBlocks = all.length;
  into.fN = all.reduce((sum, block) => sum + BigInt(passing(block)), 0n);
}

/**
 * Returns the number of selected entries of a block. If the block lists the entries that are not selected, fNPassed
 * counts those.
 */
function passing(block: Members): number {
  const listed = numberOf(block, 'fNPassed');
  return block.fPassing === false ? BLOCK_ENTRIES - listed : listed;
}

function addBlock(into: Members, other: Members): void {
  if (passing(other) === 0) return;
  const isList = (block: Members) => numberOf(block, 'fType') !== 0;
  const bits = passing(into) === 0 ? new Uint16Array(BLOCK_NUMBERS) : bitsOf(into);
  const more = bitsOf(other);
  for (let i = 0; i < BLOCK_NUMBERS; i++) bits[i] = (bits[i] ?? 0) | (more[i] ?? 0);
  // ROOT lists the selected entries or the others, whichever is shorter. A block that was empty keeps its form.
  const whole = passing(into) === 0 ? isList(other) : true;
  const entries = Array.from({ length: BLOCK_ENTRIES }, (_, i) => i);
  const has = (i: number) => ((bits[i >> 4] ?? 0) & (1 << (i & 15))) !== 0;
  const count = entries.filter(has).length;
  into.fPassing = count <= BLOCK_NUMBERS * 15;
  const listed = whole && (count < BLOCK_NUMBERS || !into.fPassing);
  into.fType = listed ? 1 : 0;
  into.fIndices = listed ? Uint16Array.from(entries.filter((i) => has(i) === into.fPassing)) : bits;
  into.fN = into.fIndices.length;
  into.fNPassed = into.fPassing ? count : BLOCK_ENTRIES - count;
}

/** Returns one bit for each entry of a block. */
function bitsOf(block: Members): Uint16Array {
  const numbers = arrayOf(block, 'fIndices');
  if (numberOf(block, 'fType') === 0) return Uint16Array.from(numbers as Uint16Array).slice(0, BLOCK_NUMBERS);
  const passes = block.fPassing !== false;
  const bits = new Uint16Array(BLOCK_NUMBERS).fill(passes ? 0 : 0xffff);
  for (let i = 0; i < numberOf(block, 'fNPassed'); i++) {
    const entry = Number(numbers[i]);
    if (entry >= BLOCK_ENTRIES) throw unaddable(`A block of it has an entry ${entry}.`);
    bits[entry >> 4] = (bits[entry >> 4] ?? 0) ^ (1 << (entry & 15));
  }
  return bits;
}

/** Adds a TEventList as its Merge() does: both are sorted, and each number occurs once in the sum. */
export function addEventList(into: Members, other: Members): void {
  const [own, more] = [into, other].map((list) =>
    BigInt64Array.from(arrayOf(list, 'fList') as BigInt64Array),
  );
  if (!own || !more || more.length === 0) return;
  if ([own, more].some((list) => list.some((value, i) => i > 0 && value < (list[i - 1] ?? value))))
    throw unaddable('Its numbers are not sorted.');
  const joined = new Set([...own, ...more]);
  into.fList = BigInt64Array.from(joined).sort();
  into.fN = joined.size;
  into.fSize = own.length + more.length;
  if (own.length > 0) into.fTitle = eitherGroup(String(into.fTitle), String(other.fTitle));
}

/** Combines two cuts with || as TCut does: an empty cut selects everything. */
function eitherGroup(one: string, other: string): string {
  return one === '' || other === '' ? '' : `(${one})||(${other})`;
}
