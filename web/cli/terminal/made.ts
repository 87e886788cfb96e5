import type { Histogram } from '../../api/api';
import type { GatheredState, GatheredTable, ProcessResult } from '../../api/selector';
import { argumentError, XylemError } from '../../base/errors';
import { formatCount, formatNumber } from '../../base/format';
import { own } from '../../base/own';
import { type Processed, processedOf, tableOf } from '../../measure/gathered';
import type { ScaledSample } from '../../measure/partial/samples';
import { UsageError } from '../arguments';
import { type Context, writeText } from '../context';
import { type Options, valued } from '../options';
import { wantsPicture, writePlot } from './picture';
import { checkForms, type DrawnGiven, outputsOf, resultJson, showDrawn, shownOptions } from './show-drawn';

/** Options for the form of what a selector made. */
export const madeOptions = {
  result: valued('NAME', 'show this result alone: a histogram as "xylem draw" does'),
  out: valued('OUT', 'write all results to the file OUT as JSON'),
  parquet: valued(
    'OUT',
    'write the rows of the one table, or of the one that --result names, to the file OUT',
    { keeps: true },
  ),
  arrow: valued('OUT', 'the same as an Arrow file (Feather version 2)', { keeps: true }),
  lumi: valued('L', 'the luminosity that samples are scaled to: 1/pb where their cross sections are in pb'),
  ...shownOptions,
  root: {
    ...shownOptions.root,
    about: 'write a ROOT file with all histograms and tables, or with the one that --result names',
  },
  force: {
    ...shownOptions.force,
    about: 'replace a file of the name that --root, --parquet or --arrow gives, which is kept otherwise',
  },
  csv: {
    ...shownOptions.csv,
    about: 'write the bins or the rows of the one result that --result names to the file OUT',
  },
} as const satisfies Options;

export interface MadeGiven extends DrawnGiven {
  result?: string | undefined;
  out?: string | undefined;
  parquet?: string | undefined;
  arrow?: string | undefined;
  lumi?: string | undefined;
}

/** Shows what a selector made in the form that the options name. Throws UsageError and NOT_FOUND. */
export async function showMade(
  made: ProcessResult,
  given: MadeGiven,
  context: Context,
  samples?: readonly ScaledSample[],
): Promise<void> {
  checkForms(given);
  const rows = given.parquet ?? given.arrow;
  if (rows !== undefined && (outputsOf(given).length > 0 || given.json || (given.parquet && given.arrow)))
    throw new UsageError('Take one of --parquet, --arrow and the other forms.');
  const results = processedOf(made);
  const { entries, passed, partial } = made;
  if (given.out !== undefined)
    await writeText(given.out, resultsJson({ entries, passed, results, partial }, samples), context, 'json');
  const names = Object.keys(results);
  const histograms = names.filter((name) => made.state[name]?.kind === 'histogram');
  const { result: name = histograms.length === 1 && wantsPicture(given) ? histograms[0] : undefined } = given;
  if (samples && wantsPicture(given) && name !== undefined && histograms.includes(name)) {
    const { stackOf } = await import('./stack');
    await writePlot(await stackOf(name, samples), given, context);
    return;
  }
  if (rows !== undefined) {
    const table = tableNamed(given.result, made.state);
    const { saveRows } = await import('./save-made');
    await saveRows(rows, given.parquet === undefined ? 'arrow' : 'parquet', table, given, context);
    return;
  }
  if (given.result !== undefined) {
    await showOne(given.result, made.state, results, given, context);
    return;
  }
  if (given.root !== undefined) {
    const { saveMade } = await import('./save-made');
    await saveMade(given.root, made.state, entries, samples, given, context);
    tellLeftOut(made.state, context);
    return;
  }
  const [only] = histograms;
  if (outputsOf(given).length > 0) {
    if (histograms.length !== 1)
      throw new UsageError(
        `There are ${histograms.length} histograms; name one by --result: ${names.join(', ')}.`,
      );
    await showDrawn(results[only ?? ''] as Histogram, given, context);
    return;
  }
  if (given.json) context.out.line(resultsJson({ entries, passed, results, partial }, samples));
  else if (given.out === undefined) {
    for (const { sample, entries: all, passed: some, sumOfWeights, scale } of samples ?? [])
      context.out.line(
        `${sample.name}: ${formatCount(some)} of ${formatCount(all)} entries passed, sum of weights ${formatNumber(sumOfWeights)}, scaled by ${formatNumber(scale)}`,
      );
    showAll(made, results, context);
  }
}

/** Names what a ROOT file does not get. */
function tellLeftOut(state: GatheredState, { err }: Context): void {
  const names = Object.keys(state).filter((name) => !isSaved(state[name]?.kind));
  if (names.length > 0)
    err.line(
      `note: ${names.join(', ')}: only histograms and tables are in a ROOT file; --out and --json have all`,
    );
}

const isSaved = (kind: string | undefined): boolean => kind === 'histogram' || kind === 'table';

/** The one table, or that of a name. Throws UsageError and NOT_FOUND. */
function tableNamed(name: string | undefined, state: GatheredState): [name: string, table: GatheredTable] {
  const tables = Object.entries(state).flatMap(([key, one]): [string, GatheredTable][] =>
    one.kind === 'table' ? [[key, one]] : [],
  );
  const [only] = name === undefined ? tables : tables.filter(([key]) => key === name);
  if (only && (name !== undefined || tables.length === 1)) return only;
  if (name !== undefined && own(state, name) === undefined) throw notMade(name, state);
  const names = tables.map(([key]) => key).join(', ');
  throw new UsageError(
    name === undefined
      ? `There are ${tables.length} tables; name one by --result${names === '' ? '' : `: ${names}`}.`
      : `"${name}" is not a table, which --parquet and --arrow need.`,
  );
}

function notMade(name: string, state: GatheredState): XylemError {
  return new XylemError({
    code: 'NOT_FOUND',
    message: `The selector makes no "${name}".`,
    fix: `It makes ${Object.keys(state).join(', ')}.`,
  });
}

async function showOne(
  name: string,
  state: GatheredState,
  results: Record<string, Processed>,
  given: MadeGiven,
  context: Context,
): Promise<void> {
  const one = own(state, name);
  if (one === undefined) throw notMade(name, state);
  if (one.kind === 'histogram') {
    await showDrawn(results[name] as Histogram, given, context);
    return;
  }
  if (one.kind === 'table' && given.csv !== undefined) {
    const { tableCsv } = await import('./save-made');
    await writeText(given.csv, tableCsv(one), context);
    return;
  }
  if (outputsOf(given).length > 0)
    throw new UsageError(`"${name}" is no histogram; use --json, or --csv for a table.`);
  context.out.line(valueJson(results[name]));
}

function numbers(values: readonly number[]): string {
  return values.map((value) => formatNumber(value)).join(', ');
}

/** An overview of all results. */
function showAll(made: ProcessResult, results: Record<string, Processed>, { out }: Context): void {
  const width = Math.max(...Object.keys(results).map(({ length }) => length));
  for (const [name, one] of Object.entries(made.state)) {
    const put = (text: string): void => out.line(`${name.padEnd(width)}  ${text}`);
    const result = results[name];
    if (one.kind === 'histogram') {
      const { fills, mean, stdDev, nan } = result as Histogram;
      const missing = nan > 0 ? `, ${formatCount(nan)} of them NaN` : '';
      put(`${formatCount(fills)} fills${missing}, mean ${numbers(mean)}, std dev ${numbers(stdDev)}`);
    } else if (one.kind === 'counter') put(formatNumber(result as number));
    else if (one.kind === 'labels') {
      for (const [label, sum] of Object.entries(result as Record<string, number>))
        put(`${label}: ${formatNumber(sum)}`);
    } else if (one.kind === 'table') {
      const [column = []] = Object.values(tableOf(one));
      put(`${formatCount(column.length)} rows of ${one.columns.map((column) => column.name).join(', ')}`);
    } else put(valueJson(one.value));
  }
  out.line();
  out.line(
    `${formatCount(made.passed)} of ${formatCount(made.entries)} entries passed; --result NAME shows one result`,
  );
}

function resultsJson(
  {
    results,
    ...rest
  }: Pick<ProcessResult, 'entries' | 'passed' | 'partial'> & { results: Record<string, Processed> },
  samples?: readonly ScaledSample[],
): string {
  const each = samples?.map(({ sample: { name }, state, entries, passed, sumOfWeights, scale }) => {
    const shown = resultJson({ entries, passed, sumOfWeights, scale }).slice(0, -1);
    return `${JSON.stringify(name)}: ${shown}, "results": ${valuesJson(processedOf({ state, entries }))}}`;
  });
  return `{"entries": ${rest.entries}, "passed": ${rest.passed}, "results": ${valuesJson(results)}${
    each ? `, "samples": {${each.join(', ')}}` : ''
  }${rest.partial ? `, "partial": ${JSON.stringify(rest.partial)}` : ''}}`;
}

function valuesJson(results: Record<string, Processed>, within = 0): string {
  return `{${Object.entries(results)
    .map(([name, one]) => `${JSON.stringify(name)}: ${valueJson(one, within)}`)
    .join(', ')}}`;
}

/**
 * A result as JSON: whole numbers of 64 bits as they are, NaN and the infinities as texts, a Map as a list of pairs. Throws
 * ARGUMENT for an object within itself.
 */
function valueJson(value: Processed, within = 0): string {
  if (value instanceof BigInt64Array || value instanceof BigUint64Array) return `[${value.join(',')}]`;
  if (typeof value === 'number' || value instanceof Float64Array)
    return resultJson({ value }).slice('{"value": '.length, -1);
  if (typeof value === 'bigint') return JSON.stringify(String(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if ('kind' in value && value.kind === 'histogram' && 'sums' in value) return resultJson(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return JSON.stringify(value);
  // Other members of the state may be of any kind that crosses a thread.
  if (within > MAX_DEPTH) throw tooDeep();
  if (value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value) || value instanceof Set || value instanceof Map || ArrayBuffer.isView(value))
    return `[${Array.from(value as Iterable<Processed>, (one) => valueJson(one, within + 1)).join(', ')}]`;
  return valuesJson(value as Record<string, Processed>, within + 1);
}

const MAX_DEPTH = 64;

function tooDeep(): XylemError {
  return argumentError(
    `A member of the state that the selector itself merges has more than ${MAX_DEPTH} levels, or is within itself.`,
    'Keep numbers, texts, lists and objects of these there.',
  );
}
