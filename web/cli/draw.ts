import { XylemError } from '../base/errors';
import { formatCount } from '../base/format';
import { floatText } from '../export/canonical';
import type { FilledHistogram, QueryOutcome, QueryRequest } from '../file/api';
import {
  chosenEntries,
  commonHelp,
  commonOptions,
  entryHelp,
  entryOptions,
  parseAxisRange,
  parseCommand,
  parseWhole,
  UsageError,
} from './arguments';
import { type Command, type Context, progressLine, tellPartial, withFile, writeText } from './context';
import { friendHelp, friendOptions, withFriends } from './friends';
import { resultJson } from './hist';
import { pictureHelp, pictureOptions, wantsPicture, writePlot } from './picture';
import { terminalBars, terminalPlot } from './terminal-plot';

const help = `Usage: xylem draw FILE TREE EXPR [CUT] [--hist BINS,LOW,HIGH[,BINS,LOW,HIGH…]] [--option prof]
                  [--friend FILE] [--entries A:B | --sample P%] [--log]
                  [--json | --svg OUT | --png OUT | --csv OUT | --uhi OUT | --root-json OUT]

Fills a histogram of expressions over the entries of a tree, as TTree::Draw does. "y:x" is two-dimensional,
"pt>>h(50,0,100)" says the bins, ">>list" alone lists the entries that pass, and --entry-list takes what it prints. CUT selects and weighs.

  --hist LIST        bins and ends of the axes, x first; without ends they are found from the values
  --bins N, --range LOW:HIGH
                     the same for x alone
  --option WORDS     "prof": the mean of y in bins of x; "norm": divided by the sum of weights
${entryHelp}
${friendHelp}
  --log              a logarithmic vertical axis, or scale of colours
${pictureHelp}
  --csv OUT          write the bins to the file OUT: edges, content, error
  --uhi OUT          as UHI's JSON, which hist and boost-histogram read
  --root-json OUT    as ROOT's TBufferJSON, which ROOT and JSROOT read
${commonHelp}

JSON: {"kind": "filled", "title", "axes": [{"title", "bins", "low", "high"}, …], "sums": […], "squares": […],
"fills", "entries", "mean": […], "stdDev": […], …}; cells have under- and overflow, x runs fastest. Strings give
{"kind": "frequencies", …}, ">>list" {"kind": "entries", "numbers": […]}.`;

const options = {
  ...commonOptions,
  hist: { type: 'string' },
  bins: { type: 'string' },
  range: { type: 'string' },
  option: { type: 'string' },
  ...entryOptions,
  ...friendOptions,
  log: { type: 'boolean' },
  ...pictureOptions,
  csv: { type: 'string' },
  uhi: { type: 'string' },
  'root-json': { type: 'string' },
} as const;

type Given = ReturnType<typeof parseCommand<typeof options>>['values'];

export const draw: Command = {
  help,
  async run(args, context) {
    const { values: given, positionals } = parseCommand(args, options, [3, 4]);
    const [file = '', path = '', expr = '', cut] = positionals;
    if (outputsOf(given).length + (given.json ? 1 : 0) > 1) {
      throw new UsageError('Take one of --json, --svg, --png, --csv, --uhi and --root-json.');
    }
    const axes = wishedAxes(given);
    return await withFile(file, given, context, async ({ reader, info }) => {
      const tree = await reader.tree(info.id, path);
      const entries = await chosenEntries(given, tree.entries);
      const progress = progressLine(context);
      const result = await withFriends(reader, path, given, (friends) => {
        const request: QueryRequest = { tree: path, expr, cut, option: given.option, axes, entries, friends };
        return reader.query(info.id, request, { onProgress: progress.show });
      });
      await progress.wipe();
      await show(result, given, context);
      return tellPartial(result.partial, 'baskets', context);
    });
  },
};

function wishedAxes(given: Given): QueryRequest['axes'] {
  if (given.hist !== undefined && (given.bins ?? given.range) !== undefined) {
    throw new UsageError('Take --hist, or --bins and --range.');
  }
  if (given.hist === undefined) {
    const bins = given.bins === undefined ? undefined : parseWhole(given.bins, '--bins', 1, 1_000_000);
    const range = given.range === undefined ? undefined : parseAxisRange(given.range);
    return bins === undefined && range === undefined ? undefined : [{ bins, range }];
  }
  const numbers = given.hist.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const good = numbers.every(Number.isFinite) && (numbers.length % 3 === 0 || numbers.length === 1);
  if (!good) throw new UsageError(`"${given.hist}" is no list of axes; write BINS,LOW,HIGH for each.`);
  const axes: NonNullable<QueryRequest['axes']> = [];
  for (let i = 0; i < numbers.length; i += 3) {
    const [bins = 0, low, high] = numbers.slice(i, i + 3);
    axes.push({
      bins: parseWhole(String(bins), '--hist', 1, 1_000_000),
      range: low === undefined || high === undefined ? undefined : parseAxisRange(`${low}:${high}`),
    });
  }
  return axes;
}

function outputsOf(given: Given): string[] {
  return [given.svg, given.png, given.csv, given.uhi, given['root-json']].filter((one) => one !== undefined);
}

async function show(result: QueryOutcome, given: Given, context: Context): Promise<void> {
  const { out } = context;
  const width = out.columns ?? 80;
  if (given.json) {
    out.line(resultJson(result));
    return;
  }
  if (result.kind !== 'filled') {
    if (outputsOf(given).length > 0) {
      throw new XylemError({ code: 'UNSUPPORTED', message: 'This is no histogram; take --json.' });
    }
    if (result.kind === 'frequencies') {
      for (const line of terminalBars(result.top.slice(0, 30), width)) out.line(line);
      out.line(`\n${formatCount(result.values)} strings, ${formatCount(result.distinct)} different`);
      return;
    }
    for (const number of result.numbers) {
      out.line(String(number));
      await out.drain();
    }
    return;
  }
  if (given.csv !== undefined) {
    await writeText(given.csv, binsCsv(result), context);
    return;
  }
  if (given.uhi !== undefined || given['root-json'] !== undefined) {
    const { rootJson, uhiJson } = await import('../export/histogram');
    if (given.uhi !== undefined) await writeText(given.uhi, uhiJson(result), context);
    else await writeText(given['root-json'] ?? '-', rootJson(result), context);
    return;
  }
  const { modelOfFilled } = await import('../plot/filled');
  const model = modelOfFilled(result);
  if (wantsPicture(given)) {
    await writePlot(model, given, context);
  } else if (model.kind === 'bins') {
    for (const line of terminalPlot(model, { width, logY: given.log === true })) out.line(line);
  } else if (model.kind === 'map') {
    const { terminalHeat } = await import('./terminal-heat');
    for (const line of terminalHeat(model, width, given.log === true)) out.line(line);
  }
}

/** One line a bin within the range: its edges, content and error. */
function binsCsv(histogram: FilledHistogram): string {
  const { axes, profile } = histogram;
  const names = ['x', 'y', 'z'];
  const titles = axes.flatMap((_, k) => [`${names[k]}_low`, `${names[k]}_high`]);
  const lines = [[...titles, profile ? 'mean' : 'content', profile ? 'entries' : 'error'].join(',')];
  const text = (value: number): string => floatText(value).replaceAll('"', '');
  for (let cell = 0; cell < histogram.sums.length; cell++) {
    let rest = cell;
    const edges: number[] = [];
    const inside = axes.every(({ bins, low, high }) => {
      const bin = rest % (bins + 2);
      rest = Math.floor(rest / (bins + 2));
      const width = (high - low) / bins;
      edges.push(low + (bin - 1) * width, low + bin * width);
      return bin >= 1 && bin <= bins;
    });
    if (!inside) continue;
    const sum = histogram.sums[cell] ?? 0;
    const weight = histogram.weights?.[cell] ?? 0;
    const content = profile
      ? [weight === 0 ? 0 : sum / weight, weight]
      : [sum, Math.sqrt(histogram.squares[cell] ?? 0)];
    lines.push([...edges, ...content].map(text).join(','));
  }
  return lines.join('\n');
}
