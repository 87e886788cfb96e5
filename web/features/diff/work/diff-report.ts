import { formatCount, formatNumber } from '../../../base/format';
import type { Chi2, Kolmogorov } from '../../../bins/compare-histograms';
import { column, type Report, type Table } from '../../../report/report';

/** The parts of a comparison. */
export const DIFF_PARTS = ['schema', 'entries', 'values', 'objects', 'layout'] as const;
export type DiffPart = (typeof DIFF_PARTS)[number];

/** Names that only B has, that only A has, or that have another type. */
export interface SchemaDiff {
  added: string[];
  removed: string[];
  changed: { path: string; from: string; to: string }[];
}

export interface ValuesDiff {
  tree: string;
  branch: string;
  /** Number of compared entries, and how many of them differ. */
  entries: number;
  different: number;
  /** The first entry that differs. */
  first?: number | undefined;
  /** Largest differences of two numbers. */
  maxAbs?: number | undefined;
  maxRel?: number | undefined;
  /** The reason why it could not be compared. */
  error?: string | undefined;
}

export interface ObjectDiff {
  path: string;
  className: string;
  /** Path of the first member that differs. */
  member?: string | undefined;
  /** Set for histograms with the same bins. */
  chi2?: Chi2 | undefined;
  kolmogorov?: Kolmogorov | undefined;
  error?: string | undefined;
}

export interface LayoutDiff {
  tree: string;
  branch: string;
  what: 'storedBytes' | 'totalBytes' | 'baskets' | 'compression';
  from: number;
  to: number;
}

/** Differences. A part without differences has an empty list. */
export interface DiffReport {
  same: boolean;
  files: [a: string, b: string];
  keys: SchemaDiff;
  trees: ({ path: string; entries: [a: number, b: number] } & SchemaDiff)[];
  values: ValuesDiff[];
  objects: ObjectDiff[];
  layout: LayoutDiff[];
  compared: { trees: number; branches: number; entries: number; objects: number };
}

/** Returns the parts in which the two files differ, including those that could not be compared. */
export function differingParts({ keys, trees, values, objects, layout }: DiffReport): DiffPart[] {
  const schema = [keys, ...trees].some(
    ({ added, removed, changed }) => added.length + removed.length + changed.length > 0,
  );
  const found: Record<DiffPart, boolean> = {
    schema,
    entries: trees.some(({ entries: [a, b] }) => a !== b),
    values: values.length > 0,
    objects: objects.length > 0,
    layout: layout.length > 0,
  };
  return DIFF_PARTS.filter((part) => found[part]);
}

/** A difference as a row of the report. */
interface Difference {
  change: 'added' | 'removed' | 'changed' | 'unread';
  what: string;
  path: string;
  how: string;
}

const DIFFERENCES: Pick<Table<Difference>, 'id' | 'columns'> = {
  id: 'differences',
  columns: [
    column('change', 'Change', 'text', ({ change }) => change),
    column('what', 'What', 'text', ({ what }) => what),
    column('path', 'Where', 'text', ({ path }) => path),
    column('how', 'Difference', 'text', ({ how }) => how),
  ],
};

/** Returns the report of a comparison, with a row for each difference. */
export function diffReport(diff: DiffReport): Report {
  const { same, files, compared } = diff;
  const { trees, branches, entries, objects } = compared;
  const counts = `${formatCount(trees)} trees, ${formatCount(branches)} branches, ${formatCount(entries)} entries, ${formatCount(objects)} objects`;
  const rows = differencesOf(diff);
  return {
    title: `${files[0]} -> ${files[1]}`,
    verdict: { grade: same ? 'the same' : 'different', text: `${counts} compared` },
    tables: rows.length === 0 ? [] : [{ ...DIFFERENCES, rows }],
  };
}

function differencesOf({ keys, trees, values, objects, layout }: DiffReport): Difference[] {
  const changed = (what: string, path: string, how: string): Difference => ({
    change: 'changed',
    what,
    path,
    how,
  });
  const unread = (what: string, path: string, how: string): Difference => ({
    change: 'unread',
    what,
    path,
    how,
  });
  return [
    ...schemaDifferences(keys, 'key', ''),
    ...trees.flatMap(({ path, entries: [a, b], ...schema }) => [
      ...(a === b ? [] : [changed('tree', path, `${formatCount(a)} -> ${formatCount(b)} entries`)]),
      ...schemaDifferences(schema, 'branch', `${path}/`),
    ]),
    ...values.map(({ tree, branch, error, ...diff }) =>
      error === undefined
        ? changed('values', `${tree}/${branch}`, valuesText(diff))
        : unread('values', `${tree}/${branch}`, error),
    ),
    ...objects.map(({ path, className, error, ...diff }) =>
      error === undefined ? changed(className, path, objectText(diff)) : unread(className, path, error),
    ),
    ...layout.map(({ tree, branch, what, from, to }) =>
      changed(what, `${tree}/${branch}`, `${from} -> ${to}`),
    ),
  ];
}

function schemaDifferences(
  { added, removed, changed }: SchemaDiff,
  what: string,
  above: string,
): Difference[] {
  return [
    ...removed.map((path): Difference => ({ change: 'removed', what, path: `${above}${path}`, how: '' })),
    ...added.map((path): Difference => ({ change: 'added', what, path: `${above}${path}`, how: '' })),
    ...changed.map(
      ({ path, from, to }): Difference => ({
        change: 'changed',
        what,
        path: `${above}${path}`,
        how: `${from} -> ${to}`,
      }),
    ),
  ];
}

function valuesText({
  different,
  entries,
  first,
  maxAbs,
  maxRel = 0,
}: Omit<ValuesDiff, 'tree' | 'branch' | 'error'>): string {
  const most =
    maxAbs === undefined ? '' : `, by up to ${formatNumber(maxAbs, 4)} (relative ${formatNumber(maxRel, 4)})`;
  return `${formatCount(different)} of ${formatCount(entries)} entries differ, the first is ${first}${most}`;
}

function objectText({ member, chi2, kolmogorov }: Omit<ObjectDiff, 'path' | 'className' | 'error'>): string {
  return [
    `differs in ${member}`,
    ...(chi2 ? [`chi2/ndf ${formatNumber(chi2.chi2, 4)}/${chi2.ndf}, p ${formatNumber(chi2.p, 4)}`] : []),
    ...(kolmogorov
      ? [`Kolmogorov distance ${formatNumber(kolmogorov.distance, 4)}, p ${formatNumber(kolmogorov.p, 4)}`]
      : []),
  ].join('; ');
}
