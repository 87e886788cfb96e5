import { chooseBranches } from '../../model/choose';
import { treeOf } from '../../verbs/trees';
import { chosenEntries, UsageError } from '../arguments';
import { command } from '../command';
import { progressLine, tellPartial, withFile } from '../context';
import { branchesOption, CHAIN_TEXT, commonOptions, entryOptions } from '../options';
import { summaryLines } from '../terminal/summary-lines';
import { treesOptions, wantsMany } from './many/options';

export const summary = command({
  usage: ['FILE [TREE]'],
  about: `What the values of each branch are like, lists and arrays taken apart: minimum, maximum, mean and
standard deviation of the finite numbers; how many are NaN, how many zero (or empty texts); how many
differ (exact up to 4,096, else an estimate, marked ~, with a standard error of 0.8 %); whether all
are equal, or the same as another branch's (by 64-bit checksums of values and lengths).
${CHAIN_TEXT}`,
  options: { ...branchesOption, ...entryOptions, ...treesOptions, ...commonOptions },
  json: `{"branches": [{"path", "type", "entries", "values", "nans", "infinities", "min", "max", "sum", "mean", "stdDev",
"integer", "zeros", "distinct", "distinctExact", "constant", "duplicateOf", "missing", "error"}, …]}
values are those without NaN; missing says that a branch has fewer entries than the tree; a branch that
cannot be read has an error, and the exit status is 1.`,
  notes: 'Of partial results, nothing is said about equal branches.',
  async run(given, [file = '', word], context) {
    if (wantsMany(given)) {
      const others = ['entries', 'entry-list', 'sample', 'seed', 'trace'] as const;
      const other = others.find((name) => given[name] !== undefined);
      if (other) throw new UsageError(`--${other} does not go with reading file by file.`);
      if (word === undefined) throw new UsageError('Of partial results, TREE must be named.');
      const { inputsOf } = await import('./many/inputs');
      const { runMany } = await import('./many/run-many');
      const query = { branches: given.branches ?? [] };
      return await runMany('summary', query, await inputsOf(file, word, given, context), given, context);
    }
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
      const shown = results.map(({ branch: { path, typeName, kind }, exact: _, ...figures }) => ({
        ...{ path, type: typeName, texts: kind === 'string' },
        ...figures,
      }));
      for (const line of summaryLines(shown, given.json === true)) context.out.line(line);
      const status = tellPartial(tree.partial, 'files', context, true);
      // A branch of objects has no figures in a sound file either.
      return shown.some(({ error }) => error && error.code !== 'UNSUPPORTED') ? 1 : status;
    });
  },
});
