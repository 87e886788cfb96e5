import { execFile } from 'node:child_process';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { XylemError } from '../../../base/errors';
import { chosenEntries, parseWhole, UsageError } from '../../../cli/arguments';
import { command, type Given } from '../../../cli/command';
import { type Context, progressLine, tellPartial, withFile } from '../../../cli/context';
import { friendOptions, languageOptions, openFriends, rulesOf } from '../../../cli/expressions';
import { CHAIN_TEXT, commonOptions, entryOptions, type Options, valued } from '../../../cli/options';
import { SAMPLES } from '../../../verbs/params';
import { treeOf } from '../../../verbs/trees';
import { treesOptions, wantsMany } from '../../chains/cli/forms';
import { readLocalFiles } from '../work/node-files';
import type { ProcessQuery } from '../work/partial/process-kind';
import { madeOptions, showMade } from './made';
import { checkPackage } from './pack';
import { hashOfFile } from './selector-code';
import { settingsOf } from './settings';
import { tellMissing } from './show-process';
import { spoolFolder } from './tables/spool-folder';

const { 'root-version': rootVersion } = languageOptions;

const options = {
  set: valued('NAME=VALUE', 'a value of job.set of the selector, as text; may be repeated', {
    multiple: true,
  }),
  limit: valued('SECONDS', 'end a part of the entries that takes longer; default 60'),
  ...madeOptions,
  ...entryOptions,
  ...friendOptions,
  'root-version': rootVersion,
  samples: valued(SAMPLES.value, SAMPLES.about),
  ...treesOptions,
  tables: valued(
    'FOLDER',
    'with --partial, the folder for files with the rows of tables; default: "tables" beside OUT',
  ),
  ...commonOptions,
} as const satisfies Options;

export const processCommand = command({
  usage: ['SELECTOR FILE [TREE]'],
  about: `Runs your own code over the entries of a tree. SELECTOR is a JavaScript module; its default export names branches and
expressions, makes histograms, counters and tables, and fills them: see docs/features/selectors.md. Its code runs in the threads
that decode, on columns of a part of the entries, or entry by entry.
${CHAIN_TEXT}`,
  examples: [
    ['selector.mjs sample.root Events', 'runs your code'],
    ['selector.mjs sample.root Events --json', 'its results for a program'],
  ],
  options,
  json: `{"entries", "passed", "results": {NAME: …}}: a histogram as "xylem draw" prints it, a number for a counter, numbers
by label, the columns of a table as lists. With --result the one result alone. Files that could not be read are in "partial".
With --samples "results" are the sums of those with cross sections, and "samples" has {"entries", "passed", "sumOfWeights",
"scale", "results"} of each.`,
  async run(given, words, context) {
    const isMany = wantsMany(given) || given.samples !== undefined;
    const outs = [
      given.tables,
      given.partial,
      given.resume,
      given.parquet,
      given.arrow,
      given.root,
      given.csv,
    ];
    const out = outs.find((one) => one !== undefined && one !== '-');
    // Where many files are read, a signal ends the reading, and the folder is removed below.
    const spool = await spoolFolder(out, !isMany);
    try {
      return await runSelector(given, words, context, spool.path);
    } finally {
      await spool.remove();
    }
  },
});

/** Runs a selector. Rows of its tables go to the folder `spool`. */
async function runSelector(
  given: Given<typeof options>,
  [module = '', ...named]: readonly string[],
  context: Context,
  spool: string,
): Promise<number> {
  // With --samples FILE may be left out: SELECTOR TREE.
  const [file = '', tree, extra] =
    given.samples !== undefined && named.length === 1 ? [undefined, named[0]] : named;
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many.`);
  const set = settingsOf(given.set);
  const limitMs = 1000 * parseWhole(given.limit ?? '60', '--limit', 1, 86_400);
  if (/^[a-z]{2,}:\/\//i.test(module))
    throw new UsageError('A selector is a file on this machine, not an address.');
  const path = resolve(module);
  const isMany = wantsMany(given) || given.samples !== undefined;
  const saved = given.partial ?? given.resume;
  // A result on stdout has no folder for files beside it.
  const isInline = saved === '-' && given.tables === undefined;
  if (given.tables !== undefined && saved === undefined)
    throw new UsageError('--tables goes with --partial or --resume.');
  const selector = { module: pathToFileURL(path).href, limitMs, ...(!isInline && { spool }) };
  await context.files.addInput(path);
  await checkPackage(path);
  if (given.lumi !== undefined && given.samples === undefined)
    throw new UsageError('--lumi scales samples: name them by --samples.');
  // Only results that are kept meet those of other code. Recording what the code reads takes time at the start.
  // A process that lives on has the code in memory, and has to know whether the files are still those.
  const kept = saved !== undefined || context.living === true;
  const [{ loadForSamples }, { checkAddsUp }, recorder] = await Promise.all([
    import('../work/selector'),
    import('../work/gathered'),
    kept ? import('./selector-code') : undefined,
  ]);
  if (isMany) {
    const others = ['entries', 'entry-list', 'sample', 'friend', 'friend-index', 'trace'] as const;
    const other = others.find((name) => given[name] !== undefined);
    if (other) throw new UsageError(`--${other} does not go with reading file by file.`);
    if (tree === undefined) throw new UsageError('Of partial results, TREE must be named.');
  }
  const list =
    given.samples === undefined
      ? undefined
      : await (await import('../../../cli/samples')).readSamples(given.samples, tree ?? '', given, context);
  readLocalFiles();
  const load = () => loadForSamples(selector.module, set, list?.samples);
  const loaded = await (recorder?.loadRecorded(path, load) ?? load()).catch(async (thrown: unknown) => {
    throw await withLine(thrown, path);
  });
  const code = await recorder?.codeOf(path);
  if (isMany) {
    const { inputsOf } = await import('../../../cli/inputs');
    const { runMany } = await import('../../chains/cli/run-many');
    checkAddsUp(loaded.empty);
    const { sideWriter } = await import('./tables/side-files');
    const keepRows =
      saved === undefined || isInline
        ? undefined
        : sideWriter({ out: given.resume ?? saved, folder: given.tables, spool }, context);
    const whole = { ...selector, files: code?.paths, keepRows };
    const query: ProcessQuery = {
      name: basename(path),
      hash: code?.hash ?? (await hashOfFile(path)),
      ...(code && code.files.length > 0 && { files: code.files }),
      ...{ set, rootVersion: rulesOf(given) ?? '6.42' },
    };
    const chosen = file === '' ? undefined : await inputsOf(file, tree ?? '', given, context);
    if (list === undefined || given.samples === undefined)
      return await runMany('process', query, chosen ?? [], given, context, whole);
    const { withSamples } = await import('../../../cli/samples');
    const { checkSamples } = await import('./check-samples');
    const inputs = chosen ? withSamples(chosen, list, given.samples) : list.inputs;
    checkSamples(list.samples, inputs, given);
    // Its members have one order, because the text of a query decides what adds up.
    const { rootVersion: rules, ...selected } = query;
    const sampled = { ...selected, samples: list.samples, rootVersion: rules };
    return await runMany('process', sampled, inputs, given, context, whole);
  }
  return await withFile(file, given, context, async (open) => {
    const name = await treeOf(open, tree);
    const { info } = await open.tree(name);
    const entries = await chosenEntries(given, info.entries);
    const friends = await openFriends(open, name, given, context);
    const progress = progressLine(context);
    const request = { ...selector, tree: name, set, entries, friends, rootVersion: rulesOf(given) };
    const made = await open.reader
      .process(open.info.id, request, { onProgress: progress.show })
      .finally(progress.wipe);
    tellMissing([{ name: '', counts: made.optional }], context);
    await showMade(made, given, context);
    return tellPartial(made.partial, 'baskets', context, true);
  });
}

/** Adds the line to an error of syntax. Only another process of Node says it. */
async function withLine(thrown: unknown, path: string): Promise<unknown> {
  if (!(thrown instanceof XylemError) || !(thrown.cause instanceof SyntaxError)) return thrown;
  const said = await new Promise<string>((done) => {
    execFile(process.execPath, ['--check', path], { timeout: 10_000 }, (_error, _out, err) => done(err));
  });
  const [, place, line] = /^(.+):(\d+)\n/.exec(said) ?? [];
  if (line === undefined || (place !== path && place !== pathToFileURL(path).href)) return thrown;
  const message = thrown.message.replace(' cannot be loaded', `:${line} cannot be loaded`);
  return new XylemError({ ...thrown.toRecord(), message, cause: thrown.cause });
}
