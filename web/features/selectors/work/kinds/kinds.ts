import type { Gathered } from '../../../../api/selector';
import type { Core } from '../../../../core/core';
import type { SelectorFiles } from '../selector-files';
import { counter, type SelectorCounter } from './counter';
import { histogram, type SelectorAxis, type SelectorHistogram, type SelectorTitles } from './histogram';
import type { ResultKind } from './kind';
import { labels, type SelectorLabels } from './labels';
import { own } from './own';
import type { TableColumnType } from './rows';
import { type SelectorTable, table } from './table';

/** Creates the result objects of a selector, and has the settings it was called with. */
export interface SelectorJob {
  /** A histogram of one to three axes. */
  hist(...axes: readonly (SelectorAxis | SelectorTitles)[]): SelectorHistogram;
  /** The mean of y in bins of x: `fill(x, y, weight)`. */
  profile(axis: SelectorAxis, titles?: SelectorTitles): SelectorHistogram;
  counter(): SelectorCounter;
  labels(): SelectorLabels;
  table(columns: Readonly<Record<string, TableColumnType>>): SelectorTable;
  /** The values of `--set name=value`. */
  set: Readonly<Record<string, string>>;
  /** The files that the selector declares. */
  files: SelectorFiles;
}

/** All kinds of results. The names are the `kind` of the data, also in partial results. */
export const KINDS = { histogram, counter, labels, table, own } satisfies Record<string, ResultKind>;

export type KindName = keyof typeof KINDS;

/** Whether this is the name of a kind. */
export function isKind(name: unknown): name is KindName {
  return typeof name === 'string' && Object.hasOwn(KINDS, name);
}

/** Returns the kind of a result that was made or checked. */
export function kindOf({ kind }: Gathered): ResultKind {
  return KINDS[kind as KindName];
}

/** Whether a result is of a kind. */
export function isOf<K extends KindName>(
  kind: K,
  one: Gathered | undefined,
): one is ReturnType<(typeof KINDS)[K]['from']> {
  return one?.kind === kind;
}

/** Returns the job of `begin`. Without a core histograms cannot be filled. */
export function jobOf(
  core: Core | undefined,
  set: Readonly<Record<string, string>>,
  files: SelectorFiles = {},
): SelectorJob {
  const made = Object.values<ResultKind>(KINDS).map(({ job }) => job?.(core));
  return Object.assign({ set, files }, ...made) as SelectorJob;
}

/** The members of `job` that create results, with their arguments as text. */
export const JOB_HELP: readonly { label: string; detail: string }[] = Object.values<ResultKind>(
  KINDS,
).flatMap(({ help = {} }) => Object.entries(help).map(([label, detail]) => ({ label, detail })));
