import { UsageError } from '../../../cli/arguments';
import type { OtherForm } from '../../../cli/command';
import { type Context, writeText } from '../../../cli/context';
import { type Options, valued } from '../../../cli/options';
import type { PartialForm } from '../../../cli/part';
import type { SourceOptions } from '../../../cli/targets';
import { reportLines } from '../../../cli/terminal/report';
import type { DrawnGiven } from '../../../cli/terminal/show-drawn';
import { TABLE_FORMATS, tablesText } from '../../../report/table-text';
import { type PartialGiven, wantsMany, wholeOptions } from '../../chains/cli/forms';
import { failuresOf, type PartialResult } from '../../chains/work/partial';
import { LUMI, OUTPUTS } from '../verb';
import { flowToolIds } from '../work/code/use';
import { cutflowOf } from '../work/flow';
import type { CutflowQuery } from '../work/masks';
import { cutflowReport, tablesOf } from '../work/report';

const shown = {
  lumi: valued(LUMI.value, LUMI.about),
  markdown: valued('OUT', OUTPUTS.markdown.about),
  latex: valued('OUT', OUTPUTS.latex.about),
  csv: valued('OUT', OUTPUTS.csv.about),
} as const satisfies Options;

type ShownGiven = DrawnGiven & { [Name in keyof typeof shown]?: string | undefined };

/** Partial results of cutflows, as "xylem cutflow" shows them. */
export const cutflowForm: PartialForm = {
  options: shown,
  async show(all: PartialResult<'cutflow'>, given: ShownGiven, context: Context): Promise<undefined> {
    const luminosity = given.lumi === undefined ? undefined : LUMI.parse?.(given.lumi);
    if (given.lumi !== undefined && luminosity === undefined)
      throw new UsageError(`--lumi takes ${LUMI.words}, not "${given.lumi}".`);
    const [first] = [...all.inputs, ...all.failed];
    const more = { tree: first?.tree ?? '', luminosity, partial: failuresOf(all) };
    const found = cutflowOf(all.query, all.sum, more);
    for (const format of TABLE_FORMATS) {
      const out = given[format];
      if (out !== undefined) await writeText(out, tablesText(tablesOf(found, format), format), context);
    }
    if (given.json) context.out.line(JSON.stringify(found));
    else if (!TABLE_FORMATS.some((format) => given[format] === '-'))
      for (const line of reportLines(cutflowReport(found))) context.out.line(line);
  },
};

/** The options of a cutflow that make its query. */
type CutflowGiven = PartialGiven &
  SourceOptions &
  ShownGiven & {
    weight?: string | undefined;
    samples?: string | undefined;
    'root-version'?: CutflowQuery['rootVersion'] | undefined;
  };

const code = valued(
  'TOOL',
  'print a program of another tool that counts the same entries, instead of counting them',
  {
    choices: flowToolIds,
  },
);

/** The options that ask for plots, which partial results do not have. */
const PLOTS = ['plots', 'svg', 'png'];

/** The partial results of cutflows, and programs of other tools. */
export const cutflowMany: OtherForm = {
  options: { ...wholeOptions, code },
  about:
    '--code prints a program for RDataFrame (Filter and Report), TTree::Draw, coffea (PackedSelection), uproot, or xylem (a command, or a selector).',
  async run(given: CutflowGiven & { code?: string }, words, context) {
    if (given.code !== undefined) return await (await import('./code')).printFlowCode(given, words, context);
    if (!wantsMany({ ...given, jobs: undefined })) return undefined;
    const plot = PLOTS.find((name) => name in given);
    if (plot !== undefined)
      throw new UsageError(`--${plot} does not go with partial results, which have no plots.`);
    const [{ inputsOf }, { runMany }, { readSamples, withSamples }] = await Promise.all([
      import('../../../cli/inputs'),
      import('../../chains/cli/run-many'),
      import('../../../cli/samples'),
    ]);
    const { samples: path, weight = '', 'root-version': rootVersion = '6.42' } = given;
    const file = path === undefined ? words[0] : undefined;
    const [tree = '', ...cuts] = path === undefined ? words.slice(1) : words;
    const query = { cuts, weight, rootVersion };
    const chosen = file === undefined ? [] : await inputsOf(file, tree, given, context);
    if (path === undefined) return await runMany('cutflow', query, chosen, given, context);
    const list = await readSamples(path, tree, given, context);
    const inputs = chosen.length > 0 ? withSamples(chosen, list, path) : list.inputs;
    return await runMany('cutflow', { ...query, samples: list.samples }, inputs, given, context);
  },
};
