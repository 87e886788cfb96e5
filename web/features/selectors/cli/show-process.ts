import { UsageError } from '../../../cli/arguments';
import type { Context } from '../../../cli/context';
import type { PartialForm } from '../../../cli/part';
import { failuresOf, type PartialResult } from '../../chains/work/partial';
import { missingNotes } from '../work/branches';
import { scaledSamples, stackedState } from '../work/partial/samples';
import { parseLuminosity } from './luminosity';
import { type MadeGiven, madeOptions, showMade } from './made';

/** Partial results of selectors, as "xylem process" shows them. */
export const processForm: PartialForm = { options: madeOptions, show: showProcess };

async function showProcess(
  all: PartialResult<'process'>,
  given: MadeGiven,
  context: Context,
): Promise<undefined> {
  const { samples } = all.query;
  tellMissing(
    samples
      ? [...all.sum.samples].map(([name, { optional }]) => ({ name, counts: optional }))
      : [{ name: '', counts: all.sum.optional }],
    context,
    all.failed.length === 0,
  );
  if (!samples) {
    if (given.lumi !== undefined)
      throw new UsageError('--lumi scales samples; these results have none: see "xylem process --samples".');
    await showMade({ ...all.sum, partial: failuresOf(all) }, given, context);
    return;
  }
  const scaled = scaledSamples(samples, all.sum.samples, parseLuminosity(given.lumi)?.value);
  for (const { name } of samples)
    if (!all.sum.samples.has(name))
      context.err.line(`note: no file of the sample "${name}" was read, so that it is missing in the sum`);
  const made = { ...all.sum, state: stackedState(scaled), partial: failuresOf(all) };
  await showMade(made, given, context, scaled);
}

/** Tells what optional branches lack, if it may be a mistake. */
export function tellMissing(
  groups: Parameters<typeof missingNotes>[0],
  { err }: Pick<Context, 'err'>,
  isWhole = true,
): void {
  for (const note of missingNotes(groups, isWhole)) err.line(`note: ${note}`);
}
