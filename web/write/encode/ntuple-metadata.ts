import type { Core } from '../../core/core';
import { parse } from '../../core/file-core';
import type { WriterExports } from '../../core/module';
import type { NtupleLinks } from '../../core/ntuple-core';

/** The fields of an RNTuple that are copied, and where their pages lie. */
export interface NtuplePages {
  /** 1 for each field that is kept, in the order of the branches of its TreeInfo. */
  kept: Uint8Array;
  /** First entry, entries and clusters of each cluster group. */
  groups: Float64Array;
  /** Names of its attribute sets, which are not copied. */
  attributes: string[];
  /** Bytes of the pages of zeros that are written for fields which came late; see `append`. */
  zeros: Uint32Array;
  /** Places and bytes of all pages with their checksums, cluster by cluster; 0 where a field is left out. */
  offset: Float64Array;
  bytes: Float64Array;
}

/** The top-level fields of an RNTuple. Numbers of fields count all of them, depth first. */
export interface NtupleStructure {
  entries: number;
  names: string[];
  /** Equal for fields of two RNTuples that can follow each other. */
  structures: BigUint64Array;
  /** Number of the top-level field of each field. */
  tops: Uint32Array;
  /** Pairs of top-level fields: one, and one that it is projected from. */
  needs: Uint32Array;
}

/** A cluster group that was written: numbers of the group, and of its page list. */
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
 * The metadata of an RNTuple, in an instance of xylem-write.wasm, and what they become in a copy. First its parts are
 * added: header, footer, all page lists. Then `choose` is called, and after that the other methods.
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

  /** Chooses fields: not 0 for those that are wanted with all below them. Others that they need are kept, too. */
  choose(wanted: Uint8Array | undefined): void {
    const input = wanted ? this.#core.input(wanted) : 0;
    this.#copy = this.#core.make((x, ctx) => x.xw_ntuple_create(ctx, this.#ntuple, input));
  }

  /**
   * Leaves out the clusters that have entries of these ranges; called before `pages`. Throws CORRUPT and UNSUPPORTED where
   * it cannot be known how many elements they have.
   */
  leaveOut(ranges: readonly (readonly [from: number, to: number])[]): void {
    this.#core.withDoubles(Float64Array.from(ranges.flat()), (at) =>
      this.#core.run((x, ctx) => x.xw_ntuple_leave_out(ctx, this.#copy, at, ranges.length)),
    );
  }

  /** Throws UNSUPPORTED for pages that are stored in parts. */
  pages(): NtuplePages {
    return parse(this.#core.call((x, ctx) => x.xw_ntuple_pages(ctx, this.#copy)));
  }

  /**
   * Appends the clusters to a merged RNTuple whose header is that of `first`, which may be this one: entries and elements
   * count on from there. Throws UNSUPPORTED when the fields or their columns differ; the message names the field.
   */
  append(first: NtupleMetadata): void {
    this.#core.run((x, ctx) => x.xw_ntuple_append(ctx, first.#copy, this.#copy));
  }

  /** The envelope of the header; made before the others. */
  header(): Uint8Array<ArrayBuffer> {
    return this.#core.call((x, ctx) => x.xw_ntuple_header(ctx, this.#copy));
  }

  /**
   * The envelope of the page list of a group, made once and in the order of the groups; `places` has the new place of each page, and then place and stored bytes of
   * each page of zeros.
   */
  pageList(group: number, places: Float64Array): Uint8Array<ArrayBuffer> {
    return this.#core.withDoubles(places, (at) =>
      this.#core.call((x, ctx) => x.xw_ntuple_page_list(ctx, this.#copy, group, at)),
    );
  }

  /** The envelope of the footer. */
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

/** Cluster groups as xw_ntuple_footer and xw_new_ntuple_footer take them. */
export function groupNumbers(groups: readonly WrittenGroup[]): Float64Array {
  const numbers = groups.flatMap(({ firstEntry, entries, clusters, pageList }) => [
    ...[firstEntry, entries, clusters],
    ...[pageList.length, pageList.bytes, pageList.seek],
  ]);
  return Float64Array.from(numbers);
}

/** The numbers of an anchor as xw_ntuple_anchor takes them. */
export function anchorNumbers(header: WrittenEnvelope, footer: WrittenEnvelope): Float64Array {
  const places = [header, footer].flatMap(({ seek, bytes, length }) => [seek, bytes, length]);
  return Float64Array.of(...places, MAX_KEY_BYTES);
}

/** The object of an anchor: a new one, or another one with these places. */
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
