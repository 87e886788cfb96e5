import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Sink } from '../../../api/sink';
import type { Merged, MergeInput } from '../../../api/write';
import { XylemError } from '../../../base/errors';
import { formatBytes, formatCount } from '../../../base/format';
import { UsageError } from '../../../cli/arguments';
import { command } from '../../../cli/command';
import { type Context, progressLine } from '../../../cli/context';
import { commonOptions, flag, type Options, valued } from '../../../cli/options';
import { commandTool } from '../../../cli/tool';
import { fileSink } from '../../../sinks/node-file-sink';
import { type InputFile, soundOf, sourcesOf } from './inputs';
import { writeOptions } from './options';
import { smallFiles } from './small-files';

const SCHEMAS = ['strict', 'filter', 'union'] as const;

const options = {
  schema: valued(
    'S',
    'trees whose branches differ: "strict" (default) refuses them; "filter" keeps the branches that all files have alike; "union" keeps all, with zeros, empty texts and empty lists in files that lack one',
    { choices: SCHEMAS },
  ),
  force: writeOptions.force,
  reproducible: writeOptions.reproducible,
  'dry-run': flag('say what would be written; baskets are neither read nor written'),
  'skip-bad': flag(
    'leave out files that cannot be read whole, as hadd -k does: each is read once more before, by what "check" tests',
  ),
  verify: flag('read the new file back and compare it with what was written'),
  resume: flag(
    'keep what is merged in OUT.partial when the process ends before, and go on there the next time',
  ),
  ...commonOptions,
} as const satisfies Options;

export const merge = command({
  usage: ['OUT IN…'],
  about: `Merges ROOT files into OUT, without ROOT. Trees of one path become one: their baskets are copied compressed,
whatever their classes are, and its clusters begin where theirs do. Histograms, profiles, graphs, efficiencies, parameters,
lists and others of one path are added as ROOT adds them. Other objects are kept as they are, as cycles of one name. IN are paths,
addresses, patterns ('run*.root') and lists (@files.txt). OUT has its name when it is whole.`,
  examples: [
    ['sum.root sample.root other.root', 'two files as one'],
    ['sum.root sample.root other.root --dry-run', 'what that would give'],
  ],
  options,
  notes: `Exit status 1 says that OUT is written, but lacks something of the inputs, or has it in two cycles instead of
added: each is a line on stderr. Trees whose branches differ are an error, and nothing is written. A file of the name OUT
is kept unless --force is given.`,
  json: `{"out", "bytes", "files", "trees": [{"path", "entries", "parts", "baskets", "basketBytes", "reads", "clusters",
"clustersClaimed"}], "sums", "objects", "notes", "leftOut"}; with --skip-bad also "skipped": [{"file", "code", "message"}, …].`,
  tool: commandTool({
    title: 'Several ROOT files as one',
    description: 'Merges ROOT files as hadd does: trees are chained, histograms and others added.',
    params: {},
    writes: true,
    line: (_input, { file, output }) => ({ options: { json: true }, words: [output, file] }),
  }),
  async run(given, [out = '', ...targets], context) {
    if (targets.length === 0) throw new UsageError('IN is missing: name the files to merge.');
    const all = await sourcesOf(targets, given, context);
    const replaces = given.force ? 'all' : 'nothing';
    const hint = 'The first word is the file that is written.';
    if (given['dry-run']) await context.files.refuseInput(out, 'OUT', hint);
    else await context.files.addOutput(out, { word: 'OUT', hint, replaces, force: given.force === true });
    const progress = progressLine(context);
    const { inputs, skipped } = given['skip-bad']
      ? await soundOf(all, context, progress.show).finally(progress.wipe)
      : { inputs: all, skipped: [] };
    if (inputs.length === 0)
      throw new XylemError({ code: 'CORRUPT', message: 'None of the files can be read whole.' });
    const { writer } = await context.reader();
    const how = {
      name: basename(out),
      reproducible: given.reproducible,
      schema: SCHEMAS.find((schema) => schema === given.schema),
      onProgress: progress.show,
    };
    const write = given['dry-run']
      ? writer.planMerge(inputs, how)
      : writer.merge(withSmall(inputs), await sinkOf(out, given), { ...how, verify: given.verify });
    const merged = await write.finally(progress.wipe);
    if (given.json)
      context.out.line(
        JSON.stringify({ out, files: inputs.length, ...merged, ...(given['skip-bad'] && { skipped }) }),
      );
    else tellMerged(out, inputs.length, merged, context, given['dry-run'] === true);
    return merged.leftOut.length > 0 || skipped.length > 0 ? 1 : 0;
  },
});

/** Small local files are read at once, which takes less time than to open them. */
function withSmall(inputs: readonly InputFile[]): MergeInput[] {
  const small = smallFiles();
  return inputs.map(({ name, source }) => ({
    ...{ name, source },
    ...(source.kind === 'path' && { small: () => small(source.path) }),
  }));
}

async function sinkOf(
  out: string,
  { force, resume = false }: { force?: boolean | undefined; resume?: boolean | undefined },
): Promise<Sink> {
  const there = resume ? await stat(out).catch(() => undefined) : undefined;
  if (there?.isFile() === false) throw new UsageError('OUT must be a file for --resume.');
  // Beside the file itself lies what is kept of it, and not beside a link to it.
  return fileSink(there ? await realpath(out) : out, { replace: force, resume });
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
