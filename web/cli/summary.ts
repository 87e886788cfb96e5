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

JSON: {"branches": [{"path", "type", "entries", "values", "zeros", "nan", "infinities", "min", "max", "mean",
"stdDev", "distinct", "distinctExact", "constant", "duplicateOf"} or {"path", "type", "error"}, …]}`;

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
      const request = { tree: path, branches: branches.map(({ index }) => index), entries };
      const results = await reader.summary(info.id, request, { onProgress: progress.show });
      await progress.wipe();
      if (given.json) context.out.line(`{"branches": [\n${results.map(json).join(',\n')}\n]}`);
      else for (const line of tableLines(columns, results.map(cells))) context.out.line(line);
      let status = tellPartial(tree.partial, 'files', context);
      for (const { branch, partial } of tree.partial ? [] : results) {
        status = Math.max(status, tellPartial(partial, `baskets of ${branch.path}`, context));
      }
      return status;
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

function cells(one: BranchSummary): string[] {
  const count = (value: number | undefined): string => (value === undefined ? '' : formatCount(value));
  const number = (value: number | undefined): string => (value === undefined ? '' : formatNumber(value));
  const distinct = one.distinct === undefined ? '' : `${one.distinctExact ? '' : '~'}${count(one.distinct)}`;
  return [
    one.branch.path,
    count(one.values),
    number(one.min),
    number(one.max),
    number(one.mean),
    number(one.stdDev),
    count(one.nan),
    count(one.zeros),
    distinct,
    note(one),
  ];
}

function note({ error, constant, duplicateOf, partial }: BranchSummary): string {
  if (error) return `${error.message} [${error.code}]`;
  const notes = [
    ...(constant ? ['constant'] : []),
    ...(duplicateOf === undefined ? [] : [`same as ${duplicateOf}`]),
    ...(partial ? ['partial'] : []),
  ];
  return notes.join(', ');
}

function json({ branch, error, partial, ...figures }: BranchSummary): string {
  const members: Record<string, unknown> = {
    path: branch.path,
    type: branch.typeName,
    ...(error ? { error: error.message } : figures),
    partial,
  };
  const texts = Object.entries(members).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [`"${name}": ${typeof value === 'number' ? floatText(value) : JSON.stringify(value)}`];
  });
  return `{${texts.join(', ')}}`;
}
