import { XylemError } from '../../../base/errors';
import { listOf as listShape, TEXT } from '../../../base/shape';
import { REGISTERS } from '../../../core/sums/distinct-sketch';
import {
  addExactSummary,
  type ExactSummary,
  emptyExactSummary,
  SUMMARY_MOMENTS,
} from '../../../core/sums/exact-summary';
import {
  countFrom,
  countsFrom,
  type Json,
  listOf,
  membersOf,
  numberFrom,
  numberOrText,
  sumsFrom,
  sumsJson,
  type Wrong,
} from '../../../measure/json';
import { entriesOf, type Kind } from '../../../measure/partial-kind';
import { chooseBranches } from '../../../model/choose';

export interface SummaryQuery {
  /** Names and patterns as "--branches" takes them; empty for all branches. */
  branches: readonly string[];
}

export interface BranchSum {
  /** Types of the branch in the files; usually one. */
  types: readonly string[];
  entries: number;
  summary: ExactSummary;
}

/** By the path of a branch. */
export type SummarySum = Map<string, BranchSum>;

const TEXTS = listShape(TEXT);

/** Summaries of branches. */
export const summaryKind: Kind<SummaryQuery, SummarySum> = {
  member: 'summary',
  words: 'branches',
  title: ({ branches }) => branches.join(',') || 'all branches',
  empty: () => new Map(),
  add(sum, more) {
    for (const [path, { types, entries, summary }] of more) {
      const there = sum.get(path) ?? { types: [], entries: 0, summary: emptyExactSummary() };
      there.types = [...new Set([...there.types, ...types])].sort();
      there.entries += entries;
      addExactSummary(there.summary, summary);
      sum.set(path, there);
    }
  },
  async read({ branches }, input, options) {
    const read = await entriesOf(input, options);
    const { reader, info, tree, entries } = input;
    const there = await reader.tree(info.id, tree, options);
    const chosen = chooseBranches(there, branches.length > 0 ? branches : undefined);
    const request = { tree, branches: chosen.map(({ index }) => index), entries, exact: true };
    const sum: SummarySum = new Map();
    for (const { branch, entries: count, exact, missing, ...one } of await reader.summarize(
      info.id,
      request,
      options,
    )) {
      const { path, typeName } = branch;
      const error = one.error ?? (branches.length > 0 ? missing : undefined);
      // Branches without numbers or texts of one kind are left out, unless they are named.
      if (error?.code === 'UNSUPPORTED' && branches.length === 0) continue;
      if (error || !exact) {
        throw new XylemError({
          code: error?.code ?? 'INTERNAL',
          message: `${path}: ${error?.message ?? 'no sums that add up'}`,
          where: { path },
        });
      }
      summaryKind.add(sum, new Map([[path, { types: [typeName], entries: count, summary: exact }]]));
    }
    return { sum, read };
  },
  json: (_, sum) => ({
    branches: [...sum]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, { types, entries, summary }]) => ({ path, types, entries, ...summaryJson(summary) })),
  }),
  queryFrom: (json) => membersOf(json, { branches: TEXTS }),
  sumFrom(_, json, wrong) {
    const sum: SummarySum = new Map();
    for (const branch of listOf(json.branches, (one) => one) ?? wrong('its branches cannot be read')) {
      const known = membersOf(branch, { path: TEXT, types: TEXTS });
      if (!known || sum.has(known.path)) return wrong('a branch cannot be read');
      sum.set(known.path, {
        types: known.types,
        entries: countFrom(branch.entries, wrong),
        summary: summaryFrom(branch, wrong),
      });
    }
    return sum;
  },
};

const COUNTS = ['values', 'nans', 'infinities', 'zeros', 'items'] as const;

function summaryJson(summary: ExactSummary) {
  const { min, max, integers, moments, distinct, registers } = summary;
  const counts = Object.fromEntries(COUNTS.map((name) => [name, summary[name]]));
  return {
    ...counts,
    min: numberOrText(min),
    max: numberOrText(max),
    integers,
    moments: sumsJson(moments),
    ...(distinct && { distinct: Array.from(distinct, (hash) => hash.toString(16)).sort() }),
    // Run lengths: a letter for each rank, A for 0, after the length of the run if that is not 1.
    registers: runsOf(registers),
  };
}

function summaryFrom(json: Json, wrong: Wrong): ExactSummary {
  const number = (name: string): number => numberFrom(json[name]) ?? wrong('a number is missing');
  const { distinct } = json;
  return {
    ...countsFrom(json, COUNTS, wrong),
    ...{ min: number('min'), max: number('max') },
    integers: json.integers === true,
    moments: sumsFrom(json.moments, SUMMARY_MOMENTS, wrong),
    distinct: distinct === undefined ? undefined : hashesFrom(distinct, wrong),
    registers: fromRuns(json.registers, wrong),
  };
}

function hashesFrom(value: unknown, wrong: Wrong): Set<bigint> {
  if (!Array.isArray(value)) return wrong('a list of hashes is missing');
  return new Set(
    value.map((text) =>
      typeof text === 'string' && /^[0-9a-f]{1,16}$/.test(text)
        ? BigInt(`0x${text}`)
        : wrong('a hash is missing'),
    ),
  );
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function runsOf(registers: Uint8Array): string {
  let text = '';
  for (let at = 0; at < registers.length; ) {
    const rank = registers[at] ?? 0;
    let end = at;
    while (end < registers.length && registers[end] === rank) end++;
    text += `${end - at > 1 ? end - at : ''}${LETTERS[rank] ?? ''}`;
    at = end;
  }
  return text;
}

function fromRuns(value: unknown, wrong: Wrong): Uint8Array {
  const registers = new Uint8Array(REGISTERS);
  if (typeof value !== 'string' || !/^(?:\d{0,5}[A-Za-z])*$/.test(value))
    return wrong('registers are missing');
  let at = 0;
  for (const [, length, letter = 'A'] of value.matchAll(/(\d{0,5})([A-Za-z])/g)) {
    const end = at + (length ? Number(length) : 1);
    registers.fill(LETTERS.indexOf(letter), at, end);
    at = end;
  }
  return at === registers.length ? registers : wrong('its registers are not complete');
}
