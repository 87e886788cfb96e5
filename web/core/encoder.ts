import { internal, overBudget } from '../base/data-errors';
import type { XylemError } from '../base/errors';
import { DTYPES, type DType, viewArray } from './dtypes';

/** Compressions of Parquet files, numbered as in wasm/src/export/export.h. */
export const COMPRESSIONS = ['none', 'snappy', 'zstd'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

/** Types of values, numbered as in wasm/src/export/export.h. */
export const VALUE_TYPES: readonly (DType | 'text')[] = [...DTYPES, 'text'];

/** Columns to be encoded for a Parquet file or as text. */
export interface EncodeTask {
  form: ParquetForm | TextForm;
  /** Descriptions of the columns and their arrays: see wasm/src/export/export.h. */
  input: Uint8Array<ArrayBuffer>;
  /** xylem-export.wasm. Undefined if the reader loads it itself. */
  encoder?: WebAssembly.Module | undefined;
}

export interface ParquetForm {
  kind: 'parquet';
  compression: Compression;
  /** Offset of each column description in the input. */
  columns: Uint32Array;
}

/** Rows as separated values or as JSON lines. */
export interface TextForm {
  kind: 'text';
  /** One ASCII character between values. An empty text means JSON. */
  separator: ',' | '\t' | '';
  /** Offset of the list of nodes in the input, and number of nodes. */
  nodes: number;
  count: number;
}

export interface EncodeResult {
  /** The input of the task, whose memory can be reused for another one. */
  input: Uint8Array<ArrayBuffer>;
  /** The chunks of all columns, one after another; or the text in UTF-8. */
  bytes: Uint8Array<ArrayBuffer>;
  /** For Parquet: one for each column. */
  chunks: EncodedChunk[];
}

type Encoded = Omit<EncodeResult, 'input'>;

/** The column chunk of a Parquet file: all pages of a column. */
export interface EncodedChunk {
  size: number;
  /** Number of bytes before compression, including page headers. */
  uncompressed: number;
  /** Number of values, empty lists and missing values. */
  slots: number;
  /** Bytes of the page with the dictionary, which comes first; 0 without one. */
  dictionary: number;
  /** Three numbers for each page of values: offset in the chunk, number of bytes, first row. */
  pages: number[];
  /** The smallest and the largest value, if the column is flat and they are known. */
  bounds?: [min: number | bigint, max: number | bigint] | undefined;
}

/** The functions of wasm/src/export/export.h. */
interface EncoderExports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  xe_input(size: number): number;
  xe_parquet(column: number, compression: number, level: number): number;
  xe_result(): number;
  xe_chunks(): number;
  xe_text(nodes: number, count: number, separator: number): number;
  xe_text_result(): number;
}

/** Compression level of zstd. Higher levels save little and take several times as long. */
const ZSTD_LEVEL = 1;
/** Names of the words of an xe_chunk before its bounds, which take 8 bytes each. */
export const CHUNK = [
  ...(['bytes', 'size', 'uncompressed', 'slots'] as const),
  ...(['dictionary', 'pages', 'pageCount', 'hasBounds'] as const),
] as const;
/** Number of words of an xe_page. */
export const PAGE_WORDS = 3;

/** An instance of xylem-export.wasm. */
export class Encoder {
  readonly #exports: EncoderExports;

  private constructor(exports: EncoderExports) {
    this.#exports = exports;
  }

  static async create(module: WebAssembly.Module): Promise<Encoder> {
    const imports = { env: { emscripten_notify_memory_growth: () => {} } };
    const exports = (await WebAssembly.instantiate(module, imports)).exports as unknown as EncoderExports;
    exports._initialize();
    return new Encoder(exports);
  }

  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * Encodes columns. Throws BUDGET if there is not enough memory, and INTERNAL if the columns do not match their
   * descriptions.
   */
  run({ input, form }: EncodeTask): EncodeResult {
    const { memory, xe_input } = this.#exports;
    const at = xe_input(input.length);
    if (at === 0) throw noMemory();
    new Uint8Array(memory.buffer, at, input.length).set(input);
    return { input, ...(form.kind === 'text' ? this.#text(form) : this.#parquet(form, at)) };
  }

  #text({ nodes, count, separator }: TextForm): Encoded {
    const { xe_text, xe_text_result } = this.#exports;
    check(xe_text(nodes, count, separator === '' ? 0 : separator.charCodeAt(0)));
    return { bytes: this.#written(xe_text_result()), chunks: [] };
  }

  #parquet({ columns, compression }: ParquetForm, input: number): Encoded {
    const { memory, xe_parquet, xe_result, xe_chunks } = this.#exports;
    const chunks: EncodedChunk[] = [];
    for (const column of columns) {
      check(xe_parquet(column, COMPRESSIONS.indexOf(compression), ZSTD_LEVEL));
      const result = xe_result();
      const words = new Uint32Array(memory.buffer, result, CHUNK.length);
      const word = (name: (typeof CHUNK)[number]): number => words[CHUNK.indexOf(name)] ?? 0;
      const bound = result + 4 * CHUNK.length;
      const type = VALUE_TYPES[new DataView(memory.buffer).getUint32(input + column, true)] ?? 'text';
      const valueAt = (place: number): number | bigint =>
        viewArray(type === 'text' ? 'u8' : type, memory.buffer.slice(place, place + 8), 0, 8)[0] ?? 0;
      chunks.push({
        size: word('size'),
        uncompressed: word('uncompressed'),
        slots: word('slots'),
        dictionary: word('dictionary'),
        pages: Array.from(new Uint32Array(memory.buffer, word('pages'), PAGE_WORDS * word('pageCount'))),
        bounds: word('hasBounds') === 0 ? undefined : [valueAt(bound), valueAt(bound + 8)],
      });
    }
    return { bytes: this.#written(xe_chunks()), chunks };
  }

  /** Returns a copy of the bytes that an xe_written describes. */
  #written(at: number): Uint8Array<ArrayBuffer> {
    const { memory } = this.#exports;
    const [bytes = 0, size = 0] = new Uint32Array(memory.buffer, at, 2);
    return new Uint8Array(memory.buffer, bytes, size).slice();
  }
}

function check(status: number): void {
  if (status === 1) throw noMemory();
  if (status !== 0) throw internal('A column is not as it is described.');
}

function noMemory(): XylemError {
  return overBudget(
    'There is not enough memory to encode a column.',
    'Write fewer branches or entries at once.',
  );
}
