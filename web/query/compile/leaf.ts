import type { BranchInfo } from '../../api/api';
import type { Schema } from '../../core/decoder';
import { DTYPES, type DType } from '../../core/dtypes';
import { LEVEL, LIMITS } from '../../core/expr-levels';
import type { TapePlace, TapeStep } from '../../pass/columns/tape-columns';

/** One level of nesting between an entry and a value. */
export interface Level {
  kind: number;
  /** Index of a decoder buffer, or the number of elements. */
  value: number;
}

/** The position of a leaf's values in a plan's column. */
export interface Leaf {
  kind: 'number' | 'string';
  dtype: number;
  data: number;
  offsets: number;
  levels: Level[];
  /** Maximum length of a string in a fixed-size array of characters. The string ends before the first 0. */
  characters?: number | undefined;
  /**
   * Position of the values on tapes. Buffer numbers of the values, and of the levels from `above` on, count from the
   * first buffer of the tape.
   */
  tape?: { tape: number; steps: TapeStep[]; above: number; presence: boolean } | undefined;
}

/** A leaf, or the reason why none was found. */
export type Found =
  | { leaf: Leaf }
  | { missing: string; there: string[]; typeName: string; levels: Level[] }
  | { unsupported: string };

/** Describes the classes whose objects may change shape from entry to entry. */
export interface Classes {
  /** Returns the members of a class; undefined if they are not known. */
  schema(name: string): Schema | undefined;
  /** Returns the classes of the objects at a place of a branch's tapes, found by reading some of them. */
  at(place: ObjectPlace): readonly string[];
  /** Returns the classes of the file that have the given one as a base class. */
  derived(name: string): readonly string[];
}

/** A place for objects of any class: a buffer of tapes of a branch, and the steps to the objects. */
export interface ObjectPlace {
  tape: number;
  steps: readonly TapeStep[];
}

/** Follows member names through a plan's schema to a leaf. Buffers are numbered as in web/core/decoder.ts. */
export function findLeaf(schema: Schema, members: readonly string[], classes?: Classes): Found {
  return new Walk(classes).column(schema, [...members], 0, []);
}

/**
 * Follows all member names and then continues to the first number or string, because only its number of
 * values is needed.
 */
export function findAnyLeaf(schema: Schema, members: readonly string[], classes?: Classes): Found {
  return new Walk(classes, true).column(schema, [...members], 0, []);
}

/** Whether the objects of a branch, or those in its collection, have a member by their declared class. */
export function hasMember(schema: Schema, member: string, classes: Classes): boolean {
  const found = new Walk(classes, false, true).column(schema, [member], 0, []);
  return !('unsupported' in found) && !('missing' in found && found.missing === member);
}

/** Returns the class of the object that member names lead to; an empty text if there is no object. */
export function classAt(schema: Schema, members: readonly string[], classes?: Classes): string {
  const found = findLeaf(schema, members, classes);
  return 'missing' in found && found.missing === '' ? found.typeName : '';
}

/** Returns all columns of tapes in a plan. */
export function tapePlaces(schema: Schema): TapePlace[] {
  const places: TapePlace[] = [];
  const visit = (node: Schema, buffer: number, levels: Level[]): void => {
    switch (node._typename) {
      case 'tape':
        places.push({ tape: buffer, levels });
        break;
      case 'fixed':
        visit(node.child, buffer, [...levels, { kind: LEVEL.fixed, value: node.size }]);
        break;
      case 'list':
        visit(node.child, buffer + 1, [...levels, { kind: LEVEL.list, value: buffer }]);
        break;
      case 'struct': {
        let at = buffer;
        for (const child of node.children) {
          visit(child, at, levels);
          at += buffersIn(child);
        }
      }
    }
  };
  visit(schema, 0, []);
  return places;
}

/** ROOT's collections of objects of any class. A test compares them with XY_CUSTOM_CLASSES of wasm/src/streamer/program.h. */
export const COLLECTIONS = new Set([
  'TClonesArray',
  'TObjArray',
  'TList',
  'THashList',
  'TSortedList',
  'TOrdCollection',
  'TMap',
  'RooLinkedList',
]);

/** Follows one child of a struct. `at` is the number of buffers before it; `name` is undefined for a base class. */
type Into = (child: Schema, rest: string[], at: number, name: string | undefined) => Found;

/** A position during the walk over tapes. */
interface OnTape {
  tape: number;
  above: Level[];
  steps: TapeStep[];
}

class Walk {
  #depth = 0;
  /** True while searching a collection that the path does not name. Collections inside it are not searched. */
  #implying = false;

  constructor(
    readonly classes: Classes | undefined,
    /** Whether the first leaf of an object is enough. */
    readonly any = false,
    /**
     * Whether only declared classes and the classes of a TClonesArray count, because objects of other
     * classes need not have the member.
     */
    readonly declared = false,
  ) {}

  column(schema: Schema, members: string[], buffer: number, levels: Level[]): Found {
    if (levels.length > LIMITS.levels) return { unsupported: 'is nested too deeply' };
    switch (schema._typename) {
      case 'primitive': {
        if (members.length > 0) return missing(members, [], '', levels);
        if (DTYPES[schema.dtype] === undefined) return { unsupported: 'has numbers of an unknown kind' };
        return { leaf: { kind: 'number', dtype: schema.dtype, data: buffer, offsets: 0, levels } };
      }
      case 'string':
        if (members.length > 0) return missing(members, [], 'string', levels);
        return {
          leaf: { kind: 'string', dtype: DTYPES.indexOf('u8'), data: buffer + 1, offsets: buffer, levels },
        };
      case 'fixed':
        return this.column(schema.child, members, buffer, [
          ...levels,
          { kind: LEVEL.fixed, value: schema.size },
        ]);
      case 'list':
        return this.column(schema.child, members, buffer + 1, [
          ...levels,
          { kind: LEVEL.list, value: buffer },
        ]);
      case 'optional':
        return this.column(schema.child, members, buffer + 1, [
          ...levels,
          { kind: LEVEL.optional, value: buffer },
        ]);
      case 'struct': {
        const into = (child: Schema, rest: string[], at: number): Found =>
          this.column(child, rest, buffer + at, levels);
        return this.#struct(schema, members, levels, into);
      }
      case 'variant':
        return { unsupported: 'holds values of several types' };
      case 'tape': {
        const start = { tape: buffer, above: levels, steps: [{ kind: 'there' } as const] };
        return this.#typed(schema.typeName, members, start);
      }
    }
  }

  /**
   * Finds members in a struct. Members of base classes count as the object's own. A struct with one member
   * need not be named, nor a collection whose elements have the member. `into` follows one child.
   */
  #struct(schema: Schema & { _typename: 'struct' }, members: string[], levels: Level[], into: Into): Found {
    const { there, found } = this.#member(schema, members, 0, into);
    const [wanted] = members;
    if (found && wanted === undefined && 'missing' in found && found.levels.length === levels.length)
      // An object with one object in it is of its own class.
      return { ...found, typeName: schema.typeName };
    if (found) return found;
    if (wanted !== undefined && !this.#implying) {
      const inner = this.#implied(schema, members, 0, into);
      if (inner) return inner;
    }
    return missing(members, there, schema.typeName, levels);
  }

  #member(
    schema: Schema & { _typename: 'struct' },
    members: string[],
    start: number,
    into: Into,
  ): { there: string[]; found?: Found } {
    const [wanted, ...rest] = members;
    const there: string[] = [];
    const mapped = { first: 'key', second: 'value' }[wanted ?? ''];
    // A member hides members of base classes that have its name.
    const own = schema.names.findIndex((name, i) => !schema.flat[i] && name === wanted);
    let at = start;
    for (const [i, child] of schema.children.entries()) {
      const name = schema.names[i] ?? '';
      if (own > i) {
        at += buffersIn(child);
        continue;
      }
      if (schema.flat[i] && child._typename === 'struct') {
        const inner = this.#member(child, members, at, into);
        if (inner.found) return { there, found: inner.found };
        there.push(...inner.there);
        if (wanted !== undefined && child.typeName === wanted) {
          const named = this.#member(child, rest, at, into);
          if (named.found) return { there, found: named.found };
        }
      } else if (schema.flat[i] && wanted !== undefined) {
        // A base class with several versions, or a collection.
        const inner = into(child, members, at, undefined);
        if (!('missing' in inner && inner.missing === wanted)) return { there, found: inner };
        there.push(...inner.there);
      } else {
        if (wanted !== undefined && (name === wanted || name === mapped)) {
          return { there, found: into(child, rest, at, name) };
        }
        there.push(name);
      }
      if (wanted === undefined && (schema.children.length === 1 || this.any)) {
        const only = into(child, [], at, schema.flat[i] ? undefined : name);
        if (schema.children.length === 1 || 'leaf' in only) return { there, found: only };
      }
      at += buffersIn(child);
    }
    return { there };
  }

  /** Finds a member of the elements of a collection that is not named, as TTreeFormula does. */
  #implied(
    schema: Schema & { _typename: 'struct' },
    members: string[],
    start: number,
    into: Into,
  ): Found | undefined {
    let at = start;
    this.#implying = true;
    try {
      for (const [i, child] of schema.children.entries()) {
        const name = schema.flat[i] ? undefined : schema.names[i];
        if (schema.flat[i] && child._typename === 'struct') {
          const inner = this.#implied(child, members, at, into);
          if (inner) return inner;
        } else if (isCollection(child)) {
          const found = into(child, members, at, name);
          if ('leaf' in found || ('missing' in found && found.missing !== members[0])) return found;
        }
        at += buffersIn(child);
      }
      return undefined;
    } finally {
      this.#implying = false;
    }
  }

  // ---- on tapes

  /** Follows members through the C++ type of a value on a tape. */
  #typed(typeName: string, members: string[], at: OnTape): Found {
    this.#depth += 1;
    if (this.#depth > 40) return { unsupported: 'is nested too deeply' };
    const name = bareType(typeName);
    if (COLLECTIONS.has(name)) return this.#collection(name, members, at);
    const schema = this.classes?.schema(name);
    const own =
      schema && schema._typename !== 'tape' ? whereItIs(this.#onTape(schema, members, at), at) : undefined;
    if (own && !('missing' in own && own.missing !== '')) return own;
    if (members.length > 0 && !this.declared) {
      const names = name === 'TObject' ? this.#classesAt(at) : (this.classes?.derived(name) ?? []);
      const derived = this.#derived(names, members, at);
      if (derived) return derived;
    }
    return (
      own ?? { unsupported: `holds objects of the class ${name}, which has no streamer info in this file` }
    );
  }

  /** Finds a member that only objects of some of these classes have; other objects have no value. */
  #derived(names: readonly string[], members: string[], at: OnTape): Found | undefined {
    const steps: TapeStep[] = [...at.steps.slice(0, -1), { kind: 'there', member: members[0] }];
    for (const name of names) {
      const schema = this.classes?.schema(name);
      const found = schema && this.#onTape(schema, members, { ...at, steps });
      if (found && 'leaf' in found) return found;
    }
    return undefined;
  }

  #classesAt({ tape, steps }: OnTape): readonly string[] {
    return this.classes?.at({ tape, steps }) ?? [];
  }

  #collection(name: string, members: string[], { tape, above, steps }: OnTape): Found {
    const [wanted, ...rest] = members;
    const inside: TapeStep[] = [...steps, { kind: 'member', name: 'arr' }, { kind: 'list' }];
    const at: OnTape = { tape, above, steps: [...inside, { kind: 'there' }] };
    if (wanted === undefined) {
      if (this.any) return this.#found('presence', DTYPES.indexOf('u8'), { tape, above, steps: inside });
      const [element = name] = name === 'TMap' || this.declared ? [] : this.#classesAt(at);
      return missing(members, [], element, this.#levels(at));
    }
    if (this.declared && name !== 'TClonesArray') return { unsupported: 'holds objects of any class' };
    if (name === 'TMap') {
      const side: TapeStep[] = [...inside, { kind: 'member', name: wanted }, { kind: 'there' }];
      if (wanted !== 'first' && wanted !== 'second')
        return missing(members, ['first', 'second'], name, above);
      return this.#anyClass(rest, { tape, above, steps: side });
    }
    return this.#anyClass(members, at);
  }

  /** Follows members through objects whose classes are only known from the entries. */
  #anyClass(members: string[], at: OnTape): Found {
    const classes = this.#classesAt(at);
    const [only] = classes;
    // If no entry has an object, any member that is named with its branch is accepted and has no value.
    if (only === undefined && this.declared) return missing(members, [], '', this.#levels(at));
    if (only === undefined) return this.#found('number', DTYPES.indexOf('f64'), at);
    return (classes.length > 1 && this.#derived(classes, members, at)) || this.#typed(only, members, at);
  }

  #onTape(schema: Schema, members: string[], at: OnTape): Found {
    const { tape, above, steps } = at;
    const next = (...more: TapeStep[]): OnTape => ({ tape, above, steps: [...steps, ...more] });
    switch (schema._typename) {
      case 'primitive':
        if (members.length > 0) return missing(members, [], '', above);
        return this.#found('number', schema.dtype, at);
      case 'string':
        if (members.length > 0) return missing(members, [], 'string', above);
        return this.#found('string', DTYPES.indexOf('u8'), at);
      case 'fixed':
        return this.#onTape(schema.child, members, next({ kind: 'fixed', size: schema.size }));
      case 'list':
        return this.#onTape(schema.child, members, next({ kind: 'list' }));
      case 'struct':
        return this.#struct(schema, members, this.#levels(at), (child, rest, _at, name) =>
          this.#onTape(child, rest, name === undefined ? at : next({ kind: 'member', name })),
        );
      case 'tape':
        return this.#typed(schema.typeName, members, next({ kind: 'there' }));
      default:
        return { unsupported: 'holds values of several types' };
    }
  }

  #levels({ above, steps }: OnTape): Level[] {
    let buffer = 0;
    const below = steps.flatMap((step): Level[] => {
      if (step.kind === 'fixed') return [{ kind: LEVEL.fixed, value: step.size }];
      if (step.kind === 'list') return [{ kind: LEVEL.list, value: buffer++ }];
      return step.kind === 'there' ? [{ kind: LEVEL.optional, value: buffer++ }] : [];
    });
    return [...above, ...below];
  }

  #found(kind: 'number' | 'string' | 'presence', dtype: number, at: OnTape): Found {
    const levels = this.#levels(at);
    if (levels.length > LIMITS.levels) return { unsupported: 'is nested too deeply' };
    const { tape, steps, above } = at;
    const buffer = steps.filter((step) => step.kind === 'list' || step.kind === 'there').length;
    const text = kind === 'string';
    return {
      leaf: {
        kind: text ? 'string' : 'number',
        dtype,
        data: text ? buffer + 1 : buffer,
        offsets: text ? buffer : 0,
        levels,
        tape: { tape, steps, above: above.length, presence: kind === 'presence' },
      },
    };
  }
}

/** Gives no value to objects stored with a version of their class that lacks the member. */
function whereItIs(found: Found, { steps: { length } }: OnTape): Found {
  const tape = 'leaf' in found ? found.leaf.tape : undefined;
  const next = tape?.steps[length];
  if (tape && next?.kind === 'member')
    tape.steps = tape.steps.with(length - 1, { kind: 'there', member: next.name, own: true });
  return found;
}

/** Returns the type of the numbers of a leaf. */
export function dtypeOf({ dtype }: Leaf): DType {
  return DTYPES[dtype] ?? 'f64';
}

/** Whether a branch of this shape holds a collection whose members may be named without the collection. */
export function isCollection(schema: Schema): boolean {
  if (schema._typename === 'list')
    return schema.child._typename === 'struct' || schema.child._typename === 'tape';
  return schema._typename === 'tape' && bareType(schema.typeName) === 'TClonesArray';
}

/** Returns "T" for "const T*". */
function bareType(typeName: string): string {
  let end = typeName.length;
  while (end > 0 && '*& '.includes(typeName.charAt(end - 1))) end--;
  return typeName.slice(typeName.startsWith('const ') ? 'const '.length : 0, end);
}

function missing(members: string[], there: string[], typeName: string, levels: Level[]): Found {
  return { missing: members[0] ?? '', there, typeName, levels };
}

export function buffersIn(schema: Schema): number {
  switch (schema._typename) {
    case 'primitive':
      return 1;
    case 'string':
    case 'tape':
      return 2;
    case 'fixed':
      return buffersIn(schema.child);
    case 'list':
    case 'optional':
      return 1 + buffersIn(schema.child);
    case 'variant':
      return 2 + schema.children.reduce((sum, child) => sum + buffersIn(child), 0);
    case 'struct':
      return schema.children.reduce((sum, child) => sum + buffersIn(child), 0);
  }
}

/** Whether a branch has the lengths of a collection of an RNTuple. */
export function isLength({ typeName }: BranchInfo): boolean {
  return typeName.startsWith('ROOT::RNTupleCardinality<');
}
