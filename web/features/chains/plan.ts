import { partialNotes } from '../../api/partial-notes';
import { eachAfterFirst, eachOf } from '../../base/each-of';
import { argumentError, toXylemError } from '../../base/errors';
import { formatBytes, formatCount } from '../../base/format';
import { shellWord } from '../../base/literal';
import { flag, needed, optional, TEXT, whole } from '../../base/shape';
import { chooseBranches } from '../../model/choose';
import { cutTasks, type TaskInput, type TaskSource, taskSourceOf, uncut } from '../../reads/cut-tasks';
import { column, type Report } from '../../report/report';
import { BRANCHES, SAMPLES } from '../../verbs/params';
import { type VerbCall, type VerbInput, verb } from '../../verbs/verb';
import type { FailedInput } from './work/partial';

interface Task {
  number: number;
  inputs: { file: string; tree: string; entries?: [number, number]; sample?: string }[];
  /** Undefined if some of its files were not opened. */
  entries: number | undefined;
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
  entries: number | undefined;
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
    bySize: flag(
      'count files by their sizes: local files that are small beside a task are not opened, so that a task may have files that ' +
        'cannot be read',
    ),
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
  notes: `By --branches tasks have equal bytes of these branches; without it, of all branches. With --by-size files are opened until
one has the tree, and those that are larger than half a task.`,
  json: `{"tree", "tasks": [{"number", "inputs": [{"file", "tree", "entries"}, …], "entries", "bytes", "list", "command"},
…], "failed": [{"file", "tree", "error": {"code", "message", "fix"}}, …], "files", "entries", "bytes"}; "entries" of an input is
left out for a whole file, "list" and "command" without --out; with --samples it has "sample", too. "entries" of tasks with files that
were not opened (--by-size), and of such a plan, are left out.`,
  exit: '0 every file was read, 1 some were not: they are in no task; 2 the command line was not understood.',
  wrong({ files, samples, out, draw, process }) {
    if (files === undefined && samples === undefined) return 'TREE is missing.';
    if (draw !== undefined && process !== undefined) return 'Take --draw or --process, not both.';
    const words = draw === undefined ? '--process' : '--draw';
    return (draw ?? process) !== undefined && out === undefined ? `${words} goes with --out.` : undefined;
  },
  async run(
    { files, tree, tasks: count = 10, jobs = 16, branches, samples, bySize, ...asked },
    call,
  ): Promise<Plan> {
    const inputs = await call.inputs(files, tree, samples);
    const { sources, failed } = await readSources(
      inputs,
      { jobs, branches, tasks: bySize ? count : undefined },
      call,
    );
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
    const bytes = tasks.reduce((sum, task) => sum + task.bytes, 0);
    return {
      tree,
      tasks,
      failed,
      files: sources.length,
      entries: sumOf(tasks.map((task) => task.entries)),
      bytes,
    };
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
    title: `${formatCount(tasks.length)} tasks, ${formatCount(files)} files, ${entries === undefined ? '' : `${formatCount(entries)} entries, `}${formatBytes(bytes)}`,
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

/** The sum of counts; undefined if one of them is. */
function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce<number | undefined>(
    (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
    0,
  );
}

interface ReadSource {
  input: VerbInput;
  source: TaskSource;
  /** Whether the file was opened. */
  isRead: boolean;
}

interface Reading {
  jobs: number;
  branches: readonly string[] | undefined;
  /** Number of tasks if files count by their sizes. */
  tasks: number | undefined;
}

/** A file that is not opened counts as one cluster. */
const unread = (size: number): TaskSource => ({
  entries: 0,
  starts: Float64Array.of(0),
  bytes: Float64Array.of(size),
});

/** The same clusters with bytes that add up to the size of their file. */
function asSize({ entries, starts, bytes }: TaskSource, size: number): TaskSource {
  const total = bytes.reduce((sum, one) => sum + one, 0);
  return { entries, starts, bytes: bytes.map((one) => Math.round((one * size) / Math.max(1, total))) };
}

/** Reads the clusters of each file; the order is that of the inputs. */
async function readSources(
  inputs: readonly VerbInput[],
  { jobs, branches, tasks }: Reading,
  { signal, onProgress }: VerbCall,
): Promise<{ sources: ReadSource[]; failed: FailedInput[] }> {
  const sizes: (number | undefined)[] = [];
  if (tasks !== undefined)
    await eachOf([...inputs.entries()], 64, signal, async ([i, one]) => {
      sizes[i] = await one.localSize();
    });
  const half = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) / (2 * (tasks ?? 1));
  // A tree or a branch that no file has is an error of the plan.
  let isTried = false;
  const found: (ReadSource | undefined)[] = [];
  const failed: FailedInput[] = [];
  let done = 0;
  await eachAfterFirst([...inputs.entries()], jobs, signal, async ([i, input]) => {
    const { file, tree } = input;
    const size = sizes[i];
    try {
      if (input.entries) throw argumentError('A plan cuts whole files; leave out the range of entries.');
      if (isTried && size !== undefined && size <= half) {
        found[i] = { input, source: unread(size), isRead: false };
      } else {
        const layout = await input.open(({ reader, info }) => reader.layout(info.id, tree, { signal }));
        const chosen = branches && new Set(chooseBranches(layout.tree, branches).map(({ index }) => index));
        const source = taskSourceOf(layout, (branch) => chosen?.has(branch) ?? true);
        const counted = size === undefined ? source : asSize(source, size);
        found[i] = { input, source: input.whole ? uncut(counted) : counted, isRead: true };
        isTried = true;
      }
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
    entries: sumOf(
      task.map(({ source, entries: [from, to] }) => (sources[source]?.isRead ? to - from : undefined)),
    ),
    bytes: task.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
