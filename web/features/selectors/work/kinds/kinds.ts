import type { Gathered } from '../../../../api/selector';
import type { Core } from '../../../../core/core';
import { withNames } from '../misspelt';
import type { RowSpool } from '../rows/spool';
import type { TableColumnType } from '../rows/types';
import type { SelectorFiles } from '../selector-files';
import type { FeatureTools } from '../types';
import type { SelectorVariations } from '../vary';
import type { EdgeBins, EqualBins, SelectorAxis } from './axes';
import { counter, type SelectorCounter } from './counter';
import { grid } from './grid';
import { histogram, type SelectorHistogram, type SelectorTitles } from './histogram';
import type { ResultKind } from './kind';
import { labels, type SelectorLabels } from './labels';
import { own } from './own';
import { type SelectorTable, table } from './table';
import { variedKind } from './varied';

/** Creates the result objects of a selector, and has the settings it was called with. */
export interface SelectorJob extends FeatureTools {
  /** A histogram. Its axes are bins, of equal widths or between edges, or categories. */
  hist(...axes: readonly (SelectorAxis | SelectorTitles)[]): SelectorHistogram;
  /** The mean of y in bins of x: `fill(x, y, weight)`. */
  profile(axis: EqualBins | EdgeBins, titles?: SelectorTitles): SelectorHistogram;
  counter(): SelectorCounter;
  /** Sums by name. Labels of `order`, such as the cuts of a cutflow, come first and in this order. */
  labels(order?: readonly string[]): SelectorLabels;
  table(columns: Readonly<Record<string, TableColumnType>>): SelectorTable;
  /**
   * Returns a job whose results are filled for each variation, too: `entry` and `process` run again for each, with changed inputs
   * or weights. Results of the job itself are not varied.
   */
  vary(variations: SelectorVariations): SelectorJob;
  /** The values of `--set name=value`. */
  set: Readonly<Record<string, string>>;
  /** The files that the selector declares. */
  files: SelectorFiles;
}

/** All kinds of results. The names are the `kind` of the data, also in partial results. */
export const KINDS = {
  ...{ grid, histogram, counter, labels, table, own },
  varied: variedKind(kindOf, isKind),
} satisfies Record<string, ResultKind>;

export type KindName = 'grid' | 'histogram' | 'counter' | 'labels' | 'table' | 'own' | 'varied';

/** Whether this is the name of a kind. */
export function isKind(name: unknown): boolean {
  return typeof name === 'string' && Object.hasOwn(KINDS, name);
}

/** Returns the kind of a result that was made or checked. */
export function kindOf({ kind }: Gathered): ResultKind {
  return (KINDS as Record<string, ResultKind>)[kind] as ResultKind;
}

/** Whether a result is of a kind. */
export function isOf<K extends KindName>(
  kind: K,
  one: Gathered | undefined,
): one is ReturnType<(typeof KINDS)[K]['from']> {
  return one?.kind === kind;
}

export interface JobOptions {
  set: Readonly<Record<string, string>>;
  files?: SelectorFiles;
  /** Functions of other features. */
  tools?: FeatureTools | undefined;
  /** Takes rows that are not to stay in memory. */
  spool?: RowSpool | undefined;
  /** Called for `job.vary`: returns what is called with each result that the varied job makes. */
  onVary?: (variations: SelectorVariations) => (made: unknown) => void;
}

/** Returns the job of `begin`. Without a core histograms cannot be filled. */
export function jobOf(
  core: Core | undefined,
  { set, files = {}, tools, spool, onVary }: JobOptions,
): SelectorJob {
  const makers = Object.assign(
    {},
    ...Object.values<ResultKind>(KINDS).map(({ job }) => job?.(core, spool)),
  ) as Record<string, (...given: unknown[]) => unknown>;
  const whose = (name: string): string => `The job of begin has no "${name}".`;
  const withVary = (own: typeof makers): SelectorJob => {
    const members = {
      ...{ set, files, ...tools, ...own },
      vary(variations: SelectorVariations) {
        const mark = onVary?.(variations);
        const varied = Object.entries(own).map(([name, make]) => [
          name,
          (...given: unknown[]) => {
            const made = make(...given);
            mark?.(made);
            return made;
          },
        ]);
        return withVary(Object.fromEntries(varied) as typeof makers);
      },
    };
    return withNames(members, whose) as unknown as SelectorJob;
  };
  return withVary(makers);
}

/** The members of `job` that create results, with their arguments as text. */
export const JOB_HELP: readonly { label: string; detail: string }[] = Object.values<ResultKind>(
  KINDS,
).flatMap(({ help = {} }) => Object.entries(help).map(([label, detail]) => ({ label, detail })));
