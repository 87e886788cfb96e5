import { XylemError } from '../base/errors';
import { formatCount } from '../base/format';
import { errorOf } from '../core/tape';
import { floatText, writePlain } from '../export/canonical';
import type { DrawRequest, DrawResult } from '../file/api';
import { chooseBranches } from '../file/choose';
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
import { type Command, type Context, type OpenFile, progressLine, tellPartial, withFile } from './context';
import { pictureHelp, pictureOptions, wantsPicture, writePlot } from './picture';
import { terminalBars, terminalPlot } from './terminal-plot';

const help = `Usage: xylem hist FILE TREE BRANCH [--bins N] [--range LOW:HIGH] [--entries A:B]
                  [--sample P%] [--log] [--json | --svg OUT | --png OUT]
       xylem hist FILE PATH [--log] [--json | --svg OUT | --png OUT]

Fills a histogram of all values of a branch and draws it in the terminal; of a branch of strings, the
most frequent ones. With a PATH alone, draws the histogram stored there.

  --bins N           number of bins, 1 to 100000; default 100
  --range LOW:HIGH   the axis; what lies outside is counted as under- and overflow. Default: all values
${entryHelp}
  --log              a logarithmic vertical axis; of a two-dimensional histogram, scale of colours
${pictureHelp}
${commonHelp}

JSON: {"kind": "histogram", "title", "bins", "low", "high", "counts": […], "underflow", "overflow", "nan",
"values", "entries", "mean", "stdDev", "min", "max", "integer"}, or for strings {"kind": "frequencies",
"values", "distinct", "entries", "top": [{"value", "count"}, …]}. Where baskets could not be read,
"partial": {"failed", "total", "errors"}, and the exit status is 1.`;

const options = {
  ...commonOptions,
  ...entryOptions,
  bins: { type: 'string' },
  range: { type: 'string' },
  log: { type: 'boolean' },
  ...pictureOptions,
} as const;

type Given = ReturnType<typeof parseCommand<typeof options>>['values'];

export const hist: Command = {
  help,
  async run(args, context) {
    const { values: given, positionals } = parseCommand(args, options, [2, 3]);
    const [file = '', path = '', branch] = positionals;
    wantsPicture(given);
    if (branch === undefined) {
      if (given.bins ?? given.range ?? given.entries ?? given['entry-list'] ?? given.sample) {
        throw new UsageError('A stored histogram has its bins; name a BRANCH to fill another.');
      }
      return await withFile(file, given, context, (open) => drawStored(open, path, given, context));
    }
    const bins = parseWhole(given.bins ?? '100', '--bins', 1, 100_000);
    const range = given.range === undefined ? undefined : parseAxisRange(given.range);
    return await withFile(file, given, context, async (open) => {
      const tree = await open.reader.tree(open.info.id, path);
      const [chosen, second] = chooseBranches(tree, [branch]);
      if (chosen === undefined || second !== undefined) {
        throw new XylemError({
          code: 'ARGUMENT',
          message: `"${branch}" only holds other branches.`,
          fix: second === undefined ? undefined : `Name one of them, for example "${second.path}".`,
        });
      }
      const entries = await chosenEntries(given, tree.entries);
      const request: DrawRequest = { tree: path, branch: chosen.index, bins, range, entries };
      const progress = progressLine(context);
      const result = await open.reader.draw(open.info.id, request, { onProgress: progress.show });
      await progress.wipe();
      await drawFilled(result, given, context);
      return tellPartial(result.partial, 'baskets', context);
    });
  },
};

async function drawFilled(result: DrawResult, given: Given, context: Context): Promise<void> {
  const { out } = context;
  if (given.json) {
    out.line(resultJson(result));
    return;
  }
  const width = out.columns ?? 80;
  if (result.kind === 'frequencies') {
    if (wantsPicture(given)) {
      throw new XylemError({
        code: 'UNSUPPORTED',
        message: 'Strings have no picture; leave --svg or --png out, or take --json.',
      });
    }
    for (const line of terminalBars(result.top.slice(0, 30), width)) out.line(line);
    const { values, distinct } = result;
    out.line(`\n${formatCount(values)} strings, ${formatCount(distinct)} different`);
    return;
  }
  const { modelOfHistogram } = await import('../plot/model');
  const model = modelOfHistogram(result);
  if (wantsPicture(given)) await writePlot(model, given, context);
  else for (const line of terminalPlot(model, { width, logY: given.log === true })) out.line(line);
}

async function drawStored(open: OpenFile, path: string, given: Given, context: Context): Promise<number> {
  const { out } = context;
  const object = await open.reader.object(open.info.id, path);
  if (given.json) {
    writePlain(object, (text) => out.put(text));
    out.line();
    return 0;
  }
  const { modelOfObject } = await import('../plot/stored');
  const why = errorOf(object);
  if (why !== undefined) {
    throw new XylemError({
      code: 'UNSUPPORTED',
      message: `"${path}" cannot be decoded: ${why}.`,
      fix: `"xylem object" shows what there is of it.`,
    });
  }
  const model = modelOfObject(object);
  if (model === undefined) {
    throw new XylemError({
      code: 'UNSUPPORTED',
      message: `"${path}" is a ${object._typename}; drawn are histograms of one or two dimensions, profiles and graphs.`,
      fix: `"xylem object" shows its members.`,
    });
  }
  if (model.kind !== 'bins' && !wantsPicture(given)) {
    throw new XylemError({
      code: 'UNSUPPORTED',
      message: `"${path}" is a ${object._typename}, which a terminal cannot show.`,
      fix: 'Take --svg OUT.',
    });
  }
  if (wantsPicture(given)) await writePlot(model, given, context);
  else if (model.kind === 'bins')
    for (const line of terminalPlot(model, { width: out.columns ?? 80, logY: given.log === true }))
      out.line(line);
  return 0;
}

/** A result as JSON in the canonical form: counts as a list, "nan" and the infinities as strings. */
export function resultJson(result: object): string {
  const members = Object.entries(result).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    return [`${JSON.stringify(name)}: ${memberJson(value)}`];
  });
  return `{${members.join(', ')}}`;
}

function memberJson(value: unknown): string {
  if (typeof value === 'number') return floatText(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'number')) {
    return `[${value.map(floatText).join(',')}]`;
  }
  if (value instanceof Float64Array) return `[${Array.from(value, floatText).join(',')}]`;
  return JSON.stringify(value);
}
