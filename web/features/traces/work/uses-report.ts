import type { TreeLayout } from '../../../api/api';
import type { Reading } from '../../../api/reading';
import { formatBytes, formatCount, formatDuration } from '../../../base/format';
import { type Column, column, type Fact, type Report, type Table } from '../../../report/report';
import type { ColumnReads } from './columns-read';
import { type BranchTime, PHASES, phaseNames } from './time-by-branch';
import { type BetterWay, rateText, type UseReport } from './use';
import type { BranchSum, UsesReport } from './uses';

/** Rows shown in a terminal, and maximum number of readings without positions that a report names. */
const MAX_ROWS = 40;

const share = (part: number, whole: number): number => part / Math.max(1, whole);

export const factsOf = (facts: Reading['facts'] = []): Fact[] =>
  facts.map(([label, value]) => ({ label, value }));

/**
 * Returns a table with a row for each column that was read, the most bytes first. If the wanted branches are known,
 * the others come last and are marked.
 */
export function columnsTable(
  columns: readonly ColumnReads[],
  { tree }: TreeLayout,
  wanted?: ReadonlySet<number>,
): Table<ColumnReads> {
  const isNtuple = tree.kind === 'RNTuple';
  const inVain = ({ branch }: ColumnReads): boolean => wanted !== undefined && !wanted.has(branch);
  const ofNtuple: Column<ColumnReads>[] = [
    column('column', 'Column', 'number', ({ column }) => column),
    column('type', 'Type', 'text', ({ type }) => type),
  ];
  const needed = column<ColumnReads>('needed', 'Needed', 'text', (one) => (inVain(one) ? 'no' : 'yes'));
  return {
    id: 'columns',
    columns: [
      branchColumn(tree, isNtuple ? 'Field' : 'Branch'),
      ...(isNtuple ? ofNtuple : []),
      column('pages', isNtuple ? 'Pages' : 'Baskets', 'count', ({ pagesRead }) => pagesRead, {
        text: ({ pagesRead, pages }) => `${formatCount(pagesRead)} of ${formatCount(pages)}`,
      }),
      column('read', 'Read', 'bytes', ({ readBytes }) => readBytes),
      column('part', 'Of its bytes', 'percent', ({ readBytes, storedBytes }) =>
        share(readBytes, storedBytes),
      ),
      column('again', 'Again', 'bytes', ({ againBytes }) => againBytes || undefined),
      column('calls', 'Reads', 'count', ({ calls }) => calls),
      ...(wanted === undefined ? [] : [needed]),
    ],
    rows: [...columns].sort((a, b) => Number(inVain(a)) - Number(inVain(b)) || b.readBytes - a.readBytes),
    limit: MAX_ROWS,
  };
}

const branchColumn = <Row extends { branch: number }>(
  { branches }: TreeLayout['tree'],
  title = 'Branch',
): Column<Row> =>
  column('branch', title, 'text', ({ branch }) => branches[branch]?.path, {
    place: ({ branch }) => ({ branch }),
  });

/** Returns a table of the time of each branch by phase, in seconds. */
export const timesTable = (rows: readonly BranchTime[]): Table<BranchTime> => ({
  id: 'times',
  columns: [
    column('branch', 'Branch', 'text', ({ name }) => name, {
      place: ({ branch }) => (branch < 0 ? undefined : { branch }),
    }),
    timeColumn('total', 'Time'),
    ...PHASES.map((phase) => timeColumn(phase, phaseNames[phase])),
  ],
  rows,
});

/** Times below 0.1 s are shown with three digits, because decoding a branch often takes less than 1 ms. */
const timeColumn = (id: 'total' | (typeof PHASES)[number], title: string): Column<BranchTime> =>
  column(id, title, 'ms', ({ [id]: seconds }) => 1000 * seconds || undefined, {
    text: ({ [id]: seconds }) =>
      seconds < 0.1 ? `${Number((seconds * 1000).toPrecision(3))} ms` : formatDuration(seconds * 1000),
  });

const WAYS: readonly Column<BetterWay>[] = [
  column('way', 'Read', 'text', ({ name }) => name),
  column('calls', 'Reads', 'count', ({ calls }) => calls),
  column('bytes', 'Bytes', 'bytes', ({ bytes }) => bytes),
  column('ms', 'Time', 'ms', ({ ms }) => ms),
];

/** Returns a report on the parts of a tree that readings used, and on cheaper ways to read them. */
export function usedReport(report: UsesReport, layout: TreeLayout): Report {
  const { uses, branches, columns, ways, link, linkKnown } = report;
  const told = uses.flatMap(({ use }) => use ?? []);
  const several = told.length > 1;
  const wanted = new Set(branches.map(({ branch }) => branch));
  const counted = uses.length > 1 ? uses.filter(({ use }) => use === undefined) : [];
  const more = counted.length - MAX_ROWS;
  const { latencyMs, bytesPerMs } = link;
  const shown = linkKnown ? 'the link that the trace shows' : 'a usual link';
  return {
    title: several ? `What ${formatCount(told.length)} readings used` : 'What the reading used',
    facts: uses.length === 1 ? factsOf(uses[0]?.facts) : [],
    text: [
      ...(told.length > 0 ? [callsText(told)] : []),
      ...counted
        .slice(0, MAX_ROWS)
        .map(
          ({ by, file, facts = [] }) => `${by}, ${file}: ${facts.map((fact) => fact.join(' ')).join(', ')}`,
        ),
      ...(more > 0 ? [`… and ${formatCount(more)} more`] : []),
    ],
    tables: [
      ...(told.length > 0 ? [sharesTable(told)] : []),
      ...(columns.length > 0 ? [columnsTable(columns, layout, wanted)] : []),
      ...(several ? [branchesTable(branches, layout, told.length)] : []),
    ],
    parts:
      ways.length === 0
        ? []
        : [
            {
              title: 'The same, read in other ways',
              text: [`On ${shown}: ${formatDuration(latencyMs)}, ${rateText(bytesPerMs)}.`],
              tables: [{ id: 'ways', columns: WAYS, rows: ways }],
              commands: ways.flatMap(({ name: title, command }) =>
                command === undefined ? [] : [{ title, lines: [command] }],
              ),
            },
          ],
  };
}

const sumOf = (uses: readonly UseReport[], of: (use: UseReport) => number): number =>
  uses.reduce((total, use) => total + of(use), 0);

function callsText(uses: readonly UseReport[]): string {
  const small = sumOf(uses, ({ smallCalls }) => smallCalls);
  const [from, to] = uses[0]?.entries ?? [0, 0];
  return [
    `${formatCount(sumOf(uses, ({ calls }) => calls))} reads of ${formatBytes(sumOf(uses, ({ bytes }) => bytes))}`,
    ...(small > 0 ? [`${formatCount(small)} of them of at most 1,000 bytes`] : []),
    ...(uses.length === 1 ? [`entries ${formatCount(from)} to ${formatCount(to)}`] : []),
  ].join(', ');
}

/** Returns a table of the bytes read, divided into wanted, unwanted, repeated and other bytes. */
function sharesTable(uses: readonly UseReport[]): Table<[string, number]> {
  const all = sumOf(uses, ({ bytes }) => bytes);
  return {
    id: 'shares',
    columns: [
      column('what', 'Read', 'text', ([what]) => what),
      column('bytes', 'Bytes', 'bytes', ([, bytes]) => bytes),
      column('part', 'Part', 'percent', ([, bytes]) => share(bytes, all)),
    ],
    rows: [
      ['of branches that were used', sumOf(uses, ({ wantedBytes }) => wantedBytes)],
      ['without need: of other branches, between them', sumOf(uses, ({ vainBytes }) => vainBytes)],
      ["outside of the tree's baskets", sumOf(uses, ({ otherBytes }) => otherBytes)],
      ['read again', sumOf(uses, ({ againBytes }) => againBytes)],
    ],
  };
}

const branchesTable = (
  rows: readonly BranchSum[],
  { tree }: TreeLayout,
  readings: number,
): Table<BranchSum> => ({
  id: 'branches',
  columns: [
    branchColumn(tree),
    column('readings', 'Readings', 'count', (one) => one.readings, {
      text: (one) => `${formatCount(one.readings)} of ${formatCount(readings)}`,
    }),
    column('read', 'Read', 'bytes', ({ bytes }) => bytes),
    column('part', 'Of its bytes', 'percent', (one) => share(one.bytes, one.storedBytes * one.readings)),
  ],
  rows,
  limit: MAX_ROWS,
});
