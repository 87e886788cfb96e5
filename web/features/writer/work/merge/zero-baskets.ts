import { unsupported } from '../../../../base/data-errors';
import type { XylemError } from '../../../../base/errors';
import { type Members, numberOf } from '../../../../bins/object-values';
import { codecOf, compressionNumber, splitCompress } from '../../../../core/compression';
import type { Core } from '../../../../core/core';
import type { WriterExports } from '../../../../core/module';
import { membersOf } from './tree-structure';

/** An entry of empty values: zeros, empty texts and empty lists. */
export interface ZeroForm {
  /** Its bytes. If something is counted, the entry has other bytes: see `counters`. */
  entry: Uint8Array;
  /** Whether baskets have the offsets of their entries. */
  offsets: boolean;
  /** Leaves with the lengths of its arrays, and the bytes of an array element. The entry then consists of zeros. */
  counters: { leaf: Members; bytes: number }[];
}

/** Bytes of the elements of leaves, by class. A TLeafC begins with its length. */
const LEAVES: ReadonlyMap<unknown, number> = new Map([
  ...['TLeafB', 'TLeafO'].map((name) => [name, 1] as const),
  ...[['TLeafS', 2] as const, ['TLeafI', 4] as const, ['TLeafF', 4] as const],
  ...['TLeafL', 'TLeafG', 'TLeafD'].map((name) => [name, 8] as const),
]);
/**
 * The same for leaves that may have a range ("x/d[0,10,12]"). Without a range zero is stored as this many zero bytes.
 */
const PACKED: ReadonlyMap<unknown, number> = new Map([
  ['TLeafF16', 3],
  ['TLeafD32', 4],
]);

/** Bytes of the basic types that are stored unchanged, by fStreamerType. */
const BASIC: ReadonlyMap<number, number> = new Map([
  ...[1, 11, 18].map((type) => [type, 1] as const),
  ...[2, 12].map((type) => [type, 2] as const),
  ...[3, 5, 6, 13, 15].map((type) => [type, 4] as const),
  ...[4, 8, 14, 16, 17].map((type) => [type, 8] as const),
]);
/** Values of fStreamerType: arrays of fixed size, arrays with a counter, and others. */
const ARRAY = 20;
const COUNTED = 40;
const CHAR_STAR = 7;
const TSTRING = 65;
const STL = 300;
const STL_STRING = 365;
/**
 * Values of fType: a text; a member of an object or a whole object; TClonesArray and collections, and members of
 * their elements.
 */
const TEXT = -1;
const MEMBER = 0;
const COUNTS = [3, 4];
const OF_MANY = [31, 41];

/**
 * An empty collection: byte count, version, and number of elements. For a text with a header the last is its length.
 */
const NO_ELEMENTS = [0x40, 0, 0, 6, 0, 10, 0, 0, 0, 0];
const NO_TEXT = [0x40, 0, 0, 3, 0, 10, 0];
const LISTS =
  /^(?:std::|ROOT::VecOps::)?(?:vector|RVec|list|deque|set|multiset|map|multimap|unordered_\w+|forward_list)<.*>$/s;

/**
 * Returns the form of an entry of empty values; undefined if the branch has no baskets of its own, because its
 * sub-branches have them. Throws UNSUPPORTED for types whose empty value is not known, and for an entry of more than
 * `most` bytes.
 */
export function zeroForm(branch: Members, typeName: string, most: number): ZeroForm | undefined {
  const offsets = numberOf(branch, 'fEntryOffsetLen') > 0;
  if (branch._typename === 'TBranch') {
    const leaves = membersOf(branch.fLeaves);
    let fixed = 0;
    const counters: ZeroForm['counters'] = [];
    for (const leaf of leaves) {
      if (leaf._typename === 'TLeafC') {
        fixed++;
        continue;
      }
      const hasRange = `${leaf.fTitle} ${branch.fTitle}`.includes(',');
      const width = LEAVES.get(leaf._typename) ?? (hasRange ? undefined : PACKED.get(leaf._typename));
      if (width === undefined) throw refused(branch, String(leaf._typename));
      const bytes = sized(branch, width * numberOf(leaf, 'fLen'), most);
      if (leaf.fLeafCount) counters.push({ leaf: leaf.fLeafCount as Members, bytes });
      else fixed += bytes;
    }
    return { entry: zeros(sized(branch, fixed, most)), offsets, counters };
  }
  if (branch._typename !== 'TBranchElement') throw refused(branch, String(branch._typename));
  const type = numberOf(branch, 'fType');
  if (!COUNTS.includes(type) && membersOf(branch.fBranches).length > 0) return undefined;
  return { entry: Uint8Array.from(elementBytes(branch, type, typeName, most)), offsets, counters: [] };
}

const zeros = (count: number): Uint8Array => new Uint8Array(count);

/**
 * Checks a number of bytes that a branch claims for its entries. Throws UNSUPPORTED if it is invalid or too large.
 */
function sized(branch: Members, bytes: number, most: number): number {
  if (bytes >= 0 && bytes <= most) return bytes;
  throw refused(branch, `${bytes} bytes in an entry`);
}

function elementBytes(
  branch: Members,
  type: number,
  typeName: string,
  most: number,
): Uint8Array | readonly number[] {
  if (COUNTS.includes(type)) return zeros(4);
  if (OF_MANY.includes(type)) return [];
  if (type !== MEMBER && type !== TEXT) throw refused(branch, typeName);
  const stored = numberOf(branch, 'fStreamerType');
  const isWhole = numberOf(branch, 'fID') < 0;
  if (isWhole || stored === STL) {
    if (LISTS.test(typeName)) return NO_ELEMENTS;
    if (typeName === 'string' || (isWhole && typeName === 'TString')) return isWhole ? [0] : NO_TEXT;
    throw refused(branch, typeName);
  }
  if (stored === STL_STRING) return NO_TEXT;
  if (stored === TSTRING) return [0];
  if (stored === CHAR_STAR) return zeros(4);
  const width = BASIC.get(stored % ARRAY);
  if (width === undefined || stored >= COUNTED + ARRAY) throw refused(branch, typeName);
  // An array with a counter begins with a byte that says whether there is an array.
  if (stored >= COUNTED) return [0];
  const [leaf] = membersOf(branch.fLeaves);
  return zeros(sized(branch, stored < ARRAY ? width : width * (leaf ? numberOf(leaf, 'fLen') : 1), most));
}

/** Makes baskets of empty values. */
export class ZeroBaskets {
  readonly #core: Core<WriterExports>;
  readonly #packer: number;

  constructor(core: Core<WriterExports>) {
    this.#core = core;
    this.#packer = core.make((x) => x.xw_packer_create());
  }

  /**
   * Returns the record of a basket with `count` entries. `key`: its key without the members that baskets add.
   * `sizes`: bytes of each entry, if something is counted. `compress`: 100 × algorithm + level.
   */
  make(
    key: Uint8Array,
    { entry, offsets }: ZeroForm,
    sizes: Uint32Array | undefined,
    count: number,
    compress: number,
  ): Uint8Array<ArrayBuffer> {
    const core = this.#core;
    const basket = core.make((x, ctx) => x.xw_basket_create(ctx, +offsets, 0));
    try {
      const source = new Uint8Array(key.length + entry.length);
      source.set(key);
      source.set(entry, key.length);
      const numbers = sizes ? new Uint8Array(sizes.buffer, sizes.byteOffset, sizes.byteLength) : NONE;
      core.withBytes(numbers, (list) => {
        const at = core.input(source);
        core.run((x, ctx) =>
          x.xw_basket_fill(ctx, basket, at, key.length, source.length, sizes ? list : 0, count),
        );
      });
      const { algorithm, level } = splitCompress(compressionNumber(codecOf(compress)));
      return core.call((x, ctx) => x.xw_basket_finish(ctx, basket, this.#packer, algorithm, level));
    } finally {
      core.free((x) => x.xw_basket_destroy(basket));
    }
  }

  free(): void {
    this.#core.free((x) => x.xw_packer_destroy(this.#packer));
  }
}

const NONE = new Uint8Array(0);

function refused(branch: Members, type: string): XylemError {
  const name = String(branch.fName);
  return unsupported(
    `Branch ${name} is missing in a file, and entries without values cannot be made of its type (${type}).`,
    'Take --schema filter, which leaves such branches out.',
    { path: name },
  );
}
