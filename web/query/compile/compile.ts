import type { BranchInfo } from '../../api/api';
import type { DType } from '../../core/dtypes';
import { OP } from '../../core/expr-ops';
import type { Program, SharedColumns } from '../../pass/entry-pass';
import type { Expr, Segment } from '../language/parser';
import type { Source } from '../language/source';
import { parseSource, withAliases } from './aliases';
import { Compiler } from './compiler';
import { type EntryPlace, wholePlace } from './emitter';
import { plainBranch } from './plain-branch';
import { type Output, ProgramBuilder } from './program';
import type { Scopes } from './scopes';

export type { EntryPlace } from './emitter';

/**
 * How the outputs of a program run over the instances of an entry.
 * - `fill`: all outputs and the weight run over the same instances.
 * - `table`: each output runs over its own instances; an entry passes if the cut is true for any of its instances.
 * - `scan`: as `table`, but if the cut loops, all outputs run over the instances of the cut, and the last output is
 *   the cut itself.
 * - `weighed`: all outputs run over the same instances; if there is a cut, it is the last output.
 */
export type CompileMode = 'fill' | 'table' | 'scan' | 'weighed';

/** A program for the decode workers, the branches it reads and the outputs it returns. */
export interface Compiled extends Program {
  outputs: CompiledOutput[];
  /** Whether, in a scan, the cut loops and is the last output. */
  together: boolean;
  /**
   * Whether the weight is one number per entry, independent of the drawn expressions. Other programs can then use it.
   */
  perEntry: boolean;
  /** Whether the values depend on the seed, because the program has random numbers. */
  random: boolean;
  /** Whether the values depend on the position of the tree in a chain: see `ProgramBuilder.placed`. */
  placed: boolean;
  /**
   * The branch whose values are the only output, all of them and as they are stored. Decoding the branch
   * gives the same values. Undefined if the program computes anything or has a cut.
   */
  plain: BranchInfo | undefined;
}

export interface CompiledOutput {
  kind: Output['kind'];
  /** Number of loops; 0 for one value per entry. */
  dims: number;
  /** Whether the output runs over instances, either of an array or of Iteration$. */
  loops: boolean;
  /** Whether all values are whole numbers by their type, as TTreeFormula::IsInteger says. */
  integer: boolean;
  /** Whether the output is one string per entry. */
  text: boolean;
  /** Type of the values: that of the branch if the expression is a branch and nothing else, otherwise f64. */
  dtype: DType;
  /**
   * Whether some entries may have no value. Only possible for an expression that is a branch and nothing
   * else.
   */
  missing: boolean;
  /**
   * Numbers of the friends that have no values for some entries. In these entries this output has no value either.
   */
  lacking: readonly number[];
}

/**
 * Compiles expressions and a cut over a tree. Programs with `shared` columns can run over the same decoded values.
 * `given` is a program of only the cut, whose weights this program uses. Throws ARGUMENT, NOT_FOUND and UNSUPPORTED
 * with the place in the text.
 */
export function compile(
  scopes: Scopes,
  expressions: Source[],
  cut: Source | undefined,
  mode: CompileMode,
  place: EntryPlace = { first: 0, entries: scopes.main.model.info.entries },
  shared?: SharedColumns,
  given?: Compiled,
): Compiled {
  const builder = new ProgramBuilder(shared);
  const main = builder.space();
  let cutSlot: number | undefined;
  let perEntry = false;
  if (cut) {
    const compiler = new Compiler(scopes, builder, cut, main, place);
    const value = given ? compiler.emit.given(given) : compiler.number(parse(cut, scopes), main);
    perEntry = !compiler.counts && builder.randoms === 0 && builder.spaces[main]?.drivers.length === 0;
    if (mode === 'fill') {
      builder.weight = compiler.emit.inSpace(value, main);
      builder.weightSpace = main;
    } else {
      const slot = compiler.emit.inSpace(value, main);
      builder.weight = compiler.emit.slot(cut, wholePlace(cut));
      builder.emit(OP.any, 0, builder.weight, { a: slot, imm: main });
      const loops = compiler.counts || (builder.spaces[main]?.dims ?? 0) > 0;
      if (mode === 'weighed' || (mode === 'scan' && loops)) cutSlot = slot;
    }
    builder.cut = builder.code.length;
  }
  const outputs: CompiledOutput[] = [];
  const spaces: number[] = [];
  const counting: boolean[] = [];
  let plain: BranchInfo | undefined;
  for (const source of expressions) {
    const space = mode === 'fill' || mode === 'weighed' || cutSlot !== undefined ? main : builder.space();
    const compiler = new Compiler(scopes, builder, source, space, place);
    const expr = parse(source, scopes);
    builder.friends.clear();
    const direct = mode === 'fill' ? undefined : compiler.direct(expr, space, space === main);
    const more = {
      dims: 0,
      loops: false,
      text: direct?.kind === 'string' && builder.accesses[direct.source]?.free === 0,
      integer: compiler.isInteger(expr),
      dtype: compiler.typeOf(expr),
      missing: compiler.mayMiss(expr),
    };
    const lacking = (): number[] => [...builder.friends].filter((friend) => scopes.friends[friend]?.mapped);
    if (direct) {
      builder.outputs.push(direct);
      outputs.push({ kind: direct.kind, ...more, lacking: lacking() });
    } else {
      const slot = compiler.emit.inSpace(
        source.labels ? compiler.binOf(expr, source.labels, space) : compiler.number(expr, space),
        space,
      );
      builder.outputs.push({ kind: 'number', source: slot, space });
      outputs.push({ kind: 'number', ...more, lacking: lacking() });
    }
    spaces.push(space);
    counting.push(compiler.counts);
    if (!cut && expressions.length === 1) plain = plainPath(expr, compiler);
  }
  outputs.forEach((output, i) => {
    output.dims = builder.spaces[spaces[i] ?? 0]?.dims ?? 0;
    output.loops = output.dims > 0 || counting[i] === true;
  });
  const together = cutSlot !== undefined;
  if (cutSlot !== undefined) {
    builder.outputs.push({ kind: 'number', source: cutSlot, space: main });
    outputs.push({
      kind: 'number',
      dims: 1,
      loops: true,
      text: false,
      integer: false,
      dtype: 'f64',
      missing: false,
      lacking: [],
    });
  }
  const program = builder.write();
  const { columns, math, randoms, placed } = builder;
  const more = { given, perEntry, random: randoms > 0, plain };
  return { program, columns, outputs, together, math, placed, ...more };
}

/** Returns the value of `Compiled.plain` for the only expression of a program without a cut. */
function plainPath(expr: Expr, { paths, emit }: Compiler): BranchInfo | undefined {
  if (expr.kind !== 'path' || expr.collection) return undefined;
  const isName = ({ subscripts, args, cast }: Segment): boolean =>
    args === undefined && cast === undefined && subscripts.every((one) => one === undefined);
  const { found, members } = (expr.segments.every(isName) && paths.find(expr.segments)) || {};
  const { main } = emit.scopes;
  if (found?.scope !== main || found.member !== undefined || members?.length !== 0) return undefined;
  return plainBranch(main.model, found.branch)?.branch;
}

/** Whether an expression is a branch of strings and nothing else. Throws if the expression is not valid. */
export function isString(scopes: Scopes, source: Source): boolean {
  const builder = new ProgramBuilder();
  const space = builder.space();
  return new Compiler(scopes, builder, source, space).direct(parse(source, scopes), space)?.kind === 'string';
}

function parse(source: Source, scopes: Scopes): Expr {
  const { text, branch } = source;
  if (branch !== undefined) {
    const place = { at: 0, end: text.length };
    return {
      ...place,
      kind: 'path',
      collection: false,
      segments: [{ ...place, name: text, branch, subscripts: [] }],
    };
  }
  return withAliases(parseSource(source, scopes), source, scopes);
}
