import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { version } from '../../../../package.json';
import { formatBytes, formatCount } from '../../../base/format';
import { journalOf, partialOf, resumableFile } from '../../../write/files/node-resumable-file';
import { saveFile } from '../../../write/files/node-save-file';
import type { Merged, MergeOptions, MergeRun } from '../../../write/merge/merge-files';
import { loadWriter } from '../../../write/node-module';
import type { Sink } from '../../../write/sink';
import { UsageError } from '../../arguments';
import { command } from '../../command';
import { type Context, progressLine } from '../../context';
import { commonOptions, type Options } from '../../options';
import { sourcesOf } from './inputs';
import { writeOptions } from './options';

const SCHEMAS = ['strict', 'filter', 'union'] as const;

const options = {
  schema: {
    type: 'string',
    value: 'S',
    choices: SCHEMAS,
    about:
      'trees whose branches differ: "strict" (default) refuses them; "filter" keeps the branches that all files have alike; "union" keeps all, with zeros, empty texts and empty lists in files that lack one',
  },
  force: writeOptions.force,
  reproducible: writeOptions.reproducible,
  'dry-run': { type: 'boolean', about: 'say what would be written; baskets are neither read nor written' },
  verify: { type: 'boolean', about: 'read the new file back and compare it with what was written' },
  resume: {
    type: 'boolean',
    about: 'keep what is merged in OUT.partial when the process ends before, and go on there the next time',
  },
  ...commonOptions,
} as const satisfies Options;

export const merge = command({
  usage: ['OUT IN…'],
  about: `Merges ROOT files into OUT, without ROOT. Trees of one path become one: their baskets are copied compressed,
whatever their classes are, and its clusters begin where theirs do. Histograms, profiles, graphs, efficiencies, parameters,
lists and others of one path are added as ROOT adds them. Other objects are kept as they are, as cycles of one name. IN are paths,
addresses, patterns ('run*.root') and lists (@files.txt). OUT has its name when it is whole.`,
  options,
  notes: `Exit status 1 says that OUT is written, but lacks something of the inputs, or has it in two cycles instead of
added: each is a line on stderr. Trees whose branches differ are an error, and nothing is written. A file of the name OUT
is kept unless --force is given.`,
  json: `{"out", "bytes", "files", "trees": [{"path", "entries", "parts", "baskets", "basketBytes", "reads", "clusters",
"clustersClaimed"}], "sums", "objects", "notes", "leftOut"}.`,
  async run(given, [out = '', ...targets], context) {
    if (targets.length === 0) throw new UsageError('IN is missing: name the files to merge.');
    const sources = await sourcesOf(targets, given, context);
    const replaces = given.force ? 'all' : 'nothing';
    const hint = 'The first word is the file that is written.';
    if (given['dry-run']) await context.files.refuseInput(out, 'OUT', hint);
    else await context.files.addOutput(out, { word: 'OUT', hint, replaces, force: given.force === true });
    const writer = await loadWriter();
    const progress = progressLine(context);
    const { mergeFiles } = await import('../../../write/merge/merge-files');
    const task: MergeOptions = {
      writer,
      name: basename(out),
      reproducible: given.reproducible,
      schema: SCHEMAS.find((schema) => schema === given.schema),
      onProgress: progress.show,
    };
    const written = (path: string | undefined): MergeRun['written'] =>
      given.verify && path !== undefined ? () => context.open({ kind: 'path', path }) : undefined;
    const write = given['dry-run']
      ? mergeFiles(sources, NOWHERE, task)
      : given.resume
        ? saveResumable(out, given, context, (sink, path) =>
            mergeFiles(sources, sink, task, { journal: sink.journal, written: written(path) }),
          )
        : saveFile(
            out,
            (put, path) =>
              mergeFiles(sources, { write: (at, bytes) => put(bytes, at) }, task, { written: written(path) }),
            { replaces },
          );
    const merged = await write.finally(progress.wipe);
    if (given.json) context.out.line(JSON.stringify({ out, files: sources.length, ...merged }));
    else tellMerged(out, sources.length, merged, context, given['dry-run'] === true);
    return merged.leftOut.length > 0 ? 1 : 0;
  },
});

/** Takes no bytes, and says that it has all baskets, so that none is read. */
export const NOWHERE: Sink = { kept: Number.MAX_SAFE_INTEGER, write: async () => {} };

/** Merges into a file of which parts stay when the process ends before it is whole. */
async function saveResumable<T>(
  out: string,
  { force }: { force?: boolean | undefined },
  { files }: Context,
  write: (sink: ReturnType<typeof resumableFile>, partial: string) => Promise<T>,
): Promise<T> {
  const there = await stat(out).catch(() => undefined);
  if (there?.isFile() === false) throw new UsageError('OUT must be a file for --resume.');
  const path = there ? await realpath(out) : out;
  await files.refuseInput(partialOf(path), 'OUT.partial');
  await files.refuseInput(journalOf(path), 'OUT.partial.journal');
  const sink = resumableFile(path, { version, replace: force === true });
  try {
    const merged = await write(sink, partialOf(path));
    await sink.close?.();
    return merged;
  } catch (thrown) {
    await sink.abort?.();
    throw thrown;
  }
}

/** Says what was merged, or would be; `about` stands before its size. */
export function tellMerged(
  out: string,
  files: number,
  { bytes, trees, sums, objects, notes, leftOut }: Merged,
  context: Context,
  dry: boolean,
  about = '',
): void {
  const to = dry ? context.out : context.err;
  for (const note of notes) to.line(`note: ${note}`);
  for (const line of leftOut) to.line(`left out: ${line}`);
  for (const { path, entries, baskets, basketBytes, reads, clusters, clustersClaimed } of trees) {
    const copied = `${formatCount(baskets)} baskets, ${formatBytes(basketBytes)} in ${formatCount(reads)} reads`;
    const change = `${formatCount(clusters)} clusters (the files claim ${formatCount(clustersClaimed)})`;
    to.line(`${path}: ${formatCount(entries)} entries, ${copied}, ${change}`);
  }
  const counts = `${formatCount(files)} files, ${formatCount(trees.length)} trees, ${formatCount(sums)} sums, ${formatCount(objects)} other objects`;
  to.line(`${dry ? 'would be written' : 'written'}: ${out}, ${counts}, ${about}${formatBytes(bytes)}`);
}
