import { CODES } from '../base/codes';
import { overBudget } from '../base/data-errors';
import { type ErrorCode, XylemError } from '../base/errors';
import {
  type BaseExports,
  CORE_PARTS,
  type CoreExports,
  type CorePart,
  instantiate,
  linkPart,
} from './module';

const STATUS_CODES = new Map(
  Object.entries(CODES).flatMap(([code, { core = [] }]) => core.map((status) => [status, code as ErrorCode])),
);

/** Offsets of the members of an xy_error, in bytes. */
export const ERROR = { status: 0, offset: 8, message: 16, messageBytes: 480 } as const;

/** Size in bytes of the largest block of memory that the core can allocate. */
const MAX_BYTES = 2 ** 31;

/**
 * The C core with its context. All bytes of files are interpreted by it. After a fault (a trap of WebAssembly), the
 * instance is dropped with its memory and never called again; `ready` creates a new one with the next generation
 * number, in which nothing is open.
 */
export class Core<X extends BaseExports = CoreExports> {
  #exports: X | undefined;
  #renewing: Promise<void> | undefined;
  #generation = 0;
  #ctx = 0;
  #input = 0;
  #inputSize = 0;
  /** Generation that was linked to the mathematical functions; 0 if none was. */
  #linked = 0;
  /** The exports themselves, for parts. */
  #instance: X | undefined;
  readonly #parts = new Map<CorePart, WebAssembly.Module>();
  /** The part that was lacking when a call ended with CORE_LOST; undefined if none was. */
  lacks: CorePart | undefined;

  private constructor(readonly module: WebAssembly.Module) {}

  static async create<X extends BaseExports = CoreExports>(module: WebAssembly.Module): Promise<Core<X>> {
    const core = new Core<X>(module);
    await core.ready();
    return core;
  }

  /** The exported functions. Throws CORE_LOST between a fault and the next `ready`. */
  get exports(): X {
    if (!this.#exports) throw lostCore();
    return this.#exports;
  }

  /** Whether the instance was dropped and `ready` has not created a new one. */
  get lost(): boolean {
    return this.#exports === undefined;
  }

  /** Changes with each new instance, because pointers into another instance are not valid. */
  get generation(): number {
    return this.#generation;
  }

  /** Creates an instance if there is none. */
  async ready(): Promise<void> {
    if (this.#exports) return;
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    await this.#renewing;
  }

  async #renew(): Promise<void> {
    const instance = await instantiate<X>(this.module, (part) => {
      this.lacks = CORE_PARTS[part];
      throw lostCore();
    });
    for (const part of this.#parts.values()) await addPart(instance, part);
    const exports = guard(instance, () => this.drop());
    this.#input = 0;
    this.#inputSize = 0;
    this.#ctx = exports.xy_ctx_create();
    if (this.#ctx === 0) throw outOfMemory(0);
    this.#generation += 1;
    this.#exports = exports;
    this.#instance = instance;
  }

  /** Links parts that it lacks, which all later instances have, too. */
  async add(parts: Iterable<readonly [CorePart, WebAssembly.Module]>): Promise<void> {
    for (const [name, part] of parts) {
      if (this.#parts.has(name)) continue;
      this.#parts.set(name, part);
      const instance = this.#exports && this.#instance;
      if (!instance) continue;
      await addPart(instance, part);
      if (this.#instance === instance && this.#exports) this.#exports = guard(instance, () => this.drop());
    }
  }

  /** Whether it is the core that begins without some parts. */
  get isFirst(): boolean {
    return WebAssembly.Module.imports(this.module).some(({ name }) => name === 'xy_lacks');
  }

  /** Throws CORE_LOST if a part is lacking. */
  need(name: CorePart, exported: keyof X): void {
    if (exported in this.exports) return;
    this.lacks = name;
    throw lostCore();
  }

  /** Drops the instance and its memory, with everything that is open in it. */
  drop(): void {
    this.#exports = undefined;
    this.#instance = undefined;
  }

  /** Makes the functions of xylem-math.wasm available to queries. Does nothing if the instance already has them. */
  async link(this: Core, math: WebAssembly.Module): Promise<void> {
    await this.ready();
    if (this.#linked === this.#generation) return;
    const { exports } = await WebAssembly.instantiate(math);
    (exports._initialize as () => void)();
    await this.ready();
    const index = this.exports.__indirect_function_table.grow(1, exports.xy_math);
    this.exports.xy_ctx_link(this.#ctx, index);
    this.#linked = this.#generation;
  }

  /** Memory of the instance in bytes. It never shrinks. */
  get memoryBytes(): number {
    return this.#exports?.memory.buffer.byteLength ?? 0;
  }

  /** Calls `run` to free objects. Does nothing if the instance was dropped. */
  free(run: (exports: X) => void): void {
    if (this.#exports) run(this.#exports);
  }

  /** Allocates memory in the core; the caller frees it. Throws BUDGET. */
  alloc(bytes: number): number {
    // A larger number would wrap around when it is converted to 32 bits.
    const at = bytes <= MAX_BYTES ? this.exports.xy_alloc(Math.max(bytes, 1)) : 0;
    if (at === 0) throw outOfMemory(bytes);
    return at;
  }

  /** Copies bytes into the core's input buffer and returns their address, which is valid until the next call. */
  input(bytes: Uint8Array): number {
    const at = this.room(bytes.length);
    this.view(at, bytes.length).set(bytes);
    return at;
  }

  /** Makes the core's input buffer at least this large and returns its address. The previous content is lost. */
  room(size: number): number {
    if (size > this.#inputSize) {
      this.exports.xy_free(this.#input);
      this.#input = 0;
      this.#inputSize = 0;
      const bytes = Math.max(size, 64 * 1024);
      this.#input = this.alloc(bytes);
      this.#inputSize = bytes;
    }
    return this.#input;
  }

  /** Returns a view of the core's memory. It is valid until the core is called again. */
  view(pointer: number, size: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, pointer, size);
  }

  /** As `view`, as 32-bit words. */
  words(pointer: number, count: number): Uint32Array {
    return new Uint32Array(this.exports.memory.buffer, pointer, count);
  }

  /** Runs a function that returns a status and has no result. Throws the error of the core. */
  run(run: (exports: X, ctx: number) => number): void {
    if (run(this.exports, this.#ctx) !== 0) throw this.error();
  }

  /**
   * Calls `use` with the address of this many doubles in the core's memory, all zero. They are freed afterwards. Throws
   * BUDGET.
   */
  withZeroes<T>(count: number, use: (at: number) => T): T {
    if (count === 0) return use(0);
    const at = this.alloc(8 * count);
    try {
      this.view(at, 8 * count).fill(0);
      return use(at);
    } finally {
      this.free((x) => x.xy_free(at));
    }
  }

  /** Returns a copy of doubles in the core's memory. */
  doubles(at: number, count: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, count === 0 ? 0 : at, count).slice();
  }

  /** Runs a function that returns a status, and returns a copy of its result. Throws the error of the core. */
  call(run: (exports: X, ctx: number) => number): Uint8Array<ArrayBuffer> {
    return this.read(run, (result) => result.slice());
  }

  /** As `call`, but passes a view of the result to `use`. The view is valid until the core is called again. */
  read<T>(run: (exports: X, ctx: number) => number, use: (result: Uint8Array<ArrayBuffer>) => T): T {
    if (run(this.exports, this.#ctx) !== 0) throw this.error();
    const size = this.exports.xy_ctx_result_size(this.#ctx);
    return use(
      new Uint8Array(this.exports.memory.buffer as ArrayBuffer, this.exports.xy_ctx_result(this.#ctx), size),
    );
  }

  /** Runs a function that creates an object, and returns its pointer. Throws the error of the core. */
  make(run: (exports: X, ctx: number) => number): number {
    const pointer = run(this.exports, this.#ctx);
    if (pointer === 0) throw this.error();
    return pointer;
  }

  /** Returns a copy of the core's memory. */
  copy(pointer: number, size: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.exports.memory.buffer, pointer, size).slice();
  }

  /** Calls `use` with the address of a copy of the numbers in the core's memory. */
  withDoubles<T>(numbers: Float64Array, use: (pointer: number) => T): T {
    return this.withBytes(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), use);
  }

  /** Calls `use` with the address of a copy of the bytes in the core's memory. */
  withBytes<T>(bytes: Uint8Array, use: (pointer: number) => T): T {
    const at = this.alloc(bytes.length);
    try {
      this.view(at, bytes.length).set(bytes);
      return use(at);
    } finally {
      this.free((x) => x.xy_free(at));
    }
  }

  /** Returns the error of the last call. */
  error(): XylemError {
    const at = this.exports.xy_ctx_error(this.#ctx);
    const view = new DataView(this.exports.memory.buffer, at);
    const status = view.getInt32(ERROR.status, true);
    const offset = Number(view.getBigUint64(ERROR.offset, true));
    const text = new Uint8Array(this.exports.memory.buffer, at + ERROR.message, ERROR.messageBytes);
    const end = text.indexOf(0);
    const message = new TextDecoder().decode(text.slice(0, end < 0 ? text.length : end));
    const code = codeOf(status);
    return new XylemError({
      code,
      message: sentence(message || `The core failed with status ${status}`),
      where: { offset },
      fix: CODES[code].fix,
    });
  }
}

/** Adds what a part exports to the exports of an instance. */
async function addPart(instance: BaseExports, part: WebAssembly.Module): Promise<void> {
  Object.assign(instance, await linkPart(instance as CoreExports, part));
}

/** Wraps the exports so that an exception (a trap or a stack overflow) stops the instance permanently. */
function guard<X extends BaseExports>(exports: X, stopped: () => void): X {
  const guarded = Object.entries(exports).map(([name, value]: [string, unknown]) => {
    if (typeof value !== 'function') return [name, value];
    return [
      name,
      (...args: unknown[]) => {
        try {
          return value(...args);
        } catch (cause) {
          stopped();
          throw cause instanceof XylemError ? cause : faultOf(cause);
        }
      },
    ];
  });
  return Object.fromEntries(guarded) as X;
}

function faultOf(cause: unknown): XylemError {
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  return new XylemError({
    code: 'INTERNAL',
    message: `The core stopped at a fault of its own${why}.`,
    fix: 'Please report this with the file. Other open files are not affected.',
    cause,
  });
}

/** Returns the CORE_LOST error for using an object of an instance that was dropped. */
export function lostCore(): XylemError {
  return new XylemError({
    code: 'CORE_LOST',
    message: 'The core stopped at a fault while another call used it.',
    fix: 'Try again.',
  });
}

/** Returns the error code for a status of wasm/src/status.h. */
export function codeOf(status: number): ErrorCode {
  return STATUS_CODES.get(status) ?? 'INTERNAL';
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

function outOfMemory(bytes: number): XylemError {
  return overBudget(
    `The core has no memory for ${bytes} more bytes.`,
    'Read fewer entries or branches at once.',
  );
}
