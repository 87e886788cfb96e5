import type { DrawResult, Histogram } from '../../api/api';
import { unsupported } from '../../base/data-errors';
import { formatCount } from '../../base/format';
import { membersJson } from '../../base/json';
import { BIN_FILE, type BinTextName, type BinWriter, binText, binTextNames } from '../../bins/formats';
import { modelOfHistogram } from '../../plot/histogram';
import type { AnyPlot } from '../../plot/model';
import { filledPart } from '../../plot/ranges';
import { UsageError } from '../arguments';
import type { Given } from '../command';
import { type Context, writeText } from '../context';
import { flag, type Options, type Valued, valued } from '../options';
import { givenLook, lookOptions } from './look-options';
import { type PictureGiven, pictureOptions, wantsPicture, writePlot } from './picture';
import { terminalBars, terminalBins } from './terminal-plot';

const textOptions = Object.fromEntries(
  binTextNames.map((name) => [name, valued('OUT', binText(name).about)]),
) as Record<BinTextName, Valued>;

/** Options for the form of a filled histogram. */
export const shownOptions = {
  ...lookOptions('others'),
  ...pictureOptions,
  ...textOptions,
  root: valued('OUT', BIN_FILE.about, { keeps: true }),
  force: flag('replace a file of the name that --root gives, which is kept otherwise'),
} as const satisfies Options;

/** How a filled histogram is shown. */
export type DrawnGiven = Given<typeof shownOptions> & PictureGiven;

/** The options that name a file for one plot. */
const OUTPUTS = [
  ...(Object.keys(pictureOptions) as (keyof typeof pictureOptions)[]),
  ...binTextNames,
  'root',
] as const;

/** Throws UsageError when the options ask for more than one form. */
export function checkForms(given: DrawnGiven): void {
  if (outputsOf(given).length + (given.json ? 1 : 0) > 1) {
    const [last, ...names] = ['--json', ...OUTPUTS.map((name) => `--${name}`)].reverse();
    throw new UsageError(`Take one of ${names.reverse().join(', ')} and ${last}.`);
  }
}

/** The files that the options ask for. */
export function outputsOf(given: DrawnGiven): string[] {
  return OUTPUTS.flatMap((name) => given[name] ?? []);
}

/** Writes bins to the file that an option names. Returns whether one does. */
export async function writeBins(
  given: DrawnGiven,
  make: { text(writer: BinWriter): string; file(): Histogram | readonly Histogram[] },
  context: Context,
): Promise<boolean> {
  if (given.root !== undefined) {
    const { saveHistogram } = await import('./save-histogram');
    await saveHistogram(given.root, make.file(), given, context);
    return true;
  }
  for (const name of binTextNames) {
    const target = given[name];
    if (target === undefined) continue;
    const { load, type } = binText(name);
    const form = type === 'application/json' ? 'json' : 'text';
    await writeText(target, make.text(await load()), context, form);
    return true;
  }
  return false;
}

/**
 * Prints a result in the form that the options name, or draws it in the terminal. `found`: nobody gave the ends of its axes, so
 * that of a map only the part with contents is shown, as the page does.
 */
export async function showDrawn(
  result: DrawResult,
  given: DrawnGiven,
  context: Context,
  found = false,
): Promise<void> {
  const { out } = context;
  const width = out.columns ?? 80;
  if (given.json) {
    out.line(membersJson(result));
    return;
  }
  if (result.kind !== 'histogram') {
    if (outputsOf(given).length > 0) throw unsupported('This is not a histogram; use --json.');
    if (result.kind === 'frequencies') {
      for (const line of terminalBars(result.top.slice(0, 30), width)) out.line(line);
      out.line();
      out.line(`${formatCount(result.values)} strings, ${formatCount(result.distinct)} different`);
      return;
    }
    for (const number of result.numbers) {
      out.line(String(number));
      await out.drain();
    }
    return;
  }
  const write = { text: ({ one }: BinWriter) => one(result), file: () => result };
  if (!(await writeBins(given, write, context))) {
    const model = modelOfHistogram(result);
    await showPlot(found ? filledPart(model) : model, given, context);
  }
}

/** Writes a plot to the file that the options name, or draws it in the terminal. */
export async function showPlot(model: AnyPlot, given: PictureGiven, context: Context): Promise<void> {
  const { out } = context;
  const width = out.columns ?? 80;
  const { log } = givenLook(given);
  if (wantsPicture(given)) {
    await writePlot(model, given, context);
  } else if (model.kind === 'bins') {
    for (const line of terminalBins(model, { width, logY: log.y })) out.line(line);
  } else if (model.kind === 'map') {
    const { terminalHeat } = await import('./terminal-heat');
    for (const line of terminalHeat(model, width, log.y)) out.line(line);
  }
}
