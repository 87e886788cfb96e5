import type { CallOptions } from '../../../../api/api';
import type { TreeLayout } from '../../../../api/layout';
import { joined } from '../../../../base/bytes';
import { unsupported } from '../../../../base/data-errors';
import { XylemError } from '../../../../base/errors';
import { formatCount } from '../../../../base/format';
import { codecOf } from '../../../../core/compression';
import { readExactTape } from '../../../../core/tape';
import { cyclePath } from '../../../../model/keys';
import type { ClassCodec } from '../encode/class-codec';
import { listedEmbedded } from '../encode/embedded-baskets';
import { TapeShape } from '../encode/tape-shape';
import { editTree } from '../encode/tree-edit';
import type { ObjectData } from '../encode/types';
import { directoryAt, parentOf } from '../file/directories';
import type { Directory } from '../file/file-writer';
import { checkClaims } from '../input/claims';
import { CopyBuffers, copyRecords, countReads, type Piece } from '../input/copy';
import type { InputKey } from '../input/input';
import { refuseBaskets } from '../input/nested-trees';
import { branchesElsewhere, refuseOtherFiles } from '../input/other-files';
import { type BranchSelection, branchesNote, layoutOf, selectBranches } from '../input/selection';
import { basketPieces, placeIn, placesOf } from '../input/tree-copy';
import { appendPart, choiceWithin, type MergePart } from './chosen-part';
import { fillMissing } from './fill-missing';
import { FREE_MEMBERS, LikeTrees } from './like-trees';
import type { MergeInput, Merging } from './merge-files';
import { type ListedKey, writeObject } from './new-records';
import { hasProcessIds } from './process-ids';
import { type PlacedBasket, TreeChain, type TreePart } from './tree-chain';
import { type BranchData, branchesOf } from './tree-structure';

/** Maximum number of files listed in one line. */
const MAX_NAMED = 10;

interface Chained {
  chain: TreeChain;
  key: InputKey;
  codec: ClassCodec;
  /** Offset of the process ids in its record. */
  pid: number;
  /** For each branch, the files that lack it and their numbers of entries. */
  filled: Map<string, { file: string; entries: number }[]>;
}

/** The record of a tree, with all its branches. */
interface TreeRecord {
  data: ObjectData;
  all: readonly BranchData[];
}

/** A record that was read, and the shape by which others are found that need not be read. */
interface ReadRecord extends TreeRecord {
  codec: ClassCodec;
  shape: TapeShape;
  like: LikeTrees;
}

/** Number of shapes that are kept for each path, and of trees of other shapes after which none is made any more. */
const MAX_SHAPES = 4;
const MAX_OTHERS = 16;

/** The trees of the output. Baskets are copied at once, records written at the end. */
export class MergedTrees {
  readonly #merging: Merging;
  readonly #trees = new Map<string, Chained>();
  readonly #buffers = new CopyBuffers();
  readonly #part: MergePart;
  /** The last records that were read, of each path. */
  readonly #records = new Map<string, { known: ReadRecord[]; others: number }>();

  constructor(merging: Merging, part: MergePart) {
    this.#merging = merging;
    this.#part = part;
  }

  /**
   * Reads the record of a tree, and its layout. Trees that were written alike differ only in their baskets: for these,
   * the record of a tree before is returned again, and the layout is found in the tape of the record.
   */
  async #read(
    { codec, reader, id, info }: MergeInput,
    key: InputKey,
    record: Uint8Array,
    options: CallOptions,
  ): Promise<TreeRecord & { source: TreeLayout }> {
    const { entries, compress } = this.#part;
    const layout = () => reader.layout(id, cyclePath(key), options);
    // These change what they are given.
    if (this.#merging.union || entries?.path === key.path || compress !== undefined)
      return { ...whole(codec.read(record)), source: await layout() };
    const place = { offset: key.offset, length: key.storedBytes, objectBytes: key.objectBytes };
    const records = this.#records.get(key.path) ?? { known: [], others: 0 };
    this.#records.set(key.path, records);
    const tape = codec.tape(record);
    // The record of the first tree with entries is the one that is written.
    const isFirst = !((this.#trees.get(key.path)?.chain.sourceEntries ?? 0) > 0);
    const found = isFirst
      ? -1
      : records.known.findIndex((one) => one.codec === codec && one.shape.fits(tape));
    const like = records.known[found];
    const known = like?.like.layoutIn(tape, info.size, place);
    if (like && known) {
      records.known.splice(found, 1);
      records.known.unshift(like);
      records.others = 0;
      return { ...like, source: known };
    }
    const read = whole(readExactTape(tape) as ObjectData);
    const source = await layout();
    if (like || ++records.others > MAX_OTHERS) return { ...read, source };
    const shape = new TapeShape(tape, FREE_MEMBERS);
    const trees = LikeTrees.of(tape, shape, read.data, source, info.size);
    if (trees)
      records.known = [{ ...read, codec, shape, like: trees }, ...records.known.slice(0, MAX_SHAPES - 1)];
    return { ...read, source };
  }

  uses(codec: ClassCodec): boolean {
    for (const tree of this.#trees.values()) if (tree.codec === codec) return true;
    for (const { known } of this.#records.values()) if (known.some((one) => one.codec === codec)) return true;
    return false;
  }

  /** Appends a tree to the one of its path. Throws UNSUPPORTED if their branches differ. */
  async add(
    input: MergeInput,
    key: InputKey,
    options: CallOptions & { writer: WebAssembly.Module; onBytes?: (bytes: number) => void },
  ): Promise<void> {
    const { records, directories, notes, common, union } = this.#merging;
    const { signal } = options;
    const { selection } = this.#part;
    const range = { offset: key.offset, length: key.storedBytes };
    const record = await input.reader.bytes(input.id, [range], { signal });
    const pid = input.pid + records.readKey(record).pid;
    const { data, all, source } = await this.#read(input, key, record, { signal });
    let known = this.#trees.get(key.path);
    // A tree that was never filled may not have branches yet.
    if (known && source.tree.entries === 0) return;
    const names = source.tree.branches.length > 0 ? selection?.branches : undefined;
    const branches = common
      ? keptBranches(all, common.leftOut(key.path))
      : selectBranches(source.tree, data, names);
    const part = partOf(input.name, { data, all }, source, branches?.kept);
    refuseBaskets(key.path, data.fUserInfo);
    const { tree } = part.layout;
    if (tree.lost) throw lost(input.name, key.path, tree.lost);
    refuseOtherFiles(key.path, branchesElsewhere(tree), 'cannot be merged');
    checkClaims(source, `${key.path} of ${input.name}`);
    if (!known || known.chain.sourceEntries === 0) {
      union?.graft(key.path, data);
      const chain = new TreeChain(part, union !== undefined);
      known = { chain, key, codec: input.codec, pid, filled: new Map() };
      this.#trees.set(key.path, known);
      if (branches && !common && tree.entries > 0)
        notes.push(branchesNote(key.path, branches, source.tree.branches.length));
    }
    const { chain } = known;
    chain.check(part);
    const directory = directoryAt(directories, parentOf(key));
    const from = chain.entries;
    await this.#append(input, key, part, source, chain, options);
    if (!union) return;
    const filled = { input, key, part, from };
    for (const name of await fillMissing(this.#merging, union, chain, filled, directory, { signal })) {
      const list = known.filled.get(name) ?? [];
      known.filled.set(name, [...list, { file: input.name, entries: chain.entries - from }]);
    }
  }

  /** Copies the baskets of a part, or makes them again. */
  async #append(
    input: MergeInput,
    key: InputKey,
    part: TreePart,
    source: TreeLayout,
    chain: TreeChain,
    options: CallOptions & { writer: WebAssembly.Module; onBytes?: (bytes: number) => void },
  ): Promise<void> {
    const { out, records, directories, notes } = this.#merging;
    const { entries, compress } = this.#part;
    const { tree } = part.layout;
    const { data } = part;
    const directory = directoryAt(directories, parentOf(key));
    if (entries?.path === key.path || compress !== undefined) {
      const choice = entries?.path === key.path ? entries.choice : undefined;
      const chosen = choice && choiceWithin(choice, chain.sourceEntries, tree.entries);
      const header = new Uint8Array(0);
      const job = {
        key,
        directory,
        layout: part.layout,
        source,
        branches: undefined,
        clusters: undefined,
        chosen,
        header,
        data,
      };
      chain.appendMade(part, await appendPart(this.#merging, input, job, this.#part, options));
      return;
    }
    if (part.data.fTreeIndex && chain.parts === 1)
      notes.push(`${key.path}: its index (TTreeIndex) is dropped`);
    const pieces = basketPieces([part.layout], 'clusters').map(
      ({ offset, length }): Piece => ({ offset, length, directory }),
    );
    chain.reads += countReads(pieces, input.copyBytes);
    const copied = await copyRecords(input, out, records, pieces, {
      ...options,
      pid: input.pid,
      spans: this.#merging.spans,
      buffers: this.#buffers,
    });
    const places = placesOf(pieces, copied);
    const written = await this.#writeEmbedded(input, part, directory);
    chain.append(part, (old) => placeIn(places, old), written);
  }

  /** Writes the baskets in the record of a tree as their own records, by their index in the layout. */
  async #writeEmbedded(
    { codec, pid }: MergeInput,
    { branches, layout }: TreePart,
    directory: Directory,
  ): Promise<Map<number, PlacedBasket>> {
    const { out, records, compress } = this.#merging;
    const written = new Map<number, PlacedBasket>();
    for (const [index, { branch }] of branches.entries()) {
      for (const [i, basket] of listedEmbedded(layout, index, branch)) {
        const plain = codec.embedded(basket);
        const { keylen, pid: own } = records.readKey(plain);
        const setting = layout.compress[index] ?? -1;
        const packed = codec.pack(plain.subarray(keylen), codecOf(setting < 0 ? compress : setting));
        const record = joined([plain.subarray(0, keylen), packed]);
        const numbers = {
          nbytes: record.length,
          objlen: plain.length - keylen,
          ...(pid > 0 && { pid: own + pid }),
        };
        const { at } = await out.record(directory, record, numbers);
        written.set(i, { seek: at, bytes: record.length, totalBytes: plain.length });
      }
    }
    return written;
  }

  /** Writes the records of the trees. `allClasses` makes a codec that knows the classes of all inputs. */
  async finish(
    listed: Map<string, ListedKey[]>,
    allClasses: () => ClassCodec,
  ): Promise<{ path: string; chain: TreeChain }[]> {
    const { records, directories, common, union, leftOut, notes } = this.#merging;
    const done: { path: string; chain: TreeChain }[] = [];
    const { entries } = this.#part;
    for (const [path, { chain, key, codec, pid, filled }] of this.#trees) {
      if (entries?.path === path && chain.sourceEntries !== entries.total)
        throw new XylemError({
          code: 'FILE_CHANGED',
          message: `${path} has ${chain.sourceEntries} entries in all files, and had ${entries.total} when they were chosen.`,
          where: { path },
          fix: 'Copy the files again when nothing writes them any more.',
        });
      for (const [name, why] of common?.leftOut(path) ?? [])
        leftOut.push(`${path}: branch ${name} is left out, because ${why}`);
      const directory = directoryAt(directories, parentOf(key));
      notes.push(...filledNotes(path, filled));
      const data = editTree(chain.tree, chain.plan());
      const all = union?.adds(path) ? allClasses() : undefined;
      const object = (keyLength: number) => (all ?? codec).write(data, keyLength);
      const refers = pid > 0 && hasProcessIds(data);
      listed.set(path, [
        await writeObject(
          this.#merging,
          records.textsOf(key.header),
          1,
          directory,
          object,
          codec,
          refers ? pid : 0,
        ),
      ]);
      all?.free();
      done.push({ path, chain });
    }
    return done;
  }
}

/**
 * Returns notes on the branches that are filled with empty values, and for which files. Branches missing in the same
 * files share a line.
 */
function filledNotes(path: string, filled: Chained['filled']): string[] {
  const lines = new Map<string, string[]>();
  for (const [name, files] of filled) {
    const entries = files.reduce((sum, file) => sum + file.entries, 0);
    const more = files.length > MAX_NAMED ? `, and ${formatCount(files.length - MAX_NAMED)} more` : '';
    const list = files.slice(0, MAX_NAMED).map(({ file }) => file);
    const where = `${formatCount(entries)} entries of ${list.join(', ')}${more}`;
    lines.set(where, [...(lines.get(where) ?? []), name]);
  }
  return Array.from(lines, ([where, names]) => {
    const few = names.length === 1 ? 'branch' : `${formatCount(names.length)} branches`;
    return `${path}: ${few} ${names.join(', ')} without values (zeros, empty texts and lists) in ${where}`;
  });
}

function whole(data: ObjectData): TreeRecord {
  return { data, all: branchesOf(data) };
}

/** Returns all branches except those left out. */
function keptBranches(all: readonly BranchData[], leftOut: ReadonlyMap<string, string>): BranchSelection {
  const kept = all.flatMap(({ top }, i) => (leftOut.has(top) ? [] : [i]));
  return { kept: new Set(kept), alongside: [] };
}

/** Returns the tree of a file with only the kept branches. */
function partOf(
  file: string,
  { data, all }: TreeRecord,
  layout: TreeLayout,
  kept: ReadonlySet<number> | undefined,
): TreePart {
  if (!kept || kept.size === all.length) return { file, data, branches: all, layout };
  return { file, data, branches: all.filter((_, i) => kept.has(i)), layout: layoutOf(layout, kept) };
}

function lost(file: string, path: string, { failed, total }: { failed: number; total: number }): XylemError {
  return unsupported(
    `${path} of ${file} cannot be merged: ${failed} of its ${total} branches cannot be read.`,
    undefined,
    { path },
  );
}
