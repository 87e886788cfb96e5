import type { Core } from '../../../../core/core';
import { parse } from '../../../../core/file-core';
import type { WriterExports } from '../../../../core/module';
import type { NtupleLinks } from '../../../../core/ntuple-core';

/** The copied fields of an RNTuple, and the positions of their pages. */
export interface NtuplePages {
  /** 1 for each copied field, in the order of the branches of its TreeInfo. */
  kept: Uint8Array;
  /** First entry, number of entries and number of clusters of each cluster group. */
  groups: Float64Array;
  /** Names of its attribute sets, which are not copied. */
  attributes: string[];
  /** Bytes of the pages of zeros that are written for fields added later: see `append`. */
  zeros: Uint32Array;
  /** Positions and sizes of all pages including their checksums, by cluster; 0 if a field is left out. */
  offset: Float64Array;
  bytes: Float64Array;
}

/** The top-level fields of an RNTuple. Indices of fields count all fields, depth first. */
export interface NtupleStructure {
  entries: number;
  names: string[];
  /** Hash of each top-level field. It is equal for fields of two RNTuples that can be joined. */
  structures: BigUint64Array;
  /** Index of the top-level field of each field. */
  tops: Uint32Array;
  /** Pairs of top-level fields: a field, and one from which it is projected. */
  needs: Uint32Array;
}

/** A cluster group that was written: its numbers, and those of its page list. */
export interface WrittenGroup {
  firstEntry: number;
  entries: number;
  clusters: number;
  pageList: WrittenEnvelope;
}

/** An envelope in the new file. */
export interface WrittenEnvelope {
  seek: number;
  /** Bytes in the file, and decompressed. */
  bytes: number;
  length: number;
}

/** ROOT's default for the largest payload of a key, in bytes. */
const MAX_KEY_BYTES = 2 ** 30;

/**
 * Metadata of an RNTuple and of its copy, held by an instance of xylem-write.wasm. First add its parts: header,
 * footer, all page lists. Then call `choose`, and after that the other methods.
 */
export class NtupleMetadata {
  readonly #core: Core<WriterExports>;
  readonly #ntuple: number;
  #copy = 0;

  /** Throws CORRUPT, CHECKSUM, and UNSUPPORTED for versions of the format before 1.0. */
  constructor(core: Core<WriterExports>, file: number, anchor: Uint8Array) {
    this.#core = core;
    const input = core.input(anchor);
    this.#ntuple = core.make((x, ctx) => x.xy_ntuple_create(ctx, file, input, anchor.length));
  }

  links(): NtupleLinks {
    return parse(this.#core.call((x, ctx) => x.xy_ntuple_links(ctx, this.#ntuple)));
  }

  add(part: 'header' | 'footer', envelope: Uint8Array): void {
    const input = this.#core.input(envelope);
    this.#core.run((x, ctx) => x[`xy_ntuple_${part}`](ctx, this.#ntuple, input, envelope.length));
  }

  addPageList(group: number, envelope: Uint8Array): void {
    const input = this.#core.input(envelope);
    this.#core.run((x, ctx) => x.xy_ntuple_page_list(ctx, this.#ntuple, group, input, envelope.length));
  }

  structure(): NtupleStructure {
    return parse(this.#core.call((x, ctx) => x.xw_ntuple_structure(ctx, this.#ntuple)));
  }

  /**
   * Chooses fields. `wanted` has a number other than 0 for each field that is copied with its subfields. Fields that
   * they need are added.
   */
  choose(wanted: Uint8Array | undefined): void {
    const input = wanted ? this.#core.input(wanted) : 0;
    this.#copy = this.#core.make((x, ctx) => x.xw_ntuple_create(ctx, this.#ntuple, input));
  }

  /**
   * Leaves out the clusters that have entries of these ranges. Called before `pages`. Throws CORRUPT, and UNSUPPORTED
   * if their numbers of elements cannot be known.
   */
  leaveOut(ranges: readonly (readonly [from: number, to: number])[]): void {
    this.#core.withDoubles(Float64Array.from(ranges.flat()), (at) =>
      this.#core.run((x, ctx) => x.xw_ntuple_leave_out(ctx, this.#copy, at, ranges.length)),
    );
  }

  /** Returns the pages of the copied fields. Throws UNSUPPORTED for pages that are stored in parts. */
  pages(): NtuplePages {
    return parse(this.#core.call((x, ctx) => x.xw_ntuple_pages(ctx, this.#copy)));
  }

  /**
   * Appends the clusters to a merged RNTuple with the header of `first`, which may be this one. Entries and elements
   * are counted on from its end. Throws UNSUPPORTED if the fields or their columns differ; the message names the
   * field.
   */
  append(first: NtupleMetadata): void {
    this.#core.run((x, ctx) => x.xw_ntuple_append(ctx, first.#copy, this.#copy));
  }

  /** Returns the envelope of the header. Called before the other envelopes. */
  header(): Uint8Array<ArrayBuffer> {
    return this.#core.call((x, ctx) => x.xw_ntuple_header(ctx, this.#copy));
  }

  /**
   * Returns the envelope of the page list of a group. Called once per group, in order. `places` has the new position
   * of each page, then position and stored bytes of each page of zeros.
   */
  pageList(group: number, places: Float64Array): Uint8Array<ArrayBuffer> {
    return this.#core.withDoubles(places, (at) =>
      this.#core.call((x, ctx) => x.xw_ntuple_page_list(ctx, this.#copy, group, at)),
    );
  }

  /** Returns the envelope of the footer. */
  footer(groups: readonly WrittenGroup[]): Uint8Array<ArrayBuffer> {
    return this.#core.withDoubles(groupNumbers(groups), (at) =>
      this.#core.call((x, ctx) => x.xw_ntuple_footer(ctx, this.#copy, at, groups.length)),
    );
  }

  anchor(object: Uint8Array, header: WrittenEnvelope, footer: WrittenEnvelope): Uint8Array<ArrayBuffer> {
    return anchorOf(this.#core, object, header, footer);
  }

  free(): void {
    this.#core.free((x) => {
      x.xw_ntuple_destroy(this.#copy);
      x.xy_ntuple_destroy(this.#ntuple);
    });
    this.#copy = 0;
  }
}

/** Returns cluster groups in the format of xw_ntuple_footer and xw_new_ntuple_footer. */
export function groupNumbers(groups: readonly WrittenGroup[]): Float64Array {
  const numbers = groups.flatMap(({ firstEntry, entries, clusters, pageList }) => [
    ...[firstEntry, entries, clusters],
    ...[pageList.length, pageList.bytes, pageList.seek],
  ]);
  return Float64Array.from(numbers);
}

/** Returns the numbers of an anchor in the format of xw_ntuple_anchor. */
export function anchorNumbers(header: WrittenEnvelope, footer: WrittenEnvelope): Float64Array {
  const places = [header, footer].flatMap(({ seek, bytes, length }) => [seek, bytes, length]);
  return Float64Array.of(...places, MAX_KEY_BYTES);
}

/** Returns the object of an anchor: a new one, or an existing one with new positions. */
export function anchorOf(
  core: Core<WriterExports>,
  object: Uint8Array | undefined,
  header: WrittenEnvelope,
  footer: WrittenEnvelope,
): Uint8Array<ArrayBuffer> {
  return core.withDoubles(anchorNumbers(header, footer), (at) => {
    const input = object ? core.input(object) : 0;
    return core.call((x, ctx) => x.xw_ntuple_anchor(ctx, input, object?.length ?? 0, at));
  });
}
