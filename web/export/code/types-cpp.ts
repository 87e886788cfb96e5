import type { ClassInfo, MemberInfo } from '../../api/api';
import { own } from '../../base/own';
import {
  byName,
  type CppType,
  findClass,
  memberType,
  normalName,
  parseCppType,
  withWellKnown,
} from './cpp-type';
import { commentText, Identifiers, nameClasses } from './type-text';

const KEYWORDS = new Set(
  [
    'alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t',
    'class co_await co_return co_yield compl concept const consteval constexpr constinit const_cast continue',
    'decltype default delete do double dynamic_cast else enum explicit export extern false float for friend',
    'goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private',
    'protected public register reinterpret_cast requires return short signed sizeof static static_assert',
    'static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned',
    'using virtual void volatile wchar_t while xor xor_eq std root_file',
    // Macros of the headers that are included, and of compilers.
    'NULL EOF BUFSIZ EDOM ERANGE EILSEQ HUGE_VAL INFINITY NAN CHAR_BIT SIZE_MAX WEOF assert errno linux unix',
    'i386 stdin stdout stderr offsetof',
  ].flatMap((line) => line.split(' ')),
);

/** The header of each standard template. */
const HEADERS: Record<string, string> = {
  vector: 'vector',
  list: 'list',
  forward_list: 'forward_list',
  deque: 'deque',
  set: 'set',
  multiset: 'set',
  unordered_set: 'unordered_set',
  unordered_multiset: 'unordered_set',
  map: 'map',
  multimap: 'map',
  unordered_map: 'unordered_map',
  unordered_multimap: 'unordered_map',
  pair: 'utility',
  tuple: 'tuple',
  array: 'array',
  bitset: 'bitset',
  unique_ptr: 'memory',
  optional: 'optional',
};
/** Templates that hold their values within themselves. */
const HOLDS_VALUES = new Set(['pair', 'tuple', 'array', 'optional']);
/** Largest array within a struct, in elements. */
const MAX_ELEMENTS = 1 << 20;

/** The classes that a base or member needs. */
interface Needs {
  /** Classes that must be complete before. */
  whole: Set<ClassInfo>;
  /** Classes that should be, where order allows: elements of containers. */
  wanted: Set<ClassInfo>;
  /** Whether `wanted` ones must be complete too: hash tables. */
  strict: boolean;
}

interface Part {
  needs: Needs;
  text: string;
  /** The text in its place when it is not available. */
  instead: string;
}

interface Struct {
  one: ClassInfo;
  identifier: string;
  bases: Part[];
  members: Part[];
}

/**
 * C++17 structs of classes, in an order in which they compile, as ROOT's MakeProject writes classes.
 * Names that are no identifiers are changed; what a file does not describe stands as a comment.
 */
export function cppStructs(classes: ClassInfo[]): string {
  return new Writer(withWellKnown(classes)).text();
}

class Writer {
  readonly #names: Map<string, ClassInfo[]>;
  readonly #identifiers: Map<ClassInfo, string>;
  readonly #taken: Set<string>;
  readonly #headers = new Set<string>();
  /** Classes that only pointers show to, and that are not described. */
  readonly #opaque = new Map<string, string>();
  readonly #opaqueNames: Identifiers;

  constructor(classes: ClassInfo[]) {
    // Classes of the standard library are included from it.
    const own = classes.filter((one) => {
      const kind = parseCppType(one.name).kind;
      return kind === 'class' || kind === 'unknown';
    });
    this.#names = byName(own);
    this.#identifiers = nameClasses(this.#names, (name) => KEYWORDS.has(name));
    this.#taken = new Set(this.#identifiers.values());
    this.#opaqueNames = new Identifiers((name) => KEYWORDS.has(name) || this.#taken.has(name));
  }

  text(): string {
    // Once to find all classes, so that no member takes the name of one.
    for (const [one, identifier] of this.#identifiers) this.#struct(one, identifier);
    const structs = [...this.#identifiers].map(([one, identifier]) => this.#struct(one, identifier));
    const forward = [
      ...structs.map(({ identifier }) => `struct ${identifier};`),
      ...[...this.#opaque].map(([name, id]) => `struct ${id}; // ${commentText(name)}, not described`),
    ];
    const bodies = Array.from(inOrder(structs), ({ struct, done }) => this.#body(struct, done));
    return [
      "// Structs of these classes, as the file's streamer infos describe them.",
      '#pragma once',
      '',
      ...[...this.#headers].sort().map((header) => `#include <${header}>`),
      ...(this.#headers.size > 0 ? [''] : []),
      'namespace root_file {',
      '',
      ...forward,
      '',
      ...bodies,
      '} // namespace root_file',
      '',
    ].join('\n');
  }

  #body({ one, identifier, bases, members }: Struct, done: ReadonlySet<ClassInfo>): string {
    const possible = (part: Part): boolean =>
      part.text !== '' &&
      [...part.needs.whole].every((need) => done.has(need)) &&
      (!part.needs.strict || [...part.needs.wanted].every((need) => done.has(need)));
    const above = [...new Set(bases.filter(possible).map(({ text }) => text))];
    return [
      `// ${commentText(one.name)}, version ${one.version}`,
      `struct ${identifier}${above.length > 0 ? ` : ${above.join(', ')}` : ''} {`,
      ...bases.filter((base) => !possible(base)).map(({ instead }) => `    ${instead}`),
      ...members.map((member) => `    ${possible(member) ? member.text : member.instead}`),
      '};',
      '',
    ].join('\n');
  }

  #struct(one: ClassInfo, identifier: string): Struct {
    const struct: Struct = { one, identifier, bases: [], members: [] };
    // A member must not hide a class of the same name from those after it.
    const names = new Identifiers((name) => KEYWORDS.has(name) || this.#taken.has(name));
    for (const element of one.elements) {
      if (element.base) struct.bases.push(this.#base(element));
      else struct.members.push(this.#member(element, names));
    }
    return struct;
  }

  #base(element: MemberInfo): Part {
    const needs = noNeeds();
    const instead = `// base class ${commentText(element.name)}: not described`;
    const found = findClass(this.#names, normalName(element.name), element.baseVersion);
    if (found) {
      needs.whole.add(found);
      return { needs, text: this.#identifiers.get(found) ?? '', instead };
    }
    const type = parseCppType(element.name);
    return { needs, text: (type.kind === 'standard' && this.#type(type, needs)) || '', instead };
  }

  #member(member: MemberInfo, names: Identifiers): Part {
    const { type, dimensions, counted } = memberType(member);
    const needs = noNeeds();
    const identifier = names.give(member.name);
    const title = commentText(member.title);
    const packed = type.kind === 'number' && /^(Double32_t|Float16_t)$/.test(type.name) ? type.name : '';
    const renamed = identifier === member.name ? '' : commentText(member.name);
    const comment = [renamed, packed, title].filter((text) => text !== '').join('; ');
    const brackets = dimensions.map((size) => `[${size}]`).join('');
    const instead = `// ${commentText(`${member.typeName} ${member.name}${brackets}`)}: not described`;
    const elements = dimensions.reduce((product, size) => product * size, 1);
    const sensible = dimensions.every((size) => size > 0) && elements <= MAX_ELEMENTS;
    const text = sensible ? this.#type(type, needs) : undefined;
    if (text === undefined) return { needs, text: '', instead };
    const pointer = counted ? (text.endsWith('*') ? '*' : ' *') : '';
    const space = text.endsWith('*') || counted ? '' : ' ';
    const line = `${text}${pointer}${space}${identifier}${brackets};${comment === '' ? '' : ` // ${comment}`}`;
    return { needs, text: line, instead };
  }

  /** The C++ text of a type; undefined where it needs what is not described. */
  #type(type: CppType, needs: Needs): string | undefined {
    switch (type.kind) {
      case 'number':
        return type.number.cpp;
      case 'string':
        if (type.name === 'char*') return 'char *';
        this.#headers.add('string');
        return 'std::string';
      case 'pointer':
        return this.#pointer(type.to, needs);
      case 'class': {
        const found = findClass(this.#names, type.name);
        if (found === undefined) return undefined;
        needs.whole.add(found);
        return this.#identifiers.get(found);
      }
      case 'standard':
        return this.#standard(type, needs);
      default:
        return undefined;
    }
  }

  #pointer(to: CppType, needs: Needs): string {
    if (to.kind === 'class') return `${this.#pointedClass(to.name)} *`;
    const text = this.#type(to, needs);
    if (text === undefined) return 'void *';
    return text.endsWith('*') ? `${text}*` : `${text} *`;
  }

  #pointedClass(name: string): string {
    const found = findClass(this.#names, name);
    const identifier = (found && this.#identifiers.get(found)) ?? this.#opaque.get(name);
    if (identifier !== undefined) return identifier;
    const given = this.#opaqueNames.give(name);
    this.#opaque.set(name, given);
    this.#taken.add(given);
    return given;
  }

  #standard({ name, args }: CppType & { kind: 'standard' }, needs: Needs): string | undefined {
    const inner = noNeeds();
    const sized = name === 'bitset' ? 0 : name === 'array' ? 1 : -1;
    const texts = args.map((arg, i) => {
      if (typeof arg !== 'number') return i === sized ? undefined : this.#type(arg, inner);
      return i === sized && arg > 0 && arg <= MAX_ELEMENTS ? String(arg) : undefined;
    });
    if (texts.includes(undefined)) return undefined;
    const hashed = name.startsWith('unordered');
    const [key] = args;
    // There is no std::hash for classes.
    if (
      hashed &&
      typeof key === 'object' &&
      !/^(number|pointer)$/.test(key.kind) &&
      texts[0] !== 'std::string'
    ) {
      return undefined;
    }
    const whole = HOLDS_VALUES.has(name) ? needs.whole : needs.wanted;
    for (const need of inner.whole) whole.add(need);
    for (const need of inner.wanted) needs.wanted.add(need);
    needs.strict ||= inner.strict || hashed;
    this.#headers.add(own(HEADERS, name) ?? name);
    return `std::${name}<${texts.join(', ')}>`;
  }
}

function noNeeds(): Needs {
  return { whole: new Set(), wanted: new Set(), strict: false };
}

/**
 * Each struct follows those that it needs. Where containers make a circle their elements may come
 * later; where values do, which C++ cannot have, `done` tells what is there.
 */
function* inOrder(structs: Struct[]): Generator<{ struct: Struct; done: ReadonlySet<ClassInfo> }> {
  const done = new Set<ClassInfo>();
  const waiting = new Map(structs.map((struct) => [struct.one, openNeeds(struct)]));
  const byClass = new Map(structs.map((struct) => [struct.one, struct]));
  const users = new Map<ClassInfo, ClassInfo[]>();
  for (const [one, { whole, wanted }] of waiting) {
    for (const need of new Set([...whole, ...wanted])) {
      const list = users.get(need);
      if (list) list.push(one);
      else users.set(need, [one]);
    }
  }
  const ready: ClassInfo[] = [];
  for (const [one, { whole, wanted }] of waiting) if (whole.size + wanted.size === 0) ready.push(one);
  let at = 0;
  while (waiting.size > 0) {
    const next = ready[at++] ?? leastStuck(waiting);
    if (!waiting.delete(next)) continue;
    const struct = byClass.get(next);
    if (struct) yield { struct, done };
    done.add(next);
    for (const user of users.get(next) ?? []) {
      const needs = waiting.get(user);
      if (needs === undefined) continue;
      needs.whole.delete(next);
      needs.wanted.delete(next);
      if (needs.whole.size + needs.wanted.size === 0) ready.push(user);
    }
  }
}

type OpenNeeds = Pick<Needs, 'whole' | 'wanted'>;

function openNeeds({ one, bases, members }: Struct): OpenNeeds {
  const needs: OpenNeeds = { whole: new Set(), wanted: new Set() };
  for (const part of [...bases, ...members]) {
    for (const need of part.needs.whole) if (need !== one) needs.whole.add(need);
    for (const need of part.needs.wanted) if (need !== one) needs.wanted.add(need);
  }
  return needs;
}

/** The first that lacks elements of containers only; the first of all where there is none. */
function leastStuck(waiting: Map<ClassInfo, OpenNeeds>): ClassInfo {
  for (const [one, { whole }] of waiting) if (whole.size === 0) return one;
  return waiting.keys().next().value as ClassInfo;
}
