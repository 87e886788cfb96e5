import { needed, TEXT } from '../../../base/shape';
import { UsageError } from '../../../cli/arguments';
import { command, type Given } from '../../../cli/command';
import { filesOptions, type Options, valued } from '../../../cli/options';
import { checkForms, shownOptions } from '../../../cli/terminal/show-drawn';
import { commandTool } from '../../../cli/tool';
import { namedFile } from '../work/names';
import { OPERATIONS, type Operation, operationNames, type Parameter } from '../work/operations';
import { compiled } from '../work/run-steps';

const options = {
  let: valued('NAME=EXPR', 'a name for a histogram or an expression: a=file.root:h; may be repeated', {
    multiple: true,
  }),
  file: valued('FILE', 'the file of names without one: then h is a histogram in it, and "dir/h", too'),
  name: valued('NAME', 'the name of the result; by default that of the first histogram'),
  code: valued(
    'TOOL',
    'print a program instead, that makes the same bins with ROOT (Python) or with hist; or the steps as JSON',
    {
      choices: ['root', 'hist', 'steps'],
    },
  ),
  ...shownOptions,
  ...filesOptions,
} as const satisfies Options;

export type CalcGiven = Given<typeof options>;

/** How a parameter is written, in the help. */
function written({ name, kind, words = [] }: Parameter): string {
  const forms: Record<Parameter['kind'], string> = {
    number: `${name}=N`,
    numbers: 'N, …',
    list: '[N, …]',
    axes: name === 'axes' ? 'x' : name,
    ranges: 'A:B',
    word: `"${words.join('|')}"`,
    flag: words[0] === 'b' ? '"B"' : name,
    histogram: `${name}=h`,
    text: `"${name}"`,
  };
  return `[${forms[kind]}]`;
}

const functionLines = operationNames.map((name) => {
  const { operands, parameters, about }: Operation = OPERATIONS[name];
  return `  ${name}(${[...operands, ...parameters.map(written)].join(', ')})\n      ${about}`;
});

export const calc = command({
  usage: ['EXPR'],
  about: `Computes with histograms as ROOT does: contents, errors, statistics and entries. EXPR has names of stored histograms
(FILE:PATH, in quotes if they have other characters: "my file.root:h"), numbers, + - * /, brackets, and functions. Operators need spaces around
them beside names of files. A file of partial results (all.json) is a histogram, too, and
fill('FILE', 'TREE', 'pt>>(50,0,100)', 'CUT') fills one as "xylem draw" does.`,
  examples: [
    [
      `'gate("plots/muonEtaPhi", x, 0:1) / project("plots/muonEtaPhi", x)' --file sample.root`,
      'a part of a map over all of it',
    ],
    [
      `'snip("plots/dimuonMass", 8)' --file sample.root --svg background.svg`,
      'the background below the peaks of a spectrum, as a picture',
    ],
  ] as const,
  options,
  notes: `Functions:
${functionLines.join('\n')}

A range A:B is of values; with the name of an axis, y=2:5, it counts bins, as --project of "draw" and ProjectionX of ROOT.`,
  json: `a histogram as "xylem draw --json" prints it; a number as {"kind": "number", "value", "error"}; statistics as
{"kind": "statistics", "entries", "effective", "integral", "mean": [{"value", "error"}, …], "stdDev": […], "sums": […]}; an efficiency as
ROOT's TEfficiency.`,
  tool: commandTool({
    title: 'Arithmetic of histograms',
    description:
      'Computes with the stored histograms of a file as ROOT does. Names in the expression are histograms of the file: "h / g", rebin(h, 2), project("dir/h2", x, y=2:5), integral(h, 80:100), efficiency(pass, total, "cp"). Other files are not read.',
    params: {
      expression: needed(TEXT, 'EXPR', 'The expression, for example "divide(passed, total, \'B\')".'),
    },
    line({ expression }, { file }) {
      const { steps } = compiled(expression, [], () => true);
      const other = steps.find(
        ({ op, name }) => op === 'fill' || (op === 'open' && namedFile(String(name)) !== undefined),
      );
      if (other !== undefined)
        throw new UsageError('The expression names another file; this tool reads the file that is given.');
      return { options: { json: true, file }, words: [expression] };
    },
  }),
  check(given: CalcGiven) {
    checkForms(given);
    letsOf(given);
  },
  async run(given: CalcGiven, [expression = ''], context) {
    const lets = letsOf(given);
    const { file } = given;
    const steps = compiled(expression, lets, file === undefined ? undefined : () => true);
    const { runCalc } = await import('./run-calc');
    return await runCalc(expression, steps, given, context);
  },
});

/** The names that --let gives. Throws UsageError. */
export function letsOf({
  let: lets = [],
}: {
  let?: string[] | undefined;
}): [name: string, expression: string][] {
  return lets.map((text) => {
    const [, name = '', expression = ''] = /^\s*([A-Za-z_]\w*)\s*=(.*)$/s.exec(text) ?? [];
    if (name === '') throw new UsageError(`--let ${text} is not understood; write NAME=EXPR.`);
    return [name, expression];
  });
}
