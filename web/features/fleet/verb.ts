import type { FileUse } from '../../api/reading';
import { type Reading, together } from '../../api/reading';
import { argumentError } from '../../base/errors';
import {
  either,
  flag,
  listOf,
  needed,
  OBJECT,
  oneOf,
  optional,
  type Shape,
  TEXT,
  whole,
} from '../../base/shape';
import { readingsOf } from '../../reads/readings-of';
import { namedReadings } from '../../verbs/readings';
import { treeOf } from '../../verbs/trees';
import { type VerbCall, verb } from '../../verbs/verb';
import { fleetReport } from './work/fleet-report';
import { ACCESS, modelJson, type UseModel } from './work/model';
import { simulateFleet } from './work/simulate-fleet';
import { sweepOf } from './work/sweep';
import { type DatasetFacts, datasetFacts } from './work/works';

/** Path of a model, or the model itself, for which a tool has a schema. */
const MODEL: Shape<string | object> = {
  ...either(TEXT, OBJECT),
  schema: OBJECT.schema,
  parse: (word) => word,
};

export const fleet = verb({
  name: 'fleet',
  words: 'MODEL',
  about: `Simulates jobs at several sites that read the files of an origin: with whole files that are copied to the sites
first (push), and with files that are read where they are, perhaps through a cache (pull). What a job reads is taken
from the metadata of a real file. The same model and seed always give the same result. MODEL is a file of JSON.`,
  examples: [
    ['model.json', 'jobs at several sites'],
    ['model.json --sweep sites[0].link.latencyMs=1,10,100', 'for each of three latencies'],
  ],
  params: {
    model: needed(
      MODEL,
      'MODEL',
      'Sites, links, caches, files, what jobs read of them, and jobs: {"origin": {"mbitPerS"}, "sites": [{"name", "slots", "link": {"latencyMs", "mbitPerS"}, "cache": {"kind": "blocks", "bytes", "blockBytes"}}], "datasets": [{"name", "file", "tree", "files"}], "uses": [{"name", "dataset", "branches", "read", "cpuMsPerEntry", "share"}], "jobs": {"count", "zipf"}}. docs/features/fleet.md describes all members.',
    ),
    access: optional(
      listOf(oneOf(...ACCESS)),
      'HOW',
      'push: whole files are copied to a site first; pull: read where they are; both by default',
    ),
    seed: optional(whole(0, 2 ** 32 - 1), 'N', "other random arrivals and choices; default: the model's"),
    sweep: optional(
      TEXT,
      'NAME=V,…',
      'simulate for each value of one number of the model: sites[0].link.latencyMs=1,10,100',
    ),
    loadSelectors: flag(
      'load the modules of selectors that the model names: this runs code that the model chose',
    ),
  },
  notes: `docs/features/fleet.md describes the model, what is simulated and what is not, and how it compares with real servers.`,
  json: `[{"value": the value of --sweep, "access", "jobs", "seconds", "cpuEfficiency", "meanSeconds", "p95Seconds",
"waitSeconds", "links": [{"name", "bytes", "load"}], "origin": {"requests", "bytes", "seeks", "diskLoad"}, "sites":
[{"name", "jobs", "cpuEfficiency", "hitRate", "evictedBytes", "diskLoad"}], "samples": [{"seconds", "running",
"ended", "originBytes"}]}, …]`,
  async run({ model, access = ACCESS, seed, sweep, loadSelectors = false }, call) {
    const swept = sweep === undefined ? undefined : sweepOf(sweep);
    const { json, beside } = await modelOf(model, call);
    return await simulateFleet(
      { model: json, access, seed, sweep: swept },
      {
        facts: ({ file, tree }) =>
          call.withFile(beside(file), async (open) =>
            datasetFacts(open.reader, { ...open.info, name: open.path }, await treeOf(open, tree)),
          ),
        use: (use, facts) => useOf(use, facts, beside(use.selector || use.trace), loadSelectors, call),
      },
      { signal: call.signal, onProgress: call.onProgress },
    );
  },
  report: (found, { sweep }) => fleetReport(found, nameOf(sweep)),
  toJson: (found) => JSON.stringify(found.map(({ value, report }) => ({ value, ...report }))),
  outputs: {
    svg: {
      about: 'write a plot to OUT ("-" is stdout)',
      async make(found, { sweep }) {
        const [{ fleetPlot }, { plotSvg }] = await Promise.all([
          import('./work/fleet-drawing'),
          import('../../plot/svg'),
        ]);
        return plotSvg(fleetPlot(found, nameOf(sweep)), { width: 860 });
      },
    },
  },
  tool: {
    title: 'Many jobs at several sites',
    description:
      'Simulates jobs at several sites that read files like a real one: with whole files that are copied to the sites first, and with files that are read where they are, perhaps through a cache. Time, CPU efficiency, bytes from the origin, hits of caches. From metadata alone.',
    without: ['loadSelectors'],
    text: true,
  },
});

const nameOf = (sweep: string | undefined): string | undefined => sweep && sweepOf(sweep).name;

/** A model as parsed JSON, and what the names in it mean: paths in a file of a model count from its folder. */
async function modelOf(model: string | object, call: VerbCall) {
  if (typeof model !== 'string') return { json: model, beside: (name: string) => name };
  const { text, beside } = await call.text(model);
  return { json: modelJson(text, model), beside };
}

/** The use of a selector or a trace that a model names. Throws ARGUMENT for a selector whose code was not allowed. */
async function useOf(
  { name, selector }: UseModel,
  { name: file, fileBytes: size }: DatasetFacts,
  path: string,
  loadsSelectors: boolean,
  call: VerbCall,
): Promise<{ use: FileUse; readings?: readonly Reading[] }> {
  if (selector === '') {
    // The model may come from somebody else.
    const readings = readingsOf(await namedReadings(path, call, true), { name: file, size });
    return { use: { name, reading: together(readings) }, readings };
  }
  if (!loadsSelectors)
    throw argumentError(
      `The use "${name}" is the selector "${path}", whose module is code.`,
      'Add --load-selectors where you trust the model, or write the branches of the selector into it.',
      { path },
    );
  const use = (await call.useOf({ selector: path }))({ name: file, size });
  return { use: { ...use, name } };
}
