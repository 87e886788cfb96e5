// The C headers and the TypeScript tables that repeat them: exports, status codes, dtypes, opcodes, functions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STATUS_CODES } from '../../web/core/core';
import { DTYPES } from '../../web/core/dtypes';
import { BINARY_OP, LEVEL, LIMITS, OP, SUB, UNARY_OP } from '../../web/core/expr-ops';
import { MATH_FUNCTION } from '../../web/core/math-ops';
import { TAPE_TAG } from '../../web/core/tape';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const header = (path: string) => read(`wasm/${path}`).replace(/\/\*[\s\S]*?\*\//g, '');

/** The constants of the enum that has this one, with their values, numbered as C does. */
function enumOf(text: string, member: string): Map<string, number> {
  const body = [...text.matchAll(/enum\s*\w*\s*\{([^}]*)\}/g)]
    .map((match) => match[1] ?? '')
    .find((found) => new RegExp(`\\b${member}\\b`).test(found));
  const values = new Map<string, number>();
  let next = 0;
  for (const entry of (body ?? '').split(',')) {
    const [name = '', value] = entry.split('=').map((part) => part.trim());
    if (name === '') continue;
    next = value === undefined ? next : (values.get(value) ?? Number(value));
    values.set(name, next++);
  }
  return values;
}

/** "XY_M_BESSEL_I0" without its prefix, as TypeScript names it: "besselI0". */
const camel = (name: string, prefix: string) =>
  name
    .slice(prefix.length)
    .toLowerCase()
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The table that an enum makes, without the names that only mark its borders. */
function tableOf(values: Map<string, number>, prefix: string): Record<string, number> {
  return Object.fromEntries([...values].map(([name, value]) => [camel(name, prefix), value]));
}

/** Functions as "name(number of parameters)", with "void" where they return nothing. */
function functionsOf(text: string, declaration: RegExp): string[] {
  return [...text.matchAll(declaration)]
    .map(({ groups: { name = '', parameters = '', result = '' } = {} }) => {
      const count = parameters.split(',').filter((part) => !/^\s*(void\s*)?$/.test(part)).length;
      return `${name}(${count})${result.trim() === 'void' ? ' void' : ''}`;
    })
    .sort();
}

test('the exports of xylem.h are those of module.ts, with as many parameters, and those of the module', async () => {
  const declared = functionsOf(
    header('include/xylem.h'),
    /XY_EXPORT\(\w+\)\s*(?<result>[\w\s*]+?)\s*\*?(?<name>xy_\w+)\((?<parameters>[^)]*)\);/g,
  );
  const typed = functionsOf(
    read('web/core/module.ts'),
    /(?<name>xy_\w+)\((?<parameters>[^)]*)\):\s*(?<result>\w+)/g,
  );
  // A pointer to void is a result, too.
  const pointers = new Set(
    header('include/xylem.h')
      .match(/void \*xy_\w+/g)
      ?.map((found) => found.slice(6)),
  );
  const fixed = declared.map((one) =>
    pointers.has(one.split('(')[0] ?? '') ? one.replace(' void', '') : one,
  );
  expect(declared.length).toBeGreaterThan(50);
  expect(typed).toEqual(fixed);

  const module = await WebAssembly.compile(readFileSync(join(root, 'build/xylem.wasm')));
  const built = WebAssembly.Module.exports(module).map(({ name }) => name);
  // The functions of the codecs serve the tests alone.
  const marked = `${header('include/xylem.h')}${header('src/codec/codec.h')}`.match(
    /(?<=XY_EXPORT\()xy_\w+/g,
  );
  expect(built.filter((name) => name.startsWith('xy_')).sort()).toEqual(marked?.sort());
});

test('each status of status.h is an error code', () => {
  const statuses = enumOf(header('src/status.h'), 'XY_E_MEMORY');
  expect(statuses.get('XY_OK')).toBe(0);
  statuses.delete('XY_OK');
  // These have no code of their own.
  const shared: Record<string, string> = { MEMORY: 'BUDGET', VERSION: 'UNSUPPORTED', CODEC: 'COMPRESSION' };
  const expected = [...statuses].map(([name, value]) => {
    const status = name.slice('XY_E_'.length);
    return [String(value), shared[status] ?? status];
  });
  expect(Object.entries(STATUS_CODES).sort()).toEqual(expected.sort());
});

test('dtypes and tags of tapes are numbered as in tape.h', () => {
  const dtypes = enumOf(header('src/streamer/tape.h'), 'XY_F64');
  expect(DTYPES.map((name, i) => [`XY_${name.toUpperCase()}`, i])).toEqual([...dtypes]);
  const tags = tableOf(enumOf(header('src/streamer/tape.h'), 'XY_TAPE_NULL'), 'XY_TAPE_');
  expect(TAPE_TAG).toEqual(tags);
});

test('operations and limits of programs are numbered as in expr.h', () => {
  const text = header('src/compute/expr.h');
  const ops = enumOf(text, 'XY_X_ADD');
  const within = (from: number, to: number) =>
    new Map(
      [...ops].filter(
        ([name, value]) => value >= from && value < to && !/_(BINARY|UNARY)(_END)?$/.test(name),
      ),
    );
  expect(OP).toEqual(tableOf(within(0, 32), 'XY_X_'));
  expect(BINARY_OP).toEqual(tableOf(within(32, 64), 'XY_X_'));
  const unary = tableOf(within(64, 128), 'XY_X_');
  // "R" stands for ROOT in C, and "isNan" is written as JavaScript does.
  const named = Object.entries(unary).map(([name, value]) => [
    name.replace(/^r(?=[A-Z])/, 'root').replace('isNan', 'isNaN'),
    value,
  ]);
  expect(UNARY_OP).toEqual(Object.fromEntries(named));

  expect(SUB).toEqual(tableOf(enumOf(text, 'XY_SUB_FREE'), 'XY_SUB_'));
  expect(LEVEL).toEqual(tableOf(enumOf(text, 'XY_LEVEL_LIST'), 'XY_LEVEL_'));
  const limits = tableOf(enumOf(text, 'XY_X_LEVELS'), 'XY_X_');
  for (const [name, value] of Object.entries(LIMITS)) expect([name, limits[name]]).toEqual([name, value]);
});

test('the functions of functions.h are those of math-ops.ts', () => {
  const functions = enumOf(header('src/math/functions.h'), 'XY_M_LOG2');
  functions.delete('XY_M_END');
  expect(functions.size).toBeGreaterThan(40);
  expect(MATH_FUNCTION).toEqual(tableOf(functions, 'XY_M_'));
});
