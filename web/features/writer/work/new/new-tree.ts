import { toXylemError, XylemError } from '../../../../base/errors';
import { own } from '../../../../base/search';
import type { Column } from '../../../../core/columns';
import { compressionNumber } from '../../../../core/compression';
import type { ColumnValues, NewTreeOptions } from '../../../../library/write';
import { sliceColumn } from '../../../../pass/columns/slice-column';
import { editTree } from '../encode/tree-edit';
import type { BranchPlan } from '../encode/types';
import type { Directory } from '../file/file-writer';
import { type BranchForm, type BranchValues, branchesOf, bytesOf, formText } from './branch-form';
import { putBranches } from './branch-objects';
import { ColumnBaskets } from './column-baskets';
import { GivenColumns } from './given-columns';
import type { NewFile } from './new-file';
import type { PackedBaskets } from './packed-baskets';

/** Target size of clusters, the same as ROOT's, in bytes of values. */
const CLUSTER_BYTES = 30_000_000;
/**
 * Maximum size of a basket, in bytes of values. With 4 MB, a file of three branches is 1 % smaller, but writing it needs 80 MB more,
 * because the memory of WebAssembly keeps gaps of that size in each thread that compresses.
 */
const BASKET_BYTES = 2_000_000;
/** Minimum fBasketSize, ROOT's default. */
const MIN_BASKET_SIZE = 32_000;

interface Branch {
  name: string;
  title: string | undefined;
  form: BranchForm;
  counter?: Branch | undefined;
  /** The largest value of a counter. */
  maximum: number;
  baskets: ColumnBaskets;
  seek: number[];
  bytes: number[];
  firstEntry: number[];
  totalBytes: number;
  largest: number;
}

/** A tree that is written as entries arrive. */
export class NewTree {
  readonly #file: NewFile;
  readonly #directory: Directory;
  readonly #name: string;
  readonly #options: NewTreeOptions;
  readonly #packed: PackedBaskets;
  #branches: Map<string, Branch> | undefined;
  readonly #given: GivenColumns;
  #entries = 0;
  /** Error after which some branches have entries that others lack. */
  #failure: XylemError | undefined;
  /** Entries and bytes of the open cluster, and the number of entries at which it ends. */
  #open = { entries: 0, bytes: 0, end: Number.POSITIVE_INFINITY };
  /** Runs of clusters with the same size. */
  readonly #clusters: { size: number; end: number }[] = [];

  constructor(file: NewFile, place: { directory: Directory; name: string }, options: NewTreeOptions) {
    this.#file = file;
    this.#packed = file.packed();
    this.#directory = place.directory;
    this.#name = place.name;
    this.#options = options;
    this.#given = new GivenColumns(options.types);
    const { clusterBytes = CLUSTER_BYTES } = options;
    if (!(clusterBytes >= 1)) throw refused(`clusters of ${clusterBytes} bytes cannot be`);
  }

  get entries(): number {
    return this.#entries;
  }

  /**
   * Appends entries. All columns must have the same number of values. The columns of the first call are the columns
   * of the tree. Throws ARGUMENT before anything is written, and the errors of the sink.
   */
  async append(columns: Readonly<Record<string, ColumnValues>>): Promise<void> {
    const { given, rows } = this.#given.take(columns, refused);
    const divided = given.flatMap(({ name, column }) => branchesOf(name, column));
    const whole = withCounters(divided, this.#options.counters ?? {});
    if (!this.#branches) {
      this.#branches = this.#makeBranches(whole);
      this.#given.remember(given);
    }
    const values = matched(this.#branches, whole);
    if (this.#failure) throw this.#failure;
    try {
      await this.#write(values, rows);
    } catch (thrown) {
      this.#failure = toXylemError(thrown);
      throw thrown;
    }
  }

  /** Writes the last baskets and the tree's record. */
  async finish(): Promise<void> {
    if (this.#failure) throw this.#failure;
    await this.#endCluster();
    await this.#packed.flush();
    const { templates, codec } = this.#file;
    const tree = templates.make('TTree');
    const branches = [...(this.#branches ?? new Map<string, Branch>()).values()];
    tree.fName = this.#name;
    tree.fTitle = this.#options.title ?? '';
    putBranches(tree, branches, compressionNumber(codec));
    const plans = branches.map((branch) => this.#planOf(branch));
    tree.fFlushedBytes = BigInt(plans.reduce((sum, { storedBytes }) => sum + storedBytes, 0));
    const last = this.#clusters.pop();
    editTree(tree, {
      branches: plans,
      entries: this.#entries,
      ...(last && { autoFlush: last.size }),
      clusters: {
        end: this.#clusters.map(({ end }) => end - 1),
        size: this.#clusters.map(({ size }) => size),
      },
    });
    await this.#file.write(this.#directory, tree);
    for (const { baskets } of branches) baskets.free();
  }

  #makeBranches(values: readonly CountedValues[]): Map<string, Branch> {
    const branches = new Map<string, Branch>();
    const { records, core, date } = this.#file;
    for (const { name, form } of values) {
      checkName(name);
      if (branches.has(name)) throw refused(`two branches have the name "${name}"`, name);
      // Keys of baskets always have positions of 8 bytes, as in ROOT.
      const key = records.makeKey(
        { className: 'TBasket', name, title: this.#name },
        { stored: 0, objlen: 0, datime: date, cycle: 0, seek: 0, dir: this.#directory.at, wide: true },
      );
      const baskets = new ColumnBaskets(core, key, form);
      const lists = { seek: [], bytes: [], firstEntry: [] };
      const title = own(this.#options.titles, name);
      branches.set(name, { name, title, form, baskets, ...lists, maximum: 0, totalBytes: 0, largest: 0 });
    }
    for (const { name, counter } of values) {
      const branch = branches.get(name);
      if (branch && counter !== undefined) branch.counter = branches.get(counter);
    }
    return branches;
  }

  /** Divides rows so that they fit into a basket of the widest branch and into the open cluster. */
  async #write(columns: readonly { branch: Branch; column: Column }[], rows: number): Promise<void> {
    const { clusterBytes = CLUSTER_BYTES } = this.#options;
    const sizes = columns.map(({ column }) => bytesOf(column) / Math.max(1, rows));
    const rowBytes = sizes.reduce((sum, size) => sum + size, 0);
    const most = Math.max(1, Math.floor(BASKET_BYTES / sizes.reduce((a, b) => Math.max(a, b), 1e-9)));
    for (const { branch, column } of columns) branch.maximum = Math.max(branch.maximum, greatest(column));
    for (let row = 0; row < rows; ) {
      const open = this.#open;
      const isFirst = open.end === Number.POSITIVE_INFINITY;
      // Later clusters have as many entries as the first one, unless that doubles their size.
      const limit = isFirst ? clusterBytes : 2 * clusterBytes;
      const room = Math.max(1, Math.ceil((limit - open.bytes) / Math.max(rowBytes, 1e-9)));
      const count = Math.min(rows - row, most, room, open.end - open.entries);
      for (const { branch, column } of columns) {
        branch.baskets.add(sliceColumn(column, row, row + count));
        if (branch.baskets.bytes >= BASKET_BYTES) await this.#writeBasket(branch, open.entries + count);
      }
      row += count;
      open.entries += count;
      open.bytes += count * rowBytes;
      this.#entries += count;
      if (open.entries >= open.end || open.bytes >= limit) await this.#endCluster();
    }
  }

  async #endCluster(): Promise<void> {
    const { entries, end } = this.#open;
    if (entries === 0) return;
    for (const branch of this.#branches?.values() ?? []) await this.#writeBasket(branch, entries);
    const last = this.#clusters.at(-1);
    // The last cluster may be shorter: a run ends with the entries.
    if (last && entries <= last.size && (entries === last.size || this.#open.bytes < this.#limit()))
      last.end = this.#entries;
    else this.#clusters.push({ size: entries, end: this.#entries });
    this.#open = { entries: 0, bytes: 0, end: Math.min(end, entries) };
  }

  #limit(): number {
    return 2 * (this.#options.clusterBytes ?? CLUSTER_BYTES);
  }

  /** Writes the collected entries of a branch. It has all entries of the open cluster, which has `open` of them. */
  async #writeBasket(branch: Branch, open: number): Promise<void> {
    const { baskets } = branch;
    const { entries } = baskets;
    if (entries === 0) return;
    const plain = baskets.finish();
    const cycle = branch.firstEntry.length % 0x8000;
    branch.firstEntry.push(this.#clusterStart() + open - entries);
    branch.totalBytes += plain.length;
    branch.largest = Math.max(branch.largest, plain.length);
    await this.#packed.add({
      record: plain,
      append: async (record) => {
        const changes = { nbytes: record.length, cycle };
        const { at, length } = await this.#file.out.record(this.#directory, record, changes);
        branch.seek.push(at);
        branch.bytes.push(length);
      },
    });
  }

  #clusterStart(): number {
    return this.#clusters.at(-1)?.end ?? 0;
  }

  #planOf({ seek, bytes, firstEntry, totalBytes, largest, maximum, form }: Branch): BranchPlan {
    return {
      ...{ seek, bytes, firstEntry, entries: this.#entries, totalBytes },
      storedBytes: bytes.reduce((sum, size) => sum + size, 0),
      basketSize: Math.max(MIN_BASKET_SIZE, largest),
      ...(form.levels === 0 && { maximum }),
    };
  }
}

interface CountedValues extends BranchValues {
  counter?: string | undefined;
}

/** Adds the branches with the lengths of arrays, each before the first array that uses it. */
function withCounters(
  values: readonly BranchValues[],
  counters: Readonly<Record<string, string>>,
): CountedValues[] {
  const all: CountedValues[] = [];
  const given = new Map(values.map((one) => [one.name, one]));
  const lengths = new Map<string, { of: string; counts: Int32Array }>();
  for (const one of values) {
    if (one.lists === undefined || one.column.kind !== 'list') {
      all.push(one);
      continue;
    }
    const { lists, column } = one;
    const own = Object.hasOwn(counters, lists) ? counters[lists] : undefined;
    const counter = own ?? `n${lists.replace(/[^\p{L}\p{N}_]/gu, '_')}`;
    const counts = Int32Array.from({ length: column.length }, (_, row) => {
      return (column.offsets[row + 1] ?? 0) - (column.offsets[row] ?? 0);
    });
    const known = lengths.get(counter);
    if (known && !known.counts.every((count, row) => count === counts[row]))
      throw refused(
        `lists of "${known.of}" and "${one.name}" differ in length, but "${counter}" counts both`,
      );
    if (!known) {
      lengths.set(counter, { of: one.name, counts });
      const there = given.get(counter);
      if (there) checkCounter(there, counts, one.name);
      else all.push(counterOf(counter, counts));
    }
    all.push({ ...one, counter });
  }
  return all;
}

function counterOf(name: string, data: Int32Array): CountedValues {
  const form: BranchForm = { element: 'i32', dimensions: [], levels: 0, vector: false };
  return { name, form, column: { kind: 'primitive', length: data.length, dtype: 'i32', data } };
}

/** Throws ARGUMENT if a column with the name of a counter has other values than the lengths. */
function checkCounter({ name, form, column }: BranchValues, counts: Int32Array, of: string): void {
  const isCount =
    formText(form) === form.element && /^[iu]/.test(form.element) && column.kind === 'primitive';
  const values = isCount ? column.data : [];
  const row = counts.findIndex((count, i) => Number(values[i]) !== count);
  if (isCount && row < 0) return;
  throw refused(
    `"${name}" has the name of the branch with the lengths of the lists of "${of}", but not their lengths`,
    name,
    'Name another branch for the lengths with `counters`, or rename the column.',
  );
}

/** Returns the branches of the values. Throws ARGUMENT if they do not match those of the tree. */
function matched(
  branches: ReadonlyMap<string, Branch>,
  values: readonly CountedValues[],
): { branch: Branch; column: Column }[] {
  const columns = values.map(({ name, form, column }) => {
    const branch = branches.get(name);
    if (!branch) throw refused(`the tree has no branch "${name}": its first entries had none`, name);
    const [was, is] = [formText(branch.form), formText(form)];
    if (was !== is) throw refused(`"${name}" was ${was} at first, and is ${is} now`, name);
    return { branch, column };
  });
  if (columns.length < branches.size) {
    const names = new Set(values.map(({ name }) => name));
    const missing = [...branches.keys()].find((name) => !names.has(name)) ?? '';
    throw refused(`"${missing}" is missing, which the first entries had`, missing);
  }
  return columns;
}

/** Returns the largest value of a branch that may be a counter. */
function greatest(column: Column): number {
  if (column.kind !== 'primitive' || column.dtype.startsWith('f') || column.dtype === 'bool') return 0;
  let most = 0;
  for (const value of column.data) if (value > most) most = Number(value);
  return most;
}

/** Throws ARGUMENT for a name that leaf lists or TTree::Draw could not use. */
function checkName(name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (name !== '' && name.trim() === name && !/[[\]/:;,\u0000-\u001f\u007f]/.test(name)) return;
  throw refused(
    `"${name}" cannot be the name of a branch`,
    name,
    'Leave out brackets, slashes, colons, commas, semicolons and control characters.',
  );
}

function refused(why: string, path?: string, fix?: string): XylemError {
  return new XylemError({
    code: 'ARGUMENT',
    message: `The tree cannot be written: ${why}.`,
    ...(path !== undefined && { where: { path } }),
    ...(fix && { fix }),
  });
}
