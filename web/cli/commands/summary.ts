import { formatCount, formatNumber } from '../base/format';
import { floatText } from '../export/canonical';
import type { BranchSummary } from '../file/api';
import { chooseBranches } from '../file/choose';
import { chosenEntries, commonHelp, commonOptions, entryHelp, entryOptions, parseCommand } from './arguments';
import { type Command, progressLine, tellPartial, withFile } from './context';
import { tableLines } from './table';

const help = `Usage: xylem summary FILE TREE [--branches a,b] [--entries A:B | --sample P%] [--json]

What the values of each branch are like, lists and arrays taken apart: minimum, maximum, mean and
standard deviation of the finite numbers; how many are NaN, how many zero (or empty texts); how many
differ (exact up to 4,096, else an estimate, marked ~, with a standard error of 0.8 %); whether all
are equal, or the same as another branch's (by 64-bit checksums of values and lengths).

  --branches a,b   these branches only; a path, or its last part where that is unique
${entryHelp}
${commonHelp}

JSON: {"branches": [{"path", "type", "entries", "values", "nans", "infinities", "min", "max", "sum", "mean", "stdDev",
"integer", "zeros", "distinct", "distinctExact", "constant", "duplicateOf", "error"}, …]}
values are those without NaN; a branch that cannot be read has an error.`;

const options = {
  ...commonOptions,
  ...entryOptions,
  branches: { type: 'string', multiple: true },
} as const;

export const summaryCommand: Command = {
  help,
  async run(args, context) {
    const { values: given, positionals } = parseCommand(args, options, [2, 2]);
    const [file = '', path = ''] = positionals;
    return await withFile(file, given, context, async ({ reader, info }) => {
      const tree = await reader.tree(info.id, path);
      const branches = chooseBranches(tree, given.branches);
      const entries = await chosenEntries(given, tree.entries);
      const progress = progressLine(context);
      const request = { tree: path, branches: branches.map(({ index }) => index), entries, details: true };
      const results = await reader.summarize(info.id, request, { onProgress: progress.show });
      await progress.wipe();
      if (given.json) context.out.line(`{"branches": [\n${results.map(json).join(',\n')}\n]}`);
      else for (const line of tableLines(columns, results.map(cells))) context.out.line(line);
      return tellPartial(tree.partial, 'files', context);
    });
  },
};

const columns = [
  { title: 'Branch' },
  { title: 'Values', align: 'right' },
  { title: 'Minimum', align: 'right' },
  { title: 'Maximum', align: 'right' },
  { title: 'Mean', align: 'right' },
  { title: 'Std dev', align: 'right' },
  { title: 'NaN', align: 'right' },
  { title: 'Zero', align: 'right' },
  { title: 'Distinct', align: 'right' },
  { title: 'Note' },
] as const;

function cells({ branch, error, details, ...one }: BranchSummary): string[] {
  if (error && !details && one.values === 0)
    return [branch.path, ...Array(8).fill(''), `${error.message} [${error.code}]`];
  const numbers = branch.kind !== 'string';
  const number = (value: number): string => (numbers ? formatNumber(value) : '');
  const about = details ? `${details.distinctExact ? '' : '~'}${formatCount(details.distinct)}` : '';
  return [
    branch.path,
    formatCount(one.values + one.nans),
    number(one.min),
    number(one.max),
    number(one.mean),
    number(one.stdDev),
    numbers ? formatCount(one.nans) : '',
    details ? formatCount(details.zeros) : '',
    about,
    [
      ...(error ? [`partial: ${error.message} [${error.code}]`] : []),
      ...(details?.constant ? ['constant'] : []),
      ...(details?.duplicateOf === undefined ? [] : [`same as ${details.duplicateOf}`]),
    ].join(', '),
  ];
}

function json({ branch, error, details, ...figures }: BranchSummary): string {
  const texts: Partial<typeof figures> = { entries: figures.entries, values: figures.values };
  const members = {
    path: branch.path,
    type: branch.typeName,
    ...(branch.kind === 'string' ? texts : figures),
    ...details,
    error: error?.message,
  };
  const list = Object.entries(members).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [`"${name}": ${typeof value === 'number' ? floatText(value) : JSON.stringify(value)}`];
  });
  return `{${list.join(', ')}}`;
}
