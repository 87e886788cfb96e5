import { dirname, isAbsolute, join } from 'node:path';
import { XylemError } from '../../base/errors';
import { formatBytes, formatCount, formatDuration } from '../../base/format';
import { letMessagesIn } from '../../base/messages';
import { type FleetReport, startFleet } from '../../insight/fleet/fleet';
import type { Access, DatasetModel, FleetModel } from '../../insight/fleet/model';
import { parseFleetModel } from '../../insight/fleet/parse-model';
import { type Sweep, sweepOf, withValue } from '../../insight/fleet/sweep';
import { type DatasetFacts, fleetWorks } from '../../insight/fleet/works';
import { UsageError } from '../arguments';
import { command } from '../command';
import { type Context, withFile, writeText } from '../context';
import { filesOptions } from '../options';
import { readNamed } from '../read-file';
import { isUrl } from '../targets';
import { tableLines } from '../terminal/table';
import { treeOf } from '../trees';

/** Events between two looks at signals. */
const EVENTS = 50_000;

const options = {
  access: {
    type: 'string',
    multiple: true,
    value: 'HOW',
    choices: ['push', 'pull'],
    about: 'push: whole files are copied to a site first; pull: read where they are; both by default',
  },
  seed: { type: 'string', value: 'N', about: "other random arrivals and choices; default: the model's" },
  sweep: {
    type: 'string',
    value: 'NAME=V,…',
    about: 'simulate for each value of one number of the model: sites[0].link.latencyMs=1,10,100',
  },
  svg: { type: 'string', value: 'OUT', about: 'write a plot to OUT ("-" is stdout)' },
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
    const json = await readModel(path);
    const sweep = given.sweep === undefined ? undefined : sweepOf(given.sweep);
    const ways = (given.access ?? ['push', 'pull']) as Access[];
    const found: FleetFinding[] = [];
    const known = new Map<string, DatasetFacts>();
    for (const value of sweep?.values ?? [undefined]) {
      const model = parseFleetModel(sweep === undefined ? json : withValue(json, sweep, value as number));
      if (given.seed !== undefined) model.seed = seedOf(given.seed);
      const works = await fleetWorks(model, (dataset) =>
        factsOf(dataset, dirname(path), known, given, context),
      );
      for (const access of ways) found.push({ value, report: await run(model, works, access) });
    }
    if (given.json) {
      context.out.line(JSON.stringify(found.map(({ value, report }) => ({ value, ...report }))));
    } else if (given.svg !== '-') {
      for (const line of sweep ? sweepLines(found, sweep) : reportLines(found)) context.out.line(line);
    }
    if (given.svg !== undefined) {
      const [{ fleetPlot }, { plotSvg }] = await Promise.all([
        import('../../plot/fleet'),
        import('../../plot/svg'),
      ]);
      const reports = found.map(({ value, report }) => ({ value, report }));
      await writeText(given.svg, plotSvg(fleetPlot(reports, sweep?.name), { width: 860 }), context);
    }
    return 0;
  },
});

interface FleetFinding {
  value: number | undefined;
  report: FleetReport;
}

async function run(
  model: FleetModel,
  works: Awaited<ReturnType<typeof fleetWorks>>,
  access: Access,
): Promise<FleetReport> {
  const simulation = startFleet(model, works, access);
  // Signals are seen between two parts.
  while (simulation.advance(EVENTS)) await letMessagesIn();
  return simulation.report();
}

async function readModel(path: string): Promise<unknown> {
  const text = (await readNamed(path)).toString();
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : '';
    throw new XylemError({
      code: 'ARGUMENT',
      message: `The model "${path}" is not JSON: ${why}`,
      where: { path },
    });
  }
}

/** Paths in a model count from its folder. */
async function factsOf(
  { file, tree }: DatasetModel,
  folder: string,
  known: Map<string, DatasetFacts>,
  given: Parameters<typeof withFile>[1],
  context: Context,
): Promise<DatasetFacts> {
  const key = JSON.stringify([file, tree]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const target = isUrl(file) || isAbsolute(file) ? file : join(folder, file);
  const facts = await withFile(target, given, context, async (open): Promise<DatasetFacts> => {
    const layout = await open.reader.layout(open.info.id, await treeOf(open, tree));
    const records = await open.reader.trace(open.info.id);
    const openingBytes = records.reduce((sum, { origin, got }) => sum + (origin === 'decode' ? 0 : got), 0);
    return { layout, fileBytes: open.info.size, openingBytes };
  });
  known.set(key, facts);
  return facts;
}

function seedOf(text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  throw new UsageError(`--seed takes a whole number from 0 to 4294967295, not "${text}".`);
}

const right = (title: string) => ({ title, align: 'right' }) as const;
const seconds = (value: number) => formatDuration(value * 1000);
const percent = (value: number | undefined) => (value === undefined ? '' : `${(100 * value).toFixed(1)} %`);

function reportLines(found: readonly FleetFinding[]): string[] {
  const reports = found.map(({ report }) => report);
  const row = (name: string, of: (report: FleetReport) => string) => [name, ...reports.map(of)];
  const [first] = reports;
  return [
    ...tableLines(
      [{ title: '' }, ...reports.map(({ access }) => right(access))],
      [
        row('Jobs', ({ jobs }) => formatCount(jobs)),
        row('Time to the last job', (report) => seconds(report.seconds)),
        row('CPU efficiency', ({ cpuEfficiency }) => percent(cpuEfficiency)),
        row('Time of a job, mean', ({ meanSeconds }) => seconds(meanSeconds)),
        row('Time of a job, 95 %', ({ p95Seconds }) => seconds(p95Seconds)),
        row('Wait for a slot, mean', ({ waitSeconds }) => seconds(waitSeconds)),
        row('Requests to the origin', ({ origin }) => formatCount(origin.requests)),
        row('Bytes from the origin', ({ origin }) => formatBytes(origin.bytes)),
        row("Origin's disk", ({ origin }) => percent(origin.diskLoad)),
        ...(first?.links ?? []).map(({ name }, i) =>
          row(`Link ${name}`, ({ links }) => {
            const { bytes = 0, load = 0 } = links[i] ?? {};
            return `${formatBytes(bytes)}, ${percent(load)}`;
          }),
        ),
        ...(first?.sites ?? []).flatMap(({ name }, i) => [
          row(`Site ${name}: jobs`, ({ sites }) => formatCount(sites[i]?.jobs ?? 0)),
          row(`Site ${name}: CPU efficiency`, ({ sites }) => percent(sites[i]?.cpuEfficiency)),
          row(`Site ${name}: hits`, ({ sites }) => percent(sites[i]?.hitRate)),
        ]),
      ],
    ),
  ];
}

function sweepLines(found: readonly FleetFinding[], { name }: Sweep): string[] {
  return tableLines(
    [
      right(name),
      { title: 'Access' },
      right('Time'),
      right('CPU efficiency'),
      right('From the origin'),
      right("Origin's disk"),
    ],
    found.map(({ value, report }) => [
      String(value),
      report.access,
      seconds(report.seconds),
      percent(report.cpuEfficiency),
      formatBytes(report.origin.bytes),
      percent(report.origin.diskLoad),
    ]),
  );
}
