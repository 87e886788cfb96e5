import { XylemError } from '../base/errors';

/** The functions that both the core and the writer export. Pointers and sizes are byte offsets in `memory`. */
export interface BaseExports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  xy_alloc(size: number): number;
  xy_free(pointer: number): void;
  xy_ctx_create(): number;
  xy_ctx_result(ctx: number): number;
  xy_ctx_result_size(ctx: number): number;
  xy_ctx_error(ctx: number): number;
  xy_file_create(rootVersion: number): number;
  xy_file_destroy(file: number): void;
  xy_header(ctx: number, src: number, len: number): number;
  xy_mend_header(ctx: number, src: number, len: number, size: number): number;
  xy_keys(ctx: number, src: number, len: number): number;
  xy_streamers(ctx: number, file: number, src: number, len: number): number;
  xy_object(ctx: number, file: number, src: number, len: number): number;
  xy_streamers_same(file: number, src: number, len: number): number;
}

/** The functions for the metadata of RNTuples, exported by the core and the writer. */
export interface NtupleExports extends BaseExports {
  xy_ntuple_create(ctx: number, file: number, src: number, len: number): number;
  xy_ntuple_destroy(ntuple: number): void;
  xy_ntuple_links(ctx: number, ntuple: number): number;
  xy_ntuple_header(ctx: number, ntuple: number, src: number, len: number): number;
  xy_ntuple_footer(ctx: number, ntuple: number, src: number, len: number): number;
  xy_ntuple_page_list(ctx: number, ntuple: number, group: number, src: number, len: number): number;
}

/** The functions of wasm/include/xylem-write.h and wasm/src/write/records.h. */
export interface WriterExports extends NtupleExports {
  xw_object(ctx: number, file: number, src: number, len: number): number;
  xw_encode(ctx: number, file: number, tape: number, len: number, keyLength: number): number;
  xw_unpack(ctx: number, file: number, src: number, len: number): number;
  xw_contains(ctx: number, file: number, src: number, len: number, text: number, textLen: number): number;
  xw_derives(file: number, names: number, classLength: number, baseLength: number): number;
  xw_sums_create(): number;
  xw_sums_destroy(sums: number): void;
  xw_sums_add(
    ctx: number,
    sums: number,
    file: number,
    src: number,
    len: number,
    records: number,
    count: number,
  ): number;
  xw_sums_allow(sums: number, bytes: number): number;
  xw_sums_object(ctx: number, sums: number, sum: number): number;
  xw_sums_keep(ctx: number, sums: number, sum: number, tape: number, len: number): number;
  xw_sums_pid(sums: number, sum: number): number;
  xw_sums_added(sums: number, sum: number): number;
  xw_sums_drop(sums: number, sum: number): void;
  xw_sums_write(
    ctx: number,
    sums: number,
    packer: number,
    algorithm: number,
    level: number,
    seek: number,
    datime: number,
    room: number,
    keys: number,
    numbers: number,
    count: number,
  ): number;
  xw_packer_create(): number;
  xw_packer_destroy(packer: number): void;
  xw_pack(ctx: number, packer: number, algorithm: number, level: number, src: number, len: number): number;
  xw_try(
    ctx: number,
    packer: number,
    codecs: number,
    count: number,
    src: number,
    len: number,
    page: number,
  ): number;
  xw_repack(
    ctx: number,
    file: number,
    packer: number,
    algorithm: number,
    level: number,
    src: number,
    len: number,
  ): number;
  xw_entry_plans(ctx: number, file: number, src: number, len: number, wanted: number, count: number): number;
  xw_entries_create(ctx: number, plan: number, len: number): number;
  xw_entries_destroy(entries: number): void;
  xw_basket_create(ctx: number, offsets: number, entries: number): number;
  xw_basket_destroy(basket: number): void;
  xw_basket_add(
    ctx: number,
    basket: number,
    file: number,
    src: number,
    len: number,
    ranges: number,
    count: number,
  ): number;
  xw_basket_fill(
    ctx: number,
    basket: number,
    src: number,
    keyLength: number,
    length: number,
    sizes: number,
    count: number,
  ): number;
  xw_basket_finish(ctx: number, basket: number, packer: number, algorithm: number, level: number): number;
  xw_embedded(ctx: number, src: number, len: number): number;
  xw_column_create(
    ctx: number,
    key: number,
    keyLength: number,
    vector: number,
    width: number,
    count: number,
    levels: number,
  ): number;
  xw_column_destroy(column: number): void;
  xw_column_add(ctx: number, column: number, src: number, len: number): number;
  xw_column_bytes(column: number): number;
  xw_column_finish(ctx: number, column: number): number;
  xw_key_read(src: number, len: number, numbers: number): number;
  xw_has_checksum(src: number, len: number): number;
  xw_key_texts(src: number, len: number, places: number): number;
  xw_key_change(key: number, len: number, numbers: number): number;
  xw_key_widen(out: number, room: number, key: number, len: number): number;
  xw_keys_move(heads: number, count: number, moves: number, pid: number): number;
  xw_key_make(
    dst: number,
    room: number,
    numbers: number,
    texts: number,
    classLength: number,
    nameLength: number,
    titleLength: number,
  ): number;
  xw_file_read(src: number, len: number, numbers: number): number;
  xw_file_make(dst: number, room: number, numbers: number, uuid: number): number;
  xw_dir_read(src: number, len: number, numbers: number): number;
  xw_dir_make(dst: number, room: number, numbers: number, uuid: number): number;
  xw_free_make(dst: number, room: number, end: number): number;
  xw_text_make(dst: number, room: number, text: number, len: number): number;
  xw_ntuple_create(ctx: number, ntuple: number, wanted: number): number;
  xw_ntuple_destroy(copy: number): void;
  xw_ntuple_leave_out(ctx: number, copy: number, ranges: number, count: number): number;
  xw_ntuple_pages(ctx: number, copy: number): number;
  xw_ntuple_structure(ctx: number, ntuple: number): number;
  xw_ntuple_append(ctx: number, first: number, copy: number): number;
  xw_ntuple_header(ctx: number, copy: number): number;
  xw_ntuple_page_list(ctx: number, copy: number, group: number, places: number): number;
  xw_ntuple_footer(ctx: number, copy: number, groups: number, count: number): number;
  xw_ntuple_anchor(ctx: number, src: number, len: number, numbers: number): number;
  xw_new_ntuple_create(ctx: number, texts: number, nameLength: number, titleLength: number): number;
  xw_new_ntuple_destroy(ntuple: number): void;
  xw_new_ntuple_field(
    ctx: number,
    ntuple: number,
    parent: number,
    role: number,
    arraySize: number,
    texts: number,
    nameLength: number,
    typeLength: number,
    aboutLength: number,
  ): number;
  xw_new_ntuple_column(ctx: number, ntuple: number, field: number, type: number): number;
  xw_new_ntuple_header(ctx: number, ntuple: number): number;
  xw_new_ntuple_page_list(
    ctx: number,
    ntuple: number,
    compression: number,
    numbers: number,
    count: number,
  ): number;
  xw_new_ntuple_footer(ctx: number, ntuple: number, groups: number, count: number): number;
  xw_page(
    ctx: number,
    packer: number,
    algorithm: number,
    level: number,
    type: number,
    elements: number,
    src: number,
    len: number,
  ): number;
}

/** The functions of wasm/include/xylem.h. */
export interface CoreExports extends NtupleExports {
  __indirect_function_table: WebAssembly.Table;
  xy_subdirectory(ctx: number, src: number, len: number): number;
  xy_walk(ctx: number, src: number, len: number, at: number, all: number): number;
  xy_find_record(src: number, len: number, at: number): number;
  xy_free_list(ctx: number, src: number, len: number): number;
  xy_record_fields(ctx: number, src: number, len: number, kind: number): number;
  xy_types(ctx: number, file: number): number;
  xy_class_schema(ctx: number, file: number, name: number, len: number): number;
  xy_object_check(ctx: number, file: number, src: number, len: number): number;
  xy_tree_create(ctx: number, file: number, src: number, len: number): number;
  xy_tree_destroy(tree: number): void;
  xy_tree_describe(ctx: number, tree: number): number;
  xy_tree_branch_baskets(ctx: number, tree: number, branch: number): number;
  xy_tree_layout(ctx: number, tree: number): number;
  xy_tree_orders(ctx: number, tree: number, branch: number, src: number, length: number): number;
  xy_tree_detach(ctx: number, tree: number, branch: number, basket: number): number;
  xy_plan(ctx: number, tree: number, branch: number): number;
  xy_raw_plan(ctx: number, tree: number, branch: number): number;
  xy_ntuple_describe(ctx: number, ntuple: number): number;
  xy_ntuple_layout(ctx: number, ntuple: number): number;
  xy_ntuple_plan(ctx: number, ntuple: number, field: number): number;
  xy_ntuple_pieces(ctx: number, ntuple: number, field: number, spans: number, count: number): number;
  xy_ntuple_offset_pages(ctx: number, ntuple: number, field: number, spans: number, count: number): number;
  xy_ntuple_add_offset_page(ctx: number, ntuple: number, src: number, len: number): number;
  xy_plan_tasks(
    ctx: number,
    packed: number,
    packedCount: number,
    chosen: number,
    chosenCount: number,
    limits: number,
  ): number;
  xy_plan_block(
    ctx: number,
    packed: number,
    packedCount: number,
    starts: number,
    startCount: number,
    from: number,
    to: number,
    length: number,
    growth: number,
  ): number;
  xy_decoder_destroy(decoder: number): void;
  xy_decoder_buffers(decoder: number): number;
  xy_decoder_rows(decoder: number): number;
  xy_decoder_buffer(decoder: number, index: number): number;
  xy_decoder_buffer_size(decoder: number, index: number): number;
  xy_decoder_put(ctx: number, decoder: number, src: number, len: number): number;
  xy_sketch_create(): number;
  xy_sketch_destroy(sketch: number): void;
  xy_range_create(dims: number, first: number, keep: number): number;
  xy_range_destroy(range: number): void;
  xy_range_floats(range: number, index: number): number;
  xy_range_buffer(range: number, index: number): number;
  xy_range_buffer_size(range: number, index: number): number;
  xy_goal_take(ctx: number, goals: number, count: number, decoder: number): number;
  xy_task_run(ctx: number, task: number): number;
  xy_ctx_link(ctx: number, math: number): void;
  xy_query_create(ctx: number, program: number, len: number): number;
  xy_query_destroy(query: number): void;
  xy_query_bind(ctx: number, query: number, column: number, decoder: number): number;
  xy_query_bind_rows(
    ctx: number,
    query: number,
    column: number,
    decoder: number,
    rows: number,
    count: number,
  ): number;
  xy_query_start(ctx: number, query: number, spans: number, count: number): number;
  xy_query_give(ctx: number, query: number, weights: number): number;
  xy_query_buffer(query: number, index: number): number;
  xy_query_buffer_size(query: number, index: number): number;
}

/**
 * The parts that the core of the element lacks until a file needs them, in the order of wasm/src/first/part.h. All other cores
 * have them from the beginning.
 */
export const CORE_PARTS = ['zstd', 'xz', 'ntuple'] as const;
export type CorePart = (typeof CORE_PARTS)[number];

/**
 * Links a part to an instance of the core that lacks it: see wasm/src/first/part.h. It lies in the memory and the table of the
 * core and calls its functions. Returns what it exports for the host.
 */
export async function linkPart(core: CoreExports, part: WebAssembly.Module): Promise<Partial<CoreExports>> {
  const { memory, __indirect_function_table: table } = core;
  const { memoryBytes, functions } = roomOf(part);
  const at = core.xy_alloc(memoryBytes + ALIGNED);
  if (at === 0) throw new RangeError('no memory');
  const base = Math.ceil(at / ALIGNED) * ALIGNED;
  new Uint8Array(memory.buffer, base, memoryBytes).fill(0);
  const place = (value: number) => new WebAssembly.Global({ value: 'i32', mutable: false }, value);
  const { exports } = await WebAssembly.instantiate(part, {
    env: {
      ...(core as unknown as WebAssembly.ModuleImports),
      xy_clock,
      __memory_base: place(base),
      __table_base: place(table.grow(functions)),
    },
  });
  const {
    __wasm_apply_data_relocs: relocate,
    xy_part: begin,
    ...own
  } = exports as Record<string, () => void>;
  relocate?.();
  begin?.();
  return own as Partial<CoreExports>;
}

/** Alignment of the memory of parts in bytes. */
const ALIGNED = 16;

/** The bytes of memory and the functions in the table that a part needs: the first subsection of its section "dylink.0". */
function roomOf(part: WebAssembly.Module): { memoryBytes: number; functions: number } {
  const bytes = new Uint8Array(WebAssembly.Module.customSections(part, 'dylink.0')[0] as ArrayBuffer);
  // The type and the size of the subsection are a byte each.
  let at = 2;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const memoryBytes = number();
  number();
  return { memoryBytes, functions: number() };
}

const xy_clock = (): number => performance.now();

/**
 * Instantiates a module; for the core this takes about 0.4 ms and 1 MiB. Throws BUDGET if the memory is not granted,
 * and INTERNAL if the host cannot run it. `lacks` is called when it needs a part that is not linked, and throws.
 */
export async function instantiate<X extends BaseExports = CoreExports>(
  module: WebAssembly.Module,
  lacks?: (part: number) => void,
): Promise<X> {
  try {
    const instance = await WebAssembly.instantiate(module, {
      env: { emscripten_notify_memory_growth: () => {}, xy_clock, xy_lacks: lacks ?? (() => {}) },
    });
    const exports = { ...instance.exports } as unknown as X;
    exports._initialize();
    return exports;
  } catch (cause) {
    // Engines reserve about 10 GB of address space for each memory.
    const refused = cause instanceof RangeError;
    throw new XylemError({
      code: refused ? 'BUDGET' : 'INTERNAL',
      message: `The WebAssembly core could not be started${refused ? ': its memory was refused' : ''}.`,
      fix: refused
        ? 'Raise the limit of virtual memory (ulimit -v), or set NODE_OPTIONS=--disable-wasm-trap-handler, with which Node reserves less. In a page, close other tabs.'
        : "A page needs script-src 'wasm-unsafe-eval' and a browser of 2021 or later (SIMD).",
      cause,
    });
  }
}
