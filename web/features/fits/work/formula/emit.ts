import { BINARY_OP, type BinaryOp, UNARY_OP, type UnaryOp } from '../../../../core/expr-ops';
import { MATH_FUNCTION, type MathFunction } from '../../../../core/math-ops';

/** Operations of the module beside those of expressions, numbered as in wasm/src/fit/model.h. */
export const OP = { constant: 0, coordinate: 1, parameter: 2, select: 17, call: 18, crystal: 128 } as const;

/** Numbers of one instruction: the operation, its number, and four operands. */
export const WORDS = 6;
/** Maximum number of instructions, as in wasm/src/fit/model.cpp. */
export const MAX_CODE = 20_000;

/** Collects the instructions of a function. A value is the index of its instruction; equal ones are computed once. */
export class Emit {
  readonly #code: number[] = [];
  readonly #known = new Map<string, number>();
  readonly #constants: number[] = [];

  get count(): number {
    return this.#code.length / WORDS;
  }

  #add(op: number, imm: number, ...operands: number[]): number {
    const words = [op, imm, ...operands, ...Array<number>(WORDS - 2 - operands.length).fill(0)];
    const key = words.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.count;
    this.#code.push(...words);
    this.#known.set(key, made);
    return made;
  }

  constant(value: number): number {
    let at = this.#constants.findIndex((one) => Object.is(one, value));
    if (at < 0) at = this.#constants.push(value) - 1;
    return this.#add(OP.constant, at);
  }

  coordinate(index: number): number {
    return this.#add(OP.coordinate, index);
  }

  parameter(index: number): number {
    return this.#add(OP.parameter, index);
  }

  unary(op: UnaryOp, a: number): number {
    return this.#add(UNARY_OP[op], 0, a);
  }

  binary(op: BinaryOp, a: number, b: number): number {
    return this.#add(BINARY_OP[op], 0, a, b);
  }

  select(a: number, b: number, c: number): number {
    return this.#add(OP.select, 0, a, b, c);
  }

  call(name: MathFunction, values: readonly number[]): number {
    const [a = 0, b = a, c = a, d = a] = values;
    return this.#add(OP.call, MATH_FUNCTION[name], a, b, c, d);
  }

  crystal(a: number, b: number, c: number): number {
    return this.#add(OP.crystal, 0, a, b, c);
  }

  /** The program, whose result is its last instruction: the given value. */
  program(result: number): { code: Int32Array; constants: Float64Array } {
    const code = Int32Array.from(this.#code);
    if (result !== this.count - 1) {
      // Nothing follows the result that it needs.
      return { code: code.slice(0, (result + 1) * WORDS), constants: Float64Array.from(this.#constants) };
    }
    return { code, constants: Float64Array.from(this.#constants) };
  }
}
