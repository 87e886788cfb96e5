import { eachOf } from '../../../base/each-of';
import { toXylemError } from '../../../base/errors';
import { formatBytes, formatCount } from '../../../base/format';
import { compressionName } from '../../../insight/compression';
import { Dataset, type DatasetReport, type DatasetTree } from '../../../insight/dataset';
import { isTree } from '../../../model/key-kind';
import { parseWhole } from '../../arguments';
import { command } from '../../command';
import type { Context, OpenFile } from '../../context';
import { filesOptions } from '../../options';
import { fileCounter, type Input, inputsOf } from './inputs';

export const dataset = command({
  usage: ['FILES [TREE]'],
  about: `Compares many files that belong together, from their metadata: entries and clusters of their trees, branches
that are missing or have another type in some of them, files that occur twice, codecs, the versions of ROOT that wrote
them, damage, and files whose size stands out. FILES is a quoted pattern ('run*.root'), a list (a.root,b.root), or a text
file of paths and URLs (@list.txt). TREE limits this to one tree.`,
  options: {
    deep: { type: 'boolean', about: 'read every file to its last byte, as "xylem check" does' },
    jobs: { type: 'string', value: 'N', about: 'files that are read at once; default 8' },
    ...filesOptions,
  },
  json: `{"files", "failed", "bytes", "writers": {"6.36/00": files}, "codecs": {"zstd 5": files}, "trees": [{"path",
"files", "entries", "clusters", "storedBytes", "schemas": [{"files", "branches", "missing": […], "added": […], "types":
[{"branch", "type", "usual"}, …]}, …]}, …], "findings": [{"rule", "severity", "message", "files": […], "count"}, …]}; the
first of the schemas is the one that most files have. "rule" is unreadable, no-tree, schema, duplicate, damage, empty or
size, "severity" error or note.`,
  exit: '0 the files fit together, 1 they do not or some cannot be read, 2 the command line was not understood.',
  async run(given, [target = '', tree], context) {
    const jobs = parseWhole(given.jobs ?? '8', '--jobs', 1, 64);
    const inputs = await inputsOf(target, tree ?? '', given);
    const all = new Dataset();
    const counter = fileCounter(inputs.length, context);
    let done = 0;
    let failed = 0;
    await eachOf(inputs, jobs, undefined, async (input) => {
      try {
        await addFile(all, input, given.deep === true, context);
      } catch (thrown) {
        failed += 1;
        all.addFailed(input.file, toXylemError(thrown).message);
      }
      done += 1;
      counter.show(done, failed);
    });
    await counter.wipe();
    const report = all.report();
    if (given.json) context.out.line(JSON.stringify(report));
    else for (const line of reportLines(report)) context.out.line(line);
    return report.findings.some(({ severity }) => severity === 'error') ? 1 : 0;
  },
});

async function addFile(all: Dataset, input: Input, deep: boolean, context: Context): Promise<void> {
  const file: OpenFile = await context.open(input.source);
  try {
    const { size, uuid, rootVersion, notes } = file.info;
    const keys = await file.keys();
    const paths = new Set(keys.filter(isTree).map(({ path }) => path));
    const trees: DatasetTree[] = [];
    for (const path of input.tree === '' ? paths : [input.tree]) {
      if (paths.has(path)) trees.push(await treeFacts(file, path));
    }
    const damage = deep ? (await file.reader.check(file.info.id)).findings : [];
    all.add({
      ...{ name: input.file, size, uuid, rootVersion, notes, trees },
      damage: damage.filter(({ severity }) => severity === 'error').map(({ message }) => message),
    });
  } finally {
    await file.close();
  }
}

async function treeFacts({ reader, info }: OpenFile, path: string): Promise<DatasetTree> {
  const { tree, trueStart, compress } = await reader.layout(info.id, path);
  return {
    path,
    entries: tree.entries,
    clusters: trueStart.length,
    storedBytes: tree.storedBytes,
    codecs: [...new Set(compress)].filter((setting) => setting >= 0).map(compressionName),
    branches: tree.branches.map((branch) => ({ path: branch.path, type: branch.typeName })),
  };
}

function reportLines({ files, failed, bytes, writers, codecs, trees, findings }: DatasetReport): string[] {
  const list = (counts: Record<string, number>): string =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([name, number]) => `${name} (${formatCount(number)})`)
      .join(', ');
  const lines = [
    `${formatCount(files + failed)} files, ${formatCount(failed)} of them unreadable, ${formatBytes(bytes)}`,
    `written by ROOT ${list(writers) || 'unknown'}; codecs ${list(codecs) || 'unknown'}`,
  ];
  for (const tree of trees) {
    const kinds = tree.schemas.length > 1 ? ` in ${formatCount(tree.schemas.length)} different sets` : '';
    lines.push(
      `${tree.path}  ${formatCount(tree.entries)} entries in ${formatCount(tree.files)} files, ${formatCount(tree.clusters)} clusters, ` +
        `${formatBytes(tree.storedBytes)}, ${formatCount(tree.schemas[0]?.branches ?? 0)} branches${kinds}`,
    );
  }
  for (const { severity, rule, message, files: names, count } of findings) {
    lines.push(`${severity} ${rule}: ${message}`);
    for (const name of names.slice(0, 5)) lines.push(`  ${name}`);
    if (count > 5) lines.push(`  … and ${formatCount(count - 5)} more`);
  }
  return lines;
}
