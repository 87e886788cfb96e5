import type { Histogram } from '../../../api/api';
import type { Gathered, GatheredState, ProcessResult } from '../../../api/selector';
import { argumentError, XylemError } from '../../../base/errors';
import { formatCount, formatNumber } from '../../../base/format';
import { membersJson, valueJson } from '../../../base/json';
import { own } from '../../../base/search';
import { uhiJson } from '../../../bins/to-uhi';
import { UsageError } from '../../../cli/arguments';
import { type Context, writeText } from '../../../cli/context';
import { type Options, valued } from '../../../cli/options';
import { givenLook, lookOptions } from '../../../cli/terminal/look-options';
import { wantsPicture, writePlot } from '../../../cli/terminal/picture';
import {
  checkForms,
  type DrawnGiven,
  outputsOf,
  showDrawn,
  shownOptions,
} from '../../../cli/terminal/show-drawn';
import { processedOf, shownState } from '../work/gathered';
import { type DenseGrid, denseOf, variedGrid } from '../work/kinds/grid';
import { MAX_AXES } from '../work/kinds/histogram';
import { isOf, kindOf } from '../work/kinds/kinds';
import type { RowsResult } from '../work/kinds/rows';
import { inOrder } from '../work/kinds/varied';
import type { ScaledSample } from '../work/partial/samples';
import { NOMINAL } from '../work/vary';
import { cellRows, isHistogram } from './cell-rows';
import { parseLuminosity } from './luminosity';
import { PICTURE_FORMATS, type PictureFormat } from './picture-formats';

const { ratio } = lookOptions('layers');

/** Options for the form of what a selector made. */
export const madeOptions = {
  result: valued('NAME', 'show this result alone: a histogram as "xylem draw" does'),
  out: valued('OUT', 'write all results to the file OUT as JSON'),
  parquet: valued(
    'OUT',
    'write the rows of the one table, or of the one that --result names, to the file OUT; of a histogram its cells',
    { keeps: true },
  ),
  arrow: valued('OUT', 'the same as an Arrow file (Feather version 2)', { keeps: true }),
  rows: valued(
    'N',
    'with --parquet, --arrow or --root, the rows of each of several files in the folder OUT; default 10000000 if OUT ends with /',
  ),
  'table-format': valued('FORMAT', 'how --root writes tables: tree, the default, or rntuple', {
    choices: ['tree', 'rntuple'],
  }),
  lumi: valued(
    'L',
    'the luminosity that samples are scaled to: in 1/pb where their cross sections are in pb, or with a unit: 59.7/fb',
  ),
  pictures: valued(
    'FOLDER',
    'write a picture of each histogram to the folder FOLDER: of samples the stack of the simulation, and the data over it',
  ),
  shapes: valued(
    'OUT',
    'write a ROOT file for programs that fit: RESULT/SAMPLE, RESULT/SAMPLE_VARIATION, and the data as RESULT/data_obs',
    { keeps: true },
  ),
  'picture-format': valued('FORMAT', 'the format of --pictures; default svg', { choices: PICTURE_FORMATS }),
  ...shownOptions,
  ratio: {
    ...ratio,
    about: 'with samples, a panel with the ratio of data to simulation below a picture',
  },
  root: {
    ...shownOptions.root,
    about: 'write a ROOT file with all histograms and tables, or with the one that --result names',
  },
  force: {
    ...shownOptions.force,
    about:
      'replace a file of the name that --root, --shapes, --parquet or --arrow gives, which is kept otherwise',
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
  pictures?: string | undefined;
  shapes?: string | undefined;
  rows?: string | undefined;
  'table-format'?: string | undefined;
  /** The partial result that is written, too. */
  partial?: string | undefined;
  'picture-format'?: string | undefined;
}

/** Whether the options ask for a form in which the results are shown. */
export const wantsMade = (given: MadeGiven): boolean =>
  outputsOf(given).length > 0 ||
  given.json === true ||
  (given.result ?? given.out ?? given.parquet ?? given.arrow ?? given.pictures ?? given.shapes) !== undefined;

/** Shows what a selector made in the form that the options name. Throws UsageError and NOT_FOUND. */
export async function showMade(
  all: ProcessResult,
  given: MadeGiven,
  context: Context,
  each?: readonly ScaledSample[],
): Promise<void> {
  checkForms(given);
  const rows = given.parquet ?? given.arrow;
  // Variations are results of their own.
  let made = { ...all, state: shownState(all.state) };
  const samples = each?.map((one) => ({ ...one, state: shownState(one.state) }));
  if (rows !== undefined && (outputsOf(given).length > 0 || given.json || (given.parquet && given.arrow)))
    throw new UsageError('Take one of --parquet, --arrow and the other forms.');
  if (given.rows !== undefined && (rows ?? given.root) === undefined)
    throw new UsageError('--rows goes with --parquet, --arrow or --root.');
  if (given['table-format'] !== undefined && given.root === undefined)
    throw new UsageError('--table-format goes with --root.');
  if (printsRows(given)) {
    const { readRows } = await import('./tables/read-rows');
    made = { ...made, state: await readRows(made.state, given.result, context) };
    for (const one of samples ?? []) one.state = await readRows(one.state, given.result, context);
  }
  const results = lazyResults(made);
  if (given.out !== undefined)
    await writeText(given.out, resultsJson(made, results, samples), context, 'json');
  const names = Object.keys(results);
  const histograms = names.filter((name) => !isOf('table', made.state[name]) && isHistogram(results[name]));
  if (given.ratio && !samples) throw new UsageError('--ratio is for samples: name them by --samples.');
  const luminosity = parseLuminosity(given.lumi)?.text;
  if (given.pictures !== undefined) {
    const { savePictures } = await import('./pictures');
    const { 'picture-format': format = 'svg' } = given;
    // Variations are drawn beside what is not varied.
    const plain = histograms.filter((name) => Object.hasOwn(all.state, name));
    const shown = plain.map((name) => [name, results[name] as Histogram] as const);
    await savePictures(
      given.pictures,
      shown,
      samples,
      { format: format as PictureFormat, luminosity, given, varied: each, summands: summandsOf(all, each) },
      context,
    );
  }
  if (given.shapes !== undefined) {
    if (!each) throw new UsageError('--shapes is for samples: name them by --samples.');
    const { saveShapes } = await import('./save-shapes');
    await saveShapes(given.shapes, each, given, context);
  }
  const { result: name = histograms.length === 1 && wantsPicture(given) ? histograms[0] : undefined } = given;
  if (samples && wantsPicture(given) && name !== undefined && histograms.includes(name)) {
    const { stackOf } = await import('./stack');
    const { below } = givenLook(given);
    await writePlot(await stackOf(name, samples, { below, luminosity, varied: each }), given, context);
    return;
  }
  if (rows !== undefined) {
    const format = given.parquet === undefined ? 'arrow' : 'parquet';
    const cells = given.result === undefined ? undefined : cellRows(given.result, all, each);
    const name = cells ? (given.result ?? '') : tableNamed(given.result, made.state);
    const [{ tableOfColumns }, { tableOf }, { saveRows }] = await savers();
    const table = cells ? tableOfColumns(cells) : tableOf(made.state[name] as RowsResult);
    await saveRows(rows, format, name, table, given, context);
    return;
  }
  if (given.result !== undefined) {
    const whole = given.uhi === undefined ? undefined : wholeGrid(given.result, all.state[given.result]);
    if (whole && given.uhi !== undefined) await writeText(given.uhi, uhiJson(whole), context, 'json');
    else await showOne(given.result, made.state, results, given, context);
    return;
  }
  if (given.root !== undefined) {
    const { leftOut, saveMade } = await import('./save-made');
    await saveMade(given.root, made, samples, given, context);
    const note = leftOut(made.state);
    if (note !== undefined) context.err.line(`note: ${note}; --out and --json have all`);
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
  if (given.json) context.out.line(resultsJson(made, results, samples));
  else if ((given.out ?? given.pictures ?? given.shapes) === undefined) {
    for (const { sample, entries: all, passed: some, sumOfWeights, scale } of samples ?? [])
      context.out.line(
        `${sample.name}: ${formatCount(some)} of ${formatCount(all)} entries passed, sum of weights ${formatNumber(sumOfWeights)}, scaled by ${formatNumber(scale)}`,
      );
    showAll(made, results, all.state, context);
  }
}

/** A histogram with its variations as a further axis, or with more axes than three; undefined for others. */
function wholeGrid(name: string, one: Gathered | undefined): DenseGrid | undefined {
  if (isOf('grid', one)) return one.axes.length > MAX_AXES ? denseOf(one, name) : undefined;
  const varied = isOf('varied', one) ? variedGrid(new Map(inOrder(one.of)), 'variation') : undefined;
  return varied && denseOf(varied, name);
}

const savers = () =>
  Promise.all([import('./tables/row-reader'), import('./save-made'), import('./tables/save-rows')]);

/** Whether rows of tables are printed, so that they have to be in memory. */
function printsRows({ out, json, result, parquet, arrow, root, csv }: MadeGiven): boolean {
  if (out !== undefined) return true;
  const isSaved = (parquet ?? arrow ?? root ?? csv) !== undefined;
  return !isSaved && (json === true || result !== undefined);
}

/** The results of a state as programs get them: see processedOf. Tables are computed when they are read. */
function lazyResults({ state, entries }: Pick<ProcessResult, 'state' | 'entries'>): Record<string, unknown> {
  const results: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(state)) {
    const value = (): unknown => kindOf(one).value(one, name, entries);
    if (isOf('table', one)) Object.defineProperty(results, name, { get: value, enumerable: true });
    else results[name] = value();
  }
  return results;
}

/** Returns the name of the only table, or `name` if it is a table. Throws UsageError and NOT_FOUND. */
function tableNamed(name: string | undefined, state: GatheredState): string {
  const tables = Object.keys(state).filter((key) => isOf('table', state[key]));
  const [only] = name === undefined ? tables : tables.filter((key) => key === name);
  if (only !== undefined && (name !== undefined || tables.length === 1)) return only;
  if (name !== undefined && own(state, name) === undefined) throw notMade(name, state);
  const names = tables.join(', ');
  throw new UsageError(
    name === undefined
      ? `There are ${tables.length} tables; name one by --result${names === '' ? '' : `: ${names}`}.`
      : `"${name}" is neither a table nor a histogram of bins, which --parquet and --arrow need.`,
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
  results: Record<string, unknown>,
  given: MadeGiven,
  context: Context,
): Promise<void> {
  const one = own(state, name);
  if (one === undefined) throw notMade(name, state);
  if (isOf('table', one) && given.csv !== undefined) {
    const [, { tableOf }, { saveRows }] = await savers();
    await saveRows(given.csv, 'csv', name, tableOf(one), { force: true }, context);
    return;
  }
  const value = isOf('table', one) && outputsOf(given).length > 0 ? undefined : results[name];
  if (isHistogram(value)) {
    await showDrawn(value, given, context);
    return;
  }
  if (outputsOf(given).length > 0)
    throw new UsageError(`"${name}" is no histogram; use --json, or --csv for a table.`);
  context.out.line(processedJson(results[name]));
}

function linesOf(one: Gathered, results: Record<string, unknown>, name: string): string[] {
  // A table may be in files.
  const value = isOf('table', one) ? undefined : results[name];
  return kindOf(one).lines?.(value, one) ?? [processedJson(value)];
}

/** Number of variations that the overview names. */
const NAMED = 6;

/** Text about the variations of a result, which are results of their own: NAME_VARIATION. */
function variationsText(one: Gathered | undefined): string {
  if (!isOf('varied', one)) return '';
  const names = inOrder(one.of)
    .map(([variation]) => variation)
    .filter((variation) => variation !== NOMINAL);
  const more = names.length > NAMED ? ` and ${formatCount(names.length - NAMED)} more` : '';
  return `; varied: ${names.slice(0, NAMED).join(', ')}${more}`;
}

/** Returns the summands of the results: the samples that are scaled to cross sections, or all if there are none. */
function summandsOf(
  all: ProcessResult,
  samples: readonly ScaledSample[] | undefined,
): readonly Pick<ScaledSample, 'state' | 'entries'>[] {
  const simulated = samples?.filter(({ sample }) => sample.crossSection !== undefined) ?? [];
  return simulated.length > 0 ? simulated : [all];
}

/** Shows an overview of all results, with the variations of one in its line. */
function showAll(
  made: ProcessResult,
  results: Record<string, unknown>,
  whole: GatheredState,
  { out }: Context,
): void {
  const shown = Object.entries(made.state).filter(([name]) => Object.hasOwn(whole, name));
  const width = Math.max(...shown.map(([name]) => name.length));
  for (const [name, one] of shown) {
    const [first = '', ...lines] = linesOf(one, results, name);
    for (const line of [first + variationsText(whole[name]), ...lines])
      out.line(`${name.padEnd(width)}  ${line}`);
  }
  out.line();
  out.line(
    `${formatCount(made.passed)} of ${formatCount(made.entries)} entries passed; --result NAME shows one result`,
  );
}

function resultsJson(
  { entries: all, passed: some, partial }: ProcessResult,
  results: Record<string, unknown>,
  samples?: readonly ScaledSample[],
): string {
  const each = samples?.map(({ sample: { name }, state, entries, passed, sumOfWeights, scale }) => {
    const shown = membersJson({ entries, passed, sumOfWeights, scale }).slice(0, -1);
    return `${JSON.stringify(name)}: ${shown}, "results": ${valuesJson(processedOf({ state, entries }))}}`;
  });
  return `{"entries": ${all}, "passed": ${some}, "results": ${valuesJson(results)}${
    each ? `, "samples": {${each.join(', ')}}` : ''
  }${partial ? `, "partial": ${JSON.stringify(partial)}` : ''}}`;
}

function valuesJson(results: Record<string, unknown>, within = 0): string {
  return `{${Object.entries(results)
    .map(([name, one]) => `${JSON.stringify(name)}: ${processedJson(one, within)}`)
    .join(', ')}}`;
}

/**
 * A result as JSON: whole numbers of 64 bits as they are, NaN and the infinities as texts, a Map as a list of pairs. Throws
 * ARGUMENT for an object within itself.
 */
function processedJson(value: unknown, within = 0): string {
  if (value instanceof BigInt64Array || value instanceof BigUint64Array) return `[${value.join(',')}]`;
  if (typeof value === 'number' || value instanceof Float64Array) return valueJson(value);
  if (typeof value === 'bigint') return JSON.stringify(String(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if ('kind' in value && value.kind === 'histogram' && 'sums' in value) return membersJson(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return JSON.stringify(value);
  // Other members of the state may be of any kind that crosses a thread.
  if (within > MAX_DEPTH) throw tooDeep();
  if (value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value) || value instanceof Set || value instanceof Map || ArrayBuffer.isView(value))
    return `[${Array.from(value as Iterable<unknown>, (one) => processedJson(one, within + 1)).join(', ')}]`;
  return valuesJson(value as Record<string, unknown>, within + 1);
}

const MAX_DEPTH = 64;

function tooDeep(): XylemError {
  return argumentError(
    `A member of the state that the selector itself merges has more than ${MAX_DEPTH} levels, or is within itself.`,
    'Keep numbers, texts, lists and objects of these there.',
  );
}
