import type { Core } from '../../../../core/core';
import type { WriterExports } from '../../../../core/module';
import { anchorOf, groupNumbers, type WrittenEnvelope, type WrittenGroup } from './ntuple-metadata';

/** Roles of fields in the format of RNTuple. */
export const FIELD_ROLES = { leaf: 0, collection: 1, record: 2 } as const;

export interface NewField {
  /** Index of the parent field; -1 for a top-level field. */
  parent: number;
  role: keyof typeof FIELD_ROLES;
  name: string;
  /** Its C++ type; empty for structures. */
  type: string;
  /** Number of elements of an array of fixed size; 0 for other fields. */
  size: number;
  /** Its description; empty if it has none. */
  about: string;
}

/** Metadata of a new RNTuple, held by an instance of xylem-write.wasm. */
export class NewNtupleMetadata {
  readonly #core: Core<WriterExports>;
  #ntuple: number;
  #fields = 0;
  #columns = 0;

  constructor(core: Core<WriterExports>, name: string, title: string) {
    this.#core = core;
    const { texts, lengths } = encoded([name, title]);
    const at = core.input(texts);
    this.#ntuple = core.make((x, ctx) => x.xw_new_ntuple_create(ctx, at, lengths[0] ?? 0, lengths[1] ?? 0));
  }

  /** Adds a field, after its parent. Returns its index. */
  field({ parent, role, name, type, size, about }: NewField): number {
    const { texts, lengths } = encoded([name, type, about]);
    const [own = 0, typed = 0, described = 0] = lengths;
    const at = this.#core.input(texts);
    const code = FIELD_ROLES[role];
    this.#core.run((x, ctx) =>
      x.xw_new_ntuple_field(ctx, this.#ntuple, parent, code, size, at, own, typed, described),
    );
    return this.#fields++;
  }

  /** Adds a column with a column type of the format to a field. Returns its index. */
  column(field: number, type: number): number {
    this.#core.run((x, ctx) => x.xw_new_ntuple_column(ctx, this.#ntuple, field, type));
    return this.#columns++;
  }

  /** Returns the envelope of the header. No fields or columns can be added afterwards. */
  header(): Uint8Array<ArrayBuffer> {
    return this.#core.call((x, ctx) => x.xw_new_ntuple_header(ctx, this.#ntuple));
  }

  /** Returns the envelope of the page list of the next clusters. `numbers`: see xw_new_ntuple_page_list. */
  pageList(compress: number, numbers: Float64Array): Uint8Array<ArrayBuffer> {
    return this.#core.withDoubles(numbers, (at) =>
      this.#core.call((x, ctx) => x.xw_new_ntuple_page_list(ctx, this.#ntuple, compress, at, numbers.length)),
    );
  }

  /** Returns the envelope of the footer. */
  footer(groups: readonly WrittenGroup[]): Uint8Array<ArrayBuffer> {
    return this.#core.withDoubles(groupNumbers(groups), (at) =>
      this.#core.call((x, ctx) => x.xw_new_ntuple_footer(ctx, this.#ntuple, at, groups.length)),
    );
  }

  /** Returns the object of the anchor. */
  anchor(header: WrittenEnvelope, footer: WrittenEnvelope): Uint8Array<ArrayBuffer> {
    return anchorOf(this.#core, undefined, header, footer);
  }

  free(): void {
    this.#core.free((x) => x.xw_new_ntuple_destroy(this.#ntuple));
    this.#ntuple = 0;
  }
}

/** Returns texts joined, and the length of each in bytes. */
function encoded(all: readonly string[]): { texts: Uint8Array; lengths: number[] } {
  const utf8 = new TextEncoder();
  return { texts: utf8.encode(all.join('')), lengths: all.map((text) => utf8.encode(text).length) };
}
