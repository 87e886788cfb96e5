import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Gathered, GatheredState } from '../../../web/api/selector';
import { Core } from '../../../web/core/core';
import {
  addState,
  processedOf,
  scaledState,
  stateFrom,
  stateJson,
} from '../../../web/features/selectors/work/gathered';
import {
  JOB_HELP,
  jobOf,
  KINDS,
  type KindName,
  kindOf,
} from '../../../web/features/selectors/work/kinds/kinds';
import { rowsKind } from '../../../web/features/selectors/work/kinds/rows';
import type { TableValues } from '../../../web/features/selectors/work/rows/types';
import { type Begun, gatheredOf } from '../../../web/features/selectors/work/selector';
import type { SelectorJob } from '../../../web/public';

const core = await Core.create(
  await WebAssembly.compile(readFileSync(resolve(import.meta.dirname, '../../../build/xylem.wasm'))),
);

/** Makes a result and fills it. Parts 0, 1 and 2 differ; their sums round, if they are not added exactly. */
type Example = (job: SelectorJob, part: number) => unknown;

/** Examples of each kind: every kind needs one. */
const EXAMPLES: Record<KindName, Record<string, Example>> = {
  grid: {
    'of texts': (job, part) => {
      const made = job.hist({ categories: 'text', title: 'channel' }, { edges: [0, 1, 5], title: 'n' });
      made.fill([`c${part}`, '__proto__'], [part, 9], 0.1 + part);
      return made;
    },
    'of five axes': (job, part) => {
      const two = [2, 0, 4] as const;
      const made = job.hist(
        two,
        two,
        two,
        { categories: 'whole' },
        { edges: [0, 3, 9] },
        { categories: 'boolean' },
      );
      made.fill(part, 1, 2, part - 1, 3, part > 1, 0.1);
      return made;
    },
  },
  histogram: {
    'of one axis': (job, part) => {
      const made = job.hist([4, 0, 4], { title: 'x', axes: ['x [cm]', 'events'] });
      made.fill([part, 1.5, Number.NaN], 0.1 + part);
      return made;
    },
    'of three axes': (job, part) => {
      const made = job.hist([2, 0, 4], [2, 0, 4], [2, 0, 4]);
      made.fill(part, 1, 2);
      made.fill(9, 1, part);
      return made;
    },
    'a profile': (job, part) => {
      const made = job.profile([3, 0, 3]);
      made.fill([part, 1, 7], [0.1, part, 3], [1, 2, 3]);
      return made;
    },
    'without values': (job) => job.hist([4, 0, 4]),
    'of bins of different widths': (job, part) => {
      const made = job.hist({ edges: [0, 1, 1.5, 9] }, [3, 0, 3]);
      made.fill([part, 1.5, Number.NaN, -1], [0.1, part, 1, 1], 0.1 + part);
      return made;
    },
  },
  counter: {
    'of parts of numbers': (job, part) => {
      const made = job.counter();
      for (const one of [0.1, 1e200, -1e200, 1e-200, part]) made.add(one);
      return made;
    },
  },
  labels: {
    'of some parts': (job, part) => {
      const made = job.labels();
      made.add(`n${part}`, 0.1);
      made.add('all', part);
      made.add('__proto__');
      return made;
    },
  },
  table: {
    'of all types': (job, part) => {
      const made = job.table({ x: 'number', n: 'whole', u: 'unsigned', t: 'text' });
      for (let i = 0; i < part; i++)
        made.row({ x: i === 1 ? Number.NaN : 0.1, n: -1n, u: 2n ** 64n - 1n, t: `${part}` });
      return made;
    },
  },
  own: { 'a list': (_, part) => [part] },
  varied: {
    'a histogram': (job, part) => {
      const made = job.vary({ up: { weight: 'w' }, down: { weight: 'w' } }).hist([4, 0, 4]);
      made.fill([part, 1.5], 0.1 + part);
      return made;
    },
    labels: (job, part) => {
      const made = job.vary({ up: { weight: 'w' } }).labels();
      made.add('all', 0.1 * part);
      return made;
    },
  },
};

const cases = Object.entries(EXAMPLES).flatMap(([kind, examples]) =>
  Object.entries(examples).map(([name, example]) => [kind, name, example] as const),
);
const adding = cases.filter(([kind]) => kind !== 'own');

const place = (part: number) => ({ file: 'a.root', tree: 't', from: 1000 - part });
const begun = (a: unknown, varied: Begun['varied'] = new Map()): Begun => ({
  state: { a },
  variations: new Map(),
  varied,
});
const stateOf = (example: Example, part: number): GatheredState => {
  const make = (): Begun => {
    const varied: Begun['varied'] = new Map();
    const onVary = (given: object) => (made: unknown) => {
      varied.set(made, new Set(Object.keys(given)));
    };
    return begun(example(jobOf(core, { set: {}, onVary }), part), varied);
  };
  const one = make();
  const names = [...one.varied.values()].flatMap((some) => [...some]);
  return gatheredOf(one, place(part), new Map(names.map((name) => [name, make()])));
};
const fail = (why: string): never => {
  throw new Error(`refused: ${why}`);
};
const textOf = (state: GatheredState): string => JSON.stringify(stateJson(state));
const readBack = (state: GatheredState): GatheredState => stateFrom(JSON.parse(textOf(state)), fail);
const sumOf = (states: readonly GatheredState[]): GatheredState =>
  states.reduce<GatheredState | undefined>(
    (sum, one) => addState(sum, structuredClone(one), undefined),
    undefined,
  ) ?? {};

describe('every kind of results', () => {
  test('has an example here, and members of job that the editor of the page names', () => {
    expect(Object.keys(EXAMPLES)).toEqual(Object.keys(KINDS));
    const { set, files, vary, ...members } = jobOf(core, { set: { a: '1' } });
    expect([set, files, typeof vary]).toEqual([{ a: '1' }, {}, 'function']);
    expect(JOB_HELP.map(({ label }) => label)).toEqual(Object.keys(members));
    for (const [kind, , example] of cases) expect(stateOf(example, 1).a?.kind).toBe(kind);
  });

  test.each(adding)(
    '%s %s: three parts add up to the same text in any order and grouping',
    (_, name, example) => {
      const parts = [0, 1, 2].map((part) => stateOf(example, part));
      const [a = {}, b = {}, c = {}] = parts;
      const text = textOf(sumOf(parts));
      if (name !== 'without values') expect(text).not.toBe(textOf(a));
      for (const others of [
        [c, b, a],
        [b, a, c],
        [a, sumOf([c, b])],
        [readBack(sumOf([b, c])), readBack(a)],
      ])
        expect(textOf(sumOf(others))).toBe(text);
    },
  );

  test.each(adding)('%s %s: what is read back from JSON is what was written', (_, __, example) => {
    for (const part of [0, 1, 2]) {
      const state = stateOf(example, part);
      expect(processedOf({ state: readBack(state), entries: 3 })).toEqual(processedOf({ state, entries: 3 }));
      expect(textOf(readBack(state))).toBe(textOf(state));
    }
  });

  test.each(cases)('%s %s: a worker gives what was filled, and nothing else', (_, __, example) => {
    const state = stateOf(example, 2);
    const source = { file: 'a.root', tree: 't' };
    expect(stateFrom(structuredClone(state), fail, source)).toEqual(state);
    const more = { a: { ...structuredClone(state.a), odd: 'x' } };
    expect(stateFrom(more, fail, source)).toEqual(state);
  });

  test.each(adding)(
    '%s %s: a member of another type is refused, in JSON and from a worker',
    (_, __, example) => {
      // An element of Preact is an object like these.
      const odd = { constructor: undefined, type: 'script', props: {} };
      const state = stateOf(example, 2);
      for (const [given, source] of [
        [JSON.parse(textOf(state)).a, undefined],
        [state.a, place(2)],
      ] as const) {
        const changed = changedOnce(given, odd).filter(([path]) => !isKnown(path, source));
        expect(changed.length).toBeGreaterThan(1);
        for (const [path, one] of changed)
          expect(() => stateFrom({ a: one }, fail, source), `${path} of ${JSON.stringify(source)}`).toThrow(
            'refused: ',
          );
      }
    },
  );

  test('sums and columns of other lengths are refused, in JSON and from a worker', () => {
    const { histogram, table } = EXAMPLES;
    const one = stateOf(histogram['of one axis'] as Example, 1).a as ReturnType<typeof KINDS.histogram.from>;
    const { exact } = one;
    const rows = stateOf(table['of all types'] as Example, 2).a as ReturnType<typeof KINDS.table.from>;
    const [part] = rows.parts;
    const [x, ...others] = (part?.blocks[0] ?? []) as TableValues[];
    const jsonOf = (a: Gathered) => stateJson({ a }).a as { exact: unknown[] };
    const shorter = { ...rows, parts: [{ ...part, blocks: [[x?.slice(1), ...others]] }] } as typeof rows;
    const bad: [unknown, object | undefined][] = [
      [{ ...one, exact: { ...exact, low: exact.low.subarray(1) } }, place(1)],
      [{ ...one, exact: { ...exact, high: exact.high.subarray(1) } }, place(1)],
      [{ ...jsonOf(one), exact: jsonOf(one).exact.slice(1) }, undefined],
      [shorter, place(1)],
      [jsonOf(shorter), undefined],
    ];
    for (const [a, source] of bad)
      expect(() => stateFrom({ a }, fail, source && place(1))).toThrow('refused: ');
  });

  test('a profile and a histogram of the same axes do not add up', () => {
    const job = jobOf(core, { set: {} });
    const states = [job.profile([3, 0, 3]), job.hist([3, 0, 3])].map((a) => gatheredOf(begun(a), place(0)));
    expect(() => sumOf(states)).toThrow('differs between parts of the entries');
  });

  test('rows of a file are one part, however its entries were divided', () => {
    const example = EXAMPLES.table['of all types'] as Example;
    const joined = (parts: GatheredState[]) => {
      const { a = { kind: '' } } = sumOf(parts);
      return textOf({ a: kindOf(a).joined?.(a, { file: 'b.root', tree: 't', from: 0 }) ?? a });
    };
    const text = joined([stateOf(example, 2), stateOf(example, 1)]);
    expect(JSON.parse(text).a.parts).toEqual([
      {
        file: 'b.root',
        tree: 't',
        from: 0,
        values: [[0.1, 'NaN', 0.1], ['-1', '-1', '-1'], WHOLE, ['2', '2', '1']],
      },
    ]);
    expect(joined([JSON.parse(text)].map((json) => stateFrom(json, fail)))).toBe(text);
  });

  test('the text of partial results, which earlier versions wrote', () => {
    const labels = stateOf(EXAMPLES.labels['of some parts'] as Example, 2);
    expect(textOf(labels)).toBe(
      '{"a":{"kind":"labels","sums":[["__proto__",1,1,1],["all",2,4,1],["n2",0.1,0.010000000000000002,1]]}}',
    );
    const counter = stateOf(EXAMPLES.counter['of parts of numbers'] as Example, 2);
    expect(textOf(counter)).toBe(
      '{"a":{"kind":"counter","sum":[2.1,-8.326672684688674e-17,1e-200],"count":5}}',
    );
    const histogram = stateOf(EXAMPLES.histogram['of one axis'] as Example, 2);
    expect(textOf(histogram)).toBe(
      '{"a":{"kind":"histogram","title":"x","axes":[{"bins":4,"low":0,"high":4,"title":"x [cm]"}],"valueTitle":"events","profile":false,"fills":3,"nan":1,"min":[1.5],"max":[2],"exact":[0,0,2.1,2.1,0,2.1,0,0,4.41,4.41,0,4.41,4.2,8.82,-1.05,0.525,0,0,0,0,0]}}',
    );
  });

  test.each(cases)('%s %s: a scaled copy is of its own', (_, __, example) => {
    const [state, more] = [stateOf(example, 1), stateOf(example, 2)];
    const before = textOf(state);
    const copy = scaledState(state, 1);
    for (const [name, one] of Object.entries(copy)) kindOf(one).add(one, structuredClone(more)[name] ?? one);
    expect(textOf(state)).toBe(before);
  });

  test.each(cases)('%s %s: it has lines, or is shown as JSON', (kind, _, example) => {
    const state = stateOf(example, 2);
    const one = state.a ?? { kind: '' };
    const lines = kindOf(one).lines?.(processedOf({ state, entries: 1 }).a);
    if (kind === 'own') expect(lines).toBe(undefined);
    else expect(lines?.every((line) => line.length > 0 && !line.includes('\n'))).toBe(true);
  });
});

const WHOLE = Array.from({ length: 3 }, () => String(2n ** 64n - 1n));

/** Members that are not taken from a worker, but known: see ResultKind.from, and HistogramSum. */
function isKnown(path: string, source: object | undefined): boolean {
  return (
    source !== undefined &&
    /^(of\.\w+\.|parts\.\[.*\]\.)?(entries|integer(\.\d+)?|parts\.\d+\.(file|tree))$/.test(path)
  );
}

/** Copies of a value, in each of which one member, however deep, is `odd`, or the list or array has another length. */
function changedOnce(value: unknown, odd: object): [path: string, copy: unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  if (ArrayBuffer.isView(value)) return [['', [odd]]];
  const members = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
  const build = (all: [string, unknown][]): unknown =>
    value instanceof Map
      ? new Map(all)
      : Array.isArray(value)
        ? all.map(([, one]) => one)
        : Object.fromEntries(all);
  return members.flatMap(([name, member]) => {
    const put = (one: unknown): unknown =>
      build(members.map(([key, old]) => [key, key === name ? one : old]));
    const whole: [string, unknown][] = member === undefined ? [] : [[name, put(odd)]];
    return [
      ...whole,
      ...changedOnce(member, odd).map(([deep, one]): [string, unknown] => [
        `${name}.${deep}`.replace(/\.$/, ''),
        put(one),
      ]),
    ];
  });
}

test('a kind of rows with fixed columns refuses others', () => {
  const { from } = rowsKind('pair', [
    { name: 'x', type: 'number' },
    { name: 'y', type: 'number' },
  ]);
  const wrong = (why: string): never => {
    throw new Error(why);
  };
  const column = (name: string, type = 'number') => ({ name, type });
  expect(from({ columns: [column('x'), column('y')], parts: [] }, wrong, undefined)).toMatchObject({
    kind: 'pair',
  });
  for (const columns of [[column('x')], [column('y'), column('x')], [column('x'), column('y', 'text')]])
    expect(() => from({ columns, parts: [] }, wrong, undefined)).toThrow(
      'a pair has other columns than x, y',
    );
});
