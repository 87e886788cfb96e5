import type { DrawRequest } from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { UsageError } from '../../../cli/arguments';
import { type DrawGiven, wishesOf } from '../../../cli/commands/draw';
import { type Context, withFile } from '../../../cli/context';
import { rulesOf } from '../../../cli/expressions';
import { inputsOf } from '../../../cli/inputs';
import { queryOf } from '../work/draw-kind';
import type { ManyGiven } from './forms';
import { runMany } from './run-many';

/** Draws file by file. Returns the exit status: 1 when a file could not be read. */
export async function drawMany(
  given: DrawGiven & ManyGiven,
  [target = '', tree, expr, cut, extra]: readonly string[],
  context: Context,
): Promise<number> {
  if (tree === undefined || expr === undefined)
    throw new UsageError('Of partial results, TREE and EXPR must be named.');
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many.`);
  const request = { ...wishesOf(given), option: given.option, rootVersion: rulesOf(given), tree, expr, cut };
  const axes =
    given['axes-from'] === undefined
      ? undefined
      : await axesFrom(given['axes-from'], request, given, context);
  const query = queryOf({ ...request, ...(axes && { axes }) });
  const inputs = await inputsOf(target, tree, given, context);
  return await runMany('draw', query, inputs, given, context);
}

/** The axes that a file alone has. Throws the error of reading it. */
async function axesFrom(
  sample: string,
  request: DrawRequest,
  given: ManyGiven,
  context: Context,
): Promise<NonNullable<DrawRequest['axes']>> {
  return await withFile(sample, given, context, async ({ reader, info, ownTree }) => {
    const result = await reader.draw(info.id, { ...request, tree: ownTree ?? request.tree });
    if (result.kind !== 'histogram' || result.axes.some(({ labels }) => labels)) {
      throw unsupported(`${sample} gives no axes of numbers for this.`);
    }
    return result.axes.map(({ bins, low, high }) => ({ bins, range: [low, high] }));
  });
}
