import { argumentError, XylemError } from '../../base/errors';
import { formatCount } from '../../base/format';
import { either, flag, listOf, needed, optional, type Shape, TEXT, whole } from '../../base/shape';
import { type KeptText, type VerbCall, type VerbInput, verb } from '../../verbs/verb';
import { wholeCost } from '../../verbs/whole-cost';
import { contentChanged } from '../chains/work/partial';
import { type Compared, compareFiles } from './work/compare-files';
import type { DatasetReport } from './work/dataset';
import { filesReport } from './work/dataset-report';
import { KnownFiles, parseKnownFiles } from './work/dataset-text';

/** Several files: a name of all, or a list of names. */
const FILES: Shape<string | readonly string[]> = {
  ...either(TEXT, listOf(TEXT, undefined, 1)),
  parse: (word) => word,
};

export const dataset = verb({
  name: 'dataset',
  words: 'FILES [TREE]',
  about: `Compares many files that belong together, from their metadata: entries and clusters of their trees, branches
that are missing or have another type in some of them, files that occur twice, luminosity blocks that several files have
entries of, codecs, the versions of ROOT that wrote them, damage, and files whose size stands out. FILES is a quoted pattern ('run*.root'), a list (a.root,b.root), or a text
file of paths and URLs (@list.txt). TREE limits this to one tree.`,
  examples: [
    ["'*.root' Events", 'whether files fit together'],
    ["'*.root' Events --deep", 'also reads every basket'],
  ],
  params: {
    files: needed(FILES, 'FILES', 'A pattern such as runs/*.root, or a list of paths and addresses.'),
    tree: optional(TEXT, 'TREE', 'Only this tree.'),
    deep: flag('read every file to its last byte, as "xylem check" does'),
    resume: {
      ...optional(
        TEXT,
        'FILE',
        'go on from what this file says where it exists: only files that it lacks, that changed or that failed are read; ' +
          'it is written again',
      ),
      updated: true,
    },
    jobs: optional(whole(1, 64), 'N', 'files that are read at once; default 8'),
  },
  json: `{"files", "failed", "bytes", "writers": {"6.36/00": files}, "codecs": {"zstd 5": files}, "trees": [{"path",
"files", "entries", "clusters", "storedBytes", "schemas": [{"files", "names": […], "branches", "missing": […],
"added": […], "types": [{"branch", "type", "usual"}, …]}, …]}, …], "findings": [{"rule", "severity", "message",
"files": […], "count"}, …]}; the first of the schemas is the one that most files have. "rule" is unreadable, no-tree,
schema, duplicate, damage, overlap, empty or size, "severity" error or note.`,
  exit: '0 the files fit together, 1 they do not or some cannot be read, 2 the command line was not understood.',
  async run({ files, tree = '', deep = false, resume, jobs = 8 }, call): Promise<DatasetReport> {
    const inputs = (await Promise.all([files].flat().map((name) => call.inputs(name, tree)))).flat();
    if (inputs.some(({ entries }) => entries))
      throw argumentError('Whole files are compared; leave out the range of entries.');
    const asked = { tree, deep, jobs };
    if (resume === undefined) return await compared(inputs, asked, call);
    return await call.keepText(resume, (kept) => compared(inputs, asked, call, { ...kept, path: resume }));
  },
  report: filesReport,
  status: ({ findings }) => (findings.some(({ severity }) => severity === 'error') ? 1 : 0),
  tool: {
    title: 'Do files fit together?',
    description:
      'Compares many files that belong together: entries, branches that are missing or have another type in some, files that occur twice, luminosity blocks of several files, codecs, sizes. From metadata alone, unless deep is true.',
    without: ['resume', 'jobs'],
    cost: ({ files, deep }, call) => wholeCost(deep ? [files].flat() : [], call, 'all files'),
  },
});

/** Compares files, and goes on from what is kept of an earlier run. Throws ABORTED if the user ends it before all are read. */
async function compared(
  inputs: readonly VerbInput[],
  { jobs, ...asked }: { tree: string; deep: boolean; jobs: number },
  call: VerbCall,
  kept?: KeptText & { path: string },
): Promise<DatasetReport> {
  const known =
    kept?.before === undefined ? new KnownFiles(asked) : parseKnownFiles(kept.before, kept.path, asked);
  const total = formatCount(inputs.length);
  const { report, left } = await compareFiles(inputs, {
    ...{ ...asked, jobs, signal: kept?.signal ?? call.signal },
    open: (input, use) => input.open(use),
    async known(input) {
      const before = known.get(input);
      return before && !contentChanged(before.identity, await input.identity()) ? before.facts : undefined;
    },
    keep: ({ file, tree, entries }, facts, { size, uuid, validator }) =>
      known.set({ input: { file, tree, entries }, identity: { size, uuid, validator }, facts }),
    async onFile({ done, failed }: Compared) {
      const bad = failed > 0 ? `, ${formatCount(failed)} failed` : '';
      call.onProgress?.({
        label: `${formatCount(done)} of ${total} files${bad}`,
        ...{ bytesDone: 0, bytesTotal: 0, entriesDone: done, entriesTotal: inputs.length },
      });
      await kept?.save(() => known.text());
    },
  });
  if (left === 0) return report;
  throw new XylemError({
    code: 'ABORTED',
    message: `Interrupted: ${formatCount(left)} of ${total} files were not read.`,
    fix: kept && `"--resume ${kept.path}" reads them.`,
  });
}
