import { UsageError } from '../../../cli/arguments';
import type { OtherForm } from '../../../cli/commands/verb-command';
import type { SourceOptions } from '../../../cli/targets';
import { type PartialGiven, treesOptions, wantsMany, wholeOptions } from './options';

/** Loads what reads many files, which a command of one file does not need. */
const many = async () => ({ ...(await import('../../../cli/inputs')), ...(await import('./run-many')) });

/** The partial results of a check. */
export const checkMany: OtherForm = {
  options: wholeOptions,
  async run(given: PartialGiven & SourceOptions, files, context) {
    if ((given.partial ?? given.resume) === undefined) return undefined;
    if (['fail-on', 'trace', 'report'].some((name) => name in given))
      throw new UsageError('--fail-on, --report and --trace do not go with partial results.');
    const { inputsOf, runMany } = await many();
    const inputs = await Promise.all(files.map((file) => inputsOf(file, '', given, context)));
    return await runMany('check', { depth: 'whole' }, inputs.flat(), given, context);
  },
};

/** The partial results of a summary. */
export const summaryMany: OtherForm = {
  options: treesOptions,
  async run(given: PartialGiven & SourceOptions & { branches?: string[] }, [file = '', word], context) {
    if (!wantsMany(given)) return undefined;
    const other = ['entries', 'entry-list', 'sample', 'seed', 'trace', 'report'].find(
      (name) => name in given,
    );
    if (other) throw new UsageError(`--${other} does not go with reading file by file.`);
    if (word === undefined) throw new UsageError('Of partial results, TREE must be named.');
    const { inputsOf, runMany } = await many();
    const inputs = await inputsOf(file, word, given, context);
    return await runMany('summary', { branches: given.branches ?? [] }, inputs, given, context);
  },
};
