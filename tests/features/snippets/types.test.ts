import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ClassInfo, MemberInfo, PlainValue } from '../../../web/api/api';
import type { EngineApi } from '../../../web/api/engine-api';
import { withNeeded } from '../../../web/features/snippets/work/cpp-type';
import { cppProject } from '../../../web/features/snippets/work/types-cpp';
import { typescriptTypes } from '../../../web/features/snippets/work/types-typescript';
import { cpuMs } from '../../cpu';
import { bufferSpec, fixtureBytes, goldenNames, makeEngine } from '../../engine/fixtures';
import { compileCpp, compileTypeScript } from './compile';

const SLOW = 120_000;

let reader: EngineApi;
const described = new Map<string, ClassInfo[]>();

beforeAll(async () => {
  reader = await makeEngine();
  for (const name of goldenNames()) {
    const { id } = await reader.open(bufferSpec(name, fixtureBytes(name)));
    described.set(name, await reader.types(id));
    await reader.close(id);
  }
}, SLOW);

function classesOf(fixture: string): ClassInfo[] {
  return described.get(fixture) ?? [];
}

test('the classes of a file: versions, bases, dimensions, counters', () => {
  const event = classesOf('objects_split0').find((one) => one.name === 'Event');
  expect(event).toMatchObject({ version: 4 });
  const member = (name: string) => event?.elements.find((element) => element.name === name);
  expect(event?.elements.slice(0, 2).map(({ name, base, baseVersion }) => [name, base, baseVersion])).toEqual(
    [
      ['TObject', true, 1],
      ['Base', true, 3],
    ],
  );
  expect(member('matrix')).toMatchObject({ typeName: 'float', type: 25, dimensions: [2, 3], base: false });
  expect(member('values')).toMatchObject({ typeName: 'double*', type: 48, counter: 'nValues' });
  expect(member('weights')).toMatchObject({ typeName: 'map<string,double>', dimensions: [], counter: '' });
});

describe('what is written of all fixtures', () => {
  test(
    'compiles as TypeScript and is types only',
    () => {
      const sources = Object.fromEntries([...described].map(([name, all]) => [name, typescriptTypes(all)]));
      const { complaints, made } = compileTypeScript(sources);
      expect(complaints).toBe('');
      for (const [name, text] of Object.entries(made)) expect(codeOf(text), name).toBe('export {};');
    },
    SLOW,
  );

  test('compiles as C++', () => expect(compileCpp([...described.values()].map(headerOf))).toBe(''), SLOW);
});

/** The header of a project of C++. */
const headerOf = (classes: ClassInfo[]): string => cppProject(classes, 'own').get('own.h') ?? '';

/** JavaScript without its comments and empty lines. */
function codeOf(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*(\/\/.*)?$/.test(line))
    .join('\n');
}

/** Plain data as a TypeScript expression. */
function expression(value: PlainValue | undefined): string {
  if (value === undefined) return 'undefined';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return String(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (ArrayBuffer.isView(value)) return `new ${value.constructor.name}(${value.length})`;
  if (Array.isArray(value)) return `[${value.map(expression).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${expression(member)}`,
  );
  return `{ ${members.join(', ')} }`;
}

test.each(['histograms', 'graphs', 'things', 'cycles'])(
  'stored objects of %s are of the types that are written for them',
  async (fixture) => {
    const { id } = await reader.open(bufferSpec(fixture, fixtureBytes(fixture)));
    const classes = classesOf(fixture);
    const lines: string[] = [];
    for (const key of await reader.keys(id)) {
      const identifier = key.className.replace(/[<>]/g, '_').replace(/_+$/, '_');
      if (key.kind === 'directory' || key.kind === 'tree') continue;
      if (!typescriptTypes(classes).includes(`interface ${identifier} `)) continue;
      const value = await reader.object(id, `${key.path};${key.cycle}`);
      lines.push(`const o${lines.length} = ${expression(value)};`);
      lines.push(`export const t${lines.length}: types.${identifier} = o${lines.length - 1};`);
    }
    expect(lines.length).toBeGreaterThan(1);
    const use = `import type * as types from './types.js';\n${lines.join('\n')}\n`;
    expect(compileTypeScript({ types: typescriptTypes(classes), use }).complaints).toBe('');
  },
  SLOW,
);

test('C++: order, containers, packed numbers, arrays, what is not described', () => {
  const text = headerOf(hostileShapes);
  // A class with several versions is written in the newest; ROOT reads the others into it.
  expect(text).toContain('struct After : public ::Base {');
  expect(text).toContain('// Base, version 2');
  expect(text).not.toContain('// Base, version 1');
  expect(text.indexOf('struct Inner {')).toBeLessThan(text.indexOf('struct Outer {'));
  expect(text).toContain('   std::array<::Inner, 3> three; //');
  expect(text).toContain('   Double32_t d{}; //[0,1,8] packed');
  expect(text).toContain('   float *counted{}; //[n] of them');
  expect(text).toContain('   int matrix[2][3]{}; //');
  expect(text).toContain('   // int class: not described');
  expect(text).toContain('   // Unknown value: not described');
  expect(text).toContain('   ::Unknown * pointer{}; //');
  expect(text).toContain('struct Unknown;');
  expect(text).toContain('   std::vector<::Inner> hashed; //');
  expect(text).toContain('   std::vector<::Circle> others; //');
  expect(text).toContain('   // Circle itself: not described');
  // A version above those of the file: ROOT reads each object as the file describes it. Classes of version 1 have checksums.
  expect(text).toContain('   ClassDefOverride(FromVector, 2)');
  expect(text).toContain('   ClassDef(Base, 3)');
  expect(text).toContain('   ClassDef(After, 2)');
  expect(text.match(/ClassDef/g)).toHaveLength(3);
});

test("C++: ROOT's names of numbers, and classes of the standard, in arguments of templates", () => {
  const project = cppProject(
    [
      info('Box<int>', [member('value', 'int', 3)]),
      info('Map<int,less<const int>,allocator<pair<int,double> > >', [member('n', 'int', 3)], 4),
      info('Never', [], 0),
      info('Last', [], 32767),
      info('Holder', [
        member('box', 'Box<Int_t>', 62),
        member('map', 'Map<int,less<const int>,allocator<pair<int,double> > >', 62),
      ]),
    ],
    'own',
  );
  const text = project.get('own.h') ?? '';
  expect(text).toContain('   ::Box<int> box; //');
  expect(text).toContain(
    '   ::Map<int, std::less<const int>, std::allocator<std::pair<int, double>>> map; //',
  );
  expect(text).toContain('   ClassDef(Map, 5)');
  expect(text).toContain('   ClassDef(Never, 0)');
  expect(text).toContain('   ClassDef(Last, 32767)');
  expect(text).not.toMatch(/struct (less|allocator)/);
  expect(project.get('LinkDef.h')).toContain(
    '#pragma link C++ class Map<int, std::less<const int>, std::allocator<std::pair<int, double>>>+;',
  );
  expect(compileCpp([text])).toBe('');
});

test('C++: namespaces, templates, classes within classes, and those that ROOT may have', () => {
  const project = cppProject(
    [
      info('a::b::Track', [
        member('hits', 'vector<a::b::Hit>', 300),
        member('kind', 'a::b::Track::Kind', 62),
        member('lazy', 'a::Later*', 64),
        member('mine', 'a::Box<a::b::Hit,3>', 62),
        member('by', 'map<a::b::Hit,float>', 300),
      ]),
      info('a::b::Track::Kind', [member('code', 'int', 3)]),
      info('a::b::Hit', [base('TNamed', 1), member('shape', 'TGeoBBox', 62)], 4),
      info('a::Box<a::b::Hit,3>', [member('in', 'a::b::Hit', 62)]),
      info('TGeoBBox', [base('TObject', 1), member('fDX', 'double', 8)], 1),
      info('TNamed', [member('fName', 'TString', 65)]),
      info('ROOT::Experimental::RNTuple', [member('x', 'int', 3)]),
      info('bad name', []),
    ],
    'own',
  );
  expect(project.get('own.h')).toMatchInlineSnapshot(`
    "// Classes that the streamer infos of a file describe, with which ROOT reads its objects.
    #pragma once

    #include <Rtypes.h>
    #include <TNamed.h>
    #include <TObject.h>
    #include <utility>
    #include <vector>
    #if __has_include(<TGeoBBox.h>)
    #include <TGeoBBox.h>
    #endif

    namespace a::b { struct Track; }
    namespace a::b { struct Hit; }
    namespace a { template <typename, int> struct Box; }
    #if !__has_include(<TGeoBBox.h>)
    struct TGeoBBox;
    #endif
    namespace a { struct Later; }
    namespace a { template <> struct Box<::a::b::Hit, 3>; }

    #if !__has_include(<TGeoBBox.h>)
    // TGeoBBox, version 1
    struct TGeoBBox : public ::TObject {
       double fDX{}; //
       ClassDefOverride(TGeoBBox, 2)
    };
    #endif

    // a::b::Hit, version 4
    struct a::b::Hit : public ::TNamed {
       ::TGeoBBox shape; //
       ClassDefOverride(Hit, 5)
    };

    // a::Box<a::b::Hit,3>, version 1
    template <> struct a::Box<::a::b::Hit, 3> {
       ::a::b::Hit in; //
    };

    // a::b::Track, version 1
    struct a::b::Track {
       struct Kind;
       // a::b::Track::Kind, version 1
       struct Kind {
          int code{}; //
       };
       std::vector<::a::b::Hit> hits; //
       ::a::b::Track::Kind kind; //
       ::a::Later * lazy{}; //
       ::a::Box<::a::b::Hit, 3> mine; //
       std::vector<std::pair<::a::b::Hit, float>> by; //
    };

    // bad name: a name that cannot be written here
    "
  `);
  expect(project.get('LinkDef.h')).toMatchInlineSnapshot(`
    "#ifdef __CLING__
    #pragma link off all globals;
    #pragma link off all classes;
    #pragma link off all functions;
    #pragma link C++ class a::b::Track+;
    #pragma link C++ class a::b::Track::Kind+;
    #pragma link C++ class a::b::Hit+;
    #pragma link C++ class a::Box<a::b::Hit, 3>+;
    #if !__has_include(<TGeoBBox.h>)
    #pragma link C++ class TGeoBBox+;
    #endif
    #pragma link C++ class std::vector<a::b::Hit>+;
    #pragma link C++ class std::pair<a::b::Hit, float>+;
    #pragma link C++ class std::vector<std::pair<a::b::Hit, float>>+;
    #pragma link C++ class std::vector<a::Box<a::b::Hit, 3>>+;
    #pragma link C++ class std::vector<a::b::Track::Kind>+;
    #pragma link C++ class std::vector<a::b::Track>+;
    #pragma link C++ typedef Int_t;
    #endif
    "
  `);
  expect(compileCpp([project.get('own.h') ?? ''])).toBe('');
});

test('a class with what it needs, and no more', () => {
  const outer = hostileShapes.filter((one) => one.name === 'Outer');
  expect(withNeeded(hostileShapes, outer).map((one) => one.name)).toEqual(['Outer', 'Inner']);
});

describe('hostile files', () => {
  test(
    'their classes compile, and nothing of them is code',
    () => {
      const classes = [...hostileShapes, ...payloads.map(attack)];
      const { complaints, made } = compileTypeScript({ hostile: typescriptTypes(classes) });
      expect(complaints).toBe('');
      expect(codeOf(made.hostile ?? '')).toBe('export {};');
      expect(compileCpp([headerOf(classes)])).toBe('');
    },
    SLOW,
  );

  test('each line is of a known form, whatever the names are', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...payloads));
    const type = fc.oneof(
      text,
      text.map((inner) => `vector<${inner}>`),
      fc.constantFrom('int', 'A*', 'map<A,B>'),
    );
    const element = fc.record({
      name: text,
      title: text,
      typeName: type,
      type: fc.integer({ min: -1, max: 600 }),
      dimensions: fc.array(fc.integer({ min: -2, max: 9 }), { maxLength: 3 }),
      counter: text,
      base: fc.boolean(),
    });
    const one = fc.record({
      name: fc.oneof(text, fc.constantFrom('A', 'B', 'A<B>')),
      version: fc.integer(),
      checksum: fc.nat(),
      elements: fc.array(element, { maxLength: 6 }),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 6 }), (classes) => {
        for (const text of cppProject(classes, 'own').values())
          for (const line of text.split('\n'))
            expect(cmakeLines.includes(line) ? '' : line).toMatch(CPP_LINE);
        for (const line of typescriptTypes(classes).split('\n')) expect(line).toMatch(TS_LINE);
      }),
      { numRuns: 400 },
    );
  });

  test('a long chain and a large circle of classes take no time and no stack', () => {
    const chain = Array.from({ length: 5000 }, (_, i) =>
      info(`C${i}`, [base(`C${i + 1}`), member('v', `vector<C${(i + 4999) % 5000}>`, 300)]),
    );
    const started = cpuMs();
    expect(headerOf(chain)).toContain('struct C0 : public ::C1 {');
    expect(typescriptTypes(chain)).toContain('interface C0 ');
    expect(cpuMs() - started).toBeLessThan(20_000);
  });
});

const comment = String.raw`//(?:[^\n\r\u2028\u2029]*[^\\\n\r\u2028\u2029])?`;
const cmakeLines = (cppProject([], 'own').get('CMakeLists.txt') ?? '').split('\n');
const CPP_LINE = new RegExp(
  `^(?:| *${comment}|#pragma once|#if !?__has_include\\(<[\\w/]+\\.h>\\)|#endif|#ifdef __CLING__|#include <[\\w./]+>` +
    '|#pragma link off all \\w+;|#pragma link C\\+\\+ typedef Int_t;|#pragma link C\\+\\+ class [\\w:<>, *]+\\+;' +
    '|(?:namespace [\\w:]+ \\{ )?(?:template <[\\w, ]*> )?struct [\\w:<>, *]+;(?: \\})?' +
    '| *(?:template <> )?struct [\\w:<>, *]+(?: : [\\w:<>, *]+)? \\{| *\\};| *ClassDef(?:Override)?\\(\\w+, \\d+\\)' +
    `| +[\\w:<>, *]+[ *]\\w+(?:\\[\\d+\\])*(?:\\{\\})?; ${comment})$`,
);
const TS_LINE = new RegExp(
  '^(?:|//[^\\n]*|export interface \\w+(?: extends \\w+(?:, \\w+)*)? \\{|\\}| {2}// [^\\n\\r\\u2028\\u2029]*' +
    '| {0,2}/\\*\\* (?:(?!\\*/)[^\\n\\r\\u2028\\u2029])* \\*/' +
    '| {2}(?:[A-Za-z_$][\\w$?]*|"(?:[^"\\\\\\x7f-\\uffff]|\\\\.)*"): [\\w<>{}()|;:,[\\] ]+;)$',
);

const payloads = [
  '*/ export const injected = 1; /*',
  '// \\',
  'a\nint injected = 1;',
  'a\r\n#include </etc/passwd>\n',
  'x\u2028export const injected = 1;',
  '??/',
  '"; export const injected = 1; //',
  '__proto__',
  'constructor',
  '_typename',
  '$id',
  '__LINE__',
  '}; int injected; struct x {',
  '`$\u007binjected}`',
  '',
  ' ',
  '\u202e\u2066desrever',
  '\ud800',
  'class',
  'delete',
  'std',
  'string',
  'Stored',
  'A::B<int, std::vector<C> >::D',
  'vector<vector<',
  'map<int>',
  'array<int,99999999999>',
  'bitset<0>',
  'µ',
  '0',
];

function info(name: string, elements: MemberInfo[], version = 1): ClassInfo {
  return { name, version, checksum: 0, elements };
}

function member(name: string, typeName: string, type: number, rest: Partial<MemberInfo> = {}): MemberInfo {
  return { name, title: '', typeName, type, dimensions: [], counter: '', base: false, ...rest };
}

function base(name: string, baseVersion?: number): MemberInfo {
  return member(name, name, 0, { base: true, ...(baseVersion !== undefined && { baseVersion }) });
}

/** A payload everywhere where a file has text. */
function attack(text: string): ClassInfo {
  return info(text, [
    base(text),
    ...[0, 3, 7, 43, 61, 64, 300, 365, 500, 501].map((type) =>
      member(`${text}`, text, type, { title: text }),
    ),
    member('plain', `vector<${text}>`, 300, { title: text }),
    member('mapped', `map<${text},${text}>*`, 300, { title: text }),
    member('fUniqueID', text, 65),
  ]);
}

/** Shapes that C++ or TypeScript are particular about. */
const hostileShapes: ClassInfo[] = [
  info('Outer', [
    member('three', 'array<Inner,3>', 61),
    member('d', 'Double32_t', 9, { title: '[0,1,8] packed' }),
    member('counted', 'float*', 45, { title: '[n] of them', counter: 'n' }),
    member('matrix', 'int', 23, { dimensions: [2, 3] }),
    member('class', 'int', 3),
    member('Outer', 'int', 3),
    member('Inner', 'int', 3),
    member('again', 'int', 3),
    member('again', 'float', 5),
    member('value', 'Unknown', 61),
    member('Unknown', 'int', 3),
    member('pointer', 'Unknown*', 64),
    member('hashed', 'unordered_set<Inner>', 300),
    member('huge', 'int', 23, { dimensions: [2147483647, 2147483647] }),
    member('none', 'int', 23, { dimensions: [0] }),
    member('pointers', 'Inner*', 84, { dimensions: [4] }),
    member('names', 'char*', 27, { dimensions: [2] }),
    member('loop', 'Inner*', 501, { counter: 'n' }),
    member('deep', 'map<string,vector<pair<int,Inner> > >', 300),
    member('allocated', 'vector<int,my::Alloc<int> >', 300),
    member('tuple', 'tuple<int,float,Inner*>', 300),
    member('bits', 'bitset<8>', 300),
    member('owned', 'unique_ptr<Inner>', 300),
  ]),
  info('Inner', [member('x', 'int', 3)]),
  // Versions with members of other types, and a derived class that changes one.
  info('Base', [member('x', 'int', 3), member('y', 'int', 3)], 2),
  info('Base', [member('x', 'float', 5)], 1),
  info('After', [base('Base', 1), base('Base', 1), member('x', 'TString', 65)]),
  info('Circle', [member('others', 'vector<Circle>', 300), member('itself', 'Circle', 61)]),
  info('First', [base('Second')]),
  info('Second', [base('First'), member('held', 'map<int,First>', 300)]),
  info('Own', [base('Own')]),
  info('vector<int>', [member('This', 'vector<int>', 300)]),
  info('FromVector', [base('vector<int>'), base('TArrayD'), base('TObject')]),
  info('Renamed', [member('_typename', 'int', 3), member('$id', 'string', 365)]),
];
