import { abortError } from '../base/errors';
import type { CoreFile } from './file-core';
import { parse } from './file-core';
import type { CoreExports } from './module';
import { type BasketPlaces, type DecodePlan, parseTable, type TreeTable } from './tree-core';

/** Locations of the parts of an RNTuple. Offsets and sizes in bytes. */
export interface NtupleLinks {
  /** Version of the format with which it was written, for example "1.0.0.1". */
  version: string;
  headerSeek: number;
  headerBytes: number;
  footerSeek: number;
  footerBytes: number;
  /** Offsets of the page lists of the cluster groups, in entry order. Empty until the footer was read. */
  pageListSeeks: Float64Array;
  pageListBytes: Float64Array;
  /** First entry of each group. */
  groupFirsts: Float64Array;
}

/** Parts of clusters that contain chosen entries. `from` and `to` are relative to the first entry of the cluster. */
export interface NtuplePieces {
  clusters: Int32Array;
  from: Float64Array;
  to: Float64Array;
  firsts: Float64Array;
  /** For each piece, the end of its part of `heads`, and the end of its ranges in `seeks` and `sizes`. */
  headEnds: Int32Array;
  rangeEnds: Int32Array;
  heads: Uint8Array;
  seeks: Float64Array;
  sizes: Float64Array;
}

/** Pages of offset columns that should be read first: see xy_ntuple_offset_pages. */
export interface OffsetPages {
  /** Estimated number of bytes that then need not be read. */
  spared: number;
  seeks: Float64Array;
  sizes: Float64Array;
  heads: Uint8Array;
  /** For each page, the end of its part of `heads`. */
  headEnds: Int32Array;
}

/** Locations of all pages: see xy_ntuple_layout. */
export interface PagePlaces extends BasketPlaces {
  length: Float64Array;
  /** Column type of each page, as the format numbers it. */
  type: Uint8Array;
  /** Column number of each page. */
  column: Uint32Array;
  exact: Uint8Array;
  /** For each field: the field whose columns it shows if it is a projected field, otherwise -1. */
  source: Int32Array;
  /** For each field: number of entries that clusters claim but its pages do not contain. */
  lacking: Float64Array;
  clusterStart: Float64Array;
}

/** An RNTuple in the core. Its parts are added one after another. It must be closed before its file. */
export class CoreNtuple {
  /** 0 if it is closed. */
  #pointer: number;

  constructor(
    readonly file: CoreFile,
    anchor: Uint8Array,
  ) {
    file.core.need('ntuple', 'xy_ntuple_create');
    const input = file.core.input(anchor);
    this.#pointer = file.core.make((x, ctx) => x.xy_ntuple_create(ctx, file.pointer, input, anchor.length));
  }

  /** Its address in the core. Throws ABORTED if it was closed while it was being read. */
  get pointer(): number {
    if (this.#pointer === 0) throw abortError();
    return this.#pointer;
  }

  links(): NtupleLinks {
    return this.#tape((x, ctx) => x.xy_ntuple_links(ctx, this.pointer));
  }

  /** Adds an envelope as stored in the file: first the header, then the footer. */
  add(part: 'header' | 'footer', bytes: Uint8Array): void {
    const input = this.file.core.input(bytes);
    this.file.core.call((x, ctx) => x[`xy_ntuple_${part}`](ctx, this.pointer, input, bytes.length));
  }

  /** Adds the page list of a cluster group. Each is added once, in any order. */
  addPageList(group: number, bytes: Uint8Array): void {
    const input = this.file.core.input(bytes);
    this.file.core.call((x, ctx) => x.xy_ntuple_page_list(ctx, this.pointer, group, input, bytes.length));
  }

  /** Returns the fields as a branch table, depth first. The baskets are the pages in the page lists added so far. */
  describe(): TreeTable {
    return parseTable(this.file.core.call((x, ctx) => x.xy_ntuple_describe(ctx, this.pointer)));
  }

  layout(): PagePlaces {
    return this.#tape((x, ctx) => x.xy_ntuple_layout(ctx, this.pointer));
  }

  plan(field: number): DecodePlan {
    return this.#tape((x, ctx) => x.xy_ntuple_plan(ctx, this.pointer, field));
  }

  /**
   * Returns the pieces with the chosen entries. `spans` contains pairs [from, to) in ascending order; their page lists
   * must have been added.
   */
  pieces(field: number, spans: Float64Array): NtuplePieces {
    const { core } = this.file;
    return core.withDoubles(spans, (at) =>
      this.#tape((x, ctx) => x.xy_ntuple_pieces(ctx, this.pointer, field, at, spans.length / 2)),
    );
  }

  /** Returns the offset pages that would reduce the pieces for these entries. */
  offsetPages(field: number, spans: Float64Array): OffsetPages {
    const { core } = this.file;
    return core.withDoubles(spans, (at) =>
      this.#tape((x, ctx) => x.xy_ntuple_offset_pages(ctx, this.pointer, field, at, spans.length / 2)),
    );
  }

  /** Adds a page returned by `offsetPages`. */
  addOffsetPage(head: Uint8Array, page: Uint8Array): void {
    const { core } = this.file;
    const length = head.length + page.length;
    const at = core.room(length);
    core.view(at, head.length).set(head);
    core.view(at + head.length, page.length).set(page);
    core.call((x, ctx) => x.xy_ntuple_add_offset_page(ctx, this.pointer, at, length));
  }

  close(): void {
    const pointer = this.#pointer;
    this.#pointer = 0;
    if (pointer !== 0) this.file.free((x) => x.xy_ntuple_destroy(pointer));
  }

  #tape<T>(run: (exports: CoreExports, ctx: number) => number): T {
    return parse<T>(this.file.core.call(run));
  }
}
