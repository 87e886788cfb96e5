import { internal, overBudget } from '../../../base/data-errors';
import type { Model } from './formula/model';

/** The functions of wasm/src/fit/fit.h. Pointers and sizes are byte offsets in `memory`. */
interface FitExports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  xf_alloc(size: number): number;
  xf_free(block: number): void;
  xf_create(
    code: number,
    instructions: number,
    constants: number,
    count: number,
    parameters: number,
    dims: number,
  ): number;
  xf_together(parameters: number): number;
  xf_join(sum: number, part: number, from: number): number;
  xf_destroy(fit: number): void;
  xf_data(
    fit: number,
    n: number,
    data: number,
    range: number,
    method: number,
    integral: number,
    deadline: number,
  ): void;
  xf_parameter(fit: number, index: number, value: number, step: number, low: number, high: number): void;
  xf_minimize(fit: number, strategy: number, tolerance: number, calls: number, hesse: number): number;
  xf_weighted(fit: number): number;
  xf_linear(fit: number): number;
  xf_minos(fit: number, index: number): number;
  xf_contour(fit: number, first: number, second: number, points: number, up: number): number;
  xf_result(fit: number): number;
  xf_values(fit: number, parameters: number, out: number): void;
  xf_objective(fit: number, parameters: number): number;
}

/** Objectives that are minimized, numbered as in wasm/src/fit/objective.h. */
export const METHOD = {
  chi2: 0,
  pearson: 1,
  effective: 2,
  poisson: 3,
  unbinned: 5,
  extended: 6,
} as const;

/** Points, bins or values that a function is fitted to. */
export interface FitData {
  /** Coordinates, x first: the middles of bins. */
  x: readonly Float64Array[];
  /** Half widths of bins, for an integral over them, or half lengths of the errors of points. */
  half?: readonly (Float64Array | undefined)[];
  /** Contents; for values their weights, 1 if undefined. */
  y?: Float64Array | undefined;
  error?: Float64Array | undefined;
  /** Errors of points that lie below the function, if they are others. */
  above?: Float64Array | undefined;
  /** For values: the range of each coordinate. */
  range?: readonly (readonly [low: number, high: number])[];
}

/** Numbers that a minimization returns. */
export interface Minimum {
  status: number;
  objective: number;
  /** Estimated vertical distance to the minimum. */
  edm: number;
  calls: number;
  /** As ROOT's CovMatrixStatus: 3 accurate, 2 made positive definite, 1 approximate, 0 or -1 not valid. */
  covarianceStatus: number;
  valid: boolean;
  values: Float64Array;
  errors: Float64Array;
  /** Rows of all parameters; zeros for fixed ones. */
  covariance: Float64Array;
}

const HEAD = 5;

/** An instance of xylem-fit.wasm with what was allocated and made in it. */
class Space {
  readonly module: WebAssembly.Module;
  readonly exports: FitExports;
  /** How often it was emptied. */
  turn = 0;
  #blocks: number[] = [];
  #fits: number[] = [];

  constructor(module: WebAssembly.Module, exports: FitExports) {
    this.module = module;
    this.exports = exports;
  }

  /** Returns a block of memory. Throws BUDGET if it is not granted. */
  room(bytes: number): number {
    const at = bytes < 2 ** 31 ? this.exports.xf_alloc(bytes) : 0;
    if (at === 0) throw overBudget(`The fit needs ${bytes} bytes of memory, which are not there.`);
    this.#blocks.push(at);
    return at;
  }

  put(values: Float64Array | Int32Array | Uint32Array): number {
    const at = this.room(values.byteLength);
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    new Uint8Array(this.exports.memory.buffer).set(bytes, at);
    return at;
  }

  copy(at: number, count: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, at, count).slice();
  }

  /** Keeps a fit that was made until `empty`. */
  made(fit: number): number {
    this.#fits.push(fit);
    return fit;
  }

  /** Destroys all fits, sums before their parts, and frees all blocks. */
  empty(): void {
    for (const fit of this.#fits.reverse()) this.exports.xf_destroy(fit);
    for (const block of this.#blocks) this.exports.xf_free(block);
    this.#fits = [];
    this.#blocks = [];
    this.turn += 1;
  }
}

/** For each module an empty instance, which the next fit takes: making one costs more than a small fit. */
const kept = new WeakMap<WebAssembly.Module, Space>();
/** An instance with more memory than this is not kept. */
const KEPT_BYTES = 8 << 20;

async function takeSpace(module: WebAssembly.Module): Promise<Space> {
  const found = kept.get(module);
  kept.delete(module);
  return found ?? new Space(module, await instanceOf(module));
}

/** A function and data in an instance of xylem-fit.wasm. Numbers that it returns are copies. */
export class FitCore {
  readonly #space: Space;
  readonly #turn: number;
  /** Undefined for a sum of fits. */
  readonly #model: Model | undefined;
  readonly #count: number;
  #fit = 0;
  #points = 0;
  #scratch = 0;

  private constructor(space: Space, count: number, model?: Model) {
    this.#space = space;
    this.#turn = space.turn;
    this.#count = count;
    this.#model = model;
    this.#scratch = space.room(8 * Math.max(count, 16));
  }

  /** Takes the kept instance, or makes one, in less than 1 ms. Throws BUDGET if the memory is not granted. */
  static async create(module: WebAssembly.Module, model: Model): Promise<FitCore> {
    return FitCore.#of(await takeSpace(module), model);
  }

  /**
   * Returns several fits, which need their data, and a function that then returns their sum. `from`: for each fit the
   * numbers of its parameters among the `count` ones of the sum.
   */
  static async together(
    module: WebAssembly.Module,
    models: readonly Model[],
    from: readonly (readonly number[])[],
    count: number,
  ): Promise<{ parts: FitCore[]; sum: () => FitCore }> {
    const space = await takeSpace(module);
    const parts = models.map((model) => FitCore.#of(space, model));
    const sum = (): FitCore => {
      const whole = new FitCore(space, count);
      whole.#fit = space.made(space.exports.xf_together(count));
      if (whole.#fit === 0) throw internal('The fits have too many parameters.');
      for (const [k, part] of parts.entries()) {
        const at = space.put(Int32Array.from(from[k] ?? []));
        if (space.exports.xf_join(whole.#fit, part.#fit, at) !== 0)
          throw internal('A parameter is not in the sum.');
      }
      return whole;
    };
    return { parts, sum };
  }

  static #of(space: Space, model: Model): FitCore {
    const core = new FitCore(space, model.names.length, model);
    core.#fit = core.#create(model);
    return core;
  }

  /** Gives the instance to the next fit. All calls of this core and of the others of `together` throw afterwards. */
  release(): void {
    const { module, exports } = this.#space;
    if (this.#turn !== this.#space.turn) return;
    this.#space.empty();
    if (exports.memory.buffer.byteLength <= KEPT_BYTES) kept.set(module, this.#space);
  }

  get #x(): FitExports {
    if (this.#turn !== this.#space.turn) throw internal('The fit was released.');
    return this.#space.exports;
  }

  #create({ text, code, constants, names, dims }: Model): number {
    const [from, numbers] = [this.#space.put(code), this.#space.put(constants)];
    const fit = this.#x.xf_create(from, code.length / 6, numbers, constants.length, names.length, dims);
    if (fit === 0) throw internal(`The function "${text}" was compiled wrongly.`);
    return this.#space.made(fit);
  }

  /** Sets the data. `limitMs`: the fit is given up after this time. */
  data(data: FitData, method: number, integral: boolean, limitMs = 0): void {
    this.#set(this.#fit, data, method, integral, limitMs);
    this.#points = data.x[0]?.length ?? 0;
  }

  #set(fit: number, data: FitData, method: number, integral: boolean, limitMs: number): void {
    const { x, half = [], y, error, above, range = [] } = data;
    const arrays = [x[0], x[1], x[2], half[0], half[1], half[2], y, error, above];
    const list = this.#space.put(Uint32Array.from(arrays, (one) => (one ? this.#space.put(one) : 0)));
    const ends = Float64Array.from({ length: 6 }, (_, i) => range[i >> 1]?.[i & 1] ?? 0);
    const deadline = limitMs > 0 ? performance.now() + limitMs : 0;
    this.#x.xf_data(fit, x[0]?.length ?? 0, list, this.#space.put(ends), method, integral ? 1 : 0, deadline);
  }

  /** Sets the next parameter. A step of 0 fixes it. */
  parameter(index: number, value: number, step: number, low = Number.NaN, high = Number.NaN): void {
    this.#x.xf_parameter(this.#fit, index, value, step, low, high);
  }

  minimize({ strategy = 1, tolerance = 0.01, calls = 0, hesse = false } = {}): Minimum {
    const status = this.#x.xf_minimize(this.#fit, strategy, tolerance, calls, hesse ? 1 : 0);
    return this.#minimum(status);
  }

  /** Replaces the errors of a minimum by those of a weighted likelihood; undefined if they cannot be computed. */
  weighted(status: number): Minimum | undefined {
    return this.#x.xf_weighted(this.#fit) === 0 ? this.#minimum(status) : undefined;
  }

  /** Solves for parameters of which the function is linear; undefined if they cannot be told from each other. */
  linear(): Minimum | undefined {
    return this.#x.xf_linear(this.#fit) === 0 ? this.#minimum(0) : undefined;
  }

  #minimum(status: number): Minimum {
    const n = this.#count;
    const all = this.#space.copy(this.#x.xf_result(this.#fit), HEAD + 2 * n + n * n);
    const [objective = 0, edm = 0, calls = 0, covarianceStatus = 0, valid = 0] = all;
    return {
      ...{ status, objective, edm, calls, covarianceStatus, valid: valid === 1 },
      values: all.slice(HEAD, HEAD + n),
      errors: all.slice(HEAD + n, HEAD + 2 * n),
      covariance: all.slice(HEAD + 2 * n),
    };
  }

  /** The errors of a parameter by MINOS, with the bits of ROOT's status. */
  minos(index: number): { status: number; low: number; high: number } {
    const status = this.#x.xf_minos(this.#fit, index);
    const [low = 0, high = 0] = this.#space.copy(this.#x.xf_result(this.#fit), 2);
    return { status, low, high };
  }

  /** Points of the contour of two parameters, `up` times as far above the minimum as one standard deviation. */
  contour(first: number, second: number, points: number, up = 1): [x: number, y: number][] {
    const count = this.#x.xf_contour(this.#fit, first, second, points, up);
    const all = this.#space.copy(this.#x.xf_result(this.#fit), 2 * count);
    return Array.from({ length: count }, (_, i) => [all[2 * i] ?? 0, all[2 * i + 1] ?? 0]);
  }

  /** The values of the function for the data: with an integral, the means over bins. */
  values(parameters: ArrayLike<number>): Float64Array {
    const out = this.#space.room(8 * this.#points);
    this.#x.xf_values(this.#fit, this.#parameters(parameters), out);
    return this.#space.copy(out, this.#points);
  }

  /** The value of the objective at some parameters. */
  objective(parameters: ArrayLike<number>): number {
    return this.#x.xf_objective(this.#fit, this.#parameters(parameters));
  }

  /** A function of parameters that returns the values of the model at these places. */
  at(x: readonly Float64Array[]): (parameters: ArrayLike<number>) => Float64Array {
    if (!this.#model) throw internal('A sum of fits has no values.');
    const fit = this.#create(this.#model);
    const count = x[0]?.length ?? 0;
    this.#set(fit, { x }, METHOD.chi2, false, 0);
    const out = this.#space.room(8 * count);
    return (parameters) => {
      this.#x.xf_values(fit, this.#parameters(parameters), out);
      return this.#space.copy(out, count);
    };
  }

  #parameters(values: ArrayLike<number>): number {
    new Float64Array(this.#x.memory.buffer, this.#scratch, values.length).set(values);
    return this.#scratch;
  }
}

async function instanceOf(module: WebAssembly.Module): Promise<FitExports> {
  const instance = await WebAssembly.instantiate(module, {
    env: { emscripten_notify_memory_growth: () => {}, xy_clock: () => performance.now() },
  });
  const exports = instance.exports as unknown as FitExports;
  exports._initialize();
  return exports;
}
