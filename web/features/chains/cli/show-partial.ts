import { UsageError } from '../../../cli/arguments';
import type { Context } from '../../../cli/context';
import { tellEach } from '../../../cli/terminal/each';
import { reportLines } from '../../../cli/terminal/report';
import { outputsOf, showDrawn } from '../../../cli/terminal/show-drawn';
import { figuresOf } from '../../../core/sums/exact-summary';
import { addTotals, checkReport, emptyTotals, totalsReport } from '../../../insight/check-report';
import { summaryReport } from '../../../insight/summary-report';
import { summaryJson } from '../../../verbs/summary';
import { type MadeGiven, showMade } from '../../selectors/cli/made';
import { scaledSamples, stackedState } from '../../selectors/work/partial/samples';
import {
  type AnyPartial,
  failuresOf,
  histogramOfPartial,
  type KindName,
  kindOf,
  type PartialResult,
} from '../work/partial';

/** Whether the options ask for a form in which a result is shown. */
export function wantsShown(given: MadeGiven): boolean {
  return (
    outputsOf(given).length > 0 ||
    given.json === true ||
    (given.result ?? given.out ?? given.parquet ?? given.arrow) !== undefined
  );
}

type Shower<K extends KindName> = (
  all: PartialResult<K>,
  given: MadeGiven,
  context: Context,
) => Promise<void> | void;

/** Functions that show results of kinds without a report: see Kind. */
const SHOWERS: { [K in KindName]?: Shower<K> } = {
  draw: (all, given, context) => showDrawn(histogramOfPartial(all), given, context),
  summary: showSummary,
  check: showCheck,
  process: showProcess,
};

/** Shows a partial result as its command does. Throws UsageError. */
export async function showPartial(all: AnyPartial, given: MadeGiven, context: Context): Promise<void> {
  if (all.kind !== 'draw' && all.kind !== 'process' && outputsOf(given).length > 0)
    throw new UsageError('These results are no histograms; they are shown as text or by --json.');
  if (given.lumi !== undefined && !(all.kind === 'process' && all.query.samples))
    throw new UsageError('--lumi scales samples; these results have none: see "xylem process --samples".');
  const show = SHOWERS[all.kind] as Shower<KindName> | undefined;
  if (show) {
    await show(all, given, context);
    return;
  }
  const { lines = [], json } = kindOf(all.kind).report?.(all.sum) ?? {};
  if (given.json) context.out.line(JSON.stringify({ ...json, partial: failuresOf(all) }));
  else for (const line of lines) context.out.line(line);
}

function showSummary(all: PartialResult<'summary'>, { json = false }: MadeGiven, context: Context): void {
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

async function showProcess(all: PartialResult<'process'>, given: MadeGiven, context: Context): Promise<void> {
  const { samples } = all.query;
  if (!samples) {
    await showMade({ ...all.sum, partial: failuresOf(all) }, given, context);
    return;
  }
  const scaled = scaledSamples(samples, all.sum.samples, parseLuminosity(given.lumi));
  for (const { name } of samples)
    if (!all.sum.samples.has(name))
      context.err.line(`note: no file of the sample "${name}" was read, so that it is missing in the sum`);
  const made = { ...all.sum, state: stackedState(scaled), partial: failuresOf(all) };
  await showMade(made, given, context, scaled);
}

async function showCheck(
  { sum }: PartialResult<'check'>,
  { json = false }: MadeGiven,
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

/** Throws UsageError. */
export function parseLuminosity(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new UsageError(`--lumi takes a number above 0, not "${text}".`);
}
