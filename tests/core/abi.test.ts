// The C headers and the TypeScript tables that repeat them: exports, status codes, dtypes, opcodes, functions.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CODES } from '../../web/base/codes';
import { codeOf } from '../../web/core/core';
import { DTYPES } from '../../web/core/dtypes';
import { COMPRESSIONS, VALUE_TYPES } from '../../web/core/encoder';
import { LEVEL, LIMITS } from '../../web/core/expr-levels';
import { BINARY_OP, OP, SUB, UNARY_OP } from '../../web/core/expr-ops';
import { GOAL_KIND } from '../../web/core/goals';
import { MATH_FUNCTION } from '../../web/core/math-ops';
import { CORE_PARTS } from '../../web/core/module';
import { TAPE_TAG } from '../../web/core/tape';
import { STEP_KINDS } from '../../web/features/exports/work/parquet-leaves';
import { NODE_KINDS } from '../../web/features/exports/work/text-nodes';
import { OWN_FORMS } from '../../web/features/snippets/work/types-typescript';
import { FIELD_ROLES } from '../../web/features/writer/work/encode/new-ntuple-metadata';
import {
  BIG_FILE,
  DIRECTORY,
  DIRECTORY_BYTES,
  FILE,
  FIXED_KEY_BYTES,
  HEADER_BYTES,
  KEY,
  MOVE,
} from '../../web/features/writer/work/file/records';
import { HOW } from '../../web/pass/plan';
import { COLLECTIONS } from '../../web/query/compile/leaf';
import { enumOf, exportsOf, header, listOf, methodsOf, root, tableOf } from './c-headers';

/** The functions of a module whose names begin in this way. */
async function builtIn(module: string, prefix: RegExp): Promise<string[]> {
  const compiled = await WebAssembly.compile(readFileSync(join(root, 'build', module)));
  const names = WebAssembly.Module.exports(compiled).map(({ name }) => name);
  return names.filter((name) => prefix.test(name)).sort();
}

const namesOf = (functions: readonly string[]) => functions.map((one) => one.replace(/\(.*/, ''));

test('the functions of xylem.h are those of module.ts, with as many parameters, and those of the module', async () => {
  const declared = exportsOf('include/xylem.h');
  expect(declared.length).toBeGreaterThan(50);
  expect(methodsOf('web/core/module.ts', 'BaseExports', 'NtupleExports', 'CoreExports')).toEqual(declared);
  // The functions of the codecs serve the tests alone.
  const codecs = exportsOf('src/codec/codec.h');
  expect(await builtIn('xylem.wasm', /^xy_/)).toEqual(namesOf([...declared, ...codecs]).sort());
});

test('the functions of xylem-write.h and records.h are those of module.ts, and those of the module', async () => {
  const declared = exportsOf('include/xylem-write.h', 'src/write/records.h');
  expect(declared.length).toBeGreaterThan(45);
  expect(methodsOf('web/core/module.ts', 'WriterExports')).toEqual(declared);
  expect(await builtIn('xylem-write.wasm', /^xw_/)).toEqual(namesOf(declared));
  // It has those of the core that it shares, and the tests call more of them.
  const shared = namesOf(methodsOf('web/core/module.ts', 'BaseExports', 'NtupleExports'));
  expect(await builtIn('xylem-write.wasm', /^xy_/)).toEqual(expect.arrayContaining(shared));
});

test('the functions of export.h are those of encoder.ts, and those of the module', async () => {
  const declared = exportsOf('src/export/export.h');
  expect(declared.length).toBe(6);
  expect(methodsOf('web/core/encoder.ts', 'EncoderExports')).toEqual(declared);
  expect(await builtIn('xylem-export.wasm', /^xe_/)).toEqual(namesOf(declared));
});

test('the functions of fit.h are those of fit-core.ts, and those of the module', async () => {
  const declared = exportsOf('src/fit/fit.h');
  expect(declared.length).toBe(16);
  expect(methodsOf('web/features/fits/work/fit-core.ts', 'FitExports')).toEqual(declared);
  expect(await builtIn('xylem-fit.wasm', /^xf_/)).toEqual(namesOf(declared));
});

test('kinds and types of export.h are numbered as its TypeScript numbers them', () => {
  const text = header('src/export/export.h');
  expect(Object.fromEntries(VALUE_TYPES.map((name, i) => [name, i]))).toEqual(
    tableOf(enumOf(text, 'XE_BOOL'), 'XE_'),
  );
  expect([...COMPRESSIONS]).toEqual(Object.keys(tableOf(enumOf(text, 'XE_SNAPPY'), 'XE_')));
  expect([...STEP_KINDS]).toEqual(Object.keys(tableOf(enumOf(text, 'XE_FIXED'), 'XE_')));
  expect([...NODE_KINDS]).toEqual(Object.keys(tableOf(enumOf(text, 'XE_NUMBERS'), 'XE_')));
});

test('the numbers of keys, files and directories are in the order of records.h', () => {
  const text = header('src/write/records.h');
  expect(listOf(text, 'XW_KEY_', 'XW_KEY_NBYTES', 'XW_KEY_NUMBERS')).toEqual([...KEY]);
  expect(listOf(text, 'XW_FILE_', 'XW_FILE_VERSION', 'XW_FILE_NUMBERS')).toEqual([...FILE]);
  expect(listOf(text, 'XW_DIR_', 'XW_DIR_CREATED', 'XW_DIR_NUMBERS')).toEqual([...DIRECTORY]);
  expect(listOf(text, 'XW_MOVE_', 'XW_MOVE_NBYTES', 'XW_MOVE_NUMBERS')).toEqual([...MOVE]);
  expect(enumOf(text, 'XW_KEY_HEAD').get('XW_KEY_HEAD')).toBe(FIXED_KEY_BYTES);
  expect(enumOf(text, 'XW_FILE_BYTES').get('XW_FILE_BYTES')).toBe(HEADER_BYTES);
  expect(enumOf(text, 'XW_DIR_BYTES').get('XW_DIR_BYTES')).toBe(DIRECTORY_BYTES);
  expect(Number(/#define XW_BIG_FILE ([\d.]+)/.exec(text)?.[1])).toBe(BIG_FILE);
});

test('kinds of goals and ways to plan are numbered as in xylem.h and task_plan.h', () => {
  expect(GOAL_KIND).toEqual(tableOf(enumOf(header('include/xylem.h'), 'XY_GOAL_FILL'), 'XY_GOAL_'));
  expect(HOW).toEqual(tableOf(enumOf(header('src/decode/task_plan.h'), 'XY_PLAN_GIVEN'), 'XY_PLAN_'));
});

test('roles of fields are numbered as in ntuple.h', () => {
  const roles = tableOf(enumOf(header('src/ntuple/ntuple.h'), 'XY_NT_LEAF'), 'XY_NT_');
  for (const [name, value] of Object.entries(FIELD_ROLES)) expect([name, roles[name]]).toEqual([name, value]);
});

test('each status of status.h is an error code', () => {
  const statuses = enumOf(header('src/status.h'), 'XY_E_MEMORY');
  expect(statuses.get('XY_OK')).toBe(0);
  statuses.delete('XY_OK');
  // These have no code of their own.
  const shared: Record<string, string> = {
    MEMORY: 'BUDGET',
    DEPTH: 'UNSUPPORTED',
    VERSION: 'UNSUPPORTED',
    CODEC: 'COMPRESSION',
  };
  const expected = [...statuses].map(([name, value]) => {
    const status = name.slice('XY_E_'.length);
    return [value, shared[status] ?? status];
  });
  const table = Object.entries(CODES).flatMap(([code, { core = [] }]) =>
    core.map((status) => [status, code]),
  );
  expect(table.sort()).toEqual(expected.sort());
  for (const [status, code] of table) expect(codeOf(Number(status))).toBe(code);
  expect(codeOf(1)).toBe('INTERNAL');
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

test('classes with a format of their own have members in TypeScript, and the collections are known to queries', () => {
  const table =
    /define XY_CUSTOM_CLASSES\(X\)([\s\S]*?)\n\n/.exec(header('src/streamer/program.h'))?.[1] ?? '';
  const classes = [...table.matchAll(/X\("(\w+)", (\w+)\)/g)].map(([, name = '', kind = '']) => ({
    name,
    kind,
  }));
  expect(classes.length).toBeGreaterThan(8);
  const names = classes.map(({ name }) => name);
  expect([...OWN_FORMS.keys()].sort()).toEqual([...names, 'TObject', 'TRef'].sort());
  const collections = classes.filter(({ kind }) => kind !== 'TREFARRAY' && kind !== 'TBASKET');
  expect([...COLLECTIONS].sort()).toEqual(collections.map(({ name }) => name).sort());
});

test('the core that the element begins with has, with its parts, all functions of the core', async () => {
  if (!existsSync(join(root, 'build/xylem-first.wasm'))) return;
  const files = ['first', ...CORE_PARTS].map((name) => `xylem-${name}.wasm`);
  const all = await Promise.all(files.map((file) => builtIn(file, /^xy_/)));
  expect(all.flat()).toEqual(expect.arrayContaining(await builtIn('xylem.wasm', /^xy_/)));
});
