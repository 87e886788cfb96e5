import { unsupported } from '../../../base/data-errors';
import { argumentError } from '../../../base/errors';
import type { CliCalls } from '../../../cli/part';
import { withoutTarget } from '../../../query/compile/draw-spec';
import { snippetOf } from '../work/snippets';
import { toolIds } from '../work/use';

/** Returns a program of another tool that fills the same bins. Throws ARGUMENT for an unknown tool, UNSUPPORTED with the reason. */
export const codeOf: CliCalls['codeOf'] = (id, { address, tree, expr, cut, histogram }) => {
  const known = toolIds.find((one) => one === id);
  if (known === undefined)
    throw argumentError(`There is no tool "${id}".`, `The tools are ${toolIds.join(', ')}.`);
  const { profile } = histogram;
  const axes = histogram.axes.map(({ bins, low, high }) => ({ bins, low, high }));
  const layer = { address, tree, expr: withoutTarget(expr), cut, profile };
  const { tool, text, why } = snippetOf(known, { layers: [layer], axes });
  if (text === undefined) throw unsupported(`There is no program for ${tool}: ${why}`);
  return text;
};
