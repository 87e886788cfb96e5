import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { eachAfterFirst } from '../../../base/each-of';
import { toXylemError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import { Dataset, type DatasetFile } from '../../../insight/dataset/dataset';
import { datasetFacts, type FactsAsked } from '../../../insight/dataset/dataset-facts';
import { filesReport } from '../../../insight/dataset/dataset-report';
import { KnownFiles, parseKnownFiles } from '../../../insight/dataset/dataset-text';
import { contentChanged } from '../../../measure/partial/partial';
import { readTrees } from '../../../measure/partial/read-inputs';
import { parseWhole } from '../../arguments';
import { command } from '../../command';
import { type Context, writeText } from '../../context';
import { filesOptions, flag, valued } from '../../options';
import { reportLines } from '../../terminal/report';
import { fileCounter, type Input, identityOf, inputsOf, saver, untilSignal } from './inputs';

export const dataset = command({
  usage: ['FILES [TREE]'],
  about: `Compares many files that belong together, from their metadata: entries and clusters of their trees, branches
that are missing or have another type in some of them, files that occur twice, luminosity blocks that several files have
entries of, codecs, the versions of ROOT that wrote them, damage, and files whose size stands out. FILES is a quoted pattern ('run*.root'), a list (a.root,b.root), or a text
file of paths and URLs (@list.txt). TREE limits this to one tree.`,
  options: {
    deep: flag('read every file to its last byte, as "xylem check" does'),
    resume: valued(
      'FILE',
      'go on from what this file says where it exists: only files that it lacks, that changed or that failed are read; ' +
        'it is written again',
      { updated: true },
    ),
    jobs: valued('N', 'files that are read at once; default 8'),
    ...filesOptions,
  },
  json: `{"files", "failed", "bytes", "writers": {"6.36/00": files}, "codecs": {"zstd 5": files}, "trees": [{"path",
"files", "entries", "clusters", "storedBytes", "schemas": [{"files", "names": […], "branches", "missing": […],
"added": […], "types": [{"branch", "type", "usual"}, …]}, …]}, …], "findings": [{"rule", "severity", "message",
"files": […], "count"}, …]}; the first of the schemas is the one that most files have. "rule" is unreadable, no-tree,
schema, duplicate, damage, overlap, empty or size, "severity" error or note.`,
  exit: '0 the files fit together, 1 they do not or some cannot be read, 2 the command line was not understood.',
  async run(given, [target = '', tree], context) {
    const jobs = parseWhole(given.jobs ?? '8', '--jobs', 1, 64);
    const inputs = await inputsOf(target, tree ?? '', given, context);
    const asked = { tree: tree ?? '', deep: given.deep === true };
    const all = new Dataset(tree);
    const left = await readAll(all, inputs, { asked, jobs, resume: given.resume }, context);
    if (left > 0) {
      const total = formatCount(inputs.length);
      context.err.line(
        `interrupted: ${formatCount(left)} of ${total} files were not read; "--resume ${given.resume}" reads them`,
      );
      return 1;
    }
    const report = all.report();
    if (given.json) context.out.line(JSON.stringify(report));
    else for (const line of reportLines(filesReport(report))) context.out.line(line);
    return report.findings.some(({ severity }) => severity === 'error') ? 1 : 0;
  },
});

interface ReadAll {
  asked: FactsAsked;
  jobs: number;
  /** Where the facts are kept for another run. */
  resume: string | undefined;
}

/** Adds all files. Returns how many were not read because the process shall end, which is so only where facts are kept. */
async function readAll(
  all: Dataset,
  inputs: readonly Input[],
  { asked, jobs, resume }: ReadAll,
  context: Context,
): Promise<number> {
  const known =
    resume !== undefined && existsSync(resume)
      ? parseKnownFiles(await readFile(resume, 'utf8'), resume, asked)
      : new KnownFiles(asked);
  const save = resume === undefined ? undefined : saver(resume, async () => known.text());
  const counter = fileCounter(inputs.length, context);
  /** In the order of the list: the report does not depend on which file was read first. */
  const found: (() => void)[] = [];
  let done = 0;
  let failed = 0;
  const ending = resume === undefined ? undefined : untilSignal();
  try {
    await eachAfterFirst([...inputs.entries()], jobs, ending?.signal, async ([i, input], go) => {
      try {
        const facts = await factsOf(input, asked, known, context, { signal: ending?.signal, go });
        found[i] = () => all.add(facts);
      } catch (thrown) {
        const { code, message } = toXylemError(thrown);
        if (code === 'ABORTED') return;
        failed += 1;
        found[i] = () => all.addFailed(input.file, message);
      }
      done += 1;
      counter.show(done, failed);
      await save?.();
    });
    await counter.wipe();
  } finally {
    ending?.stop();
  }
  for (const add of found) add?.();
  if (resume !== undefined) await writeText(resume, known.text(), context, 'text');
  return inputs.length - done;
}

/** The facts that are known of a file that did not change, else those that it has now. `go` is called when its trees are read. */
async function factsOf(
  input: Input,
  asked: FactsAsked,
  known: KnownFiles,
  context: Context,
  { signal, go }: { signal: AbortSignal | undefined; go: (() => void) | undefined },
): Promise<DatasetFile> {
  const before = known.get(input);
  if (before && !contentChanged(before.identity, await identityOf(input, context))) return before.facts;
  const file = await context.open(input.source);
  try {
    const wanted = { ...asked, tree: input.tree };
    if (go) {
      await readTrees(file, input.tree, signal);
      go();
    }
    const facts = await datasetFacts(file.reader, file.info, input.file, wanted, { signal });
    const { size, uuid, validator } = file.info;
    known.set({ input, identity: { size, uuid, validator }, facts });
    return facts;
  } finally {
    await file.close();
  }
}
