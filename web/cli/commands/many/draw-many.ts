import { existsSync } from 'node:fs';
import type { DrawRequest, Histogram } from '../../../api/api';
import { toXylemError, XylemError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import {
  addInput,
  askedKey,
  emptyPartial,
  histogramOfPartial,
  type PartialQuery,
  type PartialResult,
  queryOf,
  ReadInputs,
  requestOf,
} from '../../../query/partial/partial';
import { parsePartial, partialText } from '../../../query/partial/partial-text';
import { parseWhole, UsageError } from '../../arguments';
import { type Context, tellPartial, withFile, writeText } from '../../context';
import { outputsOf, showDrawn } from '../../terminal/show-drawn';
import { eachOf, fileCounter, type Input, inputsOf, untilSignal } from './inputs';
import type { ManyGiven } from './options';
import { readPartials } from './read-partials';

/** How often a partial result is written while it grows. */
const SAVE_EVERY_MS = 30_000;

/** Draws file by file. Returns the exit status: 1 when a file could not be read. */
export async function drawMany(
  target: string,
  words: readonly string[],
  asked: Omit<DrawRequest, 'tree' | 'expr' | 'cut'>,
  given: ManyGiven,
  context: Context,
): Promise<number> {
  const [tree, expr, cut, extra] = words;
  if (tree === undefined || expr === undefined)
    throw new UsageError('Of partial results, TREE and EXPR must be named.');
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many.`);
  const jobs = parseWhole(given.jobs ?? '4', '--jobs', 1, 64);
  const request = { ...asked, tree, expr, cut };
  const axes =
    given['axes-from'] === undefined
      ? undefined
      : await axesFrom(given['axes-from'], request, given, context);
  const query = queryOf({ ...request, ...(axes && { axes, bins: undefined, range: undefined }) });
  const inputs = await inputsOf(target, tree, given);
  const partial = await startOf(query, given.resume);
  const saved = given.partial ?? given.resume;
  const write = async (): Promise<void> => {
    if (saved === undefined) return;
    await writeText(saved, await partialText(partial), context, 'json');
  };
  const { signal, stop } = untilSignal();
  let left: number;
  try {
    left = await readInputs(partial, inputs, {
      jobs,
      signal,
      context,
      save: saved === '-' ? undefined : saved,
    });
  } finally {
    stop();
  }
  await write();
  const shown = outputsOf(given).length > 0 || given.json === true || saved === undefined;
  const result = histogramOfPartial(partial);
  if (shown && partial.inputs.length > 0) await showDrawn(result, given, context);
  if (left > 0) {
    const how = saved === undefined || saved === '-' ? '' : `; "--resume ${saved}" reads them`;
    context.err.line(
      `interrupted: ${formatCount(left)} of ${formatCount(inputs.length)} files were not read${how}`,
    );
  }
  const status = tellPartial(result.partial, 'files', context);
  return left > 0 ? 1 : status;
}

/** The axes that a file alone has. Throws the error of reading it. */
async function axesFrom(
  sample: string,
  request: DrawRequest,
  given: ManyGiven,
  context: Context,
): Promise<NonNullable<DrawRequest['axes']>> {
  return await withFile(sample, given, context, async ({ reader, info, ownTree }) => {
    const result = await reader.draw(info.id, { ...request, tree: ownTree ?? request.tree });
    if (result.kind !== 'histogram' || result.axes.some(({ labels }) => labels)) {
      throw new XylemError({ code: 'UNSUPPORTED', message: `${sample} gives no axes of numbers for this.` });
    }
    return result.axes.map(({ bins, low, high }) => ({ bins, range: [low, high] }));
  });
}

/** An empty result, or what was read before of the same query. */
async function startOf(query: PartialQuery, resume: string | undefined): Promise<PartialResult> {
  if (resume === undefined || !existsSync(resume)) return emptyPartial(query);
  let found: PartialResult | undefined;
  for await (const { text, name } of readPartials([resume])) found = await parsePartial(text, name);
  if (found && JSON.stringify(found.query) === JSON.stringify(query)) return { ...found, failed: [] };
  throw new XylemError({
    code: 'ARGUMENT',
    message: `"${resume}" is a partial result of another query.`,
    fix: 'Give the same expression, cut, axes and option, or another file.',
  });
}

interface ReadOptions {
  jobs: number;
  signal: AbortSignal;
  context: Context;
  save: string | undefined;
}

/** Adds the inputs that the result lacks. Returns how many were not read because of a signal. */
async function readInputs(
  partial: PartialResult,
  inputs: readonly Input[],
  { jobs, signal, context, save }: ReadOptions,
): Promise<number> {
  const seen = new ReadInputs(partial.inputs);
  const before = new Set(partial.inputs.map(askedKey));
  const todo = inputs.filter((input) => !before.has(askedKey(input)));
  const counter = fileCounter(inputs.length, context);
  let done = inputs.length - todo.length;
  let lastSave = performance.now();
  let saving: Promise<void> | undefined;
  const saveNow = async (path: string): Promise<void> => {
    const { saveFile } = await import('../../../write/node-save-file');
    const text = await partialText(partial);
    await saveFile(path, (put) => put(`${text}\n`));
  };
  await eachOf(todo, jobs, signal, async (input) => {
    const { file, tree, entries } = input;
    const name = { file, tree, ...(entries && { entries }) };
    try {
      const drawn = await drawOne(input, partial.query, signal, context);
      addInput(partial, seen, { ...name, ...drawn.facts }, drawn.histogram);
    } catch (thrown) {
      const { code, message } = toXylemError(thrown);
      if (code === 'ABORTED') return;
      partial.failed.push({ ...name, error: { code, message } });
    }
    done += 1;
    counter.show(done, partial.failed.length);
    if (save === undefined || saving || performance.now() - lastSave < SAVE_EVERY_MS) return;
    saving = saveNow(save);
    await saving;
    saving = undefined;
    lastSave = performance.now();
  });
  await counter.wipe();
  return inputs.length - done;
}

type ExactHistogram = Histogram & { exact: NonNullable<Histogram['exact']> };

/** Draws one input. Throws when a part of it cannot be read, because results add up whole. */
async function drawOne(
  input: Input,
  query: PartialQuery,
  signal: AbortSignal,
  context: Context,
): Promise<{
  histogram: ExactHistogram;
  facts: { read: [number, number]; size: number; uuid: string; modified: string };
}> {
  const file = await context.open(input.source);
  try {
    const { size, uuid, modified } = file.info;
    const { info } = await file.tree(input.tree, { signal });
    const read = input.entries ?? [0, info.entries];
    if (read[1] > info.entries) {
      throw new XylemError({
        code: 'ARGUMENT',
        message: `"${input.tree}" has ${info.entries} entries, not ${read[1]}.`,
        where: { url: input.file },
      });
    }
    const request = requestOf(query, input.tree, input.entries);
    const result = await file.reader.draw(file.info.id, request, { signal });
    if (result.kind !== 'histogram' || !result.exact)
      throw new XylemError({ code: 'INTERNAL', message: 'No exact sums.' });
    const { partial } = result;
    if (partial) {
      const [first] = partial.errors;
      throw new XylemError({
        code: first?.code ?? 'CORRUPT',
        message: `${partial.failed} of ${partial.total} baskets are unreadable: ${first?.message ?? ''}`,
      });
    }
    return { histogram: { ...result, exact: result.exact }, facts: { read, size, uuid, modified } };
  } finally {
    await file.close();
  }
}
