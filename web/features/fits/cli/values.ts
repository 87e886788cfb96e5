import { unsupported } from '../../../base/data-errors';
import { chosenEntries } from '../../../cli/arguments';
import type { DrawGiven } from '../../../cli/commands/draw';
import type { Context, OpenFile } from '../../../cli/context';
import { openFriends, rulesOf, seedOf } from '../../../cli/expressions';
import type { ChosenTree } from '../../../cli/trees';
import { expressionTable } from '../../../export/expressions';
import type { FittedValues } from '../work/fit';
import { passingValues } from '../work/values';

/** Reads the values of an expression that pass a cut, with the cut as their weights. */
export async function columnValues(
  open: OpenFile,
  { path, rest: [expr = '', cut = ''] }: ChosenTree,
  given: DrawGiven,
  context: Context,
): Promise<FittedValues> {
  const { info } = await open.tree(path);
  const entries = await chosenEntries(given, info.entries);
  const friends = await openFriends(open, path, given, context);
  const columns = cut.trim() === '' ? expr : `${expr}:${cut}`;
  const request = { tree: path, columns, entries, friends, rootVersion: rulesOf(given), seed: seedOf(given) };
  const table = await expressionTable(
    open.reader,
    open.info.id,
    info,
    { ...request, countRows: false, nulls: 'own' },
    {},
  );
  if (table.names.length !== (cut.trim() === '' ? 1 : 2))
    throw unsupported('Values of one expression are fitted.', 'Leave out the second coordinate and ">>".');
  const parts: FittedValues[] = [];
  for await (const part of table.parts()) parts.push(passingValues(part.columns));
  const size = parts.reduce((sum, { x }) => sum + x.length, 0);
  const x = new Float64Array(size);
  const isWeighted = parts.some(({ weights }) => weights !== undefined);
  const weights = isWeighted ? new Float64Array(size) : undefined;
  let at = 0;
  for (const part of parts) {
    x.set(part.x, at);
    weights?.set(part.weights ?? new Float64Array(part.x.length).fill(1), at);
    at += part.x.length;
  }
  return { kind: 'values', x, weights };
}
