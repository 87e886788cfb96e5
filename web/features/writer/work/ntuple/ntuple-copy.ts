import type { BranchInfo, CallOptions } from '../../../../api/api';
import { joined } from '../../../../base/bytes';
import { corrupt } from '../../../../base/data-errors';
import { checksum } from '../../../../cache/checksum';
import { totalLength } from '../../../../io/ranges';
import type { Range } from '../../../../io/source';
import { cyclePath } from '../../../../model/keys';
import type { ClassCodec } from '../encode/class-codec';
import type { WrittenEnvelope, WrittenGroup } from '../encode/ntuple-metadata';
import type { Directory, FileWriter } from '../file/file-writer';
import type { KeyNumbers, Records } from '../file/records';
import { batchesOf, type CopiedSpan, CopyBuffers, readBatches } from '../input/copy';
import type { Input } from '../input/input';
import { type BasketOrder, placeIn } from '../input/tree-copy';
import type { NtupleInput, NtupleParts } from './ntuple-input';

/** Where the parts of an RNTuple are written. */
export interface NtupleOutput {
  out: FileWriter;
  records: Records;
  directory: Directory;
  /** Date of the keys, as ROOT packs dates. */
  date: number;
  /** Compresses an envelope. The result has the same length if compression does not make it smaller. */
  pack: (envelope: Uint8Array) => Uint8Array;
  /** Receives the checksums of the written bytes. */
  spans?: CopiedSpan[] | undefined;
}

/** Metadata of an RNTuple, and its pages. */
type Paged = NtupleParts & Pick<NtupleInput, 'pages'>;

/** Returns the pages of an RNTuple, each once, in the order in which they are written. */
export function pagePieces({ pages, key }: Pick<Paged, 'pages' | 'key'>, order: BasketOrder): Range[] {
  const lengths = new Map<number, number>();
  for (const [i, offset] of pages.offset.entries()) {
    const length = pages.bytes[i] ?? 0;
    const known = lengths.get(offset) ?? length;
    if (known !== length) {
      throw corrupt(
        `Two pages of "${key.path}" begin at byte ${offset}, but have ${known} and ${length} bytes.`,
        { path: key.path, offset },
      );
    }
    if (length > 0) lengths.set(offset, length);
  }
  const pieces = Array.from(lengths, ([offset, length]) => ({ offset, length }));
  // Page lists order them by cluster, then by column.
  return order === 'file' ? pieces.sort((a, b) => a.offset - b.offset) : pieces;
}

/**
 * Copies pages as they are stored, except those that the output already has from an earlier run. Returns their new
 * positions in the format of `pageList`.
 */
export async function copyPages(
  input: Input,
  ntuple: Paged,
  order: BasketOrder,
  output: NtupleOutput,
  options: CallOptions & { onBytes?: ((bytes: number) => void) | undefined; buffers?: CopyBuffers },
): Promise<Float64Array> {
  const { signal, onBytes, buffers = new CopyBuffers() } = options;
  const { out, spans } = output;
  const pieces = pagePieces(ntuple, order);
  const places = new Map<number, number>();
  const place = (batch: readonly Range[], start: number): void => {
    let at = start;
    for (const { offset, length } of batch) {
      places.set(offset, at);
      at += length;
    }
  };
  let kept = 0;
  // Checksums need all bytes.
  for (const { to, ranges } of spans ? [] : batchesOf(pieces)) {
    const bytes = totalLength(ranges);
    const key = blobKey(output, bytes);
    if (!out.keeps(key.length + bytes)) break;
    out.skip(key.length);
    place(pieces.slice(kept, to), out.end);
    out.skip(bytes);
    kept = to;
    onBytes?.(bytes);
  }
  const left = pieces.slice(kept);
  for await (const { from, to, bytes } of readBatches(input, left, { signal, buffers })) {
    await out.append(blobKey(output, bytes.length));
    place(left.slice(from, to), out.end);
    spans?.push({ at: out.end, length: bytes.length, sum: checksum(bytes) });
    await out.append(bytes);
    onBytes?.(bytes.length);
  }
  const { offset, bytes, zeros } = ntuple.pages;
  const result = new Float64Array(offset.length + 2 * zeros.length);
  // Pages without bytes have no position.
  for (const [i, old] of offset.entries()) result[i] = bytes[i] === 0 ? 0 : placeIn(places, old);
  result.set(await writeZeros(zeros, output), offset.length);
  return result;
}

/** Writes pages of zeros. Returns position and stored bytes of each. */
async function writeZeros(sizes: Uint32Array, output: NtupleOutput): Promise<number[]> {
  const { out, pack, spans } = output;
  const places: number[] = [];
  for (const size of sizes) {
    const page = pack(new Uint8Array(size));
    await out.append(blobKey(output, page.length));
    places.push(out.end, page.length);
    spans?.push({ at: out.end, length: page.length, sum: checksum(page) });
    await out.append(page);
  }
  return places;
}

/** Writes the page lists of all cluster groups. `places` are the positions of the pages. */
export async function writePageLists(
  { metadata, pages }: Paged,
  places: Float64Array,
  output: NtupleOutput,
): Promise<WrittenGroup[]> {
  const groups: WrittenGroup[] = [];
  for (let i = 0; 3 * i < pages.groups.length; i++) {
    const [firstEntry = 0, entries = 0, clusters = 0] = pages.groups.subarray(3 * i);
    // A group without clusters needs one, too, because the next group continues its count.
    const envelope = metadata.pageList(i, places);
    if (clusters === 0) continue;
    const pageList = await writeEnvelope(envelope, output);
    groups.push({ firstEntry, entries, clusters, pageList });
  }
  return groups;
}

export function writeHeader({ metadata }: NtupleParts, output: NtupleOutput): Promise<WrittenEnvelope> {
  return writeEnvelope(metadata.header(), output);
}

/** Writes the footer and the anchor. Returns the key of the anchor and its numbers. */
export async function writeAnchor(
  { metadata, anchor, key }: NtupleParts,
  codec: ClassCodec,
  header: WrittenEnvelope,
  groups: readonly WrittenGroup[],
  output: NtupleOutput,
): Promise<{ key: Uint8Array<ArrayBuffer>; numbers: Partial<KeyNumbers> & { seek: number } }> {
  const { out, records, directory } = output;
  const footer = await writeEnvelope(metadata.footer(groups), output);
  const object = metadata.anchor(codec.unpack(anchor), header, footer);
  const ownKey = out.keyAtEnd(anchor.subarray(0, records.readKey(anchor).keylen));
  const record = joined([ownKey, object]);
  const sizes = { nbytes: record.length, objlen: object.length, cycle: key.cycle };
  const { at } = await out.record(directory, record, sizes);
  return { key: record.slice(0, ownKey.length), numbers: { ...sizes, seek: at } };
}

/** Copies an RNTuple and frees its metadata. Returns the numbers of the anchor's key. */
export async function copyNtuple(
  input: Input,
  ntuple: NtupleInput,
  order: BasketOrder,
  codec: ClassCodec,
  output: NtupleOutput,
  options: CallOptions & { onBytes?: ((bytes: number) => void) | undefined },
): Promise<Partial<KeyNumbers> & { seek: number }> {
  const header = await writeHeader(ntuple, output);
  const places = await copyPages(input, ntuple, order, output, options);
  const groups = await writePageLists(ntuple, places, output);
  const { numbers } = await writeAnchor(ntuple, codec, header, groups, output);
  ntuple.metadata.free();
  return numbers;
}

/**
 * Returns notes on parts of an RNTuple that are not copied, and on pages that stay as they are although baskets
 * change.
 */
export function notesOfNtuple(
  { key, layout, source, alongside, pages: { attributes } }: NtupleInput,
  regroup: boolean,
): string[] {
  const same = regroup ? [`${cyclePath(key)}: pages of an RNTuple are copied as they are stored`] : [];
  if (attributes.length > 0)
    same.push(`${cyclePath(key)}: its attribute sets are not copied: ${attributes.join(', ')}`);
  if (!alongside) return same;
  const { length } = layout.tree.branches;
  return [...same, fieldsNote(cyclePath(key), length, source.tree.branches.length, alongside)];
}

/**
 * Returns a note on which of `total` fields were chosen. Fields in `alongside` are copied because others need them.
 */
export function fieldsNote(
  path: string,
  kept: number,
  total: number,
  alongside: readonly BranchInfo[],
): string {
  const added = new Set(alongside.map(({ index }) => index));
  const names = alongside.flatMap(({ path: name, parent }) => (added.has(parent) ? [] : [name])).join(', ');
  return `${path}: ${kept} of ${total} fields${names && `; others need ${names}`}`;
}

/** Writes an envelope with its own key. */
export async function writeEnvelope(
  envelope: Uint8Array<ArrayBuffer>,
  output: NtupleOutput,
): Promise<WrittenEnvelope> {
  const { out, pack } = output;
  const stored = pack(envelope);
  const key = blobKey(output, stored.length, envelope.length);
  const seek = out.end + key.length;
  await out.append(joined([key, stored]));
  return { seek, bytes: stored.length, length: envelope.length };
}

/** Returns the key of pages or of an envelope. It is not in any list of keys. */
export function blobKey(
  { out, records, directory, date }: NtupleOutput,
  stored: number,
  objlen = stored,
): Uint8Array<ArrayBuffer> {
  const numbers = { stored, objlen, datime: date, cycle: 1, seek: out.end, dir: directory.at };
  return records.makeKey({ className: 'RBlob', name: '', title: '' }, numbers);
}
