import { basename } from 'node:path';
import type { Progress } from '../../../api/api';
import { compressionNumber } from '../../../write/encode/class-codec';
import { saveFile } from '../../../write/files/node-save-file';
import type { MergePart } from '../../../write/merge/chosen-part';
import { loadWriter } from '../../../write/node-module';
import type { Selection } from '../../../write/selection';
import { chosenEntries, type EntryOptions, UsageError } from '../../arguments';
import { type Context, progressLine } from '../../context';
import type { InputFile } from './inputs';
import { NOWHERE, tellMerged } from './merge';
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
  const codec = codecOf(given);
  const progress = progressLine(context);
  const { mergeFiles } = await import('../../../write/merge/merge-files');
  const run = async () => {
    const chosen = await entriesOf(files, given, selection, context, progress.show);
    const part: MergePart = {
      selection,
      entries: chosen,
      compress: codec && compressionNumber(codec),
      estimate: dry,
    };
    const task = {
      writer: await loadWriter(),
      name: basename(target),
      reproducible: given.reproducible,
      onProgress: progress.show,
    };
    const merged = dry
      ? await mergeFiles(files, NOWHERE, task, { part })
      : await saveFile(
          target,
          (put, path) =>
            mergeFiles(files, { write: (at, bytes) => put(bytes, at) }, task, {
              part,
              written:
                given.verify && path !== undefined ? () => context.open({ kind: 'path', path }) : undefined,
            }),
          { replaces },
        );
    return chosen ? { ...merged, notes: [chosen.note, ...merged.notes] } : merged;
  };
  const merged = await run().finally(progress.wipe);
  if (given.json) context.out.line(JSON.stringify({ out: target, files: files.length, ...merged }));
  else tellMerged(target, files.length, merged, context, dry, dry ? 'about ' : '');
  return merged.leftOut.length > 0 ? 1 : 0;
}

/** The chosen entries of the chain of all files; undefined for all. */
async function entriesOf(
  files: readonly InputFile[],
  given: SkimOptions,
  selection: Selection,
  context: Context,
  onProgress: (progress: Progress) => void,
): Promise<(NonNullable<MergePart['entries']> & { note: string }) | undefined> {
  const { cut } = given;
  if ((given.entries ?? given['entry-list'] ?? given.sample ?? given.seed ?? cut) === undefined)
    return undefined;
  const { choiceOf, treeOfEntries } = await import('../../../write/choose-entries');
  const { reader, info, close } = await context.open({
    kind: 'chain',
    files: files.map(({ file }) => ({ source: file })),
  });
  try {
    const { path } = await treeOfEntries(reader, info, selection, given['entries-of'], {});
    const { entries } = await reader.tree(info.id, path);
    const choice = { entries: await chosenEntries(given, entries), cut };
    return { path, ...(await choiceOf(reader, info, path, choice, { onProgress })) };
  } finally {
    await close();
  }
}
