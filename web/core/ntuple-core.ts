import { abortError } from '../base/errors';
import type { CoreFile } from './file-core';
import { parse } from './file-core';
import type { CoreExports } from './module';
import { type BasketPlaces, type DecodePlan, parseTable, type TreeTable } from './tree-core';

/** Where the parts of an RNTuple lie; offsets and sizes in bytes. */
export interface NtupleLinks {
  /** Version of the format that the writer used, e.g. "1.0.0.1". */
  version: string;
  headerSeek: number;
  headerBytes: number;
  footerSeek: number;
  footerBytes: number;
  /** Places of the cluster groups' page lists, in entry order; empty until the footer was read. */
  pageListSeeks: Float64Array;
  pageListBytes: Float64Array;
  /** First entry of each group. */
  groupFirsts: Float64Array;
}

/** Pieces of clusters that hold chosen entries; `from` and `to` count from the cluster's first entry. */
export interface NtuplePieces {
  clusters: Int32Array;
  from: Float64Array;
  to: Float64Array;
  firsts: Float64Array;
  /** Ends of each piece's part of `heads`, and of its ranges in `seeks` and `sizes`. */
  headEnds: Int32Array;
  rangeEnds: Int32Array;
  heads: Uint8Array;
  seeks: Float64Array;
  sizes: Float64Array;
}

/** Pages of offset columns to be read before others; see xy_ntuple_offset_pages. */
export interface OffsetPages {
  /** Estimated bytes of pieces that then need not be read. */
  spared: number;
  seeks: Float64Array;
  sizes: Float64Array;
  heads: Uint8Array;
  /** Ends of each page's part of `heads`. */
  headEnds: Int32Array;
}

/** Where all pages lie; see xy_ntuple_layout. */
export interface PagePlaces extends BasketPlaces {
  length: Float64Array;
  /** Type of each page's column, as the format numbers them. */
  type: Uint8Array;
  /** Number of each page's column. */
  column: Uint32Array;
  exact: Uint8Array;
  /** For each field the one whose columns it shows when it is projected, else -1. */
  source: Int32Array;
  /** For each field the entries that clusters claim and its pages do not have. */
  lacking: Float64Array;
  clusterStart: Float64Array;
}

/** An RNTuple in the core, which takes its parts one after another. Close it before its file. */
export class CoreNtuple {
  /** 0 when it is closed. */
  #pointer: number;

  constructor(
    readonly file: CoreFile,
    anchor: Uint8Array,
  ) {
    const input = file.core.input(anchor);
    this.#pointer = file.core.make((x, ctx) => x.xy_ntuple_create(ctx, file.pointer, input, anchor.length));
  }

  /** Throws ABORTED when it was closed while it was read. */
  get pointer(): number {
    if (this.#pointer === 0) throw abortError();
    return this.#pointer;
  }

  links(): NtupleLinks {
    return this.#tape((x, ctx) => x.xy_ntuple_links(ctx, this.pointer));
  }

  /** Reads an envelope as it lies in the file: header, then footer. */
  add(part: 'header' | 'footer', bytes: Uint8Array): void {
    const input = this.file.core.input(bytes);
    this.file.core.call((x, ctx) => x[`xy_ntuple_${part}`](ctx, this.pointer, input, bytes.length));
  }

  /** Reads the page list of a cluster group, once; the groups come in any order. */
  addPageList(group: number, bytes: Uint8Array): void {
    const input = this.file.core.input(bytes);
    this.file.core.call((x, ctx) => x.xy_ntuple_page_list(ctx, this.pointer, group, input, bytes.length));
  }

  /** The fields as a branch table, depth first; baskets are pages, of the page lists so far. */
  describe(): TreeTable {
    return parseTable(this.file.core.call((x, ctx) => x.xy_ntuple_describe(ctx, this.pointer)));
  }

  layout(): PagePlaces {
    return this.#tape((x, ctx) => x.xy_ntuple_layout(ctx, this.pointer));
  }

  plan(field: number): DecodePlan {
    return this.#tape((x, ctx) => x.xy_ntuple_plan(ctx, this.pointer, field));
  }

  /** `spans` are pairs from, to of the chosen entries, ascending; their page lists must have been added. */
  pieces(field: number, spans: Float64Array): NtuplePieces {
    const { core } = this.file;
    return core.withDoubles(spans, (at) =>
      this.#tape((x, ctx) => x.xy_ntuple_pieces(ctx, this.pointer, field, at, spans.length / 2)),
    );
  }

  /** Lists the offset pages that would make the pieces of these entries smaller. */
  offsetPages(field: number, spans: Float64Array): OffsetPages {
    const { core } = this.file;
    return core.withDoubles(spans, (at) =>
      this.#tape((x, ctx) => x.xy_ntuple_offset_pages(ctx, this.pointer, field, at, spans.length / 2)),
    );
  }

  /** Adds a page that `offsetPages` listed. */
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
