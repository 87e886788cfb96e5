import type { ClassInfo, MemberInfo } from '../../../api/api';
import { own } from '../../../base/search';
import { isIdentifier, scopesOf, templateArguments } from './cpp-name';
import { byName, type CppType, isNumberName, memberType, normalName, parseCppType } from './cpp-type';
import { commentText } from './type-text';

/** The headers of standard templates that have another name. */
const HEADERS: Record<string, string> = {
  multiset: 'set',
  unordered_multiset: 'unordered_set',
  multimap: 'map',
  unordered_multimap: 'unordered_map',
  pair: 'utility',
};
/** Containers that compare their keys, which nothing does for classes of a file. */
const KEYED = /^(unordered_)?(multi)?(map|set)$/;
/** Templates that choose how others work, by name, each with its header. */
const POLICIES: Record<string, string> = {
  less: 'functional',
  greater: 'functional',
  equal_to: 'functional',
  hash: 'functional',
  allocator: 'memory',
  default_delete: 'memory',
};
/** Templates that hold their values within themselves. */
const HOLDS_VALUES = new Set(['pair', 'tuple', 'array', 'optional']);
/** Largest version of a class that ROOT writes: a short integer. */
const NEWEST_VERSION = 32767;
/** Largest array within a class, in elements. */
const MAX_ELEMENTS = 1 << 20;

/** Names that ROOT gives its classes. */
const ROOT_NAME = /^(T[A-Z]\w*|Roo[A-Z]\w*|ROOT::.*)$/;
/** Classes that each ROOT has. Whether it has another one of such a name, its headers say. */
const IN_EACH_ROOT =
  /^T(Object|ObjString|ObjArray|Named|Att\w+|Array\w*|Axis|H[123]\w*|Profile\w*|Graph\w*|\w*List|\w*Collection|ClonesArray|Map|String|Ref\w*|UUID|ProcessID|Datime|TimeStamp|F[123]|Formula|Tree|Branch\w*|Leaf\w*|Vector[23TDF]|LorentzVector|Rotation|Matrix[TDF]\w*|Parameter|File|Directory\w*)$/;
/** Headers of ROOT that have no name of a class, or other classes, too. */
const SHARED_HEADERS: readonly [names: RegExp, header: string][] = [
  [/^TStreamer(?!Info$)/, 'TStreamerElement.h'],
  [/^TF1Parameters$/, 'TF1.h'],
  [/^TH2PolyBin$/, 'TH2Poly.h'],
  [/^TProfile2PolyBin$/, 'TProfile2Poly.h'],
  [/^THnT$/, 'THn.h'],
  [/^THnSparseT$/, 'THnSparse.h'],
  [/^THnSparseArrayChunk$/, 'THnSparse_Internal.h'],
  [/^TSpline(Poly\d?|\d)$/, 'TSpline.h'],
  [/^T(Linear|Radial)Gradient$/, 'TColorGradient.h'],
  [/^TImagePalette$/, 'TAttImage.h'],
  [/^TNDArrayT$/, 'TNDArray.h'],
  [/^RooRefArray$/, 'RooAbsArg.h'],
  [/^ROOT::Math::(S(Matrix|Vector)|MatRep\w+)$/, 'Math/SMatrix.h'],
  [/^ROOT::Math::(Lorentz\w+|\w+4D)$/, 'Math/Vector4D.h'],
  [/^ROOT::Math::\w+3D$/, 'Math/Vector3D.h'],
];
const NO_OBJECT = /^T(Att\w+|Array\w*|String|UUID|Datime|TimeStamp)$/;
const NUMBER = /^-?\d{1,9}$/;

/** The classes that a base or member is made of, and whether each has to be complete before, or only better is. */
type Needs = Map<ClassInfo, boolean>;

interface Part {
  needs: Needs;
  /** Its text; '' if the type cannot be written. */
  text: string;
  /** A comment in its place. */
  instead: string;
}

/** A class that is written, with those that lie within it. */
interface Body {
  one: ClassInfo;
  scopes: readonly string[];
  inner: Body[];
  bases: Part[];
  members: Part[];
}

/**
 * The files of a folder that CMake builds into a library with which ROOT reads objects of these classes, by their names, as
 * TFile::MakeProject makes one: a header with the classes that are not ROOT's own, LinkDef.h, and CMakeLists.txt. What C++
 * cannot say, or the file does not describe, is a comment. `name` is an identifier.
 */
export function cppProject(classes: readonly ClassInfo[], name: string): ReadonlyMap<string, string> {
  const writer = new Writer(classes);
  return new Map([
    [`${name}.h`, writer.header()],
    ['LinkDef.h', writer.linkDef()],
    ['CMakeLists.txt', cmakeText(name)],
  ]);
}

const cmakeText = (name: string): string => `cmake_minimum_required(VERSION 3.16)
project(${name} CXX)
find_package(ROOT REQUIRED)
set(CMAKE_CXX_STANDARD \${ROOT_CXX_STANDARD})
include(\${ROOT_USE_FILE})
add_library(${name} SHARED)
target_include_directories(${name} PUBLIC \${CMAKE_CURRENT_SOURCE_DIR})
foreach(part Core RIO Tree Hist Graf MathCore Matrix Physics GenVector Geom EG RooFitCore)
  if(TARGET ROOT::\${part})
    target_link_libraries(${name} PUBLIC ROOT::\${part})
  endif()
endforeach()
root_generate_dictionary(G__${name} ${name}.h MODULE ${name} LINKDEF LinkDef.h)
`;

class Writer {
  /** The newest version of each class that is written, by its name. */
  readonly #bodies = new Map<string, Body>();
  readonly #headers = new Set(['Rtypes.h']);
  /** Headers of ROOT that it may not have. */
  readonly #wanted = new Set<string>();
  /** Lines that declare classes and templates: those that are written, and those that pointers and templates only name. */
  readonly #declared = new Map<string, string>();
  /** Lines that declare instances of templates, which may name all of these. */
  readonly #instances = new Map<string, string>();
  readonly #namespaces = new Set<string>();
  readonly #left: string[] = [];
  /** Containers of written classes, which need a dictionary, too. */
  readonly #containers = new Set<string>();
  /** Classes that are TObjects. */
  readonly #objects = new Set<ClassInfo>();
  /** Classes that have a version. ROOT finds the description of an object of all others by its checksum. */
  readonly #versioned = new Set<ClassInfo>();

  constructor(classes: readonly ClassInfo[]) {
    for (const [name, [one]] of byName([...classes])) {
      if (one === undefined || parseCppType(name).kind !== 'class') continue;
      if (name.startsWith('ROOT::') || IN_EACH_ROOT.test(bareName(name))) continue;
      const scopes = scopesOf(name);
      if (scopes) this.#bodies.set(name, { one, scopes, inner: [], bases: [], members: [] });
      else this.#left.push(name);
    }
    for (const [name, body] of this.#bodies) {
      const outer = this.#outerOf(body.scopes);
      if (outer) outer.inner.push(body);
      else if (!this.#declare(name, body.scopes)) {
        this.#bodies.delete(name);
        this.#left.push(name);
      }
    }
    for (const body of this.#bodies.values()) {
      const named = new Set<string>();
      for (const element of body.one.elements) {
        if (element.base) body.bases.push(this.#base(element));
        else if (!named.has(element.name)) body.members.push(this.#member(element));
        named.add(element.name);
      }
      const needs: Needs = new Map();
      this.#written(body.scopes, needs);
      body.bases.push({ needs, text: '', instead: '' });
    }
  }

  header(): string {
    const outer = [...this.#bodies.values()].filter(({ scopes }) => !this.#outerOf(scopes));
    const done = new Set<ClassInfo>();
    const lines = inOrder(outer, (one) => this.#unitOf(one)).flatMap((body) => [
      ...this.#lines(body, done),
      '',
    ]);
    return [
      '// Classes that the streamer infos of a file describe, with which ROOT reads its objects.',
      '#pragma once',
      '',
      ...[...this.#headers].sort().map((name) => `#include <${name}>`),
      ...[...this.#wanted]
        .sort()
        .flatMap((name) => where(`__has_include(<${name}>)`, [`#include <${name}>`])),
      '',
      ...this.#declared.values(),
      ...[...this.#instances.values()].filter(Boolean),
      '',
      ...lines,
      ...this.#left.map((name) => `// ${commentText(name)}: a name that cannot be written here`),
      '',
    ].join('\n');
  }

  linkDef(): string {
    const names = [...this.#bodies].flatMap(([name, { scopes }]) =>
      guarded(name, [pragma(this.#written(scopes) ?? name)]),
    );
    return [
      '#ifdef __CLING__',
      ...['globals', 'classes', 'functions'].map((kind) => `#pragma link off all ${kind};`),
      ...names,
      ...[...this.#containers].map(pragma),
      // ROOT builds no library of an empty list, and has all classes of some files.
      '#pragma link C++ typedef Int_t;',
      '#endif',
      '',
    ].join('\n');
  }

  /** The written class in which a class lies. */
  #outerOf(scopes: readonly string[]): Body | undefined {
    return this.#bodies.get(scopes.slice(0, -1).join('::'));
  }

  /** The class in whose text a class is: itself, or the outermost in which it lies. */
  #unitOf(one: ClassInfo): ClassInfo {
    let body = this.#bodies.get(normalName(one.name));
    for (let next = body; next; next = this.#outerOf(next.scopes)) body = next;
    return body?.one ?? one;
  }

  /** Declares a class that lies in no other one; returns whether C++ takes it. */
  #declare(name: string, scopes: readonly string[]): boolean {
    if (this.#declared.has(name) || this.#instances.has(name)) return true;
    const spaces = scopes.slice(0, -1);
    const all = spaces.map((_, i) => spaces.slice(0, i + 1).join('::'));
    if (this.#namespaces.has(name) || all.some((one) => one.endsWith('>') || this.#declared.has(one)))
      return false;
    const last = scopes.at(-1) ?? '';
    const space = spaces.join('::');
    const within = (text: string): string => (space === '' ? text : `namespace ${space} { ${text} }`);
    const args = templateArguments(last);
    for (const one of all) this.#namespaces.add(one);
    if (args === undefined) this.#declared.set(name, guarded(name, [within(`struct ${last};`)]).join('\n'));
    else {
      const needs: Needs = new Map();
      const written = this.#written(scopes, needs);
      if (written === undefined) return false;
      const bare = bareName(last);
      const form = args.map((arg) => (NUMBER.test(arg) ? 'int' : 'typename')).join(', ');
      const template = [...scopes.slice(0, -1), bare].join('::');
      const line = within(`template <${form}> struct ${bare};`);
      if (this.#namespaces.has(template) || (this.#declared.get(template) ?? line) !== line) return false;
      this.#declared.set(template, line);
      const instance = written.slice(written.indexOf(`::${bare}<`) + 2);
      // A class within another one is known when the outer class is complete.
      const isKnown = this.#bodies.has(name) && needs.size === 0;
      this.#instances.set(
        name,
        isKnown ? guarded(name, [within(`template <> struct ${instance};`)]).join('\n') : '',
      );
    }
    return true;
  }

  /** The definition of a class, with those that lie within it; they are `done` then. */
  #lines({ one, scopes, inner, bases, members }: Body, done: Set<ClassInfo>): string[] {
    const isPossible = ({ text, needs }: Part): boolean =>
      text !== '' && [...needs].every(([need, isWhole]) => !isWhole || done.has(need));
    const isNested = this.#outerOf(scopes) !== undefined;
    const last = scopes.at(-1) ?? '';
    const written = (isNested ? last : this.#written(scopes))?.replace(/^::/, '') ?? last;
    const lines = inner.map((body) => `struct ${body.scopes.at(-1)};`);
    for (const body of inOrder(inner, (need) => need)) lines.push(...this.#lines(body, done));
    const above = bases.filter(isPossible).map(({ text }) => text);
    lines.push(
      ...bases.filter((base) => !isPossible(base) && base.instead !== '').map(({ instead }) => instead),
    );
    for (const member of members)
      lines.push(...(isPossible(member) ? member.text : member.instead).split('\n'));
    const isAbove = (test: (found: Body | undefined, name: string) => boolean): boolean =>
      one.elements.some(({ base, name }) => base && test(this.#bodies.get(normalName(name)), name));
    const isObject = isAbove((found, name) =>
      found ? this.#objects.has(found.one) : isRoots(name) && !NO_OBJECT.test(name),
    );
    if (isObject) this.#objects.add(one);
    // Branches often hold a vector of a class that is no TObject.
    else if (one.elements.length > 0) this.#containers.add(`std::vector<${this.#written(scopes)}>`);
    if (
      isObject ||
      one.version !== 1 ||
      isAbove((found) => found !== undefined && this.#versioned.has(found.one))
    ) {
      this.#versioned.add(one);
      const macro = isObject ? 'ClassDefOverride' : 'ClassDef';
      lines.push(`${macro}(${bareName(last)}, ${versionInMemory(one.version)})`);
    }
    done.add(one);
    const prefix = written.endsWith('>') && !isNested ? 'template <> ' : '';
    const heirs = [...new Set(above)].map((text) => `public ${text}`).join(', ');
    return guarded(isNested ? '' : scopes.join('::'), [
      `// ${commentText(one.name)}, version ${one.version}`,
      `${prefix}struct ${written}${heirs === '' ? '' : ` : ${heirs}`} {`,
      ...lines.map((line) => (line.startsWith('#') ? line : `   ${line}`)),
      '};',
    ]);
  }

  #base(element: MemberInfo): Part {
    const needs: Needs = new Map();
    const type = parseCppType(element.name);
    const text = type.kind === 'class' || type.kind === 'standard' ? this.#type(type, needs) : undefined;
    return { needs, text: text ?? '', instead: `// base class ${commentText(element.name)}: not described` };
  }

  #member(member: MemberInfo): Part {
    const { type, dimensions, counted } = memberType(member);
    const needs: Needs = new Map();
    const brackets = dimensions.map((size) => `[${size}]`).join('');
    const instead = `// ${commentText(`${member.typeName} ${member.name}${brackets}`)}: not described`;
    const elements = dimensions.reduce((product, size) => product * size, 1);
    const isSensible =
      dimensions.every((size) => size > 0) && elements <= MAX_ELEMENTS && isIdentifier(member.name);
    const text = isSensible ? this.#type(type, needs) : undefined;
    if (text === undefined) return { needs, text: '', instead };
    // ROOT takes the length of an array, the range of packed numbers and "->" from the beginning of this comment.
    const title = commentText(member.title);
    const count = counted && !title.startsWith('[') ? `[${commentText(member.counter)}] ` : '';
    const zero = counted || /^(number|pointer)$/.test(type.kind) || text === 'char *' ? '{}' : '';
    const line = `${text}${counted ? ' *' : ' '}${member.name}${brackets}${zero}; //${count}${title}`;
    const header = type.kind === 'class' && !this.#bodies.has(type.name) ? headerOf(type.name) : undefined;
    const isSure = header === undefined || !this.#wanted.has(header);
    return { needs, text: isSure ? line : where(`__has_include(<${header}>)`, [line]).join('\n'), instead };
  }

  /** The C++ text of a type; undefined if it needs what is not described. `isNamed`: it may stay incomplete. */
  #type(type: CppType | number, needs: Needs, isNamed = false): string | undefined {
    if (typeof type === 'number') return undefined;
    switch (type.kind) {
      case 'number':
        return isNumberName(type.name) ? type.name : type.number.cpp;
      case 'string':
        if (type.name === 'char*') return 'char *';
        this.#headers.add(type.name === 'TString' ? 'TString.h' : 'string');
        return type.name === 'TString' ? 'TString' : 'std::string';
      case 'pointer': {
        const text =
          type.to.kind === 'standard' ? this.#standard(type.to, needs) : this.#type(type.to, needs, true);
        return text === undefined ? undefined : `${text} *`;
      }
      case 'class':
        return this.#class(type.name, needs, isNamed);
      case 'standard':
        return this.#standard(type, needs, isNamed);
      default:
        return undefined;
    }
  }

  #class(name: string, needs: Needs, isNamed: boolean): string | undefined {
    const scopes = scopesOf(name);
    if (scopes === undefined) return undefined;
    const policy = scopes.length === 1 ? own(POLICIES, bareName(name)) : undefined;
    if (policy !== undefined && name.endsWith('>')) {
      const written = this.#written(scopes, needs);
      if (!isNamed || written === undefined) return undefined;
      this.#headers.add(policy);
      return `std${written}`;
    }
    const found = this.#bodies.get(name);
    const header = headerOf(name);
    if (header !== undefined) {
      if (IN_EACH_ROOT.test(bareName(name))) this.#headers.add(header);
      else this.#wanted.add(header);
    }
    if (found) {
      // Outside of the class in which it lies it is not known before that is complete.
      if (!isNamed || this.#outerOf(scopes)) needs.set(found.one, true);
    } else if (header === undefined && (isRoots(name) || !isNamed || !this.#declare(name, scopes)))
      return undefined;
    else if (isNamed && header !== undefined && this.#wanted.has(header) && /^\w+$/.test(name))
      this.#declare(name, scopes);
    return this.#written(scopes, needs);
  }

  /** A name from the outermost scope on, so that no member hides it; undefined if it has arguments that are not known. */
  #written(scopes: readonly string[], needs: Needs = new Map()): string | undefined {
    let text = '';
    for (const scope of scopes) {
      const args = templateArguments(scope)?.map((arg) => {
        if (NUMBER.test(arg)) return arg;
        const type = this.#type(parseCppType(arg), needs, true);
        return type && `${arg.startsWith('const ') ? 'const ' : ''}${type}`;
      });
      if (args?.includes(undefined)) return undefined;
      text += `::${args === undefined ? scope : `${bareName(scope)}<${args.join(', ')}>`}`;
    }
    return text;
  }

  #standard(
    { name, args }: CppType & { kind: 'standard' },
    needs: Needs,
    isNamed = false,
  ): string | undefined {
    const inner: Needs = new Map();
    const sized = name === 'bitset' ? 0 : name === 'array' ? 1 : -1;
    const texts = args.map((arg, i) => {
      if (i !== sized) return this.#type(arg, inner, isNamed);
      return typeof arg === 'number' && arg > 0 && arg <= MAX_ELEMENTS ? String(arg) : undefined;
    });
    if (texts.includes(undefined)) return undefined;
    for (const [need, isWhole] of inner)
      needs.set(need, needs.get(need) === true || (isWhole && HOLDS_VALUES.has(name)));
    const give = (template: string, inside: string): string => {
      this.#headers.add(own(HEADERS, template) ?? template);
      const text = `std::${template}<${inside}>`;
      if (inner.size > 0) this.#containers.add(text);
      return text;
    };
    // ROOT stores both alike, and what is not copied is in no vector.
    if (name === 'unique_ptr') return `${texts[0]} *`;
    const [key] = args;
    const isOrdered = typeof key === 'object' && /^(number|string|pointer)$/.test(key.kind);
    if (!KEYED.test(name) || isOrdered) return give(name, texts.join(', '));
    // ROOT reads a collection into any other one, and a map into a list of pairs.
    return give('vector', texts.length > 1 ? give('pair', texts.join(', ')) : (texts[0] ?? ''));
  }
}

const bareName = (name: string): string => name.split('<', 1)[0] ?? '';

/**
 * The version of a class in the library: one more than the newest of the file, so that ROOT reads each object as the file
 * describes it, also if members are left out here or have another type. Objects of version 0 have no checksum; a class of
 * version 0 in the library says so.
 */
const versionInMemory = (version: number): number =>
  version <= 0 ? 0 : Math.min(version + 1, NEWEST_VERSION);

const isRoots = (name: string): boolean => ROOT_NAME.test(bareName(name));

/** The header of a class that may be one of ROOT's; undefined for all others. */
function headerOf(name: string): string | undefined {
  const bare = bareName(name);
  if (!isRoots(bare)) return undefined;
  const shared = SHARED_HEADERS.find(([names]) => names.test(bare))?.[1];
  return shared ?? (bare.startsWith('ROOT::') ? undefined : `${bare}.h`);
}

/** Lines that hold under a condition. */
const where = (condition: string, lines: string[]): string[] => [`#if ${condition}`, ...lines, '#endif'];

/** Lines about a class of the file that hold if ROOT has none of its name. */
function guarded(name: string, lines: string[]): string[] {
  const header = headerOf(name);
  return header === undefined ? lines : where(`!__has_include(<${header}>)`, lines);
}

const pragma = (written: string): string =>
  `#pragma link C++ class ${written.replace(/(?<![\w>])::/g, '')}+;`;

/** Classes after those that they need. Of a circle, first one that needs no other complete, if there is one. */
function inOrder(bodies: readonly Body[], unitOf: (one: ClassInfo) => ClassInfo): Body[] {
  const byClass = new Map(bodies.map((body) => [body.one, body]));
  const waiting = new Map<ClassInfo, Map<ClassInfo, boolean>>();
  const users = new Map<ClassInfo, ClassInfo[]>();
  for (const { one, ...body } of bodies) {
    const needs = new Map<ClassInfo, boolean>();
    const parts = [body].flatMap(function all({ bases, members, inner }: Omit<Body, 'one'>): Part[] {
      return [...bases, ...members, ...inner.flatMap(all)];
    });
    for (const [need, isWhole] of parts.flatMap((part) => [...part.needs])) {
      const unit = unitOf(need);
      if (unit === one || !byClass.has(unit)) continue;
      const list = users.get(unit);
      if (!list) users.set(unit, [one]);
      else if (list.at(-1) !== one) list.push(one);
      needs.set(unit, needs.get(unit) === true || isWhole);
    }
    waiting.set(one, needs);
  }
  const ready = [...waiting].flatMap(([one, needs]) => (needs.size === 0 ? [one] : []));
  const leastStuck = (): ClassInfo | undefined => {
    for (const [one, needs] of waiting) if (![...needs.values()].includes(true)) return one;
    return waiting.keys().next().value;
  };
  const ordered: Body[] = [];
  for (let at = 0; waiting.size > 0; ) {
    const next = ready[at++] ?? leastStuck();
    const body = next && byClass.get(next);
    if (!next || !body || !waiting.delete(next)) continue;
    ordered.push(body);
    for (const user of users.get(next) ?? []) {
      const needs = waiting.get(user);
      if (needs?.delete(next) && needs.size === 0) ready.push(user);
    }
  }
  return ordered;
}
