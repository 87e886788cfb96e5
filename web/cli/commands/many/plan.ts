import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { eachAfterFirst } from '../../../base/each-of';
import { argumentError, toXylemError } from '../../../base/errors';
import { formatBytes, formatCount } from '../../../base/format';
import { ioError } from '../../../base/io-error';
import { shellWord } from '../../../base/literal';
import { cutTasks, type TaskInput, type TaskSource, taskSourceOf, uncut } from '../../../insight/cut-tasks';
import type { FailedInput } from '../../../measure/partial/partial';
import { chooseBranches } from '../../../model/choose';
import { parseWhole, UsageError } from '../../arguments';
import { command } from '../../command';
import type { Context } from '../../context';
import { fileCounter, type Input, inputsOf, tellFailed } from '../../inputs';
import { branchesOption, filesOptions, valued } from '../../options';
import type { SourceOptions } from '../../targets';
import { right, tableLines } from '../../terminal/table';
import { listLine } from './list-line';
import { samplesOption } from './samples-option';

export const plan = command({
  usage: ['[FILES] TREE'],
  about: `Cuts the entries of a tree in many files into tasks of nearly equal size, from the metadata of the files alone.
A task is a list of whole files and of whole clusters, which draw and process read: "xylem draw @LIST … --partial OUT". FILES is a quoted
pattern ('run*.root'), a list (a.root,b.root), or a text file of paths and URLs (@list.txt); with --samples it may be left out.`,
  options: {
    tasks: valued('N', 'number of tasks, at most; default 10'),
    ...branchesOption,
    out: valued(
      'FOLDER',
      'write a list for each task, task-0001.txt and so on, and print the command line that reads each',
    ),
    draw: valued(
      'WORDS',
      `with --out, what the command lines draw, as a shell reads it: "Muon_pt 'nMuon==2' --hist 50,0,100"`,
    ),
    process: valued(
      'WORDS',
      'with --out, the selector that the command lines run, and its options: "zpeak.mjs --set low=60"',
    ),
    ...samplesOption,
    jobs: valued('N', 'files that are read at once; default 16'),
    ...filesOptions,
  },
  notes: 'By --branches tasks have equal bytes of these branches; without it, of all branches.',
  json: `{"tree", "tasks": [{"number", "inputs": [{"file", "tree", "entries"}, …], "entries", "bytes", "list", "command"},
…], "failed": [{"file", "tree", "error": {"code", "message"}}, …], "files", "entries", "bytes"}; "entries" of an input is
left out for a whole file, "list" and "command" without --out; with --samples it has "sample", too.`,
  exit: '0 every file was read, 1 some were not: they are in no task; 2 the command line was not understood.',
  async run(given, named, context) {
    const alone = given.samples !== undefined && named.length === 1;
    if (!alone && named.length === 1) throw new UsageError('TREE is missing.');
    const [target = '', tree = ''] = alone ? ['', ...named] : named;
    if (given.draw !== undefined && given.process !== undefined)
      throw new UsageError('Take --draw or --process, not both.');
    const count = parseWhole(given.tasks ?? '10', '--tasks', 1, 1_000_000);
    const jobs = parseWhole(given.jobs ?? '16', '--jobs', 1, 64);
    const chosen = alone ? [] : await inputsOf(target, tree, given, context);
    const inputs =
      given.samples === undefined ? chosen : await sampled(given.samples, chosen, tree, given, context);
    const { sources, failed } = await readSources(inputs, jobs, given.branches, context);
    const tasks = cutTasks(
      sources.map(({ source }) => source),
      count,
    ).map((task, i) => shownTask(i + 1, task, sources));
    const { out } = given;
    const lists = out === undefined ? [] : await writeLists(resolve(out), tasks, context);
    const samples = given.samples === undefined ? '' : `--samples ${shellWord(given.samples)} `;
    const lines = lists.map((list) => {
      const inputs = `${shellWord(`@${list}`)} ${shellWord(tree)}`;
      const what =
        given.process === undefined
          ? `draw ${inputs} ${given.draw ?? 'EXPR --hist BINS,LOW,HIGH'}`
          : `process ${given.process} ${samples}${inputs}`;
      return `xylem ${what} --partial ${shellWord(list.replace(/txt$/, 'json'))}`;
    });
    const total = (name: 'entries' | 'bytes'): number => tasks.reduce((sum, task) => sum + task[name], 0);
    if (given.json) {
      const more = (i: number) => (lists[i] === undefined ? {} : { list: lists[i], command: lines[i] });
      const all = tasks.map((task, i) => ({ ...task, ...more(i) }));
      const sums = { files: sources.length, entries: total('entries'), bytes: total('bytes') };
      context.out.line(JSON.stringify({ tree, tasks: all, failed, ...sums }));
    } else if (out === undefined) {
      const rows = tasks.map(({ number, inputs: list, entries, bytes }) => [
        ...[number, list.length, entries].map(formatCount),
        formatBytes(bytes),
      ]);
      const columns = ['Task', 'Inputs', 'Entries', 'Stored'].map(right);
      for (const line of tableLines(columns, rows)) context.out.line(line);
    } else for (const line of lines) context.out.line(line);
    context.err.line(
      `${formatCount(tasks.length)} tasks, ${formatCount(sources.length)} files, ${formatCount(total('entries'))} entries, ${formatBytes(total('bytes'))}`,
    );
    return tellFailed(failed, inputs.length, context);
  },
});

/** The inputs with their samples, all of these where none was chosen. */
async function sampled(
  path: string,
  chosen: readonly Input[],
  tree: string,
  given: SourceOptions,
  context: Context,
): Promise<PlannedInput[]> {
  const { readSamples, withSamples } = await import('./samples');
  const { needsWhole } = await import('../../../measure/partial/samples');
  const list = await readSamples(path, tree, given, context);
  const whole = new Set(list.samples.filter(needsWhole).map(({ name }) => name));
  const inputs = chosen.length > 0 ? withSamples(chosen, list, path) : list.inputs;
  return inputs.map((input) => ({ ...input, whole: whole.has(input.sample) }));
}

/** A file, the sample that it belongs to, and whether it must not be cut. */
type PlannedInput = Input & { sample?: string; whole?: boolean };

interface ReadSource {
  input: PlannedInput;
  source: TaskSource;
}

/** Reads the clusters of each file; the order is that of the inputs. */
async function readSources(
  inputs: readonly PlannedInput[],
  jobs: number,
  branches: string[] | undefined,
  context: Context,
): Promise<{ sources: ReadSource[]; failed: FailedInput[] }> {
  const found: (ReadSource | undefined)[] = [];
  const failed: FailedInput[] = [];
  const counter = fileCounter(inputs.length, context);
  let done = 0;
  await eachAfterFirst([...inputs.entries()], jobs, undefined, async ([i, input]) => {
    const { file, tree } = input;
    try {
      if (input.entries) throw argumentError('A plan cuts whole files; leave out the range of entries.');
      const open = await context.open(input.source);
      try {
        const layout = await open.reader.layout(open.info.id, tree);
        const chosen = branches && new Set(chooseBranches(layout.tree, branches).map(({ index }) => index));
        const source = taskSourceOf(layout, (branch) => chosen?.has(branch) ?? true);
        found[i] = { input, source: input.whole ? uncut(source) : source };
      } finally {
        await open.close();
      }
    } catch (thrown) {
      const { code, message } = toXylemError(thrown);
      failed.push({ file, tree, error: { code, message } });
    }
    done += 1;
    counter.show(done, failed.length);
  });
  await counter.wipe();
  return { sources: found.filter((one) => one !== undefined), failed };
}

interface ShownTask {
  number: number;
  inputs: { file: string; tree: string; entries?: [number, number]; sample?: string }[];
  entries: number;
  bytes: number;
}

function shownTask(number: number, task: readonly TaskInput[], sources: readonly ReadSource[]): ShownTask {
  return {
    number,
    inputs: task.flatMap(({ source, entries, whole }) => {
      const input = sources[source]?.input;
      if (!input) return [];
      const { name: file, sample } = input;
      return [
        { file, tree: input.tree, ...(!whole && { entries }), ...(sample !== undefined && { sample }) },
      ];
    }),
    entries: task.reduce((sum, { entries: [from, to] }) => sum + to - from, 0),
    bytes: task.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Writes a list for each task. Returns their paths. Throws IO and ARGUMENT, and UsageError where a list would replace an input. */
async function writeLists(
  folder: string,
  tasks: readonly ShownTask[],
  { files }: Context,
): Promise<string[]> {
  const { saveFile } = await import('../../../write/file/node-save-file');
  await mkdir(folder, { recursive: true }).catch((thrown: unknown) => {
    throw ioError(`The folder "${folder}" cannot be made`, thrown, folder);
  });
  const lists: string[] = [];
  for (const { number, inputs } of tasks) {
    const list = join(folder, `task-${String(number).padStart(4, '0')}.txt`);
    const lines = inputs.map(listLine).join('');
    await files.addOutput(list, { word: '--out', replaces: 'others' });
    await saveFile(list, (put) => put(lines));
    lists.push(list);
  }
  return lists;
}
