import type { Sample } from '../../../api/selector';
import { formatCount } from '../../../base/format';
import { figuresOf } from '../../../core/sums/exact-summary';
import { addTotals, checkReport, emptyTotals, totalsReport } from '../../../insight/check-report';
import { summaryReport } from '../../../insight/summary-report';
import {
  type AnyPartial,
  failuresOf,
  histogramOfPartial,
  type PartialResult,
} from '../../../measure/partial/partial';
import { scaledSamples, stackedState } from '../../../measure/partial/samples';
import { summaryJson } from '../../../verbs/summary';
import { UsageError } from '../../arguments';
import type { Context } from '../../context';
import { tellEach } from '../../terminal/each';
import { type MadeGiven, showMade } from '../../terminal/made';
import { reportLines } from '../../terminal/report';
import { outputsOf, showDrawn } from '../../terminal/show-drawn';

/** Whether a check found errors. */
export function foundIn(all: AnyPartial): boolean {
  if (all.kind !== 'check') return false;
  return all.sum.reports.some(({ findings }) => findings.some(({ severity }) => severity === 'error'));
}

/** Whether the options ask for a form in which a result is shown. */
export function wantsShown(given: MadeGiven): boolean {
  return (
    outputsOf(given).length > 0 ||
    given.json === true ||
    (given.result ?? given.out ?? given.parquet ?? given.arrow) !== undefined
  );
}

/** Shows a partial result as its command does. Returns whether a check found errors. Throws UsageError. */
export async function showPartial(all: AnyPartial, given: MadeGiven, context: Context): Promise<boolean> {
  if (all.kind !== 'draw' && all.kind !== 'process' && outputsOf(given).length > 0)
    throw new UsageError('These results are no histograms; they are shown as text or by --json.');
  const samples = all.kind === 'process' ? all.query.samples : undefined;
  if (given.lumi !== undefined && !samples)
    throw new UsageError('--lumi scales samples; these results have none: see "xylem process --samples".');
  switch (all.kind) {
    case 'draw':
      await showDrawn(histogramOfPartial(all), given, context);
      break;
    case 'summary':
      showSummary(all, given.json === true, context);
      break;
    case 'scan':
      showCounts(all, given.json === true, context);
      break;
    case 'process':
      if (samples) await showSamples(all, samples, given, context);
      else await showMade({ ...all.sum, partial: failuresOf(all) }, given, context);
      break;
    case 'check':
      await showCheck(all, given.json === true, context);
  }
  return foundIn(all);
}

function showSummary(all: PartialResult<'summary'>, json: boolean, context: Context): void {
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

function showCounts(all: PartialResult<'scan'>, json: boolean, { out }: Context): void {
  const { lines, passed, entries } = all.sum;
  if (json) out.line(JSON.stringify({ lines, passed, entries, partial: failuresOf(all) }));
  else
    out.line(
      `${formatCount(lines)} lines of ${formatCount(passed)} entries, of ${formatCount(entries)} that were read`,
    );
}

async function showSamples(
  all: PartialResult<'process'>,
  samples: readonly Sample[],
  given: MadeGiven,
  context: Context,
): Promise<void> {
  const scaled = scaledSamples(samples, all.sum.samples, parseLuminosity(given.lumi));
  for (const { name } of samples)
    if (!all.sum.samples.has(name))
      context.err.line(`note: no file of the sample "${name}" was read, so that it is missing in the sum`);
  const made = { ...all.sum, state: stackedState(scaled), partial: failuresOf(all) };
  await showMade(made, given, context, scaled);
}

async function showCheck({ sum }: PartialResult<'check'>, json: boolean, context: Context): Promise<void> {
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
