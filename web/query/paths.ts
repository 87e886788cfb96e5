import { XylemError } from '../base/errors';
import { LEVEL, LIMITS, OP, SUB } from '../core/expr-ops';
import { findLeaf, type Leaf, type Level } from './catalog';
import { Emitter, type NumberValue } from './emitter';
import { didYouMean, meaning, nearest, type Place } from './errors';
import { SPECIALS } from './functions';
import type { Expr, Segment } from './parser';
import type { Sub } from './program';
import type { FoundName } from './scopes';

/** Names and subscripts: what a path means, and where its values lie in a column. */
export abstract class PathEmitter extends Emitter {
  /** Accesses of the first argument of Alt$ do not drive the loop; they are gathered here instead. */
  protected alternate: { access: number; space: number }[] | undefined;

  /** An expression that must be a number. */
  abstract number(expr: Expr, space: number): NumberValue;

  /** The branch that the beginning of a path names, the longest that there is; the rest are members. */
  protected find(segments: Segment[]): FoundPath | undefined {
    const last = segments[segments.length - 1] as Segment;
    const method = last.args !== undefined ? last : undefined;
    const named = method ? segments.slice(0, -1) : segments;
    if (named.some((segment) => segment.args !== undefined)) return undefined;
    for (let count = named.length; count > 0; count--) {
      const name = named
        .slice(0, count)
        .map((segment) => segment.name)
        .join('.');
      const found = this.scopes.find(name);
      if (found) {
        const members = named.slice(count).map((segment) => segment.name);
        return { found, members, segments: named, method };
      }
    }
    return undefined;
  }

  protected unknown(segments: Segment[]): XylemError {
    const first = segments[0] as Segment;
    const end = Math.max(...segments.map((segment) => segment.at + segment.name.length));
    const name = segments.map((segment) => segment.name).join('.');
    const { info } = this.scopes.main.model;
    const names = [...this.scopes.names(), ...SPECIALS, ...Object.keys(info.aliases ?? {})];
    // Of one name its indices are left alone.
    const place = { at: first.at, end: segments.length === 1 ? end : Math.max(end, first.end) };
    const message = `There is no branch "${name}" in the tree "${info.path}".`;
    const like = nearest(name, names);
    const otherwise = 'List the tree to see its branches.';
    if (segments.length > 1 && segments.some(({ subscripts }) => subscripts.length > 0)) {
      return this.fail(place, message, meaning(like) ?? otherwise, 'NOT_FOUND');
    }
    return this.noSuch(place, message, like, otherwise);
  }

  protected leaf({ found, members }: FoundPath, place: Place): FoundLeaf {
    const { branch } = found;
    const column = this.column(found, place);
    const plan = this.builder.columns[column]?.plan;
    if (!plan) throw this.fail(place, 'A branch was lost.', undefined, 'INTERNAL');
    const way = found.member !== undefined ? [found.member, ...members] : members;
    const result = findLeaf(plan.schema, way);
    if ('leaf' in result) return { column, leaf: this.placed(result.leaf, found, place), found };
    if ('unsupported' in result) {
      throw this.fail(
        place,
        `${branch.path} (${branch.typeName}) ${result.unsupported}.`,
        undefined,
        'UNSUPPORTED',
      );
    }
    if (result.missing === '') {
      const some = result.there.slice(0, 5).join(', ');
      throw this.fail(
        place,
        `"${branch.path}" (${branch.typeName}) is an object.`,
        some === '' ? undefined : `Name one of its members: ${some}.`,
      );
    }
    throw this.fail(
      place,
      `"${branch.path}" (${branch.typeName}) has no member "${result.missing}".`,
      didYouMean(result.missing, result.there) ??
        (result.there.length > 0 ? `It has ${result.there.slice(0, 8).join(', ')}.` : undefined),
      'NOT_FOUND',
    );
  }

  /** A leaf of a tree whose entries are looked up has a level of rows above all others. */
  protected placed(leaf: Leaf, { branch, scope }: FoundName, place: Place): Leaf {
    if (!scope.mapped) return leaf;
    if (leaf.levels.length >= LIMITS.levels) {
      throw this.fail(place, `${branch.path} is nested too deeply for a friend.`, undefined, 'UNSUPPORTED');
    }
    return { ...leaf, levels: [{ kind: LEVEL.rows, value: 0 }, ...leaf.levels] };
  }

  protected column({ branch, scope }: FoundName, place: Place): number {
    if (branch.kind === 'group') {
      const below = scope.model.info.branches.filter((one) => one.parent === branch.index).slice(0, 3);
      throw this.fail(
        place,
        `"${branch.path}" only holds other branches.`,
        below.length > 0
          ? `Name one of them, for example ${below.map((one) => one.name).join(', ')}.`
          : undefined,
      );
    }
    try {
      return this.builder.column(branch, scope.friend, () => scope.model.plan(branch));
    } catch (thrown) {
      if (!(thrown instanceof XylemError)) throw thrown;
      throw this.fail(place, thrown.message, thrown.fix, thrown.code);
    }
  }

  /**
   * The access of a leaf with a path's subscripts, in the order in which they stand. `stop`: it ends
   * behind the given ones, for its size. Call `done` when it was read.
   */
  protected access(
    { column, leaf }: FoundLeaf,
    segments: Segment[],
    place: Place,
    space: number,
    stop: boolean,
  ): { access: number; space: number; done: () => void } {
    const given = segments.flatMap((segment) => segment.subscripts);
    const subs: Sub[] = [];
    const slots: { value: NumberValue; at: number }[] = [];
    let free = 0;
    let unknown = false;
    for (const level of leaf.levels) {
      if (isSingle(level)) {
        subs.push({ kind: SUB.const, value: 0 });
        continue;
      }
      if (stop && given.length === 0) {
        subs.push({ kind: SUB.stop, value: 0 });
        break;
      }
      const isGiven = given.length > 0;
      const index = given.shift();
      if (!isGiven || index === undefined) {
        if (unknown && level.kind === LEVEL.list) {
          throw this.fail(
            place,
            'A loop over what a computed index picks is not possible.',
            undefined,
            'UNSUPPORTED',
          );
        }
        subs.push({ kind: SUB.free, value: free++ });
        continue;
      }
      const value = this.number(index, space);
      if (value.kind === 'const') subs.push(this.constantIndex(value.value, level, index));
      else {
        slots.push({ value, at: subs.length });
        subs.push({ kind: SUB.slot, value: value.slot });
        unknown = true;
      }
    }
    if (given.length > 0) {
      const levels = leaf.levels.filter((level) => !isSingle(level)).length;
      throw this.fail(
        place,
        `"${this.source.text.slice(place.at, place.end)}" has more indices than dimensions.`,
        levels === 0 ? 'It is one number an entry.' : `It has ${levels}.`,
      );
    }
    return this.finishAccess(column, leaf, subs, slots, free, place, space);
  }

  protected constantIndex(index: number, level: Level, place: Place): Sub {
    const whole = Math.trunc(index);
    if (!Number.isFinite(whole) || Math.abs(whole) > 0x7fffffff) {
      throw this.fail(place, `${index} is no index.`);
    }
    if (level.kind === LEVEL.fixed && (whole >= level.value || whole < 0)) {
      throw this.fail(place, `The index ${whole} is outside of the array of ${level.value}.`);
    }
    return { kind: SUB.const, value: Math.max(-1, whole) };
  }

  protected finishAccess(
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
      const slot = this.inSpace(value, where);
      used.push(slot);
      subs[at] = { kind: SUB.slot, value: slot };
    }
    const access = this.builder.access({ leaf: this.builder.leaf(column, leaf), free, subs });
    const conditional = subs.some((sub, i) => sub.kind === SUB.const && leaf.levels[i]?.kind !== LEVEL.fixed);
    if (this.alternate) this.alternate.push({ access, space: where });
    else if ((free > 0 || conditional) && !this.builder.drive(space, access)) {
      throw this.fail(place, 'Too many different arrays take part in one loop.', undefined, 'UNSUPPORTED');
    }
    return {
      access,
      space: where,
      done: () => {
        for (const slot of used) this.builder.release(slot);
      },
    };
  }

  /** The class of the object that a path names. */
  protected typeAt({ found, members }: FoundPath, place: Place): string {
    const { branch } = found;
    if (branch.kind === 'group' || members.length === 0) return branch.typeName;
    const plan = this.builder.columns[this.column(found, place)]?.plan;
    const result = plan && findLeaf(plan.schema, members);
    return result && 'missing' in result ? result.typeName : branch.typeName;
  }

  protected size(path: FoundPath, expr: Expr & { kind: 'path' }, space: number): NumberValue {
    const leaf = this.sizedLeaf(path, expr);
    const given = path.segments.reduce((sum, segment) => sum + segment.subscripts.length, 0);
    const levels = leaf.leaf.levels.filter((level) => !isSingle(level)).length;
    if (given >= levels) throw this.fail(expr, 'Only a collection has a size.');
    const access = this.access(leaf, path.segments, expr, space, true);
    const slot = this.take(expr);
    this.builder.emit(OP.size, access.space, slot, { imm: access.access });
    access.done();
    return { kind: 'slot', slot, space: access.space };
  }

  /** A leaf of a collection: any, since all of them have its size. */
  protected sizedLeaf(path: FoundPath, place: Place): FoundLeaf {
    const { branch, scope } = path.found;
    // The branch of a collection that is split holds no more than its size, or nothing.
    const inside = scope.model.info.branches.find(
      (one) => one.parent === branch.index && (one.kind === 'number' || one.kind === 'string'),
    );
    if (inside) return this.leaf({ ...path, found: { branch: inside, scope }, members: [] }, place);
    const column = this.column(path.found, place);
    const schema = this.builder.columns[column]?.plan.schema;
    const members = [...path.members];
    for (let depth = 0; schema && depth < 16; depth++) {
      const result = findLeaf(schema, members);
      if ('leaf' in result) {
        return { column, leaf: this.placed(result.leaf, path.found, place), found: path.found };
      }
      if ('missing' in result && result.missing === '' && result.there[0] !== undefined)
        members.push(result.there[0]);
      else break;
    }
    return this.leaf(path, place);
  }
}

export interface FoundPath {
  found: FoundName;
  members: string[];
  segments: Segment[];
  method: Segment | undefined;
}

/** Of one value or none: it takes no index. */
function isSingle({ kind }: Level): boolean {
  return kind === LEVEL.optional || kind === LEVEL.rows;
}

interface FoundLeaf {
  column: number;
  leaf: Leaf;
  found: FoundName;
}
