import type { CallOptions } from '../../../../api/api';
import { throwIfAborted } from '../../../../base/abort';
import { overBudget, unsupported } from '../../../../base/data-errors';
import { XylemError } from '../../../../base/errors';
import { type Members, numberOf } from '../../../../bins/object-values';
import type { PrimitiveArray } from '../../../../core/dtypes';
import type { TapeValue } from '../../../../core/tape';
import { cyclePath } from '../../../../model/keys';
import type { Directory } from '../file/file-writer';
import type { Text } from '../file/records';
import type { InputKey } from '../input/input';
import { guessesPacked } from '../regroup/regroup-trees';
import type { MergeInput, Merging } from './merge-files';
import type { TreeChain, TreePart, ZeroPlan } from './tree-chain';
import { type BranchData, branchesOf, membersOf } from './tree-structure';
import type { UnionBranches } from './union-branches';
import { ZeroBaskets, type ZeroForm, zeroForm } from './zero-baskets';

/** Maximum number of entries of a basket, and approximate maximum of its bytes. */
const MAX_ENTRIES = 1_000_000;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_ENTRY_BYTES = 64 * 1024 * 1024;
/** Bytes of the offset of an entry in a basket. */
const OFFSET_BYTES = 4;

/** The part of a chain that was appended last. */
export interface FilledPart {
  input: MergeInput;
  key: InputKey;
  part: TreePart;
  /** Its first entry in the chain. */
  from: number;
}

/**
 * Writes baskets with empty values for the branches that a part lacks: zeros, empty texts and empty lists. If another
 * branch of the part has the lengths of an array, the array gets zeros of these lengths, so that the counts are
 * right. Returns the names of the branches. Throws UNSUPPORTED for types without a known empty value and if the
 * budget is exceeded, and the errors of reading.
 */
export async function fillMissing(
  { records, out, compress, date, version, core, zeros }: Merging,
  union: UnionBranches,
  chain: TreeChain,
  filled: FilledPart,
  directory: Directory,
  options: CallOptions,
): Promise<string[]> {
  const { key, part, from } = filled;
  const missing = chain.missing(part);
  if (missing.length === 0 || chain.entries === from) return [];
  const entries = chain.entries - from;
  const plans = missing.map(({ path, branch }) => {
    const own = numberOf(branch, 'fCompress');
    const form = zeroForm(branch, union.typeOf(key.path, path), MAX_ENTRY_BYTES);
    const what = `Branch ${path} of ${key.path}`;
    // If the total is known, it is checked before anything is written.
    if (form?.counters.length === 0) zeros.takePlain(entries * entryBytes(form), what);
    return {
      ...{ path, branch, form, what, compress: own < 0 ? compress : own },
      plan: {
        seek: [],
        bytes: [],
        firstEntry: [],
        entries,
        totalBytes: 0,
        compress: undefined,
      } as ZeroPlan,
    };
  });
  const counts = new CountReader(filled, branchesOf(chain.tree), options);
  const baskets = new ZeroBaskets(core);
  try {
    for (const [start, end] of partsOf(filled, chain.entries)) {
      counts.begin(start, end);
      for (const { branch, form, what, plan, compress: codec } of plans) {
        if (!form) continue;
        throwIfAborted(options.signal);
        const sizes = await counts.sizes(form);
        if (sizes) zeros.takePlain(sumOf(sizes) + OFFSET_BYTES * sizes.length, what);
        const most = entriesOf(form, sizes);
        for (let first = start; first < end; first += most) {
          const last = Math.min(end, first + most);
          const texts = { className: 'TBasket', name: textOf(branch.fName), title: textOf(chain.tree.fName) };
          const numbers = {
            stored: 0,
            objlen: 0,
            datime: date,
            cycle: 0,
            seek: 0,
            dir: directory.at,
            wide: true,
          };
          const source = records.makeKey(texts, numbers);
          const own = sizes?.subarray(first - start, last - start);
          const record = baskets.make(source, form, own, last - first, codec);
          zeros.takeStored(record.length, what);
          const { keylen, objlen } = records.readKey(record);
          const { at, length } = await out.record(directory, record);
          plan.seek.push(at);
          plan.bytes.push(length);
          plan.firstEntry.push(first);
          plan.totalBytes += keylen + objlen;
          if (length === keylen + objlen && guessesPacked(version)) plan.compress = 0;
        }
      }
    }
  } finally {
    baskets.free();
  }
  for (const { path, plan } of plans) chain.appendZeros(path, plan);
  return missing.flatMap(({ path, top }) => (path === top ? [path] : []));
}

/** Returns a text of an object; as bytes if it is not UTF-8. */
function textOf(value: TapeValue | undefined): Text {
  return value instanceof Uint8Array ? value : String(value);
}

/**
 * Yields ranges of entries of the chain whose counters are read at once: the true clusters of the part, large ones in
 * pieces. The clusters that the tree claims are not used, because their number may be false.
 */
function* partsOf({ part: { layout }, from }: FilledPart, end: number): Generator<[number, number]> {
  const borders = [0, ...layout.trueStart.filter((at) => at > 0), end - from];
  for (const [i, start] of borders.slice(0, -1).entries()) {
    const next = borders[i + 1] ?? start;
    for (let first = start; first < next; first += MAX_ENTRIES)
      yield [from + first, from + Math.min(next, first + MAX_ENTRIES)];
  }
}

const entryBytes = ({ entry, offsets }: ZeroForm): number => entry.length + (offsets ? OFFSET_BYTES : 0);

/** Returns the entries of a basket. */
function entriesOf({ entry }: ZeroForm, sizes: Uint32Array | undefined): number {
  const bytes = sizes ? sumOf(sizes) / Math.max(1, sizes.length) : entry.length;
  return Math.max(1, Math.min(MAX_ENTRIES, Math.floor(MAX_BYTES / Math.max(1, bytes))));
}

const sumOf = (sizes: Uint32Array): number => sizes.reduce((sum, size) => sum + size, 0);

/** Reads the number of array elements in each entry of a part, cluster by cluster. */
class CountReader {
  readonly #filled: FilledPart;
  readonly #owners = new Map<Members, string>();
  readonly #options: CallOptions;
  readonly #known = new Map<Members, PrimitiveArray>();
  #entries: [first: number, last: number] = [0, 0];

  constructor(filled: FilledPart, all: readonly BranchData[], options: CallOptions) {
    this.#filled = filled;
    this.#options = options;
    for (const { path, branch } of all)
      for (const leaf of membersOf(branch.fLeaves)) this.#owners.set(leaf, path);
  }

  /** Selects a range of entries of the chain. */
  begin(first: number, last: number): void {
    this.#known.clear();
    this.#entries = [first - this.#filled.from, last - this.#filled.from];
  }

  /** Returns the bytes of each entry; undefined if nothing is counted. */
  async sizes({ entry, counters }: ZeroForm): Promise<Uint32Array | undefined> {
    if (counters.length === 0) return undefined;
    const [first, last] = this.#entries;
    const sizes = new Uint32Array(last - first).fill(entry.length);
    for (const { leaf, bytes } of counters) {
      const counts = await this.#read(leaf);
      for (let i = 0; counts && i < sizes.length; i++) {
        const size = (sizes[i] ?? 0) + bytes * Math.max(0, Number(counts[i] ?? 0));
        if (size > MAX_ENTRY_BYTES) throw tooLarge(String(leaf.fName), size);
        sizes[i] = size;
      }
    }
    return sizes;
  }

  /** Returns the numbers of a counter; undefined if the part lacks it, too. */
  async #read(leaf: Members): Promise<PrimitiveArray | undefined> {
    const known = this.#known.get(leaf);
    if (known) return known;
    const { input, key, part } = this.#filled;
    const owner = this.#owners.get(leaf);
    const branch = part.layout.tree.branches[part.branches.findIndex(({ path }) => path === owner)];
    if (!branch) return undefined;
    const request = { tree: cyclePath(key), branches: [branch.index], entries: this.#entries };
    const [result] = await input.reader.arrays(input.id, request, this.#options);
    const { column, error } = result ?? {};
    if (error) throw new XylemError(error);
    if (column?.kind !== 'primitive')
      throw unsupported(`The counter ${branch.path} of arrays is not a branch of numbers.`, undefined, {
        path: `${key.path}/${branch.path}`,
      });
    this.#known.set(leaf, column.data);
    return column.data;
  }
}

function tooLarge(counter: string, bytes: number): XylemError {
  return overBudget(
    `By its counter ${counter}, an array would have ${bytes} bytes of zeros in one entry.`,
    'Check the file: its counter may be damaged.',
  );
}
