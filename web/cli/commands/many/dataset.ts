import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { formatCount } from '../../../base/format';
import { compareFiles } from '../../../insight/dataset/compare-files';
import { filesReport } from '../../../insight/dataset/dataset-report';
import { KnownFiles, parseKnownFiles } from '../../../insight/dataset/dataset-text';
import { contentChanged } from '../../../measure/partial/partial';
import { parseWhole } from '../../arguments';
import { command } from '../../command';
import { writeText } from '../../context';
import { filesOptions, flag, valued } from '../../options';
import { reportLines } from '../../terminal/report';
import { fileCounter, identityOf, inputsOf, saver, untilSignal } from './inputs';

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
    const { resume } = given;
    const known =
      resume !== undefined && existsSync(resume)
        ? parseKnownFiles(await readFile(resume, 'utf8'), resume, asked)
        : new KnownFiles(asked);
    const save = resume === undefined ? undefined : saver(resume, async () => known.text());
    const counter = fileCounter(inputs.length, context);
    const ending = resume === undefined ? undefined : untilSignal();
    const { report, left } = await compareFiles(inputs, {
      ...{ ...asked, jobs, signal: ending?.signal },
      open: ({ source }) => context.open(source),
      async known(input) {
        const before = known.get(input);
        const isSame = before && !contentChanged(before.identity, await identityOf(input, context));
        return isSame ? before.facts : undefined;
      },
      keep: (input, facts, { size, uuid, validator }) =>
        known.set({ input, identity: { size, uuid, validator }, facts }),
      async onFile({ done, failed }) {
        counter.show(done, failed);
        await save?.();
      },
    }).finally(() => ending?.stop());
    await counter.wipe();
    if (resume !== undefined) await writeText(resume, known.text(), context, 'text');
    if (left > 0) {
      const total = formatCount(inputs.length);
      context.err.line(
        `interrupted: ${formatCount(left)} of ${total} files were not read; "--resume ${resume}" reads them`,
      );
      return 1;
    }
    if (given.json) context.out.line(JSON.stringify(report));
    else for (const line of reportLines(filesReport(report))) context.out.line(line);
    return report.findings.some(({ severity }) => severity === 'error') ? 1 : 0;
  },
});
