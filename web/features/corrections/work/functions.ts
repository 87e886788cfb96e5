import { erf } from './erf';
import type { Node } from './frame';
import {
  acos,
  acosh,
  asin,
  asinh,
  atan,
  atan2,
  atanh,
  cos,
  cosh,
  exp,
  log,
  log10,
  pow,
  sin,
  sinh,
  tan,
  tanh,
} from './math';

/** The functions of one argument that formulas may call. */
export const UNARY: ReadonlyMap<string, (a: Node) => Node> = new Map<string, (a: Node) => Node>([
  ['log', (a) => () => log(a())],
  ['log10', (a) => () => log10(a())],
  ['exp', (a) => () => exp(a())],
  ['erf', (a) => () => erf(a())],
  ['sqrt', (a) => () => Math.sqrt(a())],
  ['abs', (a) => () => Math.abs(a())],
  ['cos', (a) => () => cos(a())],
  ['sin', (a) => () => sin(a())],
  ['tan', (a) => () => tan(a())],
  ['acos', (a) => () => acos(a())],
  ['asin', (a) => () => asin(a())],
  ['atan', (a) => () => atan(a())],
  ['cosh', (a) => () => cosh(a())],
  ['sinh', (a) => () => sinh(a())],
  ['tanh', (a) => () => tanh(a())],
  ['acosh', (a) => () => acosh(a())],
  ['asinh', (a) => () => asinh(a())],
  ['atanh', (a) => () => atanh(a())],
]);

/** Operators, and functions of two arguments. Sides have no effects, so that || and && may leave out the second one. */
export const BINARY: ReadonlyMap<string, (a: Node, b: Node) => Node> = new Map<
  string,
  (a: Node, b: Node) => Node
>([
  ['||', (a, b) => () => Number(truth(a()) || truth(b()))],
  ['&&', (a, b) => () => Number(truth(a()) && truth(b()))],
  ['==', (a, b) => () => (a() === b() ? 1 : 0)],
  ['!=', (a, b) => () => (a() !== b() ? 1 : 0)],
  ['>', (a, b) => () => (a() > b() ? 1 : 0)],
  ['<', (a, b) => () => (a() < b() ? 1 : 0)],
  ['>=', (a, b) => () => (a() >= b() ? 1 : 0)],
  ['<=', (a, b) => () => (a() <= b() ? 1 : 0)],
  ['-', (a, b) => () => a() - b()],
  ['+', (a, b) => () => a() + b()],
  ['/', (a, b) => () => a() / b()],
  ['*', (a, b) => () => a() * b()],
  ['^', (a, b) => () => pow(a(), b())],
  ['pow', (a, b) => () => pow(a(), b())],
  ['atan2', (a, b) => () => atan2(a(), b())],
  // The results for NaN and for zeros of both signs are those of std::max and std::min.
  ['max', (a, b) => () => greater(a(), b())],
  ['min', (a, b) => () => less(a(), b())],
]);

/** NaN is true, because it is not 0. */
function truth(value: number): boolean {
  return value !== 0;
}

function greater(a: number, b: number): number {
  return a < b ? b : a;
}

function less(a: number, b: number): number {
  return b < a ? b : a;
}
