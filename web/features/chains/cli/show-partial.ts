import { own } from '../../../base/search';
import { UsageError } from '../../../cli/arguments';
import type { Context } from '../../../cli/context';
import type { CliPart, PartialForm } from '../../../cli/part';
import { tellEach } from '../../../cli/terminal/each';
import { reportLines } from '../../../cli/terminal/report';
import { type DrawnGiven, outputsOf, showDrawn, shownOptions } from '../../../cli/terminal/show-drawn';
import { figuresOf } from '../../../core/sums/exact-summary';
import { addTotals, checkReport, emptyTotals, totalsReport } from '../../../insight/check-report';
import { summaryReport } from '../../../insight/summary-report';
import { summaryJson } from '../../../verbs/summary';
import * as features from '../../cli';
import {
  type AnyPartial,
  failuresOf,
  histogramOfPartial,
  type KindName,
  kindOf,
  type PartialResult,
} from '../work/partial';

const forms: NonNullable<CliPart['partials']> = Object.assign(
  {},
  ...Object.values(features).map(({ partials }: CliPart) => partials),
);

/** The forms of all kinds that have one, by their names. */
export async function partialForms(): Promise<ReadonlyMap<string, PartialForm>> {
  const loaded = await Promise.all(
    Object.entries(forms).map(async ([name, load]): Promise<[string, PartialForm]> => [name, await load()]),
  );
  return new Map(loaded);
}

/** Whether the options ask for a form in which a result is shown. */
export async function wantsShown(kind: string, given: DrawnGiven): Promise<boolean> {
  if (outputsOf(given).length > 0 || given.json === true) return true;
  const form = await own(forms, kind)?.();
  return form !== undefined && ownOptions(form, given).length > 0;
}

/** The options of a form alone that are given. */
const ownOptions = ({ options }: PartialForm, given: DrawnGiven): string[] =>
  Object.keys(options).filter(
    (name) => !Object.hasOwn(shownOptions, name) && Reflect.get(given, name) !== undefined,
  );

type Shower<K extends KindName> = (
  all: PartialResult<K>,
  given: DrawnGiven,
  context: Context,
) => Promise<void> | void;

/** Functions that show results of kinds without a report: see Kind. */
const SHOWERS: { [K in KindName]?: Shower<K> } = {
  draw: (all, given, context) => showDrawn(histogramOfPartial(all), given, context),
  summary: showSummary,
  check: showCheck,
};

/** Shows a partial result as its command does. Returns the exit status. Throws UsageError. */
export async function showPartial(all: AnyPartial, given: DrawnGiven, context: Context): Promise<number> {
  const form = await own(forms, all.kind)?.();
  if (form) return (await form.show(all, given, context)) ?? 0;
  for (const [kind, other] of await partialForms()) {
    const [name] = ownOptions(other, given);
    if (name !== undefined)
      throw new UsageError(`--${name} is for results of "${kind}"; these are of "${all.kind}".`);
  }
  if (all.kind !== 'draw' && outputsOf(given).length > 0)
    throw new UsageError('These results are no histograms; they are shown as text or by --json.');
  const show = SHOWERS[all.kind] as Shower<KindName> | undefined;
  if (show) {
    await show(all, given, context);
    return 0;
  }
  const { lines = [], json } = kindOf(all.kind).report?.(all.sum) ?? {};
  if (given.json) context.out.line(JSON.stringify({ ...json, partial: failuresOf(all) }));
  else for (const line of lines) context.out.line(line);
  return 0;
}

function showSummary(all: PartialResult<'summary'>, { json = false }: DrawnGiven, context: Context): void {
  const branches = [...all.sum]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { types, entries, summary }]) => {
      const texts = summary.values + summary.nans + summary.infinities === 0 && summary.items > 0;
      return {
        ...{ path, type: types.join(' | '), texts, entries },
        ...figuresOf(summary),
      };
    });
  const lines = json
    ? [summaryJson(branches, failuresOf(all))]
    : reportLines(summaryReport('Summary', branches, undefined));
  for (const line of lines) context.out.line(line);
}

async function showCheck(
  { sum }: PartialResult<'check'>,
  { json = false }: DrawnGiven,
  context: Context,
): Promise<void> {
  const reports = [...sum.reports].sort((a, b) => (a.name < b.name ? -1 : 1));
  const results = async function* () {
    const totals = emptyTotals();
    totals.files = sum.files - reports.length;
    for (const report of reports) {
      addTotals(totals, report, ({ severity }) => severity === 'error');
      yield report;
    }
    return totals;
  };
  const totals = await tellEach(results(), checkReport, json ? 'json' : 'text', context);
  if (!json && totals.files !== 1) context.out.line(totalsReport(totals).title);
}
