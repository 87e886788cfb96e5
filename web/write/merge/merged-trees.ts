import type { CallOptions } from '../../api/api';
import type { TreeLayout } from '../../api/layout';
import { XylemError } from '../../base/errors';
import { cyclePath } from '../../model/find-key';
import { readingOrder } from '../clusters';
import { CopyBuffers, copyRecords, countReads, type Piece } from '../copy';
import type { ClassCodec } from '../encode/class-codec';
import { editTree } from '../encode/tree-edit';
import type { ObjectData } from '../encode/types';
import type { Directory } from '../file-writer';
import type { InputKey } from '../input';
import { refuseBaskets } from '../nested-trees';
import { joined } from '../records';
import { layoutOf } from '../selection';
import type { MergeInput, Merging } from './merge-files';
import { codecOf, type ListedKey, writeObject } from './new-records';
import { parentOf } from './survey';
import { type PlacedBasket, TreeChain, type TreePart } from './tree-chain';
import { basketsIn, branchesOf } from './tree-structure';

interface Chained {
  chain: TreeChain;
  key: InputKey;
  codec: ClassCodec;
}

/** The trees of the output: baskets are copied at once, records written at the end. */
export class MergedTrees {
  readonly #merging: Merging;
  readonly #trees = new Map<string, Chained>();
  readonly #buffers = new CopyBuffers();

  constructor(merging: Merging) {
    this.#merging = merging;
  }

  uses(codec: ClassCodec): boolean {
    return [...this.#trees.values()].some((tree) => tree.codec === codec);
  }

  /** Appends a tree to the one of its path. Throws UNSUPPORTED when their branches differ. */
  async add(
    input: MergeInput,
    key: InputKey,
    options: CallOptions & { onBytes?: (bytes: number) => void },
  ): Promise<void> {
    const { out, records, directories, notes } = this.#merging;
    const { signal } = options;
    const range = { offset: key.offset, length: key.storedBytes };
    const data = input.codec.read(await input.reader.bytes(input.id, [range], { signal }));
    const part = partOf(
      input.name,
      data,
      await input.reader.layout(input.id, cyclePath(key), { signal }),
      this.#merging.common?.leftOut(key.path),
    );
    refuseBaskets(key.path, data.fUserInfo);
    const { tree, offset, storedBytes } = part.layout;
    if (tree.lost) throw lost(input.name, key.path, tree.lost);
    let known = this.#trees.get(key.path);
    // A tree that was never filled may have no branches yet.
    if (known && tree.entries === 0) return;
    if (!known || known.chain.entries === 0) {
      known = { chain: new TreeChain(part), key, codec: input.codec };
      this.#trees.set(key.path, known);
    }
    const { chain } = known;
    chain.check(part);
    if (part.data.fTreeIndex && chain.parts === 1)
      notes.push(`${key.path}: its index (TTreeIndex) is dropped`);
    const directory = directories.get(parentOf(key)) ?? out.root;
    const pieces = Array.from(
      readingOrder(part.layout),
      (i): Piece => ({ offset: offset[i] ?? 0, length: storedBytes[i] ?? 0, directory }),
    );
    chain.reads += countReads(pieces);
    const places = new Map<number, number>();
    const copied = await copyRecords(input, out, records, pieces, {
      ...options,
      pid: input.pid,
      spans: this.#merging.spans,
      buffers: this.#buffers,
    });
    for (const [i, { at }] of copied.entries()) places.set(pieces[i]?.offset ?? 0, at);
    chain.append(part, (old) => places.get(old) ?? 0, await this.#writeEmbedded(input, part, directory));
  }

  /** Writes the baskets that lie in the record of a tree as records of their own, by their numbers in the layout. */
  async #writeEmbedded(
    { codec, pid }: MergeInput,
    { branches, layout }: TreePart,
    directory: Directory,
  ): Promise<Map<number, PlacedBasket>> {
    const { out, records, compress } = this.#merging;
    const written = new Map<number, PlacedBasket>();
    for (const [index, { branch }] of branches.entries()) {
      const kept = basketsIn(branch);
      for (let i = layout.basketStart[index] ?? 0; i < (layout.basketStart[index + 1] ?? 0); i++) {
        if ((layout.offset[i] ?? 0) > 0 || (layout.entries[i] ?? 0) === 0) continue;
        const basket = kept.shift();
        if (!basket)
          throw new XylemError({
            code: 'CORRUPT',
            message: `A basket of ${String(branch.fName)} is missing.`,
          });
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

  /** Writes the records of the trees. */
  async finish(listed: Map<string, ListedKey[]>): Promise<{ path: string; chain: TreeChain }[]> {
    const { out, directories, common, leftOut } = this.#merging;
    const done: { path: string; chain: TreeChain }[] = [];
    for (const [path, { chain, key, codec }] of this.#trees) {
      for (const [name, why] of common?.leftOut(path) ?? [])
        leftOut.push(`${path}: branch ${name} is left out, because ${why}`);
      const directory = directories.get(parentOf(key)) ?? out.root;
      const data = editTree(chain.tree, chain.plan());
      const object = (keyLength: number) => codec.write(data, keyLength);
      listed.set(path, [await writeObject(this.#merging, key, 1, directory, object, codec)]);
      done.push({ path, chain });
    }
    return done;
  }
}

/** The tree of a file without the branches that are left out. */
function partOf(
  file: string,
  data: ObjectData,
  layout: TreeLayout,
  leftOut: ReadonlyMap<string, string> | undefined,
): TreePart {
  const all = branchesOf(data);
  if (!leftOut || leftOut.size === 0) return { file, data, branches: all, layout };
  const kept = new Set(all.flatMap(({ top }, i) => (leftOut.has(top) ? [] : [i])));
  return { file, data, branches: all.filter((_, i) => kept.has(i)), layout: layoutOf(layout, kept) };
}

function lost(file: string, path: string, { failed, total }: { failed: number; total: number }): XylemError {
  return new XylemError({
    code: 'UNSUPPORTED',
    message: `${path} of ${file} cannot be merged: ${failed} of its ${total} branches cannot be read.`,
    where: { path },
  });
}
