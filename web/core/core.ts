import { type ErrorCode, XylemError } from '../base/errors';
import { type CoreExports, instantiate } from './module';

/** Codes of wasm/src/status.h. */
const CODES: Record<number, ErrorCode> = {
  10: 'ARGUMENT',
  11: 'BUDGET',
  12: 'BUDGET',
  20: 'TRUNCATED',
  21: 'NOT_ROOT',
  22: 'CORRUPT',
  23: 'UNSUPPORTED',
  30: 'COMPRESSION',
  31: 'COMPRESSION',
  32: 'CHECKSUM',
  40: 'UNSUPPORTED',
  41: 'NO_STREAMER',
  42: 'NOT_FOUND',
};

const FIXES: Partial<Record<ErrorCode, string>> = {
  NOT_ROOT: 'Check that the address leads to the file itself and not to a web page about it.',
  TRUNCATED: 'The file may not be complete: compare its size with the original and copy it again.',
  CORRUPT: 'The file may be damaged: compare its checksum with the original and copy it again.',
  COMPRESSION: 'The file may be damaged: compare its checksum with the original and copy it again.',
  CHECKSUM: 'The data were changed after they were written: copy the file again.',
  NO_STREAMER: 'The file does not describe this class, so no reader can decode it without its dictionary.',
};

/** One instance of the C core with its context: everything that interprets bytes goes through it. */
export class Core {
  readonly #ctx: number;
  #input = 0;
  #inputSize = 0;

  private constructor(readonly exports: CoreExports) {
    this.#ctx = exports.xy_ctx_create();
    if (this.#ctx === 0) throw outOfMemory(0);
  }

  static async create(module: WebAssembly.Module): Promise<Core> {
    return new Core(await instantiate(module));
  }

  /** Bytes of memory that this instance holds; it never shrinks. */
  get memoryBytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /** Copies bytes into the core's input buffer; valid until the next call. */
  input(bytes: Uint8Array): number {
    const at = this.room(bytes.length);
    this.view(at, bytes.length).set(bytes);
    return at;
  }

  /** Room for so many bytes in the core's input buffer; what is there is lost. */
  room(size: number): number {
    if (size > this.#inputSize) {
      this.exports.xy_free(this.#input);
      this.#inputSize = Math.max(size, 64 * 1024);
      this.#input = this.exports.xy_alloc(this.#inputSize);
      if (this.#input === 0) {
        this.#inputSize = 0;
        throw outOfMemory(size);
      }
    }
    return this.#input;
  }

  /** A view of the core's memory: good until the core is called again. */
  view(pointer: number, size: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, pointer, size);
  }

  /** The same as 32-bit words. */
  words(pointer: number, count: number): Uint32Array {
    return new Uint32Array(this.exports.memory.buffer, pointer, count);
  }

  /** Runs a function that gives a status and no result. Throws what it fails with. */
  run(run: (exports: CoreExports, ctx: number) => number): void {
    if (run(this.exports, this.#ctx) !== 0) throw this.error();
  }

  /** Memory of the core for so many doubles, filled with zeroes. Throws BUDGET. */
  withZeroes<T>(count: number, use: (at: number) => T): T {
    if (count === 0) return use(0);
    const at = this.exports.xy_alloc(8 * count);
    if (at === 0) throw outOfMemory(8 * count);
    try {
      this.view(at, 8 * count).fill(0);
      return use(at);
    } finally {
      this.exports.xy_free(at);
    }
  }

  /** A copy of doubles in the core's memory. */
  doubles(at: number, count: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, count === 0 ? 0 : at, count).slice();
  }

  /** Runs a function that gives a status; returns a copy of its result. Throws what it fails with. */
  call(run: (exports: CoreExports, ctx: number) => number): Uint8Array {
    if (run(this.exports, this.#ctx) !== 0) throw this.error();
    const size = this.exports.xy_ctx_result_size(this.#ctx);
    return this.copy(this.exports.xy_ctx_result(this.#ctx), size);
  }

  /** Runs a function that makes something and gives its pointer. Throws what it fails with. */
  make(run: (exports: CoreExports, ctx: number) => number): number {
    const pointer = run(this.exports, this.#ctx);
    if (pointer === 0) throw this.error();
    return pointer;
  }

  /** A copy of the core's memory. */
  copy(pointer: number, size: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, pointer, size).slice();
  }

  /** Calls with a copy of numbers in the core's memory. */
  withDoubles<T>(numbers: Float64Array, use: (pointer: number) => T): T {
    const at = this.exports.xy_alloc(Math.max(8, numbers.byteLength));
    if (at === 0) throw outOfMemory(numbers.byteLength);
    try {
      new Float64Array(this.exports.memory.buffer, at, numbers.length).set(numbers);
      return use(at);
    } finally {
      this.exports.xy_free(at);
    }
  }

  /** The error of the last call. */
  error(): XylemError {
    const at = this.exports.xy_ctx_error(this.#ctx);
    const view = new DataView(this.exports.memory.buffer, at);
    const status = view.getInt32(0, true);
    const offset = Number(view.getBigUint64(8, true));
    const text = new Uint8Array(this.exports.memory.buffer, at + 16, 480);
    const end = text.indexOf(0);
    const message = new TextDecoder().decode(text.slice(0, end < 0 ? text.length : end));
    const code = CODES[status] ?? 'INTERNAL';
    return new XylemError({
      code,
      message: sentence(message || `The core failed with status ${status}`),
      where: { offset },
      fix: FIXES[code],
    });
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

function outOfMemory(bytes: number): XylemError {
  return new XylemError({
    code: 'BUDGET',
    message: `The core has no memory for ${bytes} more bytes.`,
    fix: 'Read fewer entries or branches at once.',
  });
}
