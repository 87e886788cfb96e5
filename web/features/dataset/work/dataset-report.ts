import { formatCount } from '../../../base/format';
import { type Column, column, type Report, type Table } from '../../../report/report';
import type { DatasetFinding, DatasetReport, DatasetSchema } from './dataset';

type Tree = DatasetReport['trees'][number];

/** Maximum number of schemas with a column. */
const COLUMNS = 12;
/** Number of differing branches shown in a terminal. */
const BRANCHES = 40;
/** Number of files shown in a terminal for a finding. */
const NAMES = 5;

const TREES: readonly Column<Tree>[] = [
  column('tree', 'Tree', 'text', ({ path }) => path),
  column('entries', 'Entries', 'count', ({ entries }) => entries),
  column('files', 'Files', 'count', ({ files }) => files),
  column('clusters', 'Clusters', 'count', ({ clusters }) => clusters),
  column('stored', 'Stored', 'bytes', ({ storedBytes }) => storedBytes),
  column('branches', 'Branches', 'count', ({ schemas }) => schemas[0]?.branches),
  column('sets', 'Sets of branches', 'count', ({ schemas }) => schemas.length),
];

/** Returns a report on whether files fit together: their sums, the findings, and the branches that differ. */
export function filesReport({
  files,
  failed,
  bytes,
  writers,
  codecs,
  trees,
  findings,
}: DatasetReport): Report {
  const sum = (name: 'entries' | 'clusters') => trees.reduce((total, tree) => total + tree[name], 0);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return {
    title: `${formatCount(files + failed)} files`,
    verdict:
      errors > 0
        ? {
            grade: 'bad',
            text: `The files do not fit together: ${formatCount(errors)} ${errors === 1 ? 'error' : 'errors'}.`,
          }
        : { grade: 'good', text: 'All files fit together.' },
    facts: [
      { label: 'Files', value: files + failed, unit: 'count' },
      { label: 'Unreadable', value: failed, unit: 'count' },
      { label: 'Size', value: bytes, unit: 'bytes' },
      { label: 'Entries', value: sum('entries'), unit: 'count' },
      { label: 'Clusters', value: sum('clusters'), unit: 'count' },
      { label: 'Written by ROOT', value: named(writers) },
      { label: 'Codecs', value: named(codecs) },
    ],
    tables: [
      ...(trees.length > 0 ? [{ id: 'trees', columns: TREES, rows: trees }] : []),
      ...trees.flatMap(({ path, schemas }) => differences(path, schemas) ?? []),
    ],
    parts: findings.map(findingPart),
  };
}

/** Formats counts, the most frequent first: "6.36/00 (2,998), 6.30/02 (2)". */
function named(counts: Record<string, number>): string {
  const texts = Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} (${formatCount(count)})`);
  return texts.join(', ') || 'unknown';
}

function findingPart({ severity, rule, message, files, count }: DatasetFinding): Report {
  const one = lastPart(files[0] ?? '');
  const more = count - files.length;
  return {
    title: rule,
    verdict: { grade: severity, text: message },
    tables: [
      {
        id: 'files',
        title:
          count === 1
            ? one
            : `${formatCount(count)} files${more > 0 ? `, ${formatCount(files.length)} of them here` : ''}`,
        columns: [column('file', 'File', 'text', (file: string) => file)],
        rows: files,
        limit: NAMES,
      },
    ],
  };
}

/**
 * Returns a table of the branches that are not the same in all files. Each column is a group of files with the same
 * branches.
 */
function differences(path: string, schemas: readonly DatasetSchema[]): Table<string> | undefined {
  const shown = schemas.slice(0, COLUMNS);
  const [usual] = shown;
  const rows = [...new Set(shown.flatMap(namesOf))].sort();
  if (usual === undefined || rows.length === 0) return undefined;
  const left = schemas.length - shown.length;
  const more = left > 0 ? `; ${formatCount(left)} more sets of branches are not shown` : '';
  return {
    id: `branches of ${path}`,
    title: `Branches of ${path} that differ; most files have ${formatCount(usual.branches)} branches${more}`,
    columns: [
      column('branch', 'Branch', 'text', (branch) => branch),
      ...shown.map((schema, i) =>
        column<string>(`set${i}`, filesText(schema), 'text', (branch) => stateOf(branch, schema, shown)),
      ),
    ],
    rows,
    limit: BRANCHES,
  };
}

/** Returns the branches in which a schema differs from the usual one. */
const namesOf = ({ missing, added, types }: DatasetSchema): string[] => [
  ...missing,
  ...added,
  ...types.map(({ branch }) => branch),
];

/** Returns "missing", the type of the branch if schemas differ in it, or a check mark. */
function stateOf(branch: string, schema: DatasetSchema, all: readonly DatasetSchema[]): string {
  const isUsual = schema === all[0];
  const isAdded = all.some(({ added }) => added.includes(branch));
  const has = isUsual ? !isAdded : isAdded ? schema.added.includes(branch) : !schema.missing.includes(branch);
  if (!has) return 'missing';
  const types = (isUsual ? all : [schema]).flatMap((one) => one.types);
  const differs = types.find((type) => type.branch === branch);
  return (isUsual ? differs?.usual : differs?.type) ?? '✓';
}

/** Returns the number of files, for example "2,998 files", or the name of a single one. */
const filesText = ({ files, names }: DatasetSchema): string =>
  files === 1 ? lastPart(names[0] ?? '') : `${formatCount(files)} files`;

const lastPart = (name: string): string => name.split('/').pop() ?? name;
