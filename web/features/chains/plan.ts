import { partialNotes } from '../../api/partial-notes';
import { eachAfterFirst } from '../../base/each-of';
import { argumentError, toXylemError } from '../../base/errors';
import { formatBytes, formatCount } from '../../base/format';
import { shellWord } from '../../base/literal';
import { needed, optional, TEXT, whole } from '../../base/shape';
import { chooseBranches } from '../../model/choose';
import { cutTasks, type TaskInput, type TaskSource, taskSourceOf, uncut } from '../../reads/cut-tasks';
import { column, type Report } from '../../report/report';
import { BRANCHES, SAMPLES } from '../../verbs/params';
import { type VerbCall, type VerbInput, verb } from '../../verbs/verb';
import type { FailedInput } from './work/partial';

interface Task {
  number: number;
  inputs: { file: string; tree: string; entries?: [number, number]; sample?: string }[];
  entries: number;
  bytes: number;
  /** The list of its inputs, and the command line that reads it. */
  list?: string;
  command?: string;
}

interface Plan {
  tree: string;
  tasks: Task[];
  failed: FailedInput[];
  files: number;
  entries: number;
  bytes: number;
}

const COLUMNS = [
  column<Task>('task', 'Task', 'count', ({ number }) => number),
  column<Task>('inputs', 'Inputs', 'count', ({ inputs }) => inputs.length),
  column<Task>('entries', 'Entries', 'count', ({ entries }) => entries),
  column<Task>('stored', 'Stored', 'bytes', ({ bytes }) => bytes),
];

export const plan = verb({
  name: 'plan',
  words: '[FILES] TREE',
  about: `Cuts the entries of a tree in many files into tasks of nearly equal size, from the metadata of the files alone.
A task is a list of whole files and of whole clusters, which draw and process read: "xylem draw @LIST … --partial OUT". FILES is a quoted
pattern ('run*.root'), a list (a.root,b.root), or a text file of paths and URLs (@list.txt); with --samples it may be left out.`,
  examples: [
    ['sample.root Events --tasks 4', 'tasks of equal size'],
    [
      "sample.root Events --tasks 4 --out tasks --draw 'Muon_pt --hist 50,0,100'",
      'command lines that each draw a part',
    ],
  ],
  params: {
    files: optional(TEXT, 'FILES', 'Paths and addresses of ROOT files.'),
    tree: needed(TEXT, 'TREE', 'Path of the tree.'),
    tasks: optional(whole(1, 1_000_000), 'N', 'number of tasks, at most; default 10'),
    branches: BRANCHES,
    out: optional(
      TEXT,
      'FOLDER',
      'write a list for each task, task-0001.txt and so on, and print the command line that reads each',
    ),
    draw: optional(
      TEXT,
      'WORDS',
      `with --out, what the command lines draw, as a shell reads it: "Muon_pt 'nMuon==2' --hist 50,0,100"`,
    ),
    process: optional(
      TEXT,
      'WORDS',
      'with --out, the selector that the command lines run, and its options: "zpeak.mjs --set low=60". It is copied beside the ' +
        'lists, with all that it imports and reads',
    ),
    samples: SAMPLES,
    jobs: optional(whole(1, 64), 'N', 'files that are read at once; default 16'),
  },
  notes: 'By --branches tasks have equal bytes of these branches; without it, of all branches.',
  json: `{"tree", "tasks": [{"number", "inputs": [{"file", "tree", "entries"}, …], "entries", "bytes", "list", "command"},
…], "failed": [{"file", "tree", "error": {"code", "message", "fix"}}, …], "files", "entries", "bytes"}; "entries" of an input is
left out for a whole file, "list" and "command" without --out; with --samples it has "sample", too.`,
  exit: '0 every file was read, 1 some were not: they are in no task; 2 the command line was not understood.',
  wrong({ files, samples, out, draw, process }) {
    if (files === undefined && samples === undefined) return 'TREE is missing.';
    if (draw !== undefined && process !== undefined) return 'Take --draw or --process, not both.';
    const words = draw === undefined ? '--process' : '--draw';
    return (draw ?? process) !== undefined && out === undefined ? `${words} goes with --out.` : undefined;
  },
  async run({ files, tree, tasks: count = 10, jobs = 16, branches, samples, ...asked }, call): Promise<Plan> {
    const inputs = await call.inputs(files, tree, samples);
    const { sources, failed } = await readSources(inputs, { jobs, branches }, call);
    const cut = cutTasks(
      sources.map(({ source }) => source),
      count,
    );
    const tasks = cut.map((task, i) => taskOf(i + 1, task, sources));
    if (asked.out !== undefined) {
      const lists = await call.saveLists(
        asked.out,
        tasks.map((task) => task.inputs),
      );
      const words =
        asked.process === undefined ? undefined : await call.saveSelector(asked.process, asked.out, inputs);
      for (const [i, list] of lists.entries()) {
        const command = commandOf(list, { tree, samples, draw: asked.draw, process: words });
        Object.assign(tasks[i] ?? {}, { list, command });
      }
    }
    const total = (name: 'entries' | 'bytes') => tasks.reduce((sum, task) => sum + task[name], 0);
    return { tree, tasks, failed, files: sources.length, entries: total('entries'), bytes: total('bytes') };
  },
  report: planReport,
  script: ({ tasks }, { out }) =>
    out === undefined ? undefined : tasks.flatMap(({ command }) => command ?? []),
  status: ({ failed }) => (failed.length > 0 ? 1 : 0),
});

function planReport({ tasks, failed, files, entries, bytes }: Plan): Report {
  const errors = failed.map(({ file, error: { code, message } }) => ({
    code,
    message: message.includes(file) ? message : `${file}: ${message}`,
  }));
  const partial =
    failed.length > 0 ? { failed: failed.length, total: files + failed.length, errors } : undefined;
  return {
    title: `${formatCount(tasks.length)} tasks, ${formatCount(files)} files, ${formatCount(entries)} entries, ${formatBytes(bytes)}`,
    tables: [{ id: 'tasks', columns: COLUMNS, rows: tasks }],
    notes: partialNotes(partial, 'files'),
  };
}

interface AskedLines {
  tree: string;
  samples?: string | undefined;
  draw?: string | undefined;
  process?: string | undefined;
}

/** The command line that reads a list. */
function commandOf(list: string, { tree, samples, draw, process }: AskedLines): string {
  const inputs = `${shellWord(`@${list}`)} ${shellWord(tree)}`;
  const sampled = samples === undefined ? '' : `--samples ${shellWord(samples)} `;
  const what =
    process === undefined
      ? `draw ${inputs} ${draw ?? 'EXPR --hist BINS,LOW,HIGH'}`
      : `process ${process} ${sampled}${inputs}`;
  return `xylem ${what} --partial ${shellWord(list.replace(/txt$/, 'json'))}`;
}

interface ReadSource {
  input: VerbInput;
  source: TaskSource;
}

/** Reads the clusters of each file; the order is that of the inputs. */
async function readSources(
  inputs: readonly VerbInput[],
  { jobs, branches }: { jobs: number; branches: readonly string[] | undefined },
  { signal, onProgress }: VerbCall,
): Promise<{ sources: ReadSource[]; failed: FailedInput[] }> {
  const found: (ReadSource | undefined)[] = [];
  const failed: FailedInput[] = [];
  let done = 0;
  await eachAfterFirst([...inputs.entries()], jobs, signal, async ([i, input]) => {
    const { file, tree } = input;
    try {
      if (input.entries) throw argumentError('A plan cuts whole files; leave out the range of entries.');
      const layout = await input.open(({ reader, info }) => reader.layout(info.id, tree, { signal }));
      const chosen = branches && new Set(chooseBranches(layout.tree, branches).map(({ index }) => index));
      const source = taskSourceOf(layout, (branch) => chosen?.has(branch) ?? true);
      found[i] = { input, source: input.whole ? uncut(source) : source };
    } catch (thrown) {
      const { code, message, fix } = toXylemError(thrown);
      failed.push({ file, tree, error: { code, message, ...(fix !== undefined && { fix }) } });
    }
    done += 1;
    const bad = failed.length > 0 ? `, ${formatCount(failed.length)} failed` : '';
    onProgress?.({
      label: `${formatCount(done)} of ${formatCount(inputs.length)} files${bad}`,
      ...{ bytesDone: 0, bytesTotal: 0, entriesDone: done, entriesTotal: inputs.length },
    });
  });
  return { sources: found.filter((one) => one !== undefined), failed };
}

function taskOf(number: number, task: readonly TaskInput[], sources: readonly ReadSource[]): Task {
  return {
    number,
    inputs: task.flatMap(({ source, entries, whole }) => {
      const input = sources[source]?.input;
      if (!input) return [];
      const { name: file, tree, sample } = input;
      return [{ file, tree, ...(!whole && { entries }), ...(sample && { sample: sample.name }) }];
    }),
    entries: task.reduce((sum, { entries: [from, to] }) => sum + to - from, 0),
    bytes: task.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
