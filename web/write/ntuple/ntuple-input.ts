import type { BranchInfo, CallOptions } from '../../api/api';
import type { TreeLayout } from '../../api/layout';
import type { Range } from '../../io/source';
import { cyclePath } from '../../model/find-key';
import type { ClassCodec } from '../encode/class-codec';
import type { NtupleMetadata, NtuplePages } from '../encode/ntuple-metadata';
import type { Input, InputKey } from '../input';
import { layoutOf, wantedBranches } from '../selection';

/** The metadata of an RNTuple. */
export interface NtupleParts {
  key: InputKey;
  metadata: NtupleMetadata;
  /** The record of its anchor. */
  anchor: Uint8Array;
}

/** An RNTuple of an input whose metadata were read. */
export interface NtupleInput extends NtupleParts {
  pages: NtuplePages;
  /** How the pages lie that are copied, and those of all fields. */
  layout: TreeLayout;
  source: TreeLayout;
  /** Fields that are copied because chosen ones need them; undefined where all are copied. */
  alongside: readonly BranchInfo[] | undefined;
}

/**
 * Reads the metadata of an RNTuple: anchor, header, footer and page lists. The caller frees them. Throws the errors of
 * reading, and UNSUPPORTED.
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

/**
 * Reads an RNTuple to copy it. `names` are those of fields as `chooseBranches` takes them; undefined: all. Throws the
 * errors of reading, NOT_FOUND and UNSUPPORTED.
 */
export async function readNtuple(
  input: Input,
  key: InputKey,
  codec: ClassCodec,
  names: readonly string[] | undefined,
  options: CallOptions,
): Promise<NtupleInput> {
  const parts = await readParts(input, key, codec, options);
  const { metadata } = parts;
  try {
    const source = await input.reader.layout(input.id, cyclePath(key), options);
    const wanted = names && wantedBranches(source.tree, names);
    metadata.choose(wanted && Uint8Array.from(source.tree.branches, ({ index }) => +wanted.has(index)));
    const pages = metadata.pages();
    const kept = new Set(
      source.tree.branches.filter(({ index }) => pages.kept[index]).map(({ index }) => index),
    );
    const whole = kept.size === source.tree.branches.length;
    const added = source.tree.branches.filter(({ index }) => kept.has(index) && !wanted?.has(index));
    return {
      ...{ ...parts, pages, source },
      layout: whole ? source : layoutOf(source, kept),
      alongside: whole ? undefined : added,
    };
  } catch (thrown) {
    metadata.free();
    throw thrown;
  }
}

const NONE = new Uint8Array(0);
