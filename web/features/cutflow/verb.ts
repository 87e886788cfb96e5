import type { PartialNote } from '../../api/api';
import type { RulesOfRoot } from '../../api/drawing';
import { eachAfterFirst } from '../../base/each-of';
import { argumentError, fromRecord, toXylemError } from '../../base/errors';
import { formatCount } from '../../base/format';
import { membersJson } from '../../base/json';
import { flag, listOf, needed, oneOf, optional, POSITIVE, TEXT, whole } from '../../base/shape';
import { type TableFormat, tablesText } from '../../report/table-text';
import { columnsCost } from '../../verbs/branches-cost';
import { SAMPLES } from '../../verbs/params';
import { type Output, type VerbCall, type VerbInput, verb } from '../../verbs/verb';
import { ReadInputs } from '../chains/work/partial';
import { type Cutflow, cutflowOf } from './work/flow';
import { addMasks, type CutflowQuery, type CutflowSum, checkCuts, readMasks } from './work/masks';
import { plotsSvg } from './work/plot-model';
import { type AskedPlots, plotsOf } from './work/plots';
import { cutflowReport, tablesOf } from './work/report';

/** Parameters of a cutflow, whether of one run or of partial results. */
export const LUMI = optional(
  POSITIVE,
  'L',
  'the luminosity that samples are scaled to: 1/pb where their cross sections are in pb',
);

const output = (format: TableFormat, name: string): Output<object, Cutflow> => ({
  about: `write the tables as ${name} to OUT ("-" is stdout)`,
  make: async (found) => tablesText(tablesOf(found, format), format),
});

/** Outputs of a cutflow, by their options. */
export const OUTPUTS: Record<TableFormat, Output<object, Cutflow>> = {
  markdown: output('markdown', 'Markdown'),
  latex: output('latex', 'LaTeX, for the package booktabs'),
  csv: output('csv', 'CSV'),
};

export const cutflow = verb({
  name: 'cutflow',
  words: ['FILE TREE CUT…', 'TREE CUT… --samples SAMPLES'],
  about: `Tells how many entries are left after each of several cuts: entries, sums of weights with their errors, the efficiency of each step
and of all, what passes each cut alone, and what each cut removes of the entries that pass all others (N-1).
FILE is a path or an http(s) URL; also a quoted pattern ('run*.root'), a list (a.root,b.root), or a text file of paths and URLs
(@list.txt), whose files are read one by one.`,
  examples: [
    ["sample.root Events 'nMuon==2' 'Muon_pt[0]>30'", 'two cuts, one after the other'],
    ["sample.root Events 'nMuon==2' 'Muon_pt[0]>30' --json", 'the same for a program'],
    [
      "sample.root Events 'nMuon==2' 'Muon_pt[0]>30' --svg plots.svg",
      'the plot of each variable with all other cuts',
    ],
  ],
  params: {
    file: optional(TEXT, 'FILE', 'Paths and addresses of ROOT files.'),
    tree: needed(TEXT, 'TREE', 'Path of the tree.'),
    cut: needed(listOf(TEXT, undefined, 1), 'CUT', 'Cuts as TTree::Draw takes them, in their order.'),
    weight: optional(TEXT, 'W', 'an expression with one value for each entry, by which entries are weighted'),
    samples: { ...SAMPLES, value: 'SAMPLES' },
    lumi: LUMI,
    plots: flag(
      'also the variable of each cut in the entries that pass all others (N-1), for --json, --report and --svg',
    ),
    rootVersion: optional(
      oneOf('6.40', '6.42'),
      'V',
      'the rules of ROOT 6.40 or of 6.42, the default, for the square root of a negative number',
    ),
    jobs: optional(whole(1, 64), 'N', 'files that are read at once; default 4'),
  },
  notes: `A cut on a list (Jet_pt>30) passes an entry if at least one of its elements passes, as TTree::GetEntries counts, each cut by
itself: 'Jet_pt>30 && abs(Jet_eta)<2' asks for one jet that passes both, two cuts for any jets. Intervals are those of TEfficiency with 68.3 %:
Clopper-Pearson for entries, the normal approximation for weights. The variable of x>30 is x, and that of abs(eta)<2.4 is abs(eta); a cut that
compares several variables has no plot.`,
  json: `{"tree", "weight", "cuts": […], "luminosity", "samples": [{"sample", "isData", "all": {"entries", "weight", "error"},
"steps": [{"cut", "left", "ofBefore": {"value", "low", "high"}, "ofAll", "alone", "others", "removes"}, …], "scale", "sumOfWeights"}, …],
"total": {"all", "left": […]}, "plots": [{"cut", "expr", "edges", "why", "layers": [{"sample", "isData", "histogram"}, …]}, …],
"partial"}; left, alone and others have the members of all, a histogram those of "xylem draw --json".`,
  exit: '0 every file was read, 1 some were not, 2 the command line was not understood.',
  wrong({ file, samples, lumi, cut, weight = '' }) {
    if (file === undefined && samples === undefined) return 'FILE is missing.';
    if (lumi !== undefined && samples === undefined) return '--lumi scales samples: name them by --samples.';
    return mistakeIn(cut, weight);
  },
  async run(
    { file, tree, cut: cuts, weight = '', samples, lumi, plots = false, rootVersion = '6.42', jobs = 4 },
    call,
  ) {
    const inputs = await call.inputs(file, tree, samples);
    const found = await readAll(
      inputs,
      { cuts, weight, rootVersion, jobs, plots, named: samples !== undefined },
      call,
    );
    return cutflowOf(found.query, found.sum, { tree, luminosity: lumi, partial: found.partial });
  },
  report: (found: Cutflow) => cutflowReport(found),
  status: ({ partial }) => (partial ? 1 : 0),
  toJson,
  outputs: {
    ...OUTPUTS,
    svg: {
      about: 'write the plots of the variables as one picture to OUT ("-" is stdout)',
      isPicture: true,
      sets: 'plots',
      make: async ({ plots = [] }: Cutflow) => plotsSvg(plots),
    },
  },
  tool: {
    title: 'Cutflow and N-1',
    description:
      'How many entries of a tree are left after each of several cuts, with efficiencies and intervals, what passes each cut alone, and what each removes of the entries that pass all others. Reads the branches of the cuts.',
    without: ['samples', 'lumi', 'plots', 'jobs', 'rootVersion'],
    names: { cut: 'cuts' },
    cost: ({ file = '', tree, cut: cuts, weight }, call) =>
      call.withFile(file, (open) => columnsCost(open, { tree, columns: cuts, cut: weight }, call)),
  },
});

/** The plots have lists of numbers as the results of "xylem draw" have them. */
function toJson({ plots, ...found }: Cutflow): string {
  const withLists = plots?.map(({ layers, ...plot }) => ({
    ...plot,
    layers: layers.map(({ histogram, ...layer }) => ({
      ...layer,
      histogram: JSON.parse(membersJson(histogram)) as unknown,
    })),
  }));
  return JSON.stringify({ ...found, plots: withLists });
}

/** Returns a sentence on a mistake in cuts; undefined if there is none. */
function mistakeIn(cuts: readonly string[], weight: string): string | undefined {
  try {
    checkCuts({ cuts, weight });
    return undefined;
  } catch (thrown) {
    const { message, fix = '' } = toXylemError(thrown);
    return `${message} ${fix}`.trim();
  }
}

/** Returns a function that calls `find` until it has found something once, and returns that from then on. */
function onceFound<T>(): (find: () => Promise<T>) => Promise<T> {
  let found: Promise<T> | undefined;
  return async (find) => {
    while (found !== undefined) {
      const last = found;
      try {
        return await last;
      } catch {
        // The error belongs to the input for which it was looked for.
        if (found === last) found = undefined;
      }
    }
    found = find();
    return await found;
  };
}

interface Asked {
  cuts: readonly string[];
  weight: string;
  rootVersion: RulesOfRoot;
  jobs: number;
  /** Whether the variables of the cuts are plotted. */
  plots: boolean;
  /** Whether the inputs have samples. */
  named: boolean;
}

/** Reads inputs one by one. Throws the error of the first if none could be read. */
async function readAll(
  inputs: readonly VerbInput[],
  { jobs, named, plots, ...asked }: Asked,
  { signal, onProgress }: VerbCall,
): Promise<{ query: CutflowQuery; sum: CutflowSum; partial: PartialNote | undefined }> {
  const all = new Map(inputs.flatMap(({ sample }) => (sample ? [[sample.name, sample] as const] : [])));
  const query: CutflowQuery = { ...asked, ...(named && { samples: [...all.values()] }) };
  const sum: CutflowSum = new Map();
  const seen = new ReadInputs();
  // All inputs have the axes that the first one needs.
  const axes = onceFound<AskedPlots>();
  const errors: PartialNote['errors'] = [];
  let done = 0;
  await eachAfterFirst(
    [...inputs],
    jobs,
    signal,
    async ({ open, file, tree, entries, sample, whole: isWhole }) => {
      try {
        if (isWhole && entries)
          throw argumentError(
            `The sum of weights of "${sample?.name}" is that of whole files, and ${file} has a range of entries.`,
            'Read whole files, or give "sumOfWeights" as a number.',
          );
        await open(async ({ reader, info }) => {
          const from = { reader, info, tree, entries, file, sample: sample?.name };
          if (plots) {
            query.plots = await axes(() => plotsOf(query.cuts, from, { signal }));
          }
          const { sum: own, read } = await readMasks(query, from, { signal });
          const { size, uuid, modified } = info;
          const facts = { file, tree, entries, read, size, uuid, modified };
          seen.refuse(facts);
          seen.add(facts);
          addMasks(sum, own);
        });
      } catch (thrown) {
        const error = toXylemError(thrown);
        // A mistake in the question is one in all files.
        if (error.code === 'ABORTED' || error.code === 'ARGUMENT') throw error;
        errors.push(error.at({ url: file }).toRecord());
      }
      done += 1;
      onProgress?.({
        ...{
          label: `${formatCount(done)} of ${formatCount(inputs.length)} files`,
          bytesDone: 0,
          bytesTotal: 0,
        },
        ...{ entriesDone: done, entriesTotal: inputs.length },
      });
    },
  );
  const [first] = errors;
  if (first && errors.length === inputs.length) throw fromRecord(first);
  const partial = first && { failed: errors.length, total: inputs.length, errors };
  return { query, sum, partial };
}
