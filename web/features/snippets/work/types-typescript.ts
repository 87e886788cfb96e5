import type { ClassInfo, MemberInfo } from '../../../api/api';
import { byName, type CppType, findClass, memberType, normalName, withWellKnown } from './cpp-type';
import { commentText, nameClasses } from './type-text';

const OBJECTS = 'arr: (Stored | Ref | null)[]';
const LIST = ['name: string', OBJECTS];
const LIST_WITH_OPTIONS = [...LIST, 'opt: string[]'];
/**
 * Members of the classes to which xylem gives other members than their streamer info has: TObject, TRef, and those of
 * XY_CUSTOM_CLASSES in wasm/src/streamer/program.h.
 */
export const OWN_FORMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['TObject', ['fUniqueID: number', 'fBits: number']],
  ['TRef', ['fUniqueID: number', 'fBits: number', 'fPID: number']],
  ['TRefArray', ['name: string', 'fLast: number', 'fLowerBound: number', 'fUIDs: Uint32Array']],
  ['TObjArray', LIST],
  ['TClonesArray', LIST],
  ['TList', LIST_WITH_OPTIONS],
  ['THashList', LIST_WITH_OPTIONS],
  ['TSortedList', LIST_WITH_OPTIONS],
  ['TOrdCollection', LIST_WITH_OPTIONS],
  ['RooLinkedList', ['fUniqueID: number', 'fBits: number', '_size: number', OBJECTS, '_name: string']],
  [
    'TBasket',
    [
      'fKeylen: number',
      'fNevBuf: number',
      'fLast: number',
      'fEntryOffset: Int32Array | undefined',
      'buffer: Uint8Array | undefined',
    ],
  ],
  ['TMap', ['name: string', 'arr: { first: Stored | Ref | null; second: Stored | Ref | null }[]']],
]);

/** Arrays that are a class of their own; as members they are plain typed arrays. */
const ROOT_ARRAYS = new Map([
  ['TArrayC', 'Int8Array'],
  ['TArrayS', 'Int16Array'],
  ['TArrayI', 'Int32Array'],
  ['TArrayL', 'BigInt64Array'],
  ['TArrayL64', 'BigInt64Array'],
  ['TArrayF', 'Float32Array'],
  ['TArrayD', 'Float64Array'],
]);

const RESERVED = new Set(
  [
    'any as async await bigint boolean break case catch class const continue debugger declare default delete',
    'do else enum export extends false finally for function if implements import in infer instanceof interface',
    'intrinsic is keyof let module namespace never new null number object of out package private protected',
    'public readonly require return satisfies set static string super switch symbol this throw true try type',
    'typeof undefined unique unknown using var void while with yield Stored Ref',
    'Int8Array Uint8Array Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array',
    'Float32Array Float64Array',
  ].flatMap((line) => line.split(' ')),
);

const HEAD = `// What xylem gives for objects of these classes, as the file's streamer infos describe them.
// Integers of 64 bits are bigints; arrays of numbers are typed arrays. A part that cannot be read is
// { $error: why } in place of its value.

/** Any stored object. */
export interface Stored {
  /** Name of its class. */
  _typename: string;
  /** Its number, where others refer to it. */
  $id?: number | undefined;
}

/** A reference to an object that was written before, by its \`$id\`. */
export interface Ref {
  $ref: number;
}
`;
const STORED: [string, string][] = [
  ['_typename', 'string'],
  ['$id', 'number | undefined'],
];
/** Maximum length of a chain of base classes that is followed. */
const DEEPEST = 100;

interface Member {
  name: string;
  text: string;
  comment: string;
}

interface Shape {
  /** Interfaces that are extended, and members of those that cannot be. */
  bases: string[];
  members: Member[];
  notes: string[];
  /** All members, inherited ones too: name to type. */
  all: Map<string, string>;
}

/**
 * TypeScript interfaces of classes, for the plain data that `EngineApi.object` gives: valid under
 * `strict` whatever the names, types and titles are. Classes that are not described are `unknown`.
 */
export function typescriptTypes(classes: ClassInfo[]): string {
  return new Writer(withWellKnown(classes, [...OWN_FORMS.keys()])).text();
}

class Writer {
  readonly #names: Map<string, ClassInfo[]>;
  readonly #identifiers: Map<ClassInfo, string>;
  readonly #shapes = new Map<ClassInfo, Shape | 'open'>();

  constructor(readonly classes: ClassInfo[]) {
    this.#names = byName(classes);
    this.#identifiers = nameClasses(this.#names, (name) => RESERVED.has(name));
  }

  text(): string {
    const parts = [HEAD];
    for (const one of this.classes) {
      // The first of several layouts with the same version stands for all of them.
      const identifier = this.#identifiers.get(one);
      if (identifier !== undefined) parts.push(this.#interface(one, identifier));
    }
    return parts.join('\n');
  }

  #interface(one: ClassInfo, identifier: string): string {
    const { bases, members, notes } = this.#shape(one, 0) ?? { bases: [], members: [], notes: [] };
    const lines = [
      `/** ${commentText(one.name)}, version ${one.version}. */`,
      `export interface ${identifier}${bases.length > 0 ? ` extends ${bases.join(', ')}` : ''} {`,
      ...notes.map((note) => `  // ${note}`),
      ...members.flatMap(({ name, text, comment }) => [
        ...(comment === '' ? [] : [`  /** ${comment} */`]),
        `  ${propertyName(name)}: ${text};`,
      ]),
      '}',
      '',
    ];
    return lines.join('\n');
  }

  /** Undefined for a class that is its own base, or has too many above it. */
  #shape(one: ClassInfo, depth: number): Shape | undefined {
    const known = this.#shapes.get(one);
    if (known !== undefined) return known === 'open' ? undefined : known;
    if (depth > DEEPEST) return undefined;
    this.#shapes.set(one, 'open');
    const shape = this.#makeShape(one, depth);
    this.#shapes.set(one, shape);
    return shape;
  }

  #makeShape(one: ClassInfo, depth: number): Shape {
    const own = this.#ownMembers(one);
    const shape: Shape = { bases: [], members: [], notes: [], all: new Map() };
    for (const member of own) shape.all.set(member.name, member.text);
    let stored = false;
    for (const element of OWN_FORMS.has(one.name) ? [] : one.elements) {
      if (!element.base) continue;
      const base = findClass(this.#names, normalName(element.name), element.baseVersion);
      const above = base && this.#shape(base, depth + 1);
      const identifier = base && this.#identifiers.get(base);
      if (above === undefined || identifier === undefined) {
        shape.notes.push(`base class ${commentText(element.name)} is not described`);
      } else {
        inherit(shape, identifier, above.all);
        stored = true;
      }
    }
    if (!stored) inherit(shape, 'Stored', new Map(STORED));
    shape.members.push(...own);
    return shape;
  }

  #ownMembers(one: ClassInfo): Member[] {
    const form = OWN_FORMS.get(one.name);
    if (form) {
      return form.map((line) => {
        const [name = '', text = ''] = line.split(/: (.*)/);
        return { name, text, comment: '' };
      });
    }
    const members = new Map<string, Member>();
    for (const element of one.elements) {
      if (element.base) continue;
      const { name, title } = element;
      members.set(name, { name, text: this.#memberText(element), comment: commentText(title) });
    }
    return [...members.values()];
  }

  #memberText(member: MemberInfo): string {
    const { type, dimensions, counted } = memberType(member);
    const levels = dimensions.length + (counted ? 1 : 0);
    if (levels === 0) return this.#type(type);
    return this.#arrayOf(type) + '[]'.repeat(levels - 1);
  }

  #arrayOf(type: CppType | number | undefined): string {
    if (type === undefined || typeof type === 'number') return 'unknown[]';
    if (type.kind === 'number' && type.number.array !== 'boolean') return `${type.number.array}Array`;
    const text = this.#type(type);
    return /^[\w[\]]+$/.test(text) ? `${text}[]` : `(${text})[]`;
  }

  #type(type: CppType | number | undefined): string {
    if (type === undefined || typeof type === 'number') return 'unknown';
    switch (type.kind) {
      case 'number':
        if (type.number.array === 'boolean') return 'boolean';
        return type.number.array.startsWith('Big') ? 'bigint' : 'number';
      case 'string':
        return 'string';
      case 'pointer':
        return this.#pointer(type.to);
      case 'standard':
        return this.#standard(type);
      case 'class':
        return ROOT_ARRAYS.get(type.name) ?? this.#class(type.name);
      default:
        return 'unknown';
    }
  }

  #class(name: string): string {
    const found = findClass(this.#names, name);
    return (found && this.#identifiers.get(found)) ?? 'unknown';
  }

  #pointer(to: CppType | undefined): string {
    const text = to === undefined ? 'unknown' : this.#type(to);
    if (text !== 'unknown') return `${text} | Ref | null`;
    return to?.kind === 'class' ? 'Stored | Ref | null' : text;
  }

  #standard(type: CppType & { kind: 'standard' }): string {
    const [first, second] = type.args;
    switch (type.name) {
      case 'map':
      case 'multimap':
      case 'unordered_map':
      case 'unordered_multimap':
        return `{ first: ${this.#type(first)}; second: ${this.#type(second)} }[]`;
      case 'pair': {
        const described = this.#class(type.text);
        if (described !== 'unknown') return described;
        return `{ first: ${this.#type(first)}; second: ${this.#type(second)} }`;
      }
      case 'bitset':
        return 'boolean[]';
      case 'unique_ptr':
        return typeof first === 'number' ? 'unknown' : this.#pointer(first);
      case 'tuple':
      case 'optional':
        return this.#class(type.text);
      case 'array': {
        const described = this.#class(type.text);
        return described === 'unknown' ? this.#arrayOf(first) : described;
      }
      default:
        return this.#arrayOf(first);
    }
  }
}

/** Extends a base; where a member of it has another type already, its members are written out. */
function inherit(shape: Shape, identifier: string, members: Map<string, string>): void {
  const fits = [...members].every(([name, text]) => (shape.all.get(name) ?? text) === text);
  if (fits) shape.bases.push(identifier);
  for (const [name, text] of members) {
    if (shape.all.has(name)) continue;
    shape.all.set(name, text);
    if (!fits) shape.members.push({ name, text, comment: '' });
  }
}

/** A member's name as it may stand in an interface. */
function propertyName(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return name;
  return JSON.stringify(name).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
