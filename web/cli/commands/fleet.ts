import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { argumentError } from '../../base/errors';
import type { DoctorUse } from '../../insight/doctor/doctor-use';
import { fleetReport } from '../../insight/fleet/fleet-report';
import { type Access, type DatasetModel, modelJson, type UseModel } from '../../insight/fleet/model';
import { simulateFleet } from '../../insight/fleet/simulate-fleet';
import { sweepOf } from '../../insight/fleet/sweep';
import { type DatasetFacts, datasetFacts } from '../../insight/fleet/works';
import { type Reading, together } from '../../insight/reads/reading';
import { treeOf } from '../../verbs/trees';
import { parseWhole, UsageError } from '../arguments';
import { command } from '../command';
import { type Context, type FileOptions, withFile, writeText } from '../context';
import { filesOptions, flag, valued } from '../options';
import { readNamed } from '../read-file';
import { readingsOfFile, savedReadings } from '../saved-report';
import { isUrl } from '../targets';
import { reportLines } from '../terminal/report';
import { selectorUse } from '../uses';

const options = {
  access: valued(
    'HOW',
    'push: whole files are copied to a site first; pull: read where they are; both by default',
    { multiple: true, choices: ['push', 'pull'] },
  ),
  seed: valued('N', "other random arrivals and choices; default: the model's"),
  sweep: valued(
    'NAME=V,…',
    'simulate for each value of one number of the model: sites[0].link.latencyMs=1,10,100',
  ),
  'load-selectors': flag(
    'load the modules of selectors that the model names: this runs code that the model chose',
  ),
  svg: valued('OUT', 'write a plot to OUT ("-" is stdout)'),
  ...filesOptions,
} as const;

export const fleet = command({
  usage: ['MODEL.json'],
  about: `Simulates jobs at several sites that read the files of an origin: with whole files that are copied to the sites
first (push), and with files that are read where they are, perhaps through a cache (pull). What a job reads is taken
from the metadata of a real file. The same model and seed always give the same result.`,
  options,
  notes: `docs/fleet.md describes the model, what is simulated and what is not, and how it compares with real servers.`,
  json: `[{"value": the value of --sweep, "access", "jobs", "seconds", "cpuEfficiency", "meanSeconds", "p95Seconds",
"waitSeconds", "links": [{"name", "bytes", "load"}], "origin": {"requests", "bytes", "seeks", "diskLoad"}, "sites":
[{"name", "jobs", "cpuEfficiency", "hitRate", "evictedBytes", "diskLoad"}], "samples": [{"seconds", "running",
"ended", "originBytes"}]}, …]`,
  async run(given, [path = ''], context) {
    if (given.json && given.svg === '-') throw new UsageError('Take --json or --svg -, not both.');
    const sweep = given.sweep === undefined ? undefined : sweepOf(given.sweep);
    const found = await simulateFleet(
      {
        model: await readModel(path, context),
        access: (given.access ?? ['push', 'pull']) as Access[],
        seed: given.seed === undefined ? undefined : parseWhole(given.seed, '--seed', 0, 2 ** 32 - 1),
        sweep,
      },
      {
        facts: (dataset) => factsOf(dataset, dirname(path), given, context),
        use: (use, facts) => fileUse(use, facts, dirname(path), given, context),
      },
    );
    if (given.json) {
      context.out.line(JSON.stringify(found.map(({ value, report }) => ({ value, ...report }))));
    } else if (given.svg !== '-') {
      for (const line of reportLines(fleetReport(found, sweep?.name))) context.out.line(line);
    }
    if (given.svg !== undefined) {
      const [{ fleetPlot }, { plotSvg }] = await Promise.all([
        import('../../plot/fleet'),
        import('../../plot/svg'),
      ]);
      await writeText(given.svg, plotSvg(fleetPlot(found, sweep?.name), { width: 860 }), context);
    }
    return 0;
  },
});

async function readModel(path: string, { files }: Context): Promise<unknown> {
  await files.addInput(path);
  return modelJson((await readNamed(path)).toString(), path);
}

/** Paths in a model count from its folder. */
async function factsOf(
  { file, tree }: DatasetModel,
  folder: string,
  given: FileOptions,
  context: Context,
): Promise<DatasetFacts> {
  const target = within(folder, file);
  return await withFile(target, given, context, async (open) =>
    datasetFacts(open.reader, open.info, await treeOf(open, tree)),
  );
}

/** The use of a selector or a trace that a model names. Throws ARGUMENT for a selector whose code was not allowed. */
async function fileUse(
  { name, selector, trace }: UseModel,
  { name: file, fileBytes: size }: DatasetFacts,
  folder: string,
  given: FileOptions & { 'load-selectors'?: boolean | undefined },
  context: Context,
): Promise<{ use: DoctorUse; readings?: readonly Reading[] }> {
  const path = within(folder, selector || trace);
  if (selector !== '' && !given['load-selectors']) {
    throw argumentError(
      `The use "${name}" is the selector "${path}", whose module is code.`,
      'Add --load-selectors where you trust the model, or write the branches of the selector into it.',
      { path },
    );
  }
  if (selector !== '') return { use: { ...(await selectorUse(path, context)), name } };
  // A pipe that nobody writes to would never end, and a model may come from somebody else.
  const found = isUrl(path) ? undefined : await stat(path).catch(() => undefined);
  if (found?.isFile() === false) {
    throw argumentError(
      `The use "${name}" names the trace "${path}", which is no regular file.`,
      'Name the file of a trace.',
      { path },
    );
  }
  const readings = readingsOfFile(await savedReadings(path, given, context), { name: file, size });
  return { use: { name, reading: together(readings) }, readings };
}

function within(folder: string, path: string): string {
  return isUrl(path) || isAbsolute(path) ? path : join(folder, path);
}
