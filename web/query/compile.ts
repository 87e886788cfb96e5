import type { DType } from '../core/dtypes';
import { OP } from '../core/expr-ops';
import { Compiler } from './compiler';
import { type EntryPlace, type Source, wholePlace } from './emitter';
import { type Expr, parseExpression } from './parser';
import { type Output, ProgramBuilder, type ProgramColumn } from './program';
import type { Scopes } from './scopes';

export type { EntryPlace, Source } from './emitter';

/**
 * `fill`: all outputs and the weight run over the same instances. `table`: each output has its own,
 * and an entry passes when the cut is true for any of its instances.
 */
export type CompileMode = 'fill' | 'table';

/** A program for the decode workers, and what it reads and gives. */
export interface Compiled {
  program: Uint8Array;
  columns: ProgramColumn[];
  outputs: CompiledOutput[];
  /** Columns that the cut alone needs, by their index; all where there is no cut. */
  cutColumns: number;
}

export interface CompiledOutput {
  kind: Output['kind'];
  /** Loops: 0 for one value an entry. */
  dims: number;
  /** Whether all values are whole numbers by their type, as TTreeFormula::IsInteger says. */
  integer: boolean;
  /** Of the values of a branch that stands alone; else f64. */
  dtype: DType;
  /** A branch that stands alone may have no value in some entries. */
  missing: boolean;
}

/** Compiles expressions and a cut over a tree. Throws ARGUMENT, NOT_FOUND and UNSUPPORTED with the place. */
export function compile(
  scopes: Scopes,
  expressions: Source[],
  cut: Source | undefined,
  mode: CompileMode,
  place: EntryPlace = { first: 0, entries: scopes.main.model.info.entries },
): Compiled {
  const builder = new ProgramBuilder();
  const main = builder.space();
  let cutColumns = 0;
  if (cut) {
    const compiler = new Compiler(scopes, builder, cut, main, place);
    const value = compiler.number(parse(cut, scopes), main);
    if (mode === 'fill') {
      builder.weight = compiler.inSpace(value, main);
      builder.weightSpace = main;
    } else {
      const slot = compiler.inSpace(value, main);
      builder.weight = compiler.slot(cut, wholePlace(cut));
      builder.emit(OP.any, 0, builder.weight, { a: slot, imm: main });
    }
    builder.cut = builder.code.length;
    cutColumns = builder.columns.length;
  }
  const outputs: CompiledOutput[] = [];
  const spaces: number[] = [];
  for (const source of expressions) {
    const space = mode === 'fill' ? main : builder.space();
    const compiler = new Compiler(scopes, builder, source, space, place);
    const expr = parse(source, scopes);
    const direct = mode === 'table' ? compiler.direct(expr, space) : undefined;
    const more = {
      dims: 0,
      integer: compiler.isInteger(expr),
      dtype: compiler.typeOf(expr),
      missing: compiler.mayMiss(expr),
    };
    if (direct) {
      builder.outputs.push(direct);
      outputs.push({ kind: direct.kind, ...more });
    } else {
      const slot = compiler.inSpace(compiler.number(expr, space), space);
      builder.outputs.push({ kind: 'number', source: slot, space });
      outputs.push({ kind: 'number', ...more });
    }
    spaces.push(space);
  }
  outputs.forEach((output, i) => {
    output.dims = builder.spaces[spaces[i] ?? 0]?.dims ?? 0;
  });
  return { program: builder.write(), columns: builder.columns, outputs, cutColumns };
}

/** Whether an expression is a branch of strings and nothing more. Throws what is wrong with it. */
export function isString(scopes: Scopes, source: Source): boolean {
  const builder = new ProgramBuilder();
  const space = builder.space();
  return new Compiler(scopes, builder, source, space).direct(parse(source, scopes), space)?.kind === 'string';
}

function parse(source: Source, scopes: Scopes): Expr {
  return parseExpression(source.text, {
    isPath: (name) => scopes.isPath(name),
    ...(source.from !== undefined && { from: source.from }),
    ...(source.to !== undefined && { to: source.to }),
  });
}
