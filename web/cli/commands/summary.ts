import type { BranchSummary } from '../../api/api';
import { formatCount, formatNumber } from '../../base/format';
import { floatText } from '../../export/canonical';
import { chooseBranches } from '../../model/choose';
import { chosenEntries } from '../arguments';
import { command } from '../command';
import { progressLine, tellPartial, withFile } from '../context';
import { branchesOption, chainText, commonOptions, entryOptions } from '../options';
import { tableLines } from '../terminal/table';
import { treeOf } from '../trees';

export const summary = command({
  usage: ['FILE [TREE]'],
  about: `What the values of each branch are like, lists and arrays taken apart: minimum, maximum, mean and
standard deviation of the finite numbers; how many are NaN, how many zero (or empty texts); how many
differ (exact up to 4,096, else an estimate, marked ~, with a standard error of 0.8 %); whether all
are equal, or the same as another branch's (by 64-bit checksums of values and lengths).
${chainText}`,
  options: { ...branchesOption, ...entryOptions, ...commonOptions },
  json: `{"branches": [{"path", "type", "entries", "values", "nans", "infinities", "min", "max", "sum", "mean", "stdDev",
"integer", "zeros", "distinct", "distinctExact", "constant", "duplicateOf", "error"}, …]}
values are those without NaN; a branch that cannot be read has an error.`,
  async run(given, [file = '', word], context) {
    return await withFile(file, given, context, async (open) => {
      const { reader, info } = open;
      const path = await treeOf(open, word);
      const { info: tree } = await open.tree(path);
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
});

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
