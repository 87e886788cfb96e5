import type { Gathered, GatheredState, TablePart } from '../../web/api/selector';
import { argumentError } from '../../web/base/errors';
import { MOMENTS } from '../../web/core/fill';
import type { ExactSums } from '../../web/core/sums/exact-sums';
import { cellsOf } from '../../web/measure/histogram-numbers';
import { isTableType, TABLE_ARRAYS } from '../../web/pass/selector/forms';
import type { Selected } from '../../web/pass/selector/run';
import type { BoxFacts } from './box-api';

// Answers of the worker of a selector were made beside the code of a user, and may be anything. They are copied member by
// member: texts are texts, numbers are numbers, and nothing else reaches the page.

type Given = Readonly<Record<string, unknown>>;

function wrong(): never {
  throw argumentError(
    'The selector returned something else than its results.',
    'Return plain data only, and leave the objects of begin as they are.',
  );
}

function recordOf(value: unknown): Given {
  return typeof value === 'object' && value !== null ? (value as Given) : wrong();
}

/** A list that has a value at each of its places: one without takes as long for 2^32 places as if it had them all. */
function listOf(value: unknown): unknown[] {
  return Array.isArray(value) && !value.includes(undefined) ? (value as unknown[]) : wrong();
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : wrong();
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : wrong();
}

function countOf(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : wrong();
}

/** Facts that a selector states of itself. Throws ARGUMENT. */
export function checkedFacts(value: unknown): BoxFacts {
  const { branches, where, merges, empty } = recordOf(value);
  return {
    branches: Object.fromEntries(
      Object.entries(recordOf(branches)).map(([name, text]) => [name, textOf(text)]),
    ),
    where: where === undefined ? undefined : textOf(where),
    merges: merges === true,
    empty: stateOf(empty, { file: '', tree: '' }),
  };
}

/** The result of a part of the entries of a file. Throws ARGUMENT. */
export function checkedSelected(value: unknown, place: Pick<TablePart, 'file' | 'tree'>): Selected {
  const { passed, state } = recordOf(value);
  return { passed: countOf(passed), state: stateOf(state, place) };
}

function stateOf(value: unknown, place: Pick<TablePart, 'file' | 'tree'>): GatheredState {
  return Object.fromEntries(
    Object.entries(recordOf(value)).map(([name, one]) => [name, gatheredOf(recordOf(one), place)]),
  );
}

function gatheredOf(one: Given, place: Pick<TablePart, 'file' | 'tree'>): Gathered {
  switch (one.kind) {
    case 'histogram': {
      const axes = listOf(one.axes).map((axis) => {
        const { bins, low, high, title } = recordOf(axis);
        const [from, to] = [numberOf(low), numberOf(high)];
        // Not so with NaN.
        if (!(from < to && Number.isFinite(to - from))) return wrong();
        return { bins: countOf(bins) || wrong(), low: from, high: to, title: textOf(title) };
      });
      if (axes.length === 0 || axes.length > 3) return wrong();
      const profile = one.profile === true;
      const ends = (list: unknown): number[] =>
        listOf(list).length === axes.length + Number(profile) ? listOf(list).map(numberOf) : wrong();
      return {
        ...{ kind: 'histogram', title: textOf(one.title), axes, profile },
        valueTitle: one.valueTitle === undefined ? undefined : textOf(one.valueTitle),
        ...{ fills: countOf(one.fills), nan: countOf(one.nan), min: ends(one.min), max: ends(one.max) },
        exact: sumsOf(one.exact, cellsOf(axes) * (profile ? 4 : 2) + MOMENTS),
      };
    }
    case 'counter':
      return { kind: 'counter', sum: sumsOf(one.sum, 1) };
    case 'labels': {
      if (!(one.sums instanceof Map)) return wrong();
      const sums = new Map<string, ExactSums>();
      for (const [label, sum] of one.sums as Map<unknown, unknown>) sums.set(textOf(label), sumsOf(sum, 1));
      return { kind: 'labels', sums };
    }
    case 'table': {
      const columns = listOf(one.columns).map((column) => {
        const { name, type } = recordOf(column);
        return isTableType(type) ? { name: textOf(name), type } : wrong();
      });
      const parts = listOf(one.parts).map((part): TablePart => {
        const { from, values } = recordOf(part);
        const lists = listOf(values);
        const checked = columns.map(({ type }, i): TablePart['values'][number] => {
          const list = lists[i];
          if (type === 'text') return listOf(list).map(textOf);
          return list instanceof TABLE_ARRAYS[type] ? list : wrong();
        });
        if (checked.some(({ length }) => length !== checked[0]?.length)) return wrong();
        return { file: place.file, tree: place.tree, from: countOf(from), values: checked };
      });
      return { kind: 'table', columns, parts };
    }
    case 'own':
      return { kind: 'own', value: one.value };
    default:
      return wrong();
  }
}

function sumsOf(value: unknown, count: number): ExactSums {
  const { high, low, rest } = recordOf(value);
  if (!(high instanceof Float64Array) || !(low instanceof Float64Array) || !(rest instanceof Map))
    return wrong();
  if (high.length !== count || low.length !== count) return wrong();
  const terms = new Map<number, number[]>();
  for (const [i, list] of rest as Map<unknown, unknown>) terms.set(numberOf(i), listOf(list).map(numberOf));
  return { high, low, rest: terms };
}
