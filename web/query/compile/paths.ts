import { XylemError } from '../../base/errors';
import { didYouMean, nearest } from '../../base/suggest';
import { LEVEL, LIMITS } from '../../core/expr-levels';
import { OP, SUB } from '../../core/expr-ops';
import type { Place } from '../language/errors';
import { formulaWord } from '../language/formula-words';
import { FUNCTIONS, SPECIALS } from '../language/functions';
import { eachPath } from '../language/names';
import type { Expr, Segment } from '../language/parser';
import { isCount } from './branch-nodes';
import type { Emitter, NumberValue } from './emitter';
import { classAt, findAnyLeaf, findLeaf, type Leaf, type Level } from './leaf';
import { mayBeText } from './plain-branch';
import type { Code, Sub } from './program';
import type { FoundName } from './scopes';
import { shapesOf } from './shapes';

/** Resolves names and subscripts: the meaning of a path, and the position of its values in a column. */
export class Paths {
  /** Collects the accesses of the first argument of Alt$, which do not drive the loop. */
  alternate: { access: number; space: number }[] | undefined;

  constructor(
    readonly emit: Emitter,
    /** Compiles an expression that has to be a number. */
    readonly number: (expr: Expr, space: number) => NumberValue,
  ) {}

  /** Finds the branch that a path names, and the members of its objects. */
  find(segments: Segment[]): FoundPath | undefined {
    const firstCall = segments.findIndex(({ args }) => args !== undefined);
    const calls = firstCall < 0 ? [] : segments.slice(firstCall);
    const named = firstCall < 0 ? segments : indexed(segments.slice(0, firstCall), calls);
    const [method] = calls;
    const branch = this.emit.scopes.main.model.info.branches[segments[0]?.branch ?? -1];
    const found: FoundName | undefined = branch
      ? { branch, member: undefined, scope: this.emit.scopes.main, members: [] }
      : this.emit.scopes.resolve(named.map((segment) => segment.name));
    return found && { found, members: found.members, segments: named, method, calls };
  }

  unknown(segments: Segment[]): XylemError {
    const first = segments[0] as Segment;
    const word = formulaWord(first.name);
    if (word) return this.emit.fail(wordOf(first), word.message, word.fix, 'UNSUPPORTED');
    // A method is not known before the object it belongs to.
    const firstCall = segments.findIndex(({ args }) => args !== undefined);
    const named = firstCall > 0 ? segments.slice(0, firstCall) : segments;
    const name = named.map((segment) => segment.name).join('.');
    const end = Math.max(...named.map((segment) => segment.at + segment.name.length));
    const { info } = this.emit.scopes.main.model;
    const own = Object.keys(this.emit.source.names ?? {});
    const names = [
      ...this.emit.scopes.names(),
      ...SPECIALS,
      ...Object.keys(info.aliases ?? {}),
      ...own,
    ].filter((one) => one !== name);
    // The mark under a path of a single name does not include its indices.
    const place = { at: first.at, end: named.length === 1 ? end : Math.max(end, first.end) };
    const message = `There is no branch "${name}" in the tree "${info.path}".`;
    const like = named.length < segments.length ? [] : withBrackets(name);
    if (like.length === 0) like.push(...nearest(name, names));
    const otherwise = 'The list of branches shows what the tree has.';
    if (named.length > 1 && named.some(({ subscripts }) => subscripts.length > 0)) {
      return this.emit.fail(place, message, didYouMean(like) ?? otherwise, 'NOT_FOUND');
    }
    return this.emit.noSuch(place, message, like, otherwise);
  }

  leaf({ found, members }: FoundPath, place: Place): FoundLeaf {
    const { branch } = found;
    const column = this.#column(found, place);
    const plan = this.emit.builder.columns[column]?.plan;
    if (!plan) throw this.emit.fail(place, 'A branch was lost.', undefined, 'INTERNAL');
    const way = found.member !== undefined ? [found.member, ...members] : members;
    const result = findLeaf(plan.schema, way, shapesOf(found.scope.model).of(branch));
    if ('leaf' in result) return { column, leaf: this.#placed(result.leaf, found, place), found };
    if ('unsupported' in result) {
      throw this.emit.fail(
        place,
        `${branch.path} (${branch.typeName}) ${result.unsupported}.`,
        undefined,
        'UNSUPPORTED',
      );
    }
    if (result.missing === '' && branch.typeName.startsWith('struct{') && way.length === 0) {
      // TTree::Draw takes the first leaf of a leaf list.
      const first = findLeaf(plan.schema, result.there.slice(0, 1));
      if ('leaf' in first) return { column, leaf: this.#placed(first.leaf, found, place), found };
    }
    const text = this.emit.source.text.slice(place.at, place.end);
    if (result.missing === '') {
      const some = result.there.slice(0, 5).join(', ');
      throw this.emit.fail(
        place,
        `"${text}" (${result.typeName || branch.typeName}) is an object.`,
        some === '' ? undefined : `Name one of its members: ${some}.`,
      );
    }
    throw this.emit.fail(
      place,
      `"${branch.path}" (${result.typeName || branch.typeName}) has no member "${result.missing}".`,
      didYouMean(nearest(result.missing, result.there)) ??
        (result.there.length > 0 ? `It has ${result.there.slice(0, 8).join(', ')}.` : undefined),
      'NOT_FOUND',
    );
  }

  /** Adds a level of rows above the others to a leaf of a friend whose entries are looked up. */
  #placed(leaf: Leaf, { branch, scope }: FoundName, place: Place): Leaf {
    if (!scope.mapped) return leaf;
    if (leaf.levels.length >= LIMITS.levels) {
      throw this.emit.fail(
        place,
        `${branch.path} is nested too deeply for a friend.`,
        undefined,
        'UNSUPPORTED',
      );
    }
    return { ...leaf, levels: [{ kind: LEVEL.rows, value: 0 }, ...leaf.levels] };
  }

  #column({ branch, scope }: FoundName, place: Place): number {
    if (branch.kind === 'group') {
      const below = scope.model.info.branches.filter((one) => one.parent === branch.index).slice(0, 3);
      throw this.emit.fail(
        place,
        `"${branch.path}" only holds other branches.`,
        below.length > 0
          ? `Name one of them, for example ${below.map((one) => one.name).join(', ')}.`
          : undefined,
      );
    }
    try {
      return this.emit.builder.column(branch, scope.friend, () => scope.model.plan(branch));
    } catch (thrown) {
      if (!(thrown instanceof XylemError)) throw thrown;
      throw this.emit.fail(place, thrown.message, thrown.fix, thrown.code);
    }
  }

  /**
   * Returns the access of a leaf with the subscripts of a path, in the order of the text. `stop`: the
   * access ends after this many levels, but not before the levels that have a subscript, because only the
   * size is needed. The caller calls `done` after using the access.
   */
  access(
    { column, leaf }: FoundLeaf,
    segments: Segment[],
    place: Place,
    space: number,
    stop?: number,
  ): { access: number; space: number; done: () => void } {
    const given = segments.flatMap((segment) => segment.subscripts);
    const subs: Sub[] = [];
    const indices: { index: { slot: number; code: readonly Code[] }; at: number }[] = [];
    const slots: { value: NumberValue; at: number }[] = [];
    let free = 0;
    let passed = 0;
    for (const [at, level] of leaf.levels.entries()) {
      if (isSingle(level)) {
        subs.push({ kind: SUB.const, value: 0 });
        continue;
      }
      if (stop !== undefined && given.length === 0 && passed >= stop) {
        subs.push({ kind: SUB.stop, value: 0 });
        break;
      }
      passed += 1;
      const isGiven = given.length > 0;
      const index = given.shift();
      if (!isGiven || index === undefined) {
        subs.push({ kind: SUB.free, value: free++ });
        continue;
      }
      const { made, code } = this.emit.builder.apart(() => this.#index(index));
      if (made.kind === 'const') subs.push(this.#constantIndex(made.value, level, index));
      else if (this.emit.builder.spaces[made.space]?.dims === 0 && made.space !== 0) {
        // Iteration$ without arrays of its own counts the loop around it.
        slots.push({ value: this.number(index, space), at });
        subs.push({ kind: SUB.slot, value: 0 });
      } else if (made.space !== 0) subs.push(this.#listIndex(made, code, free++, index));
      else {
        indices.push({ index: { slot: made.slot, code }, at });
        subs.push({ kind: SUB.pick, value: made.slot });
      }
    }
    // TTreeFormula ignores indices after the last dimension.
    for (const index of given) this.#checkNames(index);
    // An index that decides the number of elements has to be computed before all other instructions.
    const decides = (at: number): boolean =>
      subs.some(({ kind }, i) => i > at && kind === SUB.free && leaf.levels[i]?.kind === LEVEL.list);
    for (const { index, at } of indices) {
      if (decides(at)) this.emit.builder.runFirst(index.code);
      else {
        this.emit.builder.code.push(...index.code);
        slots.push({ value: { kind: 'slot', slot: index.slot, space: 0 }, at });
      }
    }
    return this.#finishAccess(column, leaf, subs, slots, free, place, space);
  }

  /** Compiles the value of an index, which loops only over its own arrays. */
  #index(index: Expr): NumberValue {
    const saved = this.alternate;
    this.alternate = undefined;
    const value = this.number(index, this.emit.builder.space());
    this.alternate = saved;
    return value;
  }

  /** Compiles an index that is an array: all its values are used, as one dimension of the loop. */
  #listIndex(
    { slot, space }: { slot: number; space: number },
    code: readonly Code[],
    dim: number,
    place: Place,
  ): Sub {
    if (space >= 2 ** 19) throw this.emit.fail(place, 'The expression is too large.');
    this.emit.builder.runFirst(code);
    return { kind: SUB.list, value: dim | (slot << 3) | (space << 11) };
  }

  /** Looks up the names of an expression that is not used, so that unknown names are reported. */
  #checkNames(expr: Expr | undefined): void {
    eachPath(expr, ({ segments }) => {
      const special = segments.length === 1 && SPECIALS.includes(segments[0]?.name ?? '');
      if (!special && !this.find(segments)) throw this.unknown(segments);
    });
  }

  #constantIndex(index: number, level: Level, place: Place): Sub {
    const whole = Math.trunc(index);
    if (!Number.isFinite(whole) || Math.abs(whole) > 0x7fffffff) {
      throw this.emit.fail(place, `${index} is not an index.`);
    }
    if (level.kind === LEVEL.fixed && whole >= level.value) {
      throw this.emit.fail(place, `The index ${whole} is outside of the array of ${level.value}.`);
    }
    return { kind: SUB.const, value: Math.max(-1, whole) };
  }

  #finishAccess(
    column: number,
    leaf: Leaf,
    subs: Sub[],
    slots: { value: NumberValue; at: number }[],
    free: number,
    place: Place,
    space: number,
  ): { access: number; space: number; done: () => void } {
    const looped = free > 0 || slots.some(({ value }) => value.kind === 'slot' && value.space !== 0);
    const where = looped ? space : 0;
    const used: number[] = [];
    for (const { value, at } of slots) {
      const slot = this.emit.inSpace(value, where);
      used.push(slot);
      subs[at] = { kind: SUB.slot, value: slot };
    }
    const access = this.emit.builder.access({ leaf: this.emit.builder.leaf(column, leaf), free, subs });
    const conditional = subs.some((sub, i) => sub.kind === SUB.const && leaf.levels[i]?.kind !== LEVEL.fixed);
    if (this.alternate) this.alternate.push({ access, space: where });
    else if ((free > 0 || conditional) && !this.emit.builder.drive(space, access)) {
      throw this.emit.fail(
        place,
        'Too many different arrays take part in one loop.',
        undefined,
        'UNSUPPORTED',
      );
    }
    return {
      access,
      space: where,
      done: () => {
        for (const slot of used) this.emit.builder.release(slot);
      },
    };
  }

  /**
   * Returns the branch if an expression is a branch with a fixed-size array of characters; undefined for other
   * expressions, and with an index. As in TTree::Draw, only the branch by itself is a text; its elements and values
   * computed from it are numbers.
   */
  characters(expr: Expr): (FoundLeaf & { segments: Segment[] }) | undefined {
    if (expr.kind !== 'path' || expr.collection) return undefined;
    const { segments } = expr;
    const found = this.find(segments);
    if (!found || found.method || segments.some(({ subscripts }) => subscripts.length > 0)) return undefined;
    const { branch, scope } = found.found;
    if (!mayBeText(scope.model.info, branch)) return undefined;
    const one = this.leaf(found, expr);
    const last = one.leaf.levels.at(-1);
    const above = one.leaf.levels.slice(0, -1);
    if (one.leaf.tape || last?.kind !== LEVEL.fixed || last.value < 2 || !above.every(isSingle))
      return undefined;
    const leaf: Leaf = { ...one.leaf, kind: 'string', characters: last.value, levels: above };
    return { ...one, leaf, segments };
  }

  /** Returns the class of the object that a path names. */
  typeAt({ found, members }: FoundPath, place: Place): string {
    const { branch } = found;
    if (branch.kind === 'group') return branch.typeName;
    const plan = this.emit.builder.columns[this.#column(found, place)]?.plan;
    const classes = shapesOf(found.scope.model).of(branch);
    return (plan && classAt(plan.schema, members, classes)) || branch.typeName;
  }

  size(
    path: FoundPath,
    expr: Expr & { kind: 'path' },
    space: number,
    above = this.#levelsAbove(path),
  ): NumberValue {
    const leaf = this.#sizedLeaf(path, expr);
    const given = path.segments.reduce((sum, segment) => sum + segment.subscripts.length, 0);
    const levels = leaf.leaf.levels.filter((level) => !isSingle(level)).length;
    if (Math.max(given, above) >= levels) throw this.emit.fail(expr, 'Only a collection has a size.');
    const access = this.access(leaf, path.segments, expr, space, above);
    const slot = this.emit.take(expr);
    this.emit.builder.emit(OP.size, access.space, slot, { imm: access.access });
    access.done();
    return { kind: 'slot', slot, space: access.space };
  }

  /**
   * Returns the number of list levels of a path to objects, the last of which is the collection itself; 0
   * for a single object and for anything that is not an object.
   */
  collectionLevels({ found, members }: FoundPath, place: Place): number {
    const { branch, scope } = found;
    const below = scope.model.info.branches.some(
      (one) => one.parent === branch.index && one.kind !== 'group',
    );
    if (members.length === 0 && below && isSplit(found)) return 1;
    if (branch.kind === 'group') return 0;
    const schema = this.emit.builder.columns[this.#column(found, place)]?.plan.schema;
    const result = schema && findLeaf(schema, members, shapesOf(scope.model).of(branch));
    if (!result || !('missing' in result) || result.missing !== '') return 0;
    return result.levels.filter((level) => !isSingle(level)).length;
  }

  /** Whether a path names one object, not a collection, a number or a string. */
  isObject({ found, members, method }: FoundPath, place: Place): boolean {
    const { branch, scope } = found;
    if (method) return false;
    if (branch.kind === 'group') return members.length === 0 && branch.typeName !== '';
    const schema = this.emit.builder.columns[this.#column(found, place)]?.plan.schema;
    const result = schema && findLeaf(schema, members, shapesOf(scope.model).of(branch));
    return (
      result !== undefined &&
      'missing' in result &&
      result.missing === '' &&
      !branch.typeName.startsWith('struct{')
    );
  }

  /** Returns the number of levels above the collection that "@" marks; 0 without a mark. */
  #levelsAbove({ segments, found }: FoundPath): number {
    const at = segments.findIndex(({ whole }) => whole);
    const before = segments.slice(0, Math.max(0, at)).map(({ name }) => name);
    const above = before.length > 0 ? this.emit.scopes.resolve(before) : undefined;
    if (!above) return 0;
    if (above.branch !== found.branch)
      return above.branch.index === found.branch.parent && isSplit(above) ? 1 : 0;
    const { model } = found.scope;
    const schema = shapesOf(model).branch(found.branch);
    const result = schema && findLeaf(schema, above.members, shapesOf(model).of(found.branch));
    return result && 'missing' in result ? result.levels.filter((level) => !isSingle(level)).length : 0;
  }

  /** Returns a leaf of a collection. Any leaf will do, because all have the size of the collection. */
  #sizedLeaf(path: FoundPath, place: Place): FoundLeaf {
    const { branch, scope } = path.found;
    // The branch of a split collection holds only the size, or nothing.
    const inside = scope.model.info.branches.find(
      (one) => one.parent === branch.index && (one.kind === 'number' || one.kind === 'string'),
    );
    if (inside)
      return this.leaf({ ...path, found: { branch: inside, scope, members: [] }, members: [] }, place);
    const column = this.#column(path.found, place);
    const schema = this.emit.builder.columns[column]?.plan.schema;
    const classes = shapesOf(scope.model).of(branch);
    const result = schema && findAnyLeaf(schema, path.members, classes);
    if (result && 'leaf' in result) {
      return { column, leaf: this.#placed(result.leaf, path.found, place), found: path.found };
    }
    return this.leaf(path, place);
  }
}

export interface FoundPath {
  found: FoundName;
  members: string[];
  segments: Segment[];
  method: Segment | undefined;
  /** The method, followed by methods and members of its result. */
  calls: Segment[];
}

function wordOf({ at, name }: Segment): Place {
  return { at, end: at + name.length };
}

/** Returns the call of a function without arguments that is written without brackets, such as TMath::Pi. */
function withBrackets(name: string): string[] {
  const alone = FUNCTIONS.get(name)?.some(({ args, defaults = [] }) => args === defaults.length);
  return alone ? [`${name}()`] : [];
}

/** Moves an index after a method to the array whose elements have the method: jets.Pt()[0]. */
function indexed(named: Segment[], calls: Segment[]): Segment[] {
  const last = named[named.length - 1];
  const indices = calls.flatMap(({ subscripts }) => subscripts);
  if (!last || indices.length === 0) return named;
  return [...named.slice(0, -1), { ...last, subscripts: [...last.subscripts, ...indices] }];
}

/**
 * Whether a branch is a split collection, whose members have their own branches. Such a branch holds the
 * size.
 */
function isSplit({ branch }: FoundName): boolean {
  return branch.kind === 'number' || isCount(branch);
}

/** Whether a level has at most one value, so that it takes no index. */
function isSingle({ kind }: Level): boolean {
  return kind === LEVEL.optional || kind === LEVEL.rows;
}

interface FoundLeaf {
  column: number;
  leaf: Leaf;
  found: FoundName;
}
