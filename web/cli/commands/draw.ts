import type { AxisRequest, AxisRule, DrawResult } from '../../api/api';
import { parseOptions } from '../../query/compile/draw-options';
import { elementsTitle } from '../../query/compile/elements';
import { asOption, chosenEntries, parseAxisRange, parseWhole, UsageError } from '../arguments';
import { command, type Given } from '../command';
import { type Context, type OpenFile, progressLine, tellPartial, withFile } from '../context';
import { branchNamed, titled } from '../drawn-branch';
import { friendOptions, languageOptions, openFriends, rulesOf, seedOf } from '../expressions';
import { CHAIN_TEXT, commonOptions, entryOptions, type Options, valued } from '../options';
import { wantsPicture } from '../terminal/picture';
import { checkForms, outputsOf, showDrawn, shownOptions } from '../terminal/show-drawn';
import { type ChosenTree, withTree } from '../trees';

export const drawOptions = {
  hist: valued(
    'BINS,LOW,HIGH',
    'bins and ends of the axes, x first, three numbers of each; without ends they are found from the values',
  ),
  bins: valued('N', 'number of bins of x, 1 to 1000000; default 100'),
  range: valued(
    'LOW:HIGH',
    'ends of x; values outside are counted as under- and overflow. Default: all values',
  ),
  axes: valued(
    'RULE',
    'how ends that are not given are found: "root", the default, as TTree::Draw finds them, with the room that its ' +
      'histograms leave; "tight" close around the values. Of a map the part with contents is shown, with --axes root all',
  ),
  option: valued(
    'WORDS',
    `"prof": the mean of y in bins of x with its error; "profs": with the spread of y; "profi": as prof, for whole numbers; "profg": with 1/sqrt(sum of weights); "norm": contents divided by their sum. Of a stored THStack "nostack"`,
  ),
  project: valued(
    'AXES',
    'of a stored histogram, profile, THn or THnSparse: "x,y" is a map of y against x, "z" has bins of z; "x;y=2:5" takes the bins 2 to 5 of y',
  ),
  ...entryOptions,
  ...friendOptions,
  ...languageOptions,
  ...shownOptions,
  ...commonOptions,
} as const satisfies Options;

export type DrawGiven = Given<typeof drawOptions>;

const definition = {
  usage: ['FILE [TREE] EXPR [CUT]', 'FILE PATH'],
  about: `Fills a histogram of expressions over the entries of a tree, as TTree::Draw does; a branch is the simplest
expression. "y:x" is two-dimensional, "pt>>h(50,0,100)" says the bins, ">>list" alone lists the entries that pass, and
--entry-list takes what it prints. CUT selects and weighs. Of a branch of strings the most frequent ones are shown.
With the PATH of a stored histogram, graph, stack, efficiency, function or canvas, draws that, with the fits in it.
${CHAIN_TEXT}`,
  examples: [
    ['sample.root Events Dimuon_mass --range 60:120', 'a branch'],
    [
      "sample.root Events 'Muon_eta:Muon_pt' 'nMuon==2' --svg map.svg",
      'one number over another, with a cut, as a picture',
    ],
  ] as const,
  options: drawOptions,
  json: `{"kind": "histogram", "title", "axes": [{"title", "bins", "low", "high"}, …], "sums": […], "squares": […],
"fills", "entries", "mean": […], "stdDev": […], "min": […], "max": […], …}; cells have under- and overflow, x runs
fastest. Strings give {"kind": "frequencies", "values", "distinct", "entries", "top": [{"value", "count"}, …]}, ">>list"
gives {"kind": "entries", "numbers": […]}. Where baskets could not be read, "partial": {"failed", "total", "errors"},
and the exit status is 1. Of a stored histogram ROOT's object, as "xylem object --json" has it, with the values of its buffer in its
bins; with --project a TH1D, TH2D, TProfile or TProfile2D.`,
  check(given: DrawGiven) {
    wantsPicture(given);
    checkForms(given);
    wishesOf(given);
  },
  async run(given: DrawGiven, [file = '', ...words]: readonly string[], context: Context): Promise<number> {
    return await withFile(file, given, context, async (open) => {
      const [path = ''] = words;
      const stored = words.length === 1 ? await import('./draw-stored') : undefined;
      if (stored && (await stored.isStored(open, path))) {
        const filling = ['hist', 'bins', 'range', 'axes', 'entries', 'entry-list', 'sample'] as const;
        if (filling.some((name) => given[name] !== undefined)) {
          throw new UsageError('A stored histogram has its bins; name a BRANCH to fill another.');
        }
        return await stored.drawStored(open, path, given, context);
      }
      if (given.project !== undefined)
        throw new UsageError('--project is for a stored histogram; "y:x" and a cut say it of a tree.');
      return await withTree(open, words, 'EXPR', (chosen) => drawTree(open, chosen, given, context));
    });
  },
};

export const draw = command(definition);

/** The name that the command had for a single branch. */
export const hist = command({
  ...definition,
  notes: '"hist" is another name of "draw".',
  json: 'as "xylem draw" prints it.',
});

async function drawTree(
  file: OpenFile,
  chosen: ChosenTree,
  given: DrawGiven,
  context: Context,
): Promise<number> {
  const result = await drawnTree(file, chosen, given, context);
  const { path, rest } = chosen;
  const [expr = '', cut] = rest;
  const query = { file: file.info.name, tree: path, draw: expr, cut };
  await showDrawn(result, { ...given, query }, context, areFound(given, expr));
  return tellPartial(result.partial, 'baskets', context, true);
}

/** Fills what the words and options of a line ask for, and tells its notes. */
export async function drawnTree(
  file: OpenFile,
  { path, rest: [expr = '', cut, extra] }: ChosenTree,
  given: DrawGiven,
  context: Context,
): Promise<DrawResult> {
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many.`);
  asOption('option', () => parseOptions(given.option));
  const { reader, info } = file;
  const { info: tree } = await file.tree(path);
  const entries = await chosenEntries(given, tree.entries);
  const branch = cut === undefined && given.option === undefined ? await branchNamed(tree, expr) : undefined;
  const what = branch ? { branch: branch.index } : { expr, cut, option: given.option };
  const rootVersion = rulesOf(given);
  const progress = progressLine(context);
  const friends = await openFriends(file, path, given, context);
  // Pictures and files of bins need one for each text.
  const labels = outputsOf(given).length > 0;
  const request = {
    tree: path,
    ...what,
    ...wishesOf(given),
    labels,
    entries,
    friends,
    rootVersion,
    seed: seedOf(given),
  };
  const result = await reader.draw(info.id, request, { onProgress: progress.show });
  await progress.wipe();
  const elements = branch && elementsTitle(branch, tree);
  if (result.kind === 'histogram') for (const note of result.notes ?? []) context.err.line(`note: ${note}`);
  return elements === undefined ? result : titled(result, elements);
}

/** Whether nobody gave the ends of the axes, also not by asking for those of ROOT. */
const areFound = ({ hist = '', range, axes }: DrawGiven, expr: string): boolean =>
  range === undefined && axes !== 'root' && !hist.includes(',') && !expr.includes('>>');

/** The axes that options describe. Throws UsageError. */
export function wishesOf(given: DrawGiven): { axes: AxisRequest[] } {
  const rule = ruleOf(given.axes);
  if (given.hist !== undefined && (given.bins ?? given.range) !== undefined) {
    throw new UsageError('Take --hist, or --bins and --range.');
  }
  if (given.hist === undefined) {
    const bins = given.bins === undefined ? undefined : parseWhole(given.bins, '--bins', 1, 1_000_000);
    const range = given.range === undefined ? undefined : parseAxisRange(given.range);
    return { axes: [{ bins, range, rule }, { rule }, { rule }] };
  }
  const numbers = given.hist.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const good = numbers.every(Number.isFinite) && (numbers.length % 3 === 0 || numbers.length === 1);
  if (!good) throw new UsageError(`"${given.hist}" is not a list of axes; write BINS,LOW,HIGH for each.`);
  const axes = [];
  for (let i = 0; i < numbers.length; i += 3) {
    const [bins = 0, low, high] = numbers.slice(i, i + 3);
    axes.push({
      bins: parseWhole(String(bins), '--hist', 1, 1_000_000),
      range: low === undefined || high === undefined ? undefined : parseAxisRange(`${low}:${high}`),
      rule,
    });
  }
  return { axes };
}

function ruleOf(text: string | undefined): AxisRule | undefined {
  if (text === undefined || text === 'root' || text === 'tight') return text;
  throw new UsageError(`--axes takes root or tight, not "${text}".`);
}
