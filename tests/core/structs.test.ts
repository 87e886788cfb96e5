// The structs that C and TypeScript both read or write, member by member. The sizes that C relies on are also held by
// _Static_assert in wasm/src.
import { expect, test } from 'vitest';
import { ERROR } from '../../web/core/core';
import { CHUNK, PAGE_WORDS } from '../../web/core/encoder';
import { MOMENTS, STATS_DOUBLES, toStats } from '../../web/core/fill';
import { AXIS_DOUBLES, GOAL, GOAL_BYTES, TASK, TASK_BYTES } from '../../web/core/goals';
import { RANGE_DOUBLES, toCoordinate } from '../../web/core/range';
import { MAX_EXACT, REGISTERS, SKETCH_BYTES, SLOTS, toSketch } from '../../web/core/sums/distinct-sketch';
import { SUMMARY_DOUBLES, toSummary } from '../../web/core/sums/summary';
import { leavesOf, taskOf } from '../../web/features/exports/work/parquet-leaves';
import { textTask } from '../../web/features/exports/work/text-nodes';
import { anchorNumbers, groupNumbers } from '../../web/features/writer/work/encode/ntuple-metadata';
import { LIMITS } from '../../web/pass/plan';
import { ProgramBuilder } from '../../web/query/compile/program';
import { camel, enumOf, header, listOf, type Member, structOf } from './c-headers';

/** Members of plain data as "outer.inner", with their values. */
function flat(value: object, before = ''): Record<string, unknown> {
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, inner]) =>
      typeof inner === 'object' && inner !== null && !ArrayBuffer.isView(inner)
        ? flat(inner, `${before}${name}.`)
        : { [before + name]: inner },
    ),
  );
}

/** Numbers of `count` doubles that are all different. */
const counting = (count: number) => Float64Array.from({ length: count }, (_, i) => i + 1);

test('a summary has the members of xy_summary in their order', () => {
  const { members, bytes } = structOf(header('src/compute/fill.h'), 'xy_summary');
  expect(bytes).toBe(8 * SUMMARY_DOUBLES);
  const expected = members.map(({ name, at }) => [name, name === 'integers' ? true : at / 8 + 1]);
  expect(Object.entries(toSummary(counting(SUMMARY_DOUBLES))).sort()).toEqual(expected.sort());
});

test('statistics of filling have the members of xy_fill_stats, 25 doubles', () => {
  const { members, bytes } = structOf(header('src/compute/histogram.h'), 'xy_fill_stats');
  expect(bytes).toBe(8 * STATS_DOUBLES);
  const expected = members.map(({ name, at }) => [name.replace('axis.', 'axes.'), at / 8 + 1]);
  expect(Object.entries(flat(toStats(counting(STATS_DOUBLES), 3))).sort()).toEqual(expected.sort());
});

test('a coordinate of a range has the members of xy_coordinate', () => {
  const text = header('src/compute/fill.h') + header('src/compute/range.h');
  const { members, bytes } = structOf(text, 'xy_coordinate');
  expect(bytes).toBe(8 * RANGE_DOUBLES);
  const expected = members.map(({ name, at }) => [
    name.includes('.') ? name : `first.${name}`,
    name === 'all.integers' ? true : at / 8 + 1,
  ]);
  const { steps: _steps, ...rest } = toCoordinate(counting(RANGE_DOUBLES), new Float64Array(0));
  expect(Object.entries(flat(rest)).sort()).toEqual(expected.sort());
});

test('goals, tasks and the limits of plans have the members of xy_goal, xy_task and xy_plan_limits', () => {
  const text = header('include/xylem.h');
  const goal = structOf(text, 'xy_goal');
  const inOrder = (names: readonly string[]) => names.map((name, i) => [name, 4 * i]);
  expect(goal.members.map(({ name, at }) => [camel(name, ''), at])).toEqual(inOrder(GOAL));
  expect(goal.bytes).toBe(GOAL_BYTES);
  const task = structOf(text, 'xy_task');
  expect(task.members.map(({ name, at }) => [camel(name, ''), at])).toEqual(inOrder(TASK));
  expect(task.bytes).toBe(TASK_BYTES);
  const limits = structOf(header('src/decode/task_plan.h'), 'xy_plan_limits');
  expect(limits.members.map(({ name, at }) => [camel(name, ''), at])).toEqual(
    LIMITS.map((name, i) => [name, 8 * i]),
  );
});

test('the sizes that xylem.h names are those of the structs', () => {
  const sizes = enumOf(header('include/xylem.h'), 'XY_STATS_DOUBLES');
  expect(sizes.get('XY_SUMMARY_DOUBLES')).toBe(SUMMARY_DOUBLES);
  expect(sizes.get('XY_STATS_DOUBLES')).toBe(STATS_DOUBLES);
  expect(sizes.get('XY_AXIS_DOUBLES')).toBe(AXIS_DOUBLES);
  expect(sizes.get('XY_RANGE_DOUBLES')).toBe(RANGE_DOUBLES);
  const limits = enumOf(header('include/xylem.h'), 'XY_LIMITS_DOUBLES');
  expect(limits.get('XY_LIMITS_DOUBLES')).toBe(LIMITS.length);
  const sinks = header('src/compute/histogram.h');
  expect(structOf(sinks, 'xy_axis').members.map(({ name }) => name)).toEqual(['bins', 'low', 'high']);
  expect(enumOf(sinks, 'XY_H_MOMENTS').get('XY_H_MOMENTS')).toBe(MOMENTS);
});

test('an error has the members of xy_error', () => {
  const { members } = structOf(header('src/status.h'), 'xy_error');
  const places = Object.fromEntries(members.map(({ name, at }) => [name, at]));
  expect({ ...places, messageBytes: members.at(-1)?.count }).toEqual(ERROR);
});

test('a sketch has the members of xy_sketch', () => {
  const text = header('src/compute/fill.h') + header('src/compute/distinct_sketch.h');
  const { members, bytes } = structOf(text, 'xy_sketch');
  expect(bytes).toBe(SKETCH_BYTES);
  const limits = enumOf(text, 'XY_SKETCH_SLOTS');
  expect([...limits.values()]).toEqual([MAX_EXACT, SLOTS, REGISTERS]);
  const buffer = new ArrayBuffer(bytes);
  const view = new DataView(buffer);
  const expected: Record<string, unknown> = {};
  for (const { name, type, at, count } of members) {
    const value = at + 1;
    if (type === 'double') view.setFloat64(at, value, true);
    else if (type === 'uint64_t') view.setBigUint64(at, BigInt(value), true);
    else view.setUint8(at + count - 1, 7);
    const own = name.replace('slots', 'distinct');
    expected[own] = type === 'double' ? value : type === 'uint64_t' ? BigInt(value) : undefined;
  }
  const { registers, distinct, ...numbers } = toSketch(buffer);
  expect(registers.at(-1)).toBe(7);
  expect([...(distinct ?? [])]).toEqual([expected.distinct]);
  const { registers: _r, distinct: _d, ...rest } = expected;
  expect(flat(numbers)).toEqual({ ...rest, 'summary.integers': true });
});

test('a chunk of a Parquet file and its pages have the members of xe_chunk and xe_page', () => {
  const text = header('src/export/export.h');
  const { members } = structOf(text, 'xe_chunk');
  const words = members.slice(0, CHUNK.length);
  expect(words.map(({ name, at }) => [camel(name, ''), at])).toEqual(CHUNK.map((name, i) => [name, 4 * i]));
  expect(members.slice(CHUNK.length).map(({ name, at }) => [name, at])).toEqual([
    ['min', 4 * CHUNK.length],
    ['max', 4 * CHUNK.length + 8],
  ]);
  expect(structOf(text, 'xe_page').bytes).toBe(4 * PAGE_WORDS);
  expect(structOf(text, 'xe_written').members.map(({ name, at }) => [name, at])).toEqual([
    ['bytes', 0],
    ['size', 4],
  ]);
});

/** The words of a struct in memory, by name. */
function wordsAt(memory: Uint8Array, place: number, members: readonly Member[]): Record<string, number> {
  const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
  return Object.fromEntries(members.map(({ name, at }) => [name, view.getUint32(place + at, true)]));
}

const NUMBERS = Int32Array.of(7, 8, 9, 10, 11);
const LISTS = {
  kind: 'list',
  length: 3,
  offsets: Int32Array.of(0, 2, 2, 5),
  child: { kind: 'primitive', length: 5, dtype: 'i32', data: NUMBERS },
} as const;

test('a column to be encoded is described as xe_column and xe_step say', () => {
  const text = header('src/export/export.h');
  const types = enumOf(text, 'XE_I32');
  const { form, input } = taskOf(leavesOf(LISTS), 'none', []);
  const place = form.kind === 'parquet' ? (form.columns[0] ?? -1) : -1;
  const column = structOf(text, 'xe_column');
  const words = wordsAt(input, place, column.members);
  expect(words).toMatchObject({ type: types.get('XE_I32'), rows: 3, values: 5, text_bytes: 0, steps: 1 });
  expect(new Int32Array(input.buffer, words.at, 5)).toEqual(NUMBERS);
  const step = wordsAt(input, place + column.bytes, structOf(text, 'xe_step').members);
  expect(step.kind).toBe(enumOf(text, 'XE_LIST').get('XE_LIST'));
  expect(new Int32Array(input.buffer, step.at, 4)).toEqual(LISTS.offsets);
});

test('nodes of a table of text are described as xe_node says', () => {
  const text = header('src/export/export.h');
  const kinds = enumOf(text, 'XE_NUMBERS');
  const { form, input } = textTask([LISTS], 3, ['a', 'b'], ',', []);
  const { nodes, count } = form.kind === 'text' ? form : { nodes: -1, count: -1 };
  const { members, bytes } = structOf(text, 'xe_node');
  const words = Array.from({ length: count }, (_, i) => wordsAt(input, nodes + i * bytes, members));
  expect(words.map(({ kind }) => kind)).toEqual([
    kinds.get('XE_STRUCTS'),
    kinds.get('XE_LISTS'),
    kinds.get('XE_NUMBERS'),
  ]);
  const [table, lists, numbers] = words;
  expect(table).toMatchObject({ rows: 3, first_child: 1, children: 1, more_bytes: 2 });
  expect(String.fromCharCode(...input.subarray(table?.more_at, (table?.more_at ?? 0) + 2))).toBe('ab');
  expect(lists).toMatchObject({ rows: 3, first_child: 2, children: 1, more_bytes: 0 });
  expect(numbers).toMatchObject({ type: enumOf(text, 'XE_I32').get('XE_I32'), rows: 5, children: 0 });
  expect(new Int32Array(input.buffer, numbers?.at, 5)).toEqual(NUMBERS);
});

test('a program has the head and the tables of expr.h', () => {
  const text = header('src/compute/expr.h');
  const levels = enumOf(text, 'XY_X_LEVELS');
  const builder = new ProgramBuilder();
  const level = { kind: 1, value: 77 };
  const column = { column: 0, kind: 'string', dtype: 31, data: 32, offsets: 33, levels: [level] } as const;
  builder.leaves.push(column as unknown as (typeof builder.leaves)[number]);
  builder.accesses.push({ leaf: 41, free: 42, subs: [{ kind: 2, value: 43 }] });
  builder.spaces.push({ dims: 51, drivers: [52] });
  builder.code.push([61, 62, 63, 64, 65, 66, 67, 68]);
  builder.outputs.push({ kind: 'uint64', source: 71, space: 72 });
  builder.constant(1.5);
  builder.text('abc');
  Object.assign(builder, { slots: 81, cut: 82, weight: 83, weightSpace: 84 });
  const bytes = builder.write();
  const view = new DataView(bytes.buffer);
  let at = 4;
  const take = (name: string): Record<string, number> => {
    const { members, bytes: size } = structOf(text, name);
    const place = at;
    at += size;
    return Object.fromEntries(members.map((one) => [one.name, view.getInt32(place + one.at, true)]));
  };
  // A query begins with the head of its program.
  const query = `${text.slice(text.indexOf('struct xy_query {'), text.indexOf('xy_leaf_ref *leaf;'))}};`;
  const head = structOf(query, 'xy_query').members;
  const values = head.map(({ name, at: place }) => [name, view.getInt32(4 + place, true)]);
  expect(Object.fromEntries(values)).toEqual({
    ...{ n_leaf: 1, n_access: 1, n_space: 2, n_code: 1, n_output: 1, n_const: 1, n_text: 3, n_column: 0 },
    ...{ n_slot: 81, cut: 82, weight: 83, weight_space: 84 },
  });
  at += 48;
  const leaf = { column: 0, kind: 1, dtype: 31, data: 32, offsets: 33, levels: 1 };
  expect(take('xy_leaf_ref')).toMatchObject({ ...leaf, 'level.0.kind': 1, 'level.0.value': 77 });
  expect(take('xy_access')).toMatchObject({ leaf: 41, free: 42, 'sub.0.kind': 2, 'sub.0.value': 43 });
  expect(take('xy_space_ref')).toMatchObject({ dims: 0, drivers: 0 });
  expect(take('xy_space_ref')).toMatchObject({ dims: 51, drivers: 1, driver: 52 });
  const code = { op: 61, space: 62, dst: 63, a: 64, b: 65, c: 66, imm: 67, imm2: 68 };
  expect(take('xy_instruction')).toEqual(code);
  expect(take('xy_output')).toEqual({ slot: 71, space: 72, kind: 1, reserved: 0 });
  expect(view.getFloat64(at, true)).toBe(1.5);
  expect(new TextDecoder().decode(bytes.subarray(at + 8))).toBe('abc');
  expect(levels.size).toBe(4);
});

test('cluster groups and anchors have the numbers of xylem-write.h', () => {
  const text = header('include/xylem-write.h');
  const group = { firstEntry: 1, entries: 2, clusters: 3, pageList: { length: 4, bytes: 5, seek: 6 } };
  const names = listOf(text, 'XW_GROUP_', 'XW_GROUP_FIRST', 'XW_GROUP_NUMBERS');
  const numbers = { first: 1, entries: 2, clusters: 3, length: 4, bytes: 5, seek: 6 };
  expect(Object.fromEntries(names.map((name, i) => [name, groupNumbers([group])[i]]))).toEqual(numbers);
  const anchor = listOf(text, 'XW_ANCHOR_', 'XW_ANCHOR_HEADER_SEEK', 'XW_ANCHOR_NUMBERS');
  const values = anchorNumbers({ seek: 1, bytes: 2, length: 3 }, { seek: 4, bytes: 5, length: 6 });
  expect(values.length).toBe(anchor.length);
  expect(Object.fromEntries(anchor.map((name, i) => [name, values[i]]))).toEqual({
    ...{ headerSeek: 1, headerBytes: 2, headerLength: 3 },
    ...{ footerSeek: 4, footerBytes: 5, footerLength: 6, maxKey: 2 ** 30 },
  });
});
