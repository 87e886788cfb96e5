import type { RulesOfRoot } from '../../api/api';
import type { XylemError } from '../../base/errors';
import { didYouMean } from '../../base/suggest';
import { OP } from '../../core/expr-ops';
import { expressionError, type Place } from '../language/errors';
import type { Source } from '../language/source';
import type { ProgramBuilder } from './program';
import type { Scopes } from './scopes';

/**
 * The position of a tree in a chain: the number of its entry 0, and the number of entries of the whole
 * chain.
 */
export interface EntryPlace {
  first: number;
  entries: number;
  /** The ROOT version whose rules apply: see DrawRequest. */
  rootVersion?: RulesOfRoot | undefined;
  /** Start of the random numbers. */
  seed?: number | undefined;
}

export function wholePlace(source: Source): Place {
  return { at: source.from ?? 0, end: source.to ?? source.text.length };
}

/** Result of compiling an expression: a known number, a slot, or a string. */
export type Value =
  | { kind: 'const'; value: number }
  | { kind: 'slot'; slot: number; space: number }
  | { kind: 'text'; value: string; place: Place }
  /** `chars`: a C array of characters. TTree::Draw takes its first character if a number is needed. */
  | { kind: 'string'; access: number; space: number; place: Place; chars?: boolean };
export type NumberValue = Value & { kind: 'const' | 'slot' };

const MAX_CODE = 50_000;

/** Emits instructions over slots, for one expression of a program. */
export class Emitter {
  constructor(
    readonly scopes: Scopes,
    readonly builder: ProgramBuilder,
    readonly source: Source,
    readonly main: number,
    readonly place: EntryPlace = { first: 0, entries: scopes.main.model.info.entries },
  ) {}

  fail(place: Place, message: string, fix?: string, code: XylemError['code'] = 'ARGUMENT'): XylemError {
    return expressionError(this.source.text, place, message, fix, code);
  }

  /** Makes the error for an unknown name, with the existing names that are similar. */
  noSuch(
    place: Place,
    message: string,
    like: string[],
    otherwise: string | undefined,
    code: XylemError['code'] = 'NOT_FOUND',
  ): XylemError {
    return expressionError(this.source.text, place, message, didYouMean(like) ?? otherwise, code, like);
  }

  slot(source: Source, place: Place): number {
    const slot = this.builder.take();
    if (slot < 0 || this.builder.code.length > MAX_CODE) {
      throw expressionError(source.text, place, 'The expression is too large.');
    }
    return slot;
  }

  take(place: Place): number {
    return this.slot(this.source, place);
  }

  /** Returns the value as a slot of the space. */
  inSpace(value: NumberValue, space: number): number {
    const place = wholePlace(this.source);
    if (value.kind === 'const') {
      const slot = this.take(place);
      this.builder.emit(OP.const, space, slot, { imm: this.builder.constant(value.value) });
      return slot;
    }
    if (value.space === space) return value.slot;
    const slot = this.take(place);
    this.builder.emit(OP.expand, space, slot, { a: value.slot });
    this.builder.release(value.slot);
    return slot;
  }

  /**
   * Uses the weight that another program computes for each entry. This program then needs the columns of that one,
   * too.
   */
  given({ columns, placed, math }: Pick<ProgramBuilder, 'columns' | 'placed' | 'math'>): NumberValue {
    this.builder.columns.push(...columns);
    this.builder.placed ||= placed;
    this.builder.math ||= math;
    const slot = this.take(wholePlace(this.source));
    this.builder.emit(OP.given, 0, slot);
    return { kind: 'slot', slot, space: 0 };
  }

  unary(op: number, operand: NumberValue, place: Place): NumberValue {
    const space = operand.kind === 'slot' ? operand.space : 0;
    const a = this.inSpace(operand, space);
    const slot = this.take(place);
    this.builder.emit(op, space, slot, { a });
    this.builder.release(a);
    return { kind: 'slot', slot, space };
  }

  /** Converts values to one space, which is the space of a loop if any of them is in one. */
  together(values: NumberValue[]): { slots: number[]; space: number } {
    let space = 0;
    for (const value of values) if (value.kind === 'slot' && value.space !== 0) space = value.space;
    return { slots: values.map((value) => this.inSpace(value, space)), space };
  }

  combine(op: number, left: NumberValue, right: NumberValue, place: Place): NumberValue {
    const { slots, space } = this.together([left, right]);
    const [a = 0, b = 0] = slots;
    const slot = this.take(place);
    this.builder.emit(op, space, slot, { a, b });
    this.builder.release(a);
    this.builder.release(b);
    return { kind: 'slot', slot, space };
  }
}
