import { basename } from 'node:path';
import type { EntrySelection } from '../../../api/api';
import type { Selection } from '../../../api/write';
import { chosenEntries, type EntryOptions, UsageError } from '../../../cli/arguments';
import { type Context, progressLine } from '../../../cli/context';
import { fileSink } from '../../../sinks/node-file-sink';
import type { InputFile } from './inputs';
import { tellMerged } from './merge';
import { codecOf } from './options';

interface SkimOptions extends EntryOptions {
  cut?: string | undefined;
  'entries-of'?: string | undefined;
  codec?: string | undefined;
  'dry-run'?: boolean | undefined;
  verify?: boolean | undefined;
  force?: boolean | undefined;
  reproducible?: boolean | undefined;
  json?: boolean | undefined;
}

/** Copies a part of several files into one: a merge of that part. Returns the exit status. */
export async function skimFiles(
  files: readonly InputFile[],
  out: string | undefined,
  given: SkimOptions,
  selection: Selection,
  context: Context,
): Promise<number> {
  const dry = given['dry-run'] === true;
  if (out === undefined && !dry)
    throw new UsageError('OUT is missing; without it, only --dry-run is possible.');
  const target = out ?? 'skim.root';
  const replaces = given.force ? 'all' : 'nothing';
  if (!dry) {
    await context.files.addOutput(target, {
      word: 'OUT',
      hint: 'The last word is the file that is written.',
      replaces,
      force: given.force === true,
    });
  }
  if ([...(selection.trees ?? []), given['entries-of'] ?? ''].some((path) => /;\d+$/.test(path)))
    throw new UsageError('Of several files the newest cycle of a tree is copied; name it without a cycle.');
  const progress = progressLine(context);
  const { writer } = await context.reader();
  const choice = {
    selection,
    entries: await entriesOf(files, given, selection, context),
    cut: given.cut,
    entriesOf: given['entries-of'],
    codec: codecOf(given),
  };
  const how = {
    choice,
    name: basename(target),
    reproducible: given.reproducible,
    onProgress: progress.show,
  };
  const write = dry
    ? writer.planMerge(files, how)
    : writer.merge(files, fileSink(target, { replace: given.force }), { ...how, verify: given.verify });
  const merged = await write.finally(progress.wipe);
  if (given.json) context.out.line(JSON.stringify({ out: target, files: files.length, ...merged }));
  else tellMerged(target, files.length, merged, context, dry, dry ? 'about ' : '');
  return merged.leftOut.length > 0 ? 1 : 0;
}

/** The chosen entries of the chain of all files, whose number they may depend on; undefined for all. */
async function entriesOf(
  files: readonly InputFile[],
  given: SkimOptions,
  selection: Selection,
  context: Context,
): Promise<EntrySelection | undefined> {
  if ((given.entries ?? given['entry-list'] ?? given.sample ?? given.seed) === undefined) return undefined;
  const { treeOfEntries } = await import('../work/input/choose-entries');
  const { reader, info, close } = await context.open({
    kind: 'chain',
    files: files.map(({ source }) => ({ source })),
  });
  try {
    const { path } = await treeOfEntries(reader, info, selection, given['entries-of'], {});
    const { entries } = await reader.tree(info.id, path);
    return await chosenEntries(given, entries);
  } finally {
    await close();
  }
}
