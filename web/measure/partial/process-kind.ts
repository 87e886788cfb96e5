import type { RulesOfRoot } from '../../api/api';
import type {
  Gathered,
  GatheredHistogram,
  GatheredState,
  GatheredTable,
  Sample,
  TableColumnType,
  TablePart,
} from '../../api/selector';
import { cellsOf } from '../../bins/filled-histogram';
import { MOMENTS } from '../../core/fill';
import { isTableType, isWithin, TABLE_ARRAYS } from '../../pass/selector/forms';
import { byPlace } from '../gathered';
import {
  countFrom,
  type Json,
  listOf,
  numberFrom,
  numberOrText,
  recordOf,
  sumsFrom,
  sumsJson,
  type Wrong,
} from './json';
import type { Kind } from './kind';
import { addProcess, emptyProcess, type ProcessSum, readProcess } from './process-sum';
import { type SampleSum, sampleFrom } from './samples';

/** A file that a selector imports or reads, without its folder, or a package of node_modules. */
export interface CodeFile {
  name: string;
  /** The SHA-256 of its content. */
  hash: string;
}

/** Equal selectors with equal settings add up. */
export interface ProcessQuery {
  /** Name of the module's file, and the SHA-256 of its text. */
  name: string;
  hash: string;
  /** Other files that it imports and reads, sorted; left out where it does neither, and in results of earlier versions. */
  files?: CodeFile[];
  set: Record<string, string>;
  samples?: Sample[];
  rootVersion: RulesOfRoot;
}

/** Results of selectors. */
export const processKind: Kind<ProcessQuery, ProcessSum> = {
  member: 'made',
  title: ({ name }) => name,
  empty: emptyProcess,
  add: addProcess,
  read: readProcess,
  json: ({ samples: all = [] }, { entries, passed, state, samples }) => ({
    entries,
    passed,
    state: stateJson(state),
    ...(all.length > 0 && {
      samples: Object.fromEntries(
        all.flatMap(({ name }) => {
          const one = samples.get(name);
          if (!one) return [];
          const { entries: count, passed: some, weights } = one;
          const sum = sumsJson(weights)[0];
          return [[name, { entries: count, passed: some, weights: sum, state: stateJson(one.state) }]];
        }),
      ),
    }),
  }),
  queryFrom({ name, hash, files, set, samples, rootVersion }) {
    const texts = Object.entries(recordOf(set) ?? {});
    const isGood =
      typeof name === 'string' &&
      typeof hash === 'string' &&
      texts.every(([, one]) => typeof one === 'string');
    if (!isGood || (rootVersion !== '6.40' && rootVersion !== '6.42')) return undefined;
    const code = files === undefined ? [] : listOf(files, codeFrom);
    if (!code) return undefined;
    // The order of the members decides the text, by which queries are compared.
    const known = {
      ...{ name, hash, ...(files !== undefined && { files: code }) },
      set: Object.fromEntries(texts) as Record<string, string>,
    };
    if (samples === undefined) return { ...known, rootVersion };
    const list = listOf(samples, (json) => {
      const sample = sampleFrom(json);
      return typeof sample === 'string' ? undefined : sample;
    });
    return list && { ...known, samples: list, rootVersion };
  },
  sumFrom({ samples: all = [] }, json, wrong) {
    const given = recordOf(json.samples) ?? {};
    const samples = all.flatMap(({ name }): [string, SampleSum][] => {
      const one = Object.hasOwn(given, name) ? recordOf(given[name]) : undefined;
      if (!one) return [];
      return [[name, { ...countedFrom(one, wrong), weights: sumsFrom([one.weights], 1, wrong) }]];
    });
    return { ...countedFrom(json, wrong), samples: new Map(samples) };
  },
  difference: codeDifference,
};

function codeFrom({ name, hash }: Json): CodeFile | undefined {
  return typeof name === 'string' && typeof hash === 'string' ? { name, hash } : undefined;
}

/** How the code of two selectors of one name differs. */
function codeDifference(one: ProcessQuery, other: ProcessQuery): string | undefined {
  if (one.name !== other.name) return undefined;
  if (one.hash !== other.hash) return `The text of ${one.name} is not the same in both.`;
  const [a, b] = [one, other].map(({ files = [] }) => new Set(files.map((file) => JSON.stringify(file))));
  if (!a || !b) return undefined;
  const odd = [...[...a].filter((file) => !b.has(file)), ...[...b].filter((file) => !a.has(file))];
  const names = [...new Set(odd.map((file) => (JSON.parse(file) as CodeFile).name))].sort();
  const [first] = names;
  if (first === undefined) return undefined;
  const shown = names.slice(0, 5).join(', ');
  if (a.size === 0 || b.size === 0)
    return `${one.name} imports or reads ${shown}, and one of the results does not name ${names.length > 1 ? 'them' : 'it'}. Results of earlier versions of xylem name no such files.`;
  const are = names.length > 1 ? 'are' : 'is';
  return `${shown}, which ${one.name} imports or reads, ${are} not the same in both.`;
}

function stateJson(state: GatheredState): Record<string, unknown> {
  return Object.fromEntries(Object.entries(state).map(([name, one]) => [name, gatheredJson(one)]));
}

function countedFrom({ entries, passed, state }: Json, wrong: Wrong): Omit<ProcessSum, 'samples'> {
  const members = Object.entries(recordOf(state) ?? wrong('its state is missing'));
  return {
    entries: countFrom(entries, wrong),
    passed: countFrom(passed, wrong),
    state: Object.fromEntries(
      members.map(([name, one]) => [
        name,
        gatheredFrom(recordOf(one) ?? wrong(`"${name}" is missing`), wrong),
      ]),
    ),
  };
}

function gatheredJson(one: Gathered): unknown {
  switch (one.kind) {
    case 'histogram':
      // Members have one order, so that equal results have equal texts.
      return {
        ...{ kind: one.kind, title: one.title, axes: one.axes, valueTitle: one.valueTitle },
        ...{ profile: one.profile, fills: one.fills, nan: one.nan },
        min: one.min.map(numberOrText),
        max: one.max.map(numberOrText),
        exact: sumsJson(one.exact),
      };
    case 'counter':
      return { kind: one.kind, sum: sumsJson(one.sum)[0] };
    case 'labels':
      return {
        kind: one.kind,
        sums: [...one.sums]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([label, sum]) => [label, sumsJson(sum)[0]]),
      };
    case 'table':
      return {
        ...one,
        parts: [...one.parts].sort(byPlace).map(({ values, ...place }) => ({
          ...place,
          values: values.map((list) => Array.from<number | bigint | string, unknown>(list, cellJson)),
        })),
      };
    case 'own':
      return one;
  }
}

function cellJson(value: number | bigint | string): unknown {
  return typeof value === 'number' ? numberOrText(value) : String(value);
}

function gatheredFrom(json: Json, wrong: Wrong): Gathered {
  switch (json.kind) {
    case 'histogram':
      return histogramFrom(json, wrong);
    case 'counter':
      return { kind: 'counter', sum: sumsFrom([json.sum], 1, wrong) };
    case 'labels': {
      const pairs = Array.isArray(json.sums) ? (json.sums as unknown[]) : wrong('labels are missing');
      return {
        kind: 'labels',
        sums: new Map(
          pairs.map((pair) => {
            const [label, sum] = Array.isArray(pair) ? (pair as unknown[]) : wrong('a label is missing');
            if (typeof label !== 'string') return wrong('a label is not a text');
            return [label, sumsFrom([sum], 1, wrong)];
          }),
        ),
      };
    }
    case 'table':
      return tableFrom(json, wrong);
    default:
      return wrong('a part of its state is of no known kind');
  }
}

function histogramFrom(json: Json, wrong: Wrong): GatheredHistogram {
  const { title, profile, valueTitle } = json;
  if (typeof title !== 'string' || typeof profile !== 'boolean') return wrong('a histogram has no title');
  const axes = listOf(json.axes, ({ bins, low, high, title: own }) =>
    Number.isSafeInteger(bins) && (bins as number) > 0 && typeof low === 'number' && typeof high === 'number'
      ? { bins: bins as number, low, high, title: String(own) }
      : undefined,
  );
  if (!axes || axes.length === 0 || axes.length > 3) return wrong('a histogram has no axes');
  const dims = axes.length + Number(profile);
  const ends = (value: unknown): number[] =>
    Array.isArray(value) && value.length === dims
      ? value.map((one) => numberFrom(one) ?? wrong('a number is missing'))
      : wrong('a list of numbers is missing');
  return {
    ...{ kind: 'histogram', title, axes, profile },
    valueTitle: typeof valueTitle === 'string' ? valueTitle : undefined,
    fills: countFrom(json.fills, wrong),
    nan: countFrom(json.nan, wrong),
    ...{ min: ends(json.min), max: ends(json.max) },
    exact: sumsFrom(json.exact, cellsOf(axes) * (profile ? 4 : 2) + MOMENTS, wrong),
  };
}

function tableFrom(json: Json, wrong: Wrong): GatheredTable {
  const columns = listOf(json.columns, ({ name, type }) =>
    typeof name === 'string' && isTableType(type) ? { name, type } : undefined,
  );
  if (!columns) return wrong('a table has no columns');
  const parts = listOf(json.parts, ({ file, tree, from, values }): TablePart | undefined => {
    if (typeof file !== 'string' || typeof tree !== 'string' || !Array.isArray(values)) return undefined;
    if (values.length !== columns.length) return undefined;
    return {
      ...{ file, tree, from: countFrom(from, wrong) },
      values: columns.map(({ type }, i) => valuesFrom(type, values[i], wrong)),
    };
  });
  if (!parts) return wrong('rows of a table are missing');
  return { kind: 'table', columns, parts };
}

function valuesFrom(type: TableColumnType, value: unknown, wrong: Wrong): TablePart['values'][number] {
  const list = Array.isArray(value) ? (value as unknown[]) : wrong('values of a table are missing');
  if (type === 'number')
    return Float64Array.from(list, (one) => numberFrom(one) ?? wrong('a number is missing'));
  const texts = list.map((one) => (typeof one === 'string' ? one : wrong('a value of a table is missing')));
  if (type === 'text') return texts;
  return (TABLE_ARRAYS[type] as typeof BigInt64Array).from(texts, (one) => {
    const whole = /^-?\d{1,20}$/.test(one) ? BigInt(one) : undefined;
    return whole !== undefined && isWithin(type, whole) ? whole : wrong('a whole number is missing');
  });
}
