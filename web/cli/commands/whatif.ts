import type { BranchInfo, EntryRange, TreeLayout } from '../../api/api';
import { XylemError } from '../../base/errors';
import { formatBytes, formatCount, formatDuration } from '../../base/format';
import { type DoctorUse, usedBranches } from '../../insight/doctor/doctor-use';
import {
  type Outcome,
  STRATEGIES,
  type Strategy,
  simulateReading,
  strategiesFor,
  strategyName,
} from '../../insight/simulate/simulate';
import { basketLayout, withNeeded } from '../../insight/simulate/simulate-layout';
import { chooseBranches } from '../../model/choose';
import { treeOf } from '../../verbs/trees';
import { parseEntries, parseFraction, UsageError } from '../arguments';
import { command } from '../command';
import { withFile, writeText } from '../context';
import { branchesOption, CHAIN_TEXT, commonOptions, sampleOption, valued } from '../options';
import { right, tableLines } from '../terminal/table';
import { useOf, useOptions } from '../uses';

export const whatif = command({
  usage: ['FILE [TREE]'],
  about: `Says what reading branches would cost, from the tree's metadata alone: without a cache, with a read-ahead of
256 kB, with ROOT's TTreeCache (as ROOT 6.40 fills it, by its defaults) or, of an RNTuple, its cluster pool, and with
xylem's own plan.
${CHAIN_TEXT}`,
  options: {
    ...branchesOption,
    ...useOptions,
    entries: valued('A:B', 'only the entries A to B-1'),
    sample: {
      ...sampleOption.sample,
      about: 'every n-th entry, so that about this part is read: 1% or 0.01',
    },
    latency: valued('MS', 'round trip of the link; default 20'),
    bandwidth: valued('MBIT', 'bandwidth of the link in Mbit/s; default 100'),
    caches: valued('MB,…', 'sizes of TTreeCache; default 10,30,60,200'),
    svg: valued('OUT', 'write the plot of cache size against calls and time to OUT ("-" is stdout)'),
    ...commonOptions,
  },
  notes: `Calls are what TTreePerfStats calls ReadCalls; a fill of a TTreeCache is one vectored request, so that the
link's latency counts once for it. Times are of the link only: decoding comes on top.`,
  json: `{"tree", "branches": n, "entries": [from, to, step], "link": {"latencyMs", "bytesPerMs"}, "outcomes":
[{"strategy", "calls", "trips", "bytes", "overread", "ms"}, …]}.`,
  async run(given, [file = '', word], context) {
    if (given.json && given.svg !== undefined) throw new UsageError('Take --json or --svg, not both.');
    const link = {
      latencyMs: positive(given.latency ?? '20', '--latency'),
      bytesPerMs: positive(given.bandwidth ?? '100', '--bandwidth') * 125,
    };
    const use = await useOf(given, context);
    const step = Math.max(1, Math.round(1 / parseFraction(given.sample ?? '1')));
    return await withFile(file, given, context, async (open) => {
      const { reader, info } = open;
      const layout = await reader.layout(info.id, await treeOf(open, word));
      const { tree } = layout;
      const chosen = neededOf(use(info), layout);
      const [from, to]: EntryRange =
        given.entries === undefined ? [0, tree.entries] : parseEntries(given.entries, tree.entries);
      const branches = chosen.map(({ index }) => index);
      const choice = { branches, entries: { from, to, step } };
      const strategies = given.caches === undefined ? strategiesFor(tree.kind) : strategiesOf(given.caches);
      const outcomes = simulateReading(basketLayout(layout), choice, link, strategies);
      const title = `${tree.name}: ${formatCount(chosen.length)} branches, ${sampleText([from, to], step)}`;
      if (given.json) {
        const entries = [from, to, step];
        context.out.line(
          JSON.stringify({
            tree: tree.path,
            branches: chosen.length,
            entries,
            link,
            outcomes: outcomes.map(plain),
          }),
        );
      } else if (given.svg !== undefined) {
        const [{ whatIfPlot }, { plotSvg }] = await Promise.all([
          import('../../plot/simulation'),
          import('../../plot/svg'),
        ]);
        const look = { width: 860, log: { y: true } };
        await writeText(given.svg, plotSvg(whatIfPlot(outcomes, title), look), context);
      } else {
        context.out.line(title);
        context.out.line(`at ${link.latencyMs} ms and ${link.bytesPerMs / 125} Mbit/s`);
        context.out.line();
        for (const line of outcomeLines(outcomes)) context.out.line(line);
      }
      return 0;
    });
  },
});

/** The branches of a use and those that they need; without one all. Throws NOT_FOUND where it reads none of the tree. */
function neededOf(use: DoctorUse | undefined, layout: TreeLayout): BranchInfo[] {
  const { tree } = layout;
  if (use === undefined) return withNeeded(tree, chooseBranches(tree, undefined), layout.source);
  const used = usedBranches(use, layout);
  if (used === undefined) {
    throw new XylemError({ code: 'NOT_FOUND', message: `${use.name} reads no branch of ${tree.path}.` });
  }
  return used.recorded ? [...used.branches] : withNeeded(tree, used.branches, layout.source);
}

export function outcomeLines(outcomes: readonly Outcome[]): string[] {
  return tableLines(
    [
      'Read with',
      right('Calls'),
      right('Requests in a row'),
      right('Bytes'),
      right('Over-read'),
      right('Time'),
    ],
    outcomes.map(({ strategy, calls, trips, bytes, overread, ms }) => [
      strategyName(strategy),
      formatCount(calls),
      formatCount(trips),
      formatBytes(bytes),
      formatBytes(overread),
      formatDuration(ms),
    ]),
  );
}

function plain({ strategy, ...rest }: Outcome): object {
  return { strategy: strategyName(strategy), ...rest, ms: Math.round(rest.ms * 10) / 10 };
}

function strategiesOf(caches: string): readonly Strategy[] {
  const sizes = caches.split(',').map((text) => positive(text, '--caches') * 1e6);
  const [none, ahead] = STRATEGIES;
  const xylem = STRATEGIES.at(-1);
  return [none, ahead, ...sizes.map((bytes) => ({ kind: 'cache', bytes }) as const), xylem].filter(
    (strategy): strategy is Strategy => strategy !== undefined,
  );
}

function positive(text: string, name: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value > 0 && Number.isFinite(value)))
    throw new UsageError(`${name} takes a number above 0, not "${text}".`);
  return value;
}

function sampleText([from, to]: EntryRange, step: number): string {
  const range = `entries ${formatCount(from)} to ${formatCount(Math.max(from, to - 1))}`;
  return step === 1 ? range : `every ${step}th of ${range}`;
}
