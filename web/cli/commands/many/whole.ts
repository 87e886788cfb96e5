import { UsageError } from '../../arguments';
import type { SourceOptions } from '../../targets';
import type { OtherForm } from '../verb-command';
import { inputsOf } from './inputs';
import { type PartialGiven, wholeOptions } from './options';
import { runMany } from './run-many';

/** The partial results of a check. */
export const checkMany: OtherForm = {
  options: wholeOptions,
  async run(given: PartialGiven & SourceOptions, files, context) {
    if ((given.partial ?? given.resume) === undefined) return undefined;
    if (['fail-on', 'trace', 'report'].some((name) => name in given))
      throw new UsageError('--fail-on, --report and --trace do not go with partial results.');
    const inputs = await Promise.all(files.map((file) => inputsOf(file, '', given, context)));
    return await runMany('check', { depth: 'whole' }, inputs.flat(), given, context);
  },
};
