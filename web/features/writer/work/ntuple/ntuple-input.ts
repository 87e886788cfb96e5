import type { BranchInfo, CallOptions } from '../../../../api/api';
import type { TreeLayout } from '../../../../api/layout';
import type { Range } from '../../../../io/source';
import { cyclePath } from '../../../../model/keys';
import type { ClassCodec } from '../encode/class-codec';
import type { NtupleMetadata, NtuplePages } from '../encode/ntuple-metadata';
import { checkClaims } from '../input/claims';
import type { Input, InputKey } from '../input/input';
import { layoutOf, wantedBranches } from '../input/selection';

/** The metadata of an RNTuple. */
export interface NtupleParts {
  key: InputKey;
  metadata: NtupleMetadata;
  /** The record of its anchor. */
  anchor: Uint8Array;
}

/** An RNTuple of an input, with its metadata. */
export interface NtupleInput extends NtupleParts {
  pages: NtuplePages;
  /** Positions of the copied pages, and of the pages of all fields. */
  layout: TreeLayout;
  source: TreeLayout;
  /** Set if clusters are left out. */
  chosen?: true | undefined;
  /** Fields that are copied only because chosen ones need them; undefined if all are copied. */
  alongside: readonly BranchInfo[] | undefined;
}

/**
 * Reads the metadata of an RNTuple: anchor, header, footer and page lists. The caller frees them. Throws the errors
 * of reading, and UNSUPPORTED.
 */
export async function readParts(
  input: Input,
  key: InputKey,
  codec: ClassCodec,
  options: CallOptions,
): Promise<NtupleParts> {
  const read = async (ranges: readonly Range[]): Promise<Uint8Array[]> => {
    const bytes = await input.reader.bytes(input.id, [...ranges], options);
    let end = 0;
    return ranges.map(({ length }) => {
      end += length;
      return bytes.subarray(end - length, end);
    });
  };
  const [anchor = NONE] = await read([{ offset: key.offset, length: key.storedBytes }]);
  const metadata = codec.ntuple(anchor);
  try {
    const { headerSeek, headerBytes, footerSeek, footerBytes } = metadata.links();
    const [header = NONE, footer = NONE] = await read([
      { offset: headerSeek, length: headerBytes },
      { offset: footerSeek, length: footerBytes },
    ]);
    metadata.add('header', header);
    metadata.add('footer', footer);
    const { pageListSeeks, pageListBytes } = metadata.links();
    for (const [group, offset] of pageListSeeks.entries()) {
      const [list = NONE] = await read([{ offset, length: pageListBytes[group] ?? 0 }]);
      metadata.addPageList(group, list);
    }
    return { key, metadata, anchor };
  } catch (thrown) {
    metadata.free();
    throw thrown;
  }
}

/** A part of an RNTuple that is copied. */
export interface NtuplePart {
  /** Indices of top-level fields that are left out, together with all fields projected from them. */
  without: ReadonlySet<number>;
  /** Ranges of entries: first entry, and the one after the last. Clusters with any of these entries are left out. */
  leftOut: readonly (readonly [from: number, to: number])[];
}

interface NtupleChoice {
  /** Names of fields as `chooseBranches` takes them; undefined for all. */
  selection?: { branches?: readonly string[] | undefined } | undefined;
  ntuplePart?: ((ntuple: InputKey, layout: TreeLayout) => NtuplePart | undefined) | undefined;
}

/**
 * Reads an RNTuple in order to copy it. Throws the errors of reading, CORRUPT if clusters claim more entries than
 * their pages have, NOT_FOUND and UNSUPPORTED.
 */
export async function readNtuple(
  input: Input,
  key: InputKey,
  codec: ClassCodec,
  { selection, ntuplePart }: NtupleChoice,
  options: CallOptions,
): Promise<NtupleInput> {
  const names = selection?.branches;
  const parts = await readParts(input, key, codec, options);
  const { metadata } = parts;
  try {
    const source = await input.reader.layout(input.id, cyclePath(key), options);
    // If parts are left out, all pages have been checked before.
    if (!ntuplePart) checkClaims(source);
    const part = ntuplePart?.(key, source);
    const wanted = names ? wantedBranches(source.tree, names) : part && withoutFields(metadata, part.without);
    metadata.choose(wanted && Uint8Array.from(source.tree.branches, ({ index }) => +wanted.has(index)));
    const leftOut = part?.leftOut ?? [];
    if (leftOut.length > 0) metadata.leaveOut(leftOut);
    const pages = metadata.pages();
    const kept = new Set(
      source.tree.branches.filter(({ index }) => pages.kept[index]).map(({ index }) => index),
    );
    const whole = kept.size === source.tree.branches.length;
    const added = source.tree.branches.filter(({ index }) => kept.has(index) && !wanted?.has(index));
    const layout = whole ? source : layoutOf(source, kept);
    return {
      ...{ ...parts, pages, source },
      layout: leftOut.length > 0 ? withoutEntries(layout, leftOut) : layout,
      ...(leftOut.length > 0 && { chosen: true }),
      alongside: whole ? undefined : added,
    };
  } catch (thrown) {
    metadata.free();
    throw thrown;
  }
}

/** Returns the indices of the fields that are neither left out nor projected from one that is. */
function withoutFields(metadata: NtupleMetadata, lost: ReadonlySet<number>): Set<number> {
  const { tops, needs } = metadata.structure();
  const gone = new Set(lost);
  for (let i = 0; i < needs.length; i += 2) if (lost.has(needs[i + 1] ?? -1)) gone.add(needs[i] ?? -1);
  return new Set([...tops.keys()].filter((field) => !gone.has(tops[field] ?? -1)));
}

/** Returns the layout without the clusters that have entries of the ranges. */
function withoutEntries(layout: TreeLayout, leftOut: NtuplePart['leftOut']): TreeLayout {
  const isLeft = (entry: number): boolean => !leftOut.some(([from, to]) => entry >= from && entry < to);
  const before = (entry: number): number =>
    leftOut.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, entry) - from), 0);
  const moved = (entry: number): number => entry - before(entry);
  const pages = [...layout.firstEntry.keys()].filter((i) => isLeft(layout.firstEntry[i] ?? 0));
  const clusters = layout.clusterStart.filter(isLeft).map(moved);
  const entries = moved(layout.tree.entries);
  const some = (list: Float64Array): Float64Array => Float64Array.from(pages, (i) => list[i] ?? 0);
  let next = 0;
  return {
    ...layout,
    tree: {
      ...layout.tree,
      entries,
      branches: layout.tree.branches.map((branch) => ({ ...branch, entries: moved(branch.entries) })),
    },
    basketStart: layout.basketStart.map((start) => {
      while ((pages[next] ?? start) < start) next++;
      return next;
    }),
    offset: some(layout.offset),
    storedBytes: some(layout.storedBytes),
    firstEntry: some(layout.firstEntry).map(moved),
    entries: some(layout.entries),
    clusterStart: clusters,
    trueStart: clusters,
  };
}

const NONE = new Uint8Array(0);
