import type { CallOptions } from '../../../../api/api';
import type { MergedTree } from '../../../../api/write';
import { unsupported } from '../../../../base/data-errors';
import { toXylemError } from '../../../../base/errors';
import { codecOf } from '../../../../core/compression';
import { totalLength } from '../../../../io/ranges';
import { cyclePath } from '../../../../model/keys';
import type { ClassCodec } from '../encode/class-codec';
import type { NtuplePages, WrittenEnvelope, WrittenGroup } from '../encode/ntuple-metadata';
import { directoryAt, parentOf } from '../file/directories';
import { checkClaims } from '../input/claims';
import { CopyBuffers, countReads } from '../input/copy';
import type { InputKey } from '../input/input';
import { wantedBranches } from '../input/selection';
import {
  copyPages,
  fieldsNote,
  type NtupleOutput,
  pagePieces,
  writeAnchor,
  writeHeader,
  writePageLists,
} from '../ntuple/ntuple-copy';
import { type NtupleParts, readParts } from '../ntuple/ntuple-input';
import type { MergePart } from './chosen-part';
import type { MergeInput, Merging } from './merge-files';
import type { ListedKey } from './new-records';

/** The RNTuples of one path. Header, footer and anchor are those of the first one with entries. */
interface Chained {
  first: NtupleParts;
  file: string;
  codec: ClassCodec;
  /** Written when the first entries are copied. */
  header: WrittenEnvelope | undefined;
  groups: WrittenGroup[];
  merged: MergedTree;
}

/** The RNTuples of the output. Pages and page lists are written at once, footers and anchors at the end. */
export class MergedNtuples {
  readonly #merging: Merging;
  readonly #ntuples = new Map<string, Chained>();
  readonly #buffers = new CopyBuffers();
  readonly #part: MergePart;

  constructor(merging: Merging, part: MergePart) {
    this.#merging = merging;
    this.#part = part;
  }

  uses(codec: ClassCodec): boolean {
    return [...this.#ntuples.values()].some((ntuple) => ntuple.codec === codec);
  }

  /**
   * Appends the clusters of an RNTuple to those of its path. Throws UNSUPPORTED if their fields differ. If only
   * common fields are merged, an RNTuple that cannot be appended for another reason is left out.
   */
  async add(
    input: MergeInput,
    key: InputKey,
    options: CallOptions & { onBytes?: (bytes: number) => void },
  ): Promise<void> {
    const { common, notes } = this.#merging;
    const names = this.#part.selection?.branches;
    if (this.#part.compress !== undefined) {
      const note = `${key.path}: the pages of an RNTuple are not compressed anew`;
      if (!notes.includes(note)) notes.push(note);
    }
    const layout = await input.reader.layout(input.id, cyclePath(key), { signal: options.signal });
    checkClaims(layout, `${key.path} of ${input.name}`);
    const part = await readParts(input, key, input.codec, { signal: options.signal });
    try {
      const tree = names && layout.tree;
      const chosen = tree && wantedBranches(tree, names);
      part.metadata.choose(this.#wanted(key.path, part, chosen));
      const pages = part.metadata.pages();
      if (tree && !common && !this.#ntuples.has(key.path)) {
        const kept = tree.branches.filter(({ index }) => pages.kept[index]);
        const alongside = kept.filter(({ index }) => !chosen?.has(index));
        notes.push(fieldsNote(key.path, kept.length, tree.branches.length, alongside));
      }
      await this.#append(input, { ...part, pages }, options);
    } finally {
      if (this.#ntuples.get(key.path)?.first.metadata !== part.metadata) part.metadata.free();
    }
  }

  /** Marks the fields that are merged: the chosen ones that all files have; undefined for all. */
  #wanted(
    path: string,
    { metadata }: NtupleParts,
    chosen: ReadonlySet<number> | undefined,
  ): Uint8Array | undefined {
    const lost = this.#merging.common?.leftOut(path);
    if (!lost?.size && !chosen) return undefined;
    const { names, tops } = metadata.structure();
    const left = new Set(Array.from(new Set(tops)).filter((_, i) => !lost?.has(names[i] ?? '')));
    return Uint8Array.from(tops, (top, i) => +(left.has(top) && (!chosen || chosen.has(i))));
  }

  async #append(
    input: MergeInput,
    part: NtupleParts & { pages: NtuplePages },
    options: CallOptions & { onBytes?: (bytes: number) => void },
  ): Promise<void> {
    const { key, metadata, anchor } = part;
    const entries = sumOf(part.pages.groups, ENTRIES);
    let known = this.#ntuples.get(key.path);
    if (known && entries === 0) return;
    if (!known || known.merged.entries === 0) {
      known?.first.metadata.free();
      known = {
        ...{ first: { key, metadata, anchor }, file: input.name, codec: input.codec },
        ...{ header: undefined, groups: [], merged: { ...NOTHING, path: key.path } },
      };
      this.#ntuples.set(key.path, known);
    }
    if (entries === 0) return;
    const { first, groups, merged } = known;
    const output = this.#output(known);
    known.header ??= await writeHeader(first, output);
    if (!this.#follows(part, known, input.name)) return;
    const pages = metadata.pages();
    const ntuple = { ...part, pages };
    const zeros = pages.zeros.reduce((sum, bytes) => sum + bytes, 0);
    this.#merging.zeros.takePlain(zeros, key.path);
    const pieces = pagePieces(ntuple, 'file');
    const places = await copyPages(input, ntuple, 'file', output, { ...options, buffers: this.#buffers });
    const { attributes } = pages;
    if (attributes.length > 0)
      this.#merging.leftOut.push(
        `${key.path} of ${input.name}: its attribute sets are not merged: ${attributes.join(', ')}`,
      );
    groups.push(...(await writePageLists(ntuple, places, output)));
    merged.entries += entries;
    merged.parts++;
    merged.baskets += pieces.length + pages.zeros.length;
    merged.basketBytes += totalLength(pieces);
    for (let i = pages.offset.length; i < places.length; i += 2) {
      merged.basketBytes += places[i + 1] ?? 0;
      this.#merging.zeros.takeStored(places[i + 1] ?? 0, key.path);
    }
    merged.reads += countReads(pieces);
    merged.clusters += sumOf(pages.groups, CLUSTERS);
    merged.clustersClaimed = merged.clusters;
  }

  /** Whether an RNTuple can be appended to those before it. If not and it is left out, a note is added. */
  #follows({ key, metadata }: NtupleParts, { first, file }: Chained, name: string): boolean {
    const { common, leftOut } = this.#merging;
    try {
      metadata.append(first.metadata);
      return true;
    } catch (thrown) {
      const error = toXylemError(thrown);
      if (error.code !== 'UNSUPPORTED') throw thrown;
      const message = `${key.path} of ${name} cannot follow that of ${file}: ${error.message}`;
      if (!common)
        throw unsupported(
          message,
          'Leave the file out, or merge files whose RNTuples have the same fields.',
          { path: key.path },
        );
      leftOut.push(message);
      return false;
    }
  }

  /** Writes footers and anchors. */
  async finish(listed: Map<string, ListedKey[]>): Promise<MergedTree[]> {
    const done: MergedTree[] = [];
    for (const [path, chained] of this.#ntuples) {
      for (const [name, why] of this.#merging.common?.leftOut(path) ?? [])
        this.#merging.leftOut.push(`${path}: field ${name} is left out, because ${why}`);
      const { first, codec, groups, merged } = chained;
      const output = this.#output(chained);
      const header = chained.header ?? (await writeHeader(first, output));
      const { key, numbers } = await writeAnchor(
        { ...first, key: { ...first.key, cycle: 1 } },
        codec,
        header,
        groups,
        output,
      );
      listed.set(path, [{ key, seek: numbers.seek }]);
      done.push(merged);
    }
    this.free();
    return done;
  }

  /** Frees the metadata of the inputs. */
  free(): void {
    for (const { first } of this.#ntuples.values()) first.metadata.free();
    this.#ntuples.clear();
  }

  #output({ first: { key }, codec }: Chained): NtupleOutput {
    const { out, records, directories, date, compress, spans } = this.#merging;
    const directory = directoryAt(directories, parentOf(key));
    return { out, records, directory, date, spans, pack: (bytes) => codec.pack(bytes, codecOf(compress)) };
  }
}

const NOTHING = {
  ...{ entries: 0, parts: 0, baskets: 0, basketBytes: 0 },
  ...{ reads: 0, clusters: 0, clustersClaimed: 0 },
};

/** Positions of the numbers of a cluster group. */
const ENTRIES = 1;
const CLUSTERS = 2;

function sumOf(groups: Float64Array, which: number): number {
  let sum = 0;
  for (let i = which; i < groups.length; i += 3) sum += groups[i] ?? 0;
  return sum;
}
