// Needs features: writer.
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { Core } from '../../web/core/core';
import { ADDRESSES } from '../../web/core/modules/addresses';
import { toSummary } from '../../web/core/sums/summary';
import { openBrowserSource } from '../../web/engine/browser-source';
import { createEngine } from '../../web/engine/engine';
import { memorySink, writeRoot } from '../../web/node';
import { orderOf, runTask, type Task, type TaskResult } from '../../web/pass/task';
import { PackedPlans } from '../../web/pass/task-message';
import { bufferSpec, fixtureBytes } from '../engine/fixtures';

const BRANCHES = ['x', 'n', 'v'];
let module: WebAssembly.Module;
let core: Core;
/** The tasks of summaries of these branches of a file that ROOT wrote, one for each branch and for all together. */
let tasks: { all: Task; alone: Task[] };

/** An engine that adds copies of its tasks to a list. */
async function engineOf(module: WebAssembly.Module, seen: Task[]) {
  const unused = (): never => {
    throw new Error('This test encodes nothing.');
  };
  const runner = {
    ...{ concurrency: 1, readsFiles: false, encode: unused, makeBaskets: unused },
    run: async (task: Task) => {
      seen.push(structuredClone(task));
      return runTask(core, task);
    },
  };
  return await createEngine({ module, openSource: openBrowserSource, runner });
}

beforeAll(async () => {
  module = await WebAssembly.compile(readFileSync(ADDRESSES.core()));
  core = await Core.create(module);
  const seen: Task[] = [];
  const engine = await engineOf(module, seen);
  const { id } = await engine.open(bufferSpec('clusters.root', fixtureBytes('clusters')));
  const last = async (branches: string[]): Promise<Task> => {
    await engine.summarize(id, { tree: 't', branches });
    return seen.at(-1) as Task;
  };
  tasks = { all: await last(BRANCHES), alone: [] };
  for (const branch of BRANCHES) tasks.alone.push(await last([branch]));
  await engine.close(id);
});

const run = (task: Task): Promise<TaskResult> => runTask(core, structuredClone(task));
const unitsOf = ({ parts }: Task, column: number): number => parts[2 * column + 1] ?? 0;
const summaryAt = ({ numbers }: TaskResult, column: number) => toSummary(numbers, 9 * column);

test('the results of several columns are those of each alone, column by column', async () => {
  const together = await run(tasks.all);
  expect(together.rows.length).toBe(BRANCHES.length);
  let opened = 0;
  for (const [column, task] of tasks.alone.entries()) {
    const alone = await run(task);
    expect(together.rows[column]).toBe(alone.rows[0]);
    expect(summaryAt(together, column)).toEqual(summaryAt(alone, 0));
    expect(summaryAt(alone, 0).values).toBeGreaterThan(0);
    opened += alone.opened;
  }
  expect(together.opened).toBe(opened);
});

test('what becomes large when it is decompressed is divided into more tasks', async () => {
  const sink = memorySink();
  await writeRoot(sink, async (file) => {
    const tree = await file.tree('t', { clusterBytes: 8_000_000 });
    for (let i = 0; i < 8; i++) await tree.append({ x: new Float64Array(1_000_000) });
  });
  const bytes = sink.bytes();
  expect(bytes.length).toBeLessThan(512 * 1024);
  const seen: Task[] = [];
  const engine = await engineOf(module, seen);
  const { id } = await engine.open(bufferSpec('zeros.root', bytes));
  const sizes = async (request: { branch: string } | { expr: string }): Promise<number> => {
    seen.length = 0;
    await engine.draw(id, { tree: 't', axes: [{ bins: 2, range: [-1, 1] }], ...request });
    return seen.length;
  };
  expect(await sizes({ branch: 'x' })).toBeGreaterThan(1);
  expect(await sizes({ expr: 'x+1' })).toBeGreaterThan(1);
  await engine.close(id);
});

test('units that cannot be decoded are told, and all others are decoded', async () => {
  const whole = await run(tasks.all);
  // The first unit of each column is cut to nothing.
  const task = structuredClone(tasks.all);
  const firsts = BRANCHES.map((_, column) =>
    BRANCHES.slice(0, column).reduce((sum, _name, before) => sum + unitsOf(task, before), 0),
  );
  for (const unit of firsts) task.units[4 * unit + 1] = 3;
  const { failures, rows } = await run(task);
  expect(failures.map(({ unit }) => unit)).toEqual(firsts);
  for (const { error } of failures) expect(error.code).toBe('TRUNCATED');
  for (const column of BRANCHES.keys()) {
    expect(unitsOf(task, column)).toBeGreaterThan(1);
    expect(rows[column]).toBeGreaterThan(0);
    expect(rows[column]).toBeLessThan(whole.rows[column] ?? 0);
  }
});

test('a unit that is the last of its column may fail, too', async () => {
  const task = structuredClone(tasks.all);
  const last = task.units.length / 4 - 1;
  task.units[4 * last + 1] = 3;
  const whole = await run(tasks.all);
  const { failures, rows } = await run(task);
  expect(failures.map(({ unit }) => unit)).toEqual([last]);
  expect([...rows.slice(0, 2)]).toEqual([...whole.rows.slice(0, 2)]);
  expect(rows[2]).toBeLessThan(whole.rows[2] ?? 0);
});

test('a plan that cannot be run ends the task, and the core works on', async () => {
  const task = structuredClone(tasks.all);
  // The second plan; the first column is decoded before.
  task.plans.fill(255, task.parts[0], (task.parts[0] ?? 0) + (task.parts[2] ?? 0));
  await expect(run(task)).rejects.toMatchObject({ name: 'XylemError' });
  expect((await run(tasks.all)).failures).toEqual([]);
});

test('goals of one column come after those of all, by ascending column, and programs last', () => {
  const program = { bytes: new Uint8Array(0), columns: [] };
  const goals = [
    { kind: 'fill', column: 2 },
    { kind: 'rows', program },
    { kind: 'summary' },
    { kind: 'fill', column: 0 },
    { kind: 'range', column: 2 },
    { kind: 'verify' },
  ];
  expect(orderOf(goals)).toEqual({ common: [2, 5], own: [3, 0, 4], programs: [1] });
});

test('plans of columns are those that were packed, with gaps and in any number', () => {
  const plans = [3, 0, 5, 1].map((length, i) => new Uint8Array(length).fill(i + 1));
  const packed = new PackedPlans(plans);
  for (const columns of [[], [0], [1, 2], [0, 2, 3], [3], [0, 1, 2, 3]]) {
    const list = Uint32Array.from(columns);
    const expected = columns.flatMap((column) => [...(plans[column] as Uint8Array)]);
    expect([...packed.of(list)]).toEqual(expected);
    const parts = packed.parts(
      list,
      list.map((column) => 10 * column),
    );
    expect([...parts]).toEqual(columns.flatMap((column) => [plans[column]?.length, 10 * column]));
  }
});
