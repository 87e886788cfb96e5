import type { ClassInfo, MemberInfo } from '../../../api/api';

/** Numeric types of ROOT: their names in C++, and the typed array in plain data. */
export interface NumberType {
  cpp: string;
  /** `boolean` has no typed array: such arrays are plain. */
  array:
    | 'Int8'
    | 'Uint8'
    | 'Int16'
    | 'Uint16'
    | 'Int32'
    | 'Uint32'
    | 'BigInt64'
    | 'BigUint64'
    | 'Float32'
    | 'Float64'
    | 'boolean';
}

/** A C++ type of a streamer info, as far as it can be told from its text. */
export type CppType =
  | { kind: 'number'; number: NumberType; name: string }
  /** std::string, TString or char*. */
  | { kind: 'string'; name: string }
  | { kind: 'pointer'; to: CppType }
  /** A template of the standard library, or ROOT's RVec. */
  | { kind: 'standard'; name: string; args: (CppType | number)[]; text: string }
  /** Any other class; `name` is normalised and may be that of a template's instance. */
  | { kind: 'class'; name: string }
  | { kind: 'unknown' };

/** Number of values of the type in a member. */
export interface MemberType {
  type: CppType;
  /** Fixed dimensions, outermost first. */
  dimensions: number[];
  /** Values are an array whose length another member holds. */
  counted: boolean;
}

const MAX_LENGTH = 2000;
const DEEPEST = 24;

const number = (cpp: string, array: NumberType['array']): NumberType => ({ cpp, array });

/** TStreamerElement::fType of basic types; +20 for fixed arrays, +40 for counted ones. */
const BASIC_TYPES: Record<number, NumberType> = {
  1: number('char', 'Int8'),
  2: number('short', 'Int16'),
  3: number('int', 'Int32'),
  4: number('long', 'BigInt64'),
  5: number('float', 'Float32'),
  6: number('int', 'Int32'),
  8: number('double', 'Float64'),
  9: number('double', 'Float64'),
  10: number('char', 'Int8'),
  11: number('unsigned char', 'Uint8'),
  12: number('unsigned short', 'Uint16'),
  13: number('unsigned int', 'Uint32'),
  14: number('unsigned long', 'BigUint64'),
  15: number('unsigned int', 'Uint32'),
  16: number('long long', 'BigInt64'),
  17: number('unsigned long long', 'BigUint64'),
  18: number('bool', 'boolean'),
  19: number('float', 'Float32'),
};
const CHAR_STAR = 7;
const LAST_BASIC = 60;

const NAMES: [code: number, names: string][] = [
  [1, 'char,signed char,Char_t,int8_t'],
  [2, 'short,short int,Short_t,int16_t'],
  [3, 'int,signed,signed int,Int_t,int32_t'],
  [4, 'long,long int,Long_t'],
  [5, 'float,Float_t'],
  [8, 'double,Double_t'],
  [9, 'Double32_t'],
  [11, 'unsigned char,UChar_t,uint8_t,byte'],
  [12, 'unsigned short,UShort_t,uint16_t'],
  [13, 'unsigned int,unsigned,UInt_t,uint32_t'],
  [14, 'unsigned long,ULong_t'],
  [16, 'long long,Long64_t,int64_t'],
  [17, 'unsigned long long,ULong64_t,uint64_t'],
  [18, 'bool,Bool_t'],
  [19, 'Float16_t'],
];
const NUMBERS = new Map<string, NumberType>(
  NAMES.flatMap(([code, names]) =>
    names.split(',').map((name): [string, NumberType] => [name, BASIC_TYPES[code] as NumberType]),
  ),
);

/** Standard templates, each with the number of arguments that are element types; the others are ignored. */
const STANDARD = new Map<string, number>([
  ['vector', 1],
  ['list', 1],
  ['forward_list', 1],
  ['deque', 1],
  ['set', 1],
  ['multiset', 1],
  ['unordered_set', 1],
  ['unordered_multiset', 1],
  ['map', 2],
  ['multimap', 2],
  ['unordered_map', 2],
  ['unordered_multimap', 2],
  ['pair', 2],
  ['tuple', 16],
  ['array', 2],
  ['bitset', 1],
  ['unique_ptr', 1],
  ['optional', 1],
  ['ROOT::VecOps::RVec', 1],
  ['ROOT::RVec', 1],
  ['RVec', 1],
]);

/** ROOT's names of numbers that it replaces in the names of classes, each with the name in C++. */
const REPLACED = new Map(
  NAMES.filter(([code]) => ![9, 16, 17, 19].includes(code)).flatMap(([, names]) => {
    const all = names.split(',');
    return all.filter((name) => /^[A-Z]/.test(name)).map((name): [string, string] => [name, all[0] ?? '']);
  }),
);

/** One spelling of a type's name: no "std::", no spaces but between words, and Foo<int> instead of Foo<Int_t>. */
export function normalName(text: string): string {
  const short = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![\w:])std::/g, '')
    .replace(/ ?([<>,*&:]) ?/g, '$1');
  return short.replace(/(?<=[<,]|[<,]const )[A-Z]\w*_t(?=[>,*])/g, (name) => REPLACED.get(name) ?? name);
}

/** Whether C++ and ROOT know a number by this name. */
export const isNumberName = (name: string): boolean => NUMBERS.has(name) && name !== 'byte';

/** Parses the text of a type; returns `unknown` when it is not understood. */
export function parseCppType(text: string): CppType {
  return text.length > MAX_LENGTH ? { kind: 'unknown' } : parse(normalName(text), 0);
}

function parse(text: string, depth: number): CppType {
  if (depth > DEEPEST || text === '') return { kind: 'unknown' };
  if (text.startsWith('const ')) return parse(text.slice(6), depth + 1);
  if (text.endsWith(' const')) return parse(text.slice(0, -6), depth + 1);
  if (text === 'char*') return { kind: 'string', name: text };
  if (text.endsWith('*')) return { kind: 'pointer', to: parse(text.slice(0, -1), depth + 1) };
  const found = NUMBERS.get(text);
  if (found) return { kind: 'number', number: found, name: text };
  if (text === 'string' || text === 'TString' || text.startsWith('basic_string<char')) {
    return { kind: 'string', name: text };
  }
  const match = /^([\w:]+)<(.*)>$/.exec(text);
  const wanted = STANDARD.get(match?.[1] ?? '');
  if (match && wanted !== undefined) {
    const parts = splitArguments(match[2] ?? '');
    if (parts === undefined) return { kind: 'unknown' };
    const args = parts
      .slice(0, wanted)
      .map((part) => (/^\d{1,9}$/.test(part) ? Number(part) : parse(part, depth + 1)));
    const least = wanted === 16 ? 0 : wanted;
    if (args.length < least) return { kind: 'unknown' };
    const name = /RVec$/.test(match[1] ?? '') ? 'vector' : (match[1] ?? '');
    return { kind: 'standard', name, args, text };
  }
  return { kind: 'class', name: text };
}

/** Splits at the commas that stand in no brackets; undefined when the brackets are not balanced. */
export function splitArguments(text: string): string[] | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '<') depth++;
    if (character === '>' && --depth < 0) return undefined;
    if (character !== ',' || depth > 0) continue;
    parts.push(text.slice(start, i));
    start = i + 1;
  }
  if (depth !== 0) return undefined;
  if (start < text.length) parts.push(text.slice(start));
  return parts;
}

/** Returns the form of a member. */
export function memberType(member: MemberInfo): MemberType {
  const { type: code, dimensions } = member;
  if (code > 0 && code < LAST_BASIC) {
    const basic = code % 20;
    const counted = code >= 40;
    if (basic === CHAR_STAR) return { type: { kind: 'string', name: 'char*' }, dimensions, counted };
    const found = BASIC_TYPES[basic];
    const name = normalName(member.typeName).replace(/\*$/, '');
    if (found) return { type: { kind: 'number', number: found, name }, dimensions, counted };
  }
  const type = parseCppType(member.typeName);
  // Objects in an array that another member counts: "Foo*" is the array.
  if (code === 501 && type.kind === 'pointer') return { type: type.to, dimensions, counted: true };
  return { type, dimensions, counted: code === 501 };
}

/** Names of the classes that a type is made of. */
function classNames(type: CppType | number, found: Set<string>): void {
  if (typeof type === 'number') return;
  if (type.kind === 'class') found.add(type.name);
  else if (type.kind === 'pointer') classNames(type.to, found);
  else if (type.kind === 'standard') {
    found.add(type.text);
    for (const arg of type.args) classNames(arg, found);
  }
}

/** Names of the classes that a base or member is made of. */
function neededNames(element: MemberInfo): Set<string> {
  const needed = new Set<string>();
  if (element.base) needed.add(normalName(element.name));
  classNames(element.base ? parseCppType(element.name) : memberType(element).type, needed);
  return needed;
}

const plainMember = (name: string, typeName: string, type: number, counter = ''): MemberInfo => ({
  name,
  title: counter === '' ? '' : `[${counter}]`,
  typeName,
  type,
  dimensions: [],
  counter,
  base: false,
});

/** Classes that ROOT never describes, or not always, because every ROOT has them. */
function wellKnown(name: string): ClassInfo | undefined {
  const array = /^TArray(C|S|I|L|L64|F|D)$/.exec(name)?.[1];
  if (array !== undefined) {
    const code = { C: 1, S: 2, I: 3, L: 4, L64: 16, F: 5, D: 8 }[array] ?? 0;
    const elements = [
      plainMember('fN', 'int', 6),
      plainMember('fArray', `${BASIC_TYPES[code]?.cpp}*`, 40 + code, 'fN'),
    ];
    return { name, version: 1, checksum: 0, elements };
  }
  if (name !== 'TObject') return undefined;
  const elements = [plainMember('fUniqueID', 'unsigned int', 13), plainMember('fBits', 'unsigned int', 15)];
  return { name, version: 1, checksum: 0, elements };
}

/**
 * The classes, with those of ROOT's own that they need and the file leaves out; of `others` that the
 * caller knows, the names alone.
 */
export function withWellKnown(classes: ClassInfo[], others: readonly string[] = []): ClassInfo[] {
  const there = byName(classes);
  const added = new Map<string, ClassInfo>();
  for (const one of classes) {
    for (const element of one.elements) {
      for (const name of neededNames(element)) {
        if (there.has(name) || added.has(name)) continue;
        const bare = others.includes(name) ? { name, version: 1, checksum: 0, elements: [] } : undefined;
        const known = wellKnown(name) ?? bare;
        if (known) added.set(name, known);
      }
    }
  }
  return [...added.values(), ...classes];
}

/** These classes and all that their bases and members are made of, in the order of `classes`. */
export function withNeeded(classes: ClassInfo[], chosen: ClassInfo[]): ClassInfo[] {
  const names = byName(classes);
  const wanted = new Set<ClassInfo>();
  const open = [...chosen];
  for (let next = open.pop(); next; next = open.pop()) {
    if (wanted.has(next)) continue;
    wanted.add(next);
    for (const element of next.elements) {
      for (const name of neededNames(element)) {
        const found = findClass(names, name, element.baseVersion);
        if (found) open.push(found);
      }
    }
  }
  return classes.filter((one) => wanted.has(one));
}

/** The class that a base or member means: of the version that is asked for, or else the newest. */
export function findClass(
  names: Map<string, ClassInfo[]>,
  name: string,
  version?: number,
): ClassInfo | undefined {
  const versions = names.get(name);
  return versions?.find((one) => one.version === version) ?? versions?.[0];
}

/** The classes by normalised name, each with its versions, newest first. */
export function byName(classes: ClassInfo[]): Map<string, ClassInfo[]> {
  const found = new Map<string, ClassInfo[]>();
  for (const one of classes) {
    const name = normalName(one.name);
    const list = found.get(name);
    if (list) list.push(one);
    else found.set(name, [one]);
  }
  for (const list of found.values()) list.sort((a, b) => b.version - a.version);
  return found;
}
