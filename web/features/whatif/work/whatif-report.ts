import type { EntryRange } from '../../../api/api';
import { formatCount } from '../../../base/format';
import { dataJson } from '../../../base/json';
import type { LinkEstimate } from '../../../io/link';
import type { SourceKind } from '../../../reads/planned';
import { type Column, column, type Report, type Table } from '../../../report/report';
import { programName } from './programs';
import type { Outcome } from './simulate';

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
  outcomes: readonly Outcome[];
}

const OUTCOMES: readonly Column<Outcome>[] = [
  column('strategy', 'Read with', 'text', ({ strategy }) => programName(strategy)),
  column('calls', 'Calls', 'count', ({ calls }) => calls),
  column('trips', 'In a row', 'count', ({ trips }) => trips),
  column('bytes', 'Bytes', 'bytes', ({ bytes }) => bytes),
  column('overread', 'Over-read', 'bytes', ({ overread }) => overread),
  column('time', 'Time', 'ms', ({ ms }) => ms),
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
  columns: OUTCOMES,
  rows: outcomes,
});

/** "Events: 8 branches, 480 of entries 0 to 2,399". */
export function whatIfTitle({ tree, branches, entries: [from, to], chosen }: WhatIf): string {
  const range = `entries ${formatCount(from)} to ${formatCount(Math.max(from, to - 1))}`;
  const name = tree.split('/').pop() ?? tree;
  const some = chosen === to - from ? '' : `${formatCount(chosen)} of `;
  return `${name}: ${formatCount(branches)} branches, ${some}${range}`;
}

export function whatIfReport(found: WhatIf): Report {
  const { latencyMs, bytesPerMs } = found.link;
  return {
    title: whatIfTitle(found),
    text: [`at ${latencyMs} ms and ${bytesPerMs / 125} Mbit/s; xylem reads ${SOURCES[found.source]}`],
    tables: [outcomesTable(found.outcomes)],
  };
}

/** The result as --json prints it. Numbers that overflow, as on a link of almost no bandwidth, are the text "inf". */
export function whatIfJson({ outcomes, ...found }: WhatIf): string {
  const plain = outcomes.map(({ strategy, ...rest }) => ({
    strategy: programName(strategy),
    ...rest,
    ms: Number(rest.ms.toFixed(1)),
  }));
  return dataJson({ ...found, outcomes: plain });
}
