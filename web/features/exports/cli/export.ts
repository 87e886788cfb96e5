import { basename } from 'node:path';
import type { TreeInfo } from '../../../api/api';
import type { ExportFormat } from '../../../api/export';
import { toXylemError } from '../../../base/errors';
import { formatBytes, formatCount } from '../../../base/format';
import { isGlob } from '../../../base/glob';
import { asOption, chosenEntries, UsageError } from '../../../cli/arguments';
import { command, type Given } from '../../../cli/command';
import {
  type Context,
  type OpenFile,
  progressLine,
  refuseTerminal,
  tellPartial,
  withFile,
} from '../../../cli/context';
import { friendOptions, languageOptions, openFriends, rulesOf, seedOf } from '../../../cli/expressions';
import {
  branchesOption,
  CHAIN_TEXT,
  commonOptions,
  entryOptions,
  forceOption,
  type Options,
  valued,
} from '../../../cli/options';
import { commandTool } from '../../../cli/tool';
import { type ChosenTree, withTree } from '../../../cli/trees';
import { parseCodec } from '../../../core/compression';
import { COMPRESSIONS } from '../../../core/encoder';
import {
  FORMATS,
  formatNamed,
  formatsHelp,
  isExportFormat,
  isRootFormat,
  ROOT_FORMATS,
  type RootFormat,
} from '../../../export/formats';
import { chooseBranches } from '../../../model/choose';
import { chooseEntries, countOf } from '../../../model/entry-choice';
import type { Put } from '../../../sinks/node-save-file';
import { columnsCost } from '../../../verbs/branches-cost';
import { COLUMNS, CUT, ENTRIES, TREE } from '../../../verbs/params';
import { treeOf } from '../../../verbs/trees';
import { exportTree } from '../work/export-tree';

const options = {
  format: valued('F', 'one of those below; default: by the ending of OUT, and csv where it has none', {
    choices: [...Object.keys(FORMATS), ...Object.keys(ROOT_FORMATS)],
  }),
  compression: valued('C', 'of Parquet: zstd, snappy or none; default zstd', { choices: COMPRESSIONS }),
  codec: valued('CODEC', 'of ROOT files: zstd:5, the default, lz4:4, zlib:1, lzma:5, or none'),
  ...branchesOption,
  cut: valued('CUT', 'only entries for which CUT is not 0'),
  ...entryOptions,
  ...friendOptions,
  ...languageOptions,
  out: valued('OUT', 'the file to write; default stdout', { short: 'o', keeps: true }),
  ...forceOption,
  ...commonOptions,
} as const satisfies Options;

type ExportGiven = Given<typeof options>;

export const exportCommand = command({
  usage: ['FILE [TREE] [EXPR…]'],
  about: `Writes entries of a tree in another format. The tree is read in blocks while it is written, so that it
may be larger than memory. With expressions (TTree::Draw's, each a column; "a:b" are two) these are
written: what has several values in an entry is a list, what has none is missing. Branches of friends
are named as expressions name them.
${CHAIN_TEXT}`,
  examples: [
    ['sample.root Events --format parquet --out events.parquet', 'a tree as Parquet'],
    ["sample.root Events 'nMuon:Muon_pt[0]' --cut 'nMuon>1' --format csv", 'expressions with a cut as CSV'],
  ],
  options,
  notes: `Formats:
${formatsHelp(18)}
  root, rntuple   a TTree or an RNTuple in a new ROOT file; needs -o OUT. Characters of names that ROOT's
                  expressions cannot hold become _, and a name that occurs again is numbered (NAME_2)

OUT has its name when it is whole; a file of that name is kept unless --force is given, and a device or a pipe is
written through.`,
  json: `with -o OUT, a summary on stdout: {"format", "entries", "branches", "bytes", "out"};
entries only without --cut.`,
  tool: commandTool({
    title: 'Write entries in another format',
    description:
      'Writes entries of a tree to a new CSV, JSON Lines, Arrow, Parquet, NumPy or ROOT file, by the ending of its name.',
    params: { tree: TREE, columns: COLUMNS, cut: CUT, entries: ENTRIES },
    writes: true,
    cost: (input, file, call) => call.withFile(file, (open) => columnsCost(open, input, call)),
    async line({ tree, columns, cut, entries }, { file, output }, call) {
      const path = await call.withFile(file, (open) => treeOf(open, tree));
      const areBranches = columns.every((name) => /^[\w./*?]+$/.test(name));
      return {
        options: { json: true, out: output, cut, entries, ...(areBranches && { branches: columns }) },
        words: [file, path, ...(areBranches ? [] : columns)],
      };
    },
  }),
  async run(given, [file = '', ...words], context) {
    const out = given.out === '-' ? undefined : given.out;
    const format = formatOf(given.format, out);
    if (given.compression !== undefined && format !== 'parquet')
      throw new UsageError(
        '--compression is for Parquet; ROOT files have --codec, and others are not compressed.',
      );
    if (given.codec !== undefined && !isRootFormat(format))
      throw new UsageError('--codec is for ROOT files.');
    asOption('codec', () => given.codec !== undefined && parseCodec(given.codec));
    if (isRootFormat(format) && out === undefined) throw new UsageError('A ROOT file needs -o OUT.');
    if (given.json && out === undefined) throw new UsageError('--json needs -o OUT: stdout has the data.');
    return await withFile(file, given, context, (open) =>
      withTree(open, words, undefined, (chosen) =>
        exportChosen(open, chosen, { given, format, out }, context),
      ),
    );
  },
});

interface Job {
  given: ExportGiven;
  format: ExportFormat | RootFormat;
  out: string | undefined;
}

async function exportChosen(
  file: OpenFile,
  { path, rest: expressions }: ChosenTree,
  { given, format, out }: Job,
  context: Context,
): Promise<number> {
  if (expressions.length > 0 && given.branches) throw new UsageError('Take expressions, or --branches.');
  const { info: tree } = await file.tree(path);
  const ofFriends = given.branches && namesOfFriends(tree, given.branches, given.friend !== undefined);
  const named = ofFriends ?? expressions;
  const columns = named.length > 0 ? named.join(':') : undefined;
  const branches = columns === undefined ? chooseBranches(tree, given.branches) : [];
  const entries = await chosenEntries(given, tree.entries);
  const progress = progressLine(context);
  const request = {
    tree: path,
    ...(columns === undefined ? { branches: branches.map(({ index }) => index) } : { columns }),
    cut: given.cut,
    entries,
    friends: await openFriends(file, path, given, context),
    rootVersion: rulesOf(given),
    seed: seedOf(given),
  };
  const write = async (): Promise<number> => {
    if (isRootFormat(format)) {
      const { saveTree } = await import('./save-tree');
      const how = { codec: given.codec, format, force: given.force };
      return saveTree(out ?? '', file, request, how, { onProgress: progress.show });
    }
    const compression = COMPRESSIONS.find((name) => name === given.compression);
    const whole = { ...request, format, compression, fileName: file.info.name };
    const chunks = exportTree(file.reader, file.info.id, whole, { onProgress: progress.show });
    return out === undefined ? toStdout(chunks, format, context) : toFile(chunks, out, given);
  };
  const bytes = await write().finally(progress.wipe);
  const choice = chooseEntries(entries, tree.entries);
  // The number of entries that pass a cut is not counted.
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
}

/**
 * Returns all names as expressions when some are not names of the tree, because they may be those of its
 * friends.
 */
function namesOfFriends(tree: TreeInfo, lists: readonly string[], given: boolean): string[] | undefined {
  if (!given && !tree.friends?.length) return undefined;
  try {
    chooseBranches(tree, lists);
    return undefined;
  } catch (thrown) {
    if (toXylemError(thrown).code !== 'NOT_FOUND') throw thrown;
  }
  const names = lists.flatMap((list) => list.split(',')).map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .flatMap((name) => (isGlob(name) ? chooseBranches(tree, [name]).map(({ path }) => path) : [name]));
}

function formatOf(given: string | undefined, out: string | undefined): Job['format'] {
  const ending = out === undefined ? undefined : /\.(\w+)$/.exec(basename(out))?.[1]?.toLowerCase();
  const name = given ?? ending ?? 'csv';
  if (isExportFormat(name) || isRootFormat(name)) return name;
  const known = Object.keys(FORMATS).join(', ');
  throw new UsageError(`No format has the ending ".${ending}": there are ${known}, root. Or take --format.`);
}

/** Unchanged; on a terminal, control characters of texts are shown as dots, as in all commands. */
async function toStdout(
  chunks: AsyncIterable<Uint8Array>,
  format: ExportFormat,
  { out }: Context,
): Promise<number> {
  if (!formatNamed(format).isText) refuseTerminal(out);
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (!out.isTerminal) await out.write(chunk);
    else {
      out.put(decoder.decode(chunk, { stream: true }));
      await out.drain();
    }
  }
  return bytes;
}

/** The file gets its name when it is complete; an incomplete file is removed. */
async function toFile(
  chunks: AsyncIterable<Uint8Array>,
  target: string,
  { force }: { force?: boolean | undefined },
): Promise<number> {
  const { saveFile } = await import('../../../sinks/node-save-file');
  const save = async (put: Put): Promise<number> => {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      await put(chunk);
    }
    return bytes;
  };
  return await saveFile(target, save, { replaces: force ? 'all' : 'nothing' });
}
