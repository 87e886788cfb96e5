import { formatCount } from '../../../base/format';
import { dataJson } from '../../../base/json';
import type { LinkEstimate } from '../../../io/link';
import { type Column, column, type Report, type Table } from '../../../report/report';
import { type Outcome, type ReadChoice, strategyName } from './simulate';

/** The costs of reading branches, in several ways. */
export interface WhatIf {
  /** Path of the tree. */
  tree: string;
  /** Number of branches. */
  branches: number;
  entries: ReadChoice['entries'];
  link: LinkEstimate;
  outcomes: readonly Outcome[];
}

const OUTCOMES: readonly Column<Outcome>[] = [
  column('strategy', 'Read with', 'text', ({ strategy }) => strategyName(strategy)),
  column('calls', 'Calls', 'count', ({ calls }) => calls),
  column('trips', 'In a row', 'count', ({ trips }) => trips),
  column('bytes', 'Bytes', 'bytes', ({ bytes }) => bytes),
  column('overread', 'Over-read', 'bytes', ({ overread }) => overread),
  column('time', 'Time', 'ms', ({ ms }) => ms),
];

export const outcomesTable = (outcomes: readonly Outcome[]): Table<Outcome> => ({
  id: 'outcomes',
  columns: OUTCOMES,
  rows: outcomes,
});

/** "Events: 8 branches, every 5th of entries 0 to 2,399". */
export function whatIfTitle({ tree, branches, entries: { from, to, step } }: WhatIf): string {
  const range = `entries ${formatCount(from)} to ${formatCount(Math.max(from, to - 1))}`;
  const name = tree.split('/').pop() ?? tree;
  return `${name}: ${formatCount(branches)} branches, ${step === 1 ? range : `every ${step}th of ${range}`}`;
}

export function whatIfReport(found: WhatIf): Report {
  const { latencyMs, bytesPerMs } = found.link;
  return {
    title: whatIfTitle(found),
    text: [`at ${latencyMs} ms and ${bytesPerMs / 125} Mbit/s`],
    tables: [outcomesTable(found.outcomes)],
  };
}

/** The result as --json prints it. Numbers that overflow, as on a link of almost no bandwidth, are the text "inf". */
export function whatIfJson({ entries: { from, to, step }, outcomes, ...found }: WhatIf): string {
  const plain = outcomes.map(({ strategy, ...rest }) => ({
    strategy: strategyName(strategy),
    ...rest,
    ms: Number(rest.ms.toFixed(1)),
  }));
  const { link, ...what } = found;
  return dataJson({ ...what, entries: [from, to, step], link, outcomes: plain });
}
