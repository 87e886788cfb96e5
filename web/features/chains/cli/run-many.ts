import { existsSync } from 'node:fs';
import { argumentError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import { parseWhole } from '../../../cli/arguments';
import { type Context, tellPartial, writeText } from '../../../cli/context';
import { fileCounter, type Input, identityOf, saver, untilSignal } from '../../../cli/inputs';
import { OwnFiles } from '../../../cli/own-files';
import type { OpenInput } from '../../../measure/partial-kind';
import {
  type AnyPartial,
  emptyPartial,
  failuresOf,
  foundIn,
  type KindName,
  kindOf,
  loadKind,
  type PartialResult,
  queryDifference,
} from '../work/partial';
import { parsePartial, partialText } from '../work/partial-text';
import { changedInputs, readInputs } from '../work/read-inputs';
import type { PartialGiven } from './forms';
import { readPartials } from './read-partials';
import { showPartial, wantsShown } from './show-partial';

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
    partial = await startOf(kind, query, inputs, { resume: given.resume, jobs, signal, context });
    const counter = fileCounter(inputs.length, context);
    const save =
      saved === undefined || saved === '-'
        ? undefined
        : saver(saved, () => partialText(partial as AnyPartial));
    left = await readInputs(partial, inputs, {
      jobs,
      signal,
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
  if (saved !== undefined) await writeText(saved, await partialText(all), context, 'json');
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

interface StartOptions {
  resume: string | undefined;
  jobs: number;
  signal: AbortSignal;
  context: Context;
}

/** An empty result, or what was read before of the same query, if none of its files changed since. */
async function startOf<K extends KindName>(
  kind: K,
  query: PartialResult<K>['query'],
  inputs: readonly Input[],
  { resume, jobs, signal, context }: StartOptions,
): Promise<PartialResult<K>> {
  const empty = emptyPartial(kind, query);
  if (resume === undefined || !existsSync(resume)) return empty;
  let found: AnyPartial | undefined;
  // It is written again, and so noted as an output.
  for await (const { text, name } of readPartials([resume], new OwnFiles()))
    found = await parsePartial(text, name);
  if (found?.kind !== kind || JSON.stringify(found.query) !== JSON.stringify(query)) {
    const now = { kind, query } as unknown as AnyPartial;
    const why = found?.kind === kind ? ` ${queryDifference(found, now)}` : '';
    throw argumentError(
      `"${resume}" is a partial result of another query.${why}`,
      `Give the same ${kindOf(kind).words}, or another file.`,
    );
  }
  const changed = await changedInputs(found, inputs, jobs, signal, (input) => identityOf(input, context));
  const [first] = changed;
  if (!first) return { ...(found as PartialResult<K>), failed: [] };
  const others = changed.length > 1 ? ` and ${formatCount(changed.length - 1)} more` : '';
  context.err.line(
    `changed since they were read: ${first.file}${others}; a sum cannot lose a part, so all files are read again`,
  );
  return empty;
}
