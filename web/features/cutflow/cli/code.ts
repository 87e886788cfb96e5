import { unsupported } from '../../../base/data-errors';
import { UsageError } from '../../../cli/arguments';
import { type Context, type FileOptions, withFile } from '../../../cli/context';
import { flowProgram } from '../work/code/programs';
import type { FlowToolId } from '../work/code/use';

/** Options that say what is read or shown, of which a program knows nothing. */
const WITHOUT_CODE = [
  ...['samples', 'lumi', 'root-version', 'jobs', 'partial', 'resume', 'trace'],
  ...['plots', 'json', 'report', 'markdown', 'latex', 'csv', 'svg', 'png'],
];

/** Prints the program that the option --code names. Returns the exit status. */
export async function printFlowCode(
  given: FileOptions & { code?: string | undefined; weight?: string | undefined },
  [file = '', tree = '', ...cuts]: readonly string[],
  context: Context,
): Promise<number> {
  const other = WITHOUT_CODE.find((name) => name in given);
  if (other !== undefined) throw new UsageError(`--${other} does not go with --code.`);
  return await withFile(file, given, context, async (open) => {
    const { info } = await open.tree(tree);
    if (info.fileStarts !== undefined && info.fileStarts.length > 1)
      throw unsupported('Programs read one file.', 'Name one of the files.');
    const { weight = '' } = given;
    const { tool, text, why } = flowProgram(given.code as FlowToolId, {
      address: file,
      tree: info,
      cuts,
      weight,
    });
    if (text === undefined) throw unsupported(`There is no program for ${tool}: ${why}`);
    context.out.put(text);
    return 0;
  });
}
