import { formatCount } from '../../../base/format';
import { parseWhole } from '../../../cli/arguments';
import { type Context, pathOf, tellPartial, writeText } from '../../../cli/context';
import { fileCounter, type Input, identityOf, saver, untilSignal } from '../../../cli/inputs';
import type { OpenInput } from '../../../measure/partial-kind';
import {
  type AnyPartial,
  askedKey,
  emptyPartial,
  failuresOf,
  foundIn,
  type KindName,
  kindOf,
  loadKind,
  type PartialResult,
} from '../work/partial';
import { partialText } from '../work/partial-text';
import { changedInputs, readInputs } from '../work/read-inputs';
import type { PartialGiven } from './forms';
import { Journal, readJournal } from './journal';
import { showPartial, wantsShown } from './show-partial';
import { nameSides } from './side-files';

/**
 * Reads inputs one by one, writes the partial result or shows it. Returns the exit status: 1 when an input could not be
 * read, or a check found errors.
 */
export async function runMany<K extends KindName>(
  kind: K,
  query: PartialResult<K>['query'],
  inputs: readonly (Input & { sample?: string })[],
  given: PartialGiven,
  context: Context,
  selector?: OpenInput['selector'],
): Promise<number> {
  await loadKind(kind);
  const jobs = parseWhole(given.jobs ?? '4', '--jobs', 1, 64);
  const saved = given.partial ?? given.resume;
  const { signal, stop } = untilSignal();
  let partial: PartialResult<K>;
  let left: number;
  try {
    const begun =
      given.resume === undefined ? undefined : await readJournal(given.resume, kind, query, context);
    partial = await startOf(kind, query, inputs, { found: begun?.found, jobs, signal, context });
    const file = given.resume ?? saved;
    if (file !== undefined) nameSides(partial as AnyPartial, file);
    const journal =
      given.resume === undefined || begun === undefined
        ? undefined
        : await Journal.open(given.resume, partial, begun);
    const counter = fileCounter(inputs.length, context);
    const save =
      saved === undefined || saved === '-' || journal
        ? undefined
        : saver(saved, () => partialText(partial as AnyPartial));
    left = await readInputs(partial, inputs, {
      jobs,
      signal,
      journal,
      open: async ({ source, sample }) => ({ ...(await context.open(source)), sample, selector }),
      async onInput(done) {
        counter.show(done, partial.failed.length);
        await save?.();
      },
    });
    await counter.wipe();
  } finally {
    stop();
  }
  const all = partial as AnyPartial;
  noteFailed(all, inputs, context);
  if (saved !== undefined) {
    nameSides(all, saved);
    await writeText(saved, await partialText(all), context, 'json');
    if (given.resume !== undefined && given.resume !== saved) {
      nameSides(all, given.resume);
      await writeText(given.resume, await partialText(all), context);
    }
  }
  const shown = saved === undefined || (await wantsShown(kind, given));
  if (shown && partial.inputs.length > 0) await showPartial(all, given, context);
  if (left > 0) {
    const how = saved === undefined || saved === '-' ? '' : `; "--resume ${saved}" reads them`;
    context.err.line(
      `interrupted: ${formatCount(left)} of ${formatCount(inputs.length)} files were not read${how}`,
    );
  }
  const status = tellPartial(failuresOf(partial), 'files', context, true);
  return left > 0 || foundIn(all) ? 1 : status;
}

/** Notes the inputs that failed, or in which a check found errors, as the command line named them. */
export function noteFailed(
  all: AnyPartial,
  inputs: readonly Input[],
  { files: { failed } }: Pick<Context, 'files'>,
): void {
  const names = new Map(inputs.map((input) => [askedKey(input), input.name]));
  for (const { file, tree, entries } of all.failed)
    failed.add({ file: names.get(askedKey({ file, tree, entries })) ?? file, tree, entries });
  for (const name of kindOf(all.kind).badFiles?.(all.sum) ?? []) {
    const file = pathOf(name);
    failed.add({ file: names.get(askedKey({ file, tree: '' })) ?? file });
  }
}

interface StartOptions {
  /** Results of what was read before. */
  found: AnyPartial | undefined;
  jobs: number;
  signal: AbortSignal;
  context: Context;
}

/** An empty result, or what was read before, if none of its files changed since. */
async function startOf<K extends KindName>(
  kind: K,
  query: PartialResult<K>['query'],
  inputs: readonly Input[],
  { found, jobs, signal, context }: StartOptions,
): Promise<PartialResult<K>> {
  const empty = emptyPartial(kind, query);
  if (found === undefined) return empty;
  const changed = await changedInputs(found, inputs, jobs, signal, (input) => identityOf(input, context));
  const [first] = changed;
  if (!first) return { ...(found as unknown as PartialResult<K>), failed: [] };
  const others = changed.length > 1 ? ` and ${formatCount(changed.length - 1)} more` : '';
  context.err.line(
    `changed since they were read: ${first.file}${others}; a sum cannot lose a part, so all files are read again`,
  );
  return empty;
}
