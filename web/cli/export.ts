import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { toXylemError, XylemError } from '../base/errors';
import { formatBytes, formatCount } from '../base/format';
import { EXPORT_FORMATS, type ExportFormat, exportTree, isExportFormat } from '../export/export-tree';
import type { TreeInfo } from '../file/api';
import { chooseBranches } from '../file/choose';
import { chooseEntries, countOf } from '../file/entry-choice';
import {
  chosenEntries,
  commonHelp,
  commonOptions,
  entryHelp,
  entryOptions,
  parseCommand,
  UsageError,
} from './arguments';
import { type Command, type Context, progressLine, tellPartial, withFile } from './context';
import { friendHelp, friendOptions, withFriends } from './friends';

const help = `Usage: xylem export FILE TREE [EXPR …] [--cut CUT] [--format F] [--branches a,b]
                    [--friend FILE] [--entries A:B | --sample P%] [-o OUT]

Writes entries of a tree in another format. The tree is read in blocks while it is written, so that it
may be larger than memory. With expressions (TTree::Draw's, each a column; "a:b" are two) these are
written: what has several values in an entry is a list, what has none is missing.

  --format F       csv, tsv     one line for each entry; lists and objects are cells of JSON
                   jsonl        JSON Lines: an object for each entry, as "xylem values --json" writes values
                   arrow        Arrow IPC file (Feather version 2); arrows is the stream format
                   parquet      Parquet, with lists and structures, compressed with Snappy
                   npy          numpy's array; of several branches an array of records. No lists of varying
                                length
                   npz          one array for each branch; of lists NAME_offsets and NAME_content
                   Default: by the ending of OUT, else csv
  --branches a,b   these branches only; a path, or its last part where that is unique; or a friend's, as
                   expressions name it
  --cut CUT        only entries for which CUT is not 0
${entryHelp}
${friendHelp}
  -o, --out OUT    the file to write; default stdout
${commonHelp}

With --json, a summary on stdout when OUT is written: {"format", "entries", "branches", "bytes", "out"};
entries only without --cut.`;

const options = {
  ...commonOptions,
  ...entryOptions,
  format: { type: 'string' },
  ...friendOptions,
  branches: { type: 'string', multiple: true },
  cut: { type: 'string' },
  out: { type: 'string', short: 'o' },
} as const;

export const exportCommand: Command = {
  help,
  async run(args, context) {
    const { values: given, positionals } = parseCommand(args, options, [2, 1000]);
    const [file = '', path = '', ...expressions] = positionals;
    if (expressions.length > 0 && given.branches) throw new UsageError('Take expressions, or --branches.');
    const out = given.out === '-' ? undefined : given.out;
    const format = formatOf(given.format, out);
    if (given.json && out === undefined) throw new UsageError('--json needs -o OUT: stdout has the data.');
    return await withFile(file, given, context, async ({ reader, info }) => {
      const tree = await reader.tree(info.id, path);
      const ofFriends = given.branches && namesOfFriends(tree, given.branches, given.friend !== undefined);
      const named = ofFriends ?? expressions;
      const columns = named.length > 0 ? named.join(':') : undefined;
      const branches = columns === undefined ? chooseBranches(tree, given.branches) : [];
      const entries = await chosenEntries(given, tree.entries);
      const progress = progressLine(context);
      const bytes = await withFriends(reader, path, given, async (friends) => {
        const what = columns === undefined ? { branches: branches.map(({ index }) => index) } : { columns };
        const request = { tree: path, ...what, cut: given.cut, entries, friends, format };
        const chunks = exportTree(reader, info.id, request, { onProgress: progress.show });
        return out === undefined ? toStdout(chunks, context) : toFile(chunks, out);
      }).finally(progress.wipe);
      const choice = chooseEntries(entries, tree.entries);
      // How many pass a cut is not counted.
      const count = given.cut === undefined ? countOf(choice.spans(choice.from, choice.to)) : undefined;
      if (given.json) {
        const width = columns === undefined ? branches.length : named.length;
        context.out.line(JSON.stringify({ format, entries: count, branches: width, bytes, out }));
      } else if (out !== undefined) {
        context.err.line(
          `written: ${out}, ${count === undefined ? '' : `${formatCount(count)} entries, `}${formatBytes(bytes)}`,
        );
      }
      return tellPartial(tree.partial, 'files', context);
    });
  },
};

/** Names of which some are not of the tree, but may be of its friends: all of them, as expressions. */
function namesOfFriends(tree: TreeInfo, lists: readonly string[], given: boolean): string[] | undefined {
  if (!given && !tree.friends?.length) return undefined;
  try {
    chooseBranches(tree, lists);
    return undefined;
  } catch (thrown) {
    if (toXylemError(thrown).code !== 'NOT_FOUND') throw thrown;
  }
  return lists
    .flatMap((list) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function formatOf(given: string | undefined, out: string | undefined): ExportFormat {
  const ending = out === undefined ? undefined : /\.(\w+)$/.exec(out)?.[1]?.toLowerCase();
  const name = given ?? (ending !== undefined && isExportFormat(ending) ? ending : 'csv');
  if (isExportFormat(name)) return name;
  throw new UsageError(`There is no format "${name}"; there are ${Object.keys(EXPORT_FORMATS).join(', ')}.`);
}

async function toStdout(chunks: AsyncIterable<Uint8Array>, { out }: Context): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    await out.write(chunk);
  }
  return bytes;
}

/** The file has its name when it is whole; what a failure left is removed. */
async function toFile(chunks: AsyncIterable<Uint8Array>, target: string): Promise<number> {
  const unfinished = `${target}.unfinished`;
  const stream = createWriteStream(unfinished);
  const done = finished(stream);
  done.catch(() => {});
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      // A stream that failed calls back, too.
      await new Promise<void>((resolve, reject) => {
        stream.write(chunk, (error) => (error ? reject(cannotWrite(target, error)) : resolve()));
      });
    }
    stream.end();
    await done;
    await rename(unfinished, target);
    return bytes;
  } catch (thrown) {
    stream.destroy();
    await rm(unfinished, { force: true });
    throw thrown instanceof XylemError ? thrown : cannotWrite(target, thrown);
  }
}

function cannotWrite(target: string, cause: unknown): XylemError {
  return new XylemError({ code: 'IO', message: `"${target}" cannot be written.`, cause });
}
