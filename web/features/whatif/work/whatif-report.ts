import type { EntryRange } from '../../../api/api';
import type { NamedLink } from '../../../api/doctor';
import { formatCount } from '../../../base/format';
import { dataJson } from '../../../base/json';
import type { LinkEstimate } from '../../../io/link';
import type { SourceKind } from '../../../reads/planned';
import { type Column, column, type Report, type Table } from '../../../report/report';
import { MBIT } from './asked-links';
import type { CpuTimes } from './cpu/calibration';
import { programName } from './programs';
import type { Outcome } from './simulate';
import type { TableKind } from './tables';

/** The cost of one way of reading, and what tells it from others of the table. */
export interface Row extends Outcome, CpuTimes {
  link?: NamedLink | undefined;
  file?: string | undefined;
  /** The part that is read. */
  reading?: string | undefined;
  /** Whether bytes are in a cache already. */
  visit?: string | undefined;
}

/** The costs of reading branches, in several ways. */
export interface WhatIf {
  /** Path of the tree. */
  tree: string;
  /** Number of branches that ROOT reads: with those that hold the lengths of others. */
  branches: number;
  /** First entry, and the one after the last; the number of chosen ones among them. */
  entries: EntryRange;
  chosen: number;
  source: SourceKind;
  link: LinkEstimate;
  /** Where CPU times come from, as a sentence. */
  cpu: string;
  table?: TableKind | undefined;
  outcomes: readonly Row[];
}

const PROGRAM = column<Outcome>('strategy', 'Read with', 'text', ({ strategy }) => programName(strategy));
const READS: readonly Column<Outcome>[] = [
  column('calls', 'Calls', 'count', ({ calls }) => calls),
  column('trips', 'In a row', 'count', ({ trips }) => trips),
  column('bytes', 'Bytes', 'bytes', ({ bytes }) => bytes),
  column('overread', 'Over-read', 'bytes', ({ overread }) => overread),
];
const TIME = column<Outcome>('time', 'Time', 'ms', ({ ms }) => ms);
const CPU: readonly Column<Row>[] = [
  column('cpu', 'CPU', 'ms', ({ cpuMs }) => cpuMs),
  column('wall', 'Wall', 'ms', ({ wallMs }) => wallMs),
];

/** How xylem reads sources of each kind. */
const SOURCES: Record<SourceKind, string> = {
  parts: 'several ranges in a request',
  ranges: 'one range in a request',
  root: 'by vectors of root://',
  local: 'a local file',
};

export const outcomesTable = (outcomes: readonly Outcome[]): Table<Outcome> => ({
  id: 'outcomes',
  columns: [PROGRAM, ...READS, TIME],
  rows: outcomes,
});

/** "Events: 8 branches, 480 of entries 0 to 2,399". */
export function whatIfTitle({ tree, branches, entries: [from, to], chosen }: WhatIf): string {
  const range = `entries ${formatCount(from)} to ${formatCount(Math.max(from, to - 1))}`;
  const name = tree.split('/').pop() ?? tree;
  const some = chosen === to - from ? '' : `${formatCount(chosen)} of `;
  const read = chosen === 0 ? 'no entries' : `${some}${range}`;
  return `${name}: ${formatCount(branches)} branches, ${read}`;
}

const WITH_OPENING =
  'xylem makes no request for these branches: it reads at least the first 64 kB of a file to open it, and they lie in what that brings.';

/** Visits of a cache have other reasons for no request. */
const isReadByOpening = ({ table, outcomes }: WhatIf): boolean =>
  table === undefined &&
  outcomes.some(({ strategy, calls }) => calls === 0 && programName(strategy) === 'xylem');

export function whatIfReport(found: WhatIf): Report {
  const { source, link, table, outcomes, cpu } = found;
  const reads = `xylem reads ${SOURCES[source]}`;
  return {
    title: whatIfTitle(found),
    text: [
      table === 'links' ? reads : `at ${linkText(link)}; ${reads}`,
      ...(isReadByOpening(found) ? [WITH_OPENING] : []),
      cpu,
    ],
    terms: table === 'links' ? [] : ['In a row', 'Over-read'],
    tables: tablesOf(table, outcomes),
  };
}

const linkText = ({ latencyMs, bytesPerMs }: LinkEstimate) =>
  `${latencyMs} ms and ${bytesPerMs / MBIT} Mbit/s`;

function tablesOf(table: TableKind | undefined, rows: readonly Row[]): NonNullable<Report['tables']> {
  const all = [PROGRAM, ...READS, TIME, ...CPU];
  const flat = (...labels: Column<Row>[]): Table<Row>[] => [
    { id: table ?? 'outcomes', columns: [...labels, ...all], rows },
  ];
  switch (table) {
    case 'links':
      return linkTables(rows);
    case 'caches':
      return rows.some(({ file }) => file !== undefined)
        ? flat(column('file', 'File', 'text', ({ file }) => file))
        : flat();
    case 'readahead':
    case 'shares':
      return flat(column('reading', 'Reading', 'text', ({ reading }) => reading));
    case 'visits':
      return flat(column('visit', 'From', 'text', ({ visit }) => visit));
    default:
      return flat();
  }
}

/** A link, and the durations of the programs over it. */
interface LinkRow {
  link: NamedLink;
  rows: readonly Row[];
}

/** The reads of ROOT are the same over all links, so they stand once; a second table has a row for each link. */
function linkTables(rows: readonly Row[]): NonNullable<Report['tables']> {
  const links = new Map<NamedLink | undefined, Row[]>();
  for (const row of rows) links.set(row.link, [...(links.get(row.link) ?? []), row]);
  const lines = [...links].flatMap(([link, of]): LinkRow[] => (link ? [{ link, rows: of }] : []));
  const first = lines[0]?.rows ?? [];
  const wall: Table<LinkRow> = {
    id: 'links',
    title: 'Duration: waiting, receiving and CPU time',
    columns: [
      column('link', 'Client', 'text', ({ link }) => link.name),
      column('latency', 'Latency (ms)', 'number', ({ link }) => link.latencyMs),
      column('bandwidth', 'Mbit/s', 'number', ({ link }) => link.bytesPerMs / MBIT),
      ...first.map(({ strategy }, at) =>
        column<LinkRow>(
          `program-${at}`,
          programName(strategy),
          'ms',
          ({ rows: of }) => of[at]?.wallMs ?? of[at]?.ms,
        ),
      ),
    ],
    rows: lines,
  };
  const reads: Table<Row> = {
    id: 'reads',
    title: `Reads over link ${lines[0]?.link.name ?? ''}`,
    columns: [PROGRAM, ...READS, ...CPU.slice(0, 1)],
    rows: first,
  };
  return [wall, reads];
}

/** The result as --json prints it. Numbers that overflow, as on a link of almost no bandwidth, are the text "inf". */
export function whatIfJson({ outcomes, ...found }: WhatIf): string {
  const plain = outcomes.map(({ strategy, ms, cpuMs, wallMs, ...rest }) => ({
    ...rest,
    strategy: programName(strategy),
    ...{ ms: rounded(ms), cpuMs: rounded(cpuMs), wallMs: rounded(wallMs) },
  }));
  return dataJson({ ...found, outcomes: plain });
}

const rounded = (ms: number | undefined) => (ms === undefined ? undefined : Number(ms.toFixed(1)));
