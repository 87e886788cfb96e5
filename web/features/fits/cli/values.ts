import { chosenEntries } from '../../../cli/arguments';
import type { DrawGiven } from '../../../cli/commands/draw';
import type { Context, OpenFile } from '../../../cli/context';
import { openFriends, rulesOf, seedOf } from '../../../cli/expressions';
import type { ChosenTree } from '../../../cli/trees';
import type { FittedValues } from '../work/fit';
import { readValues } from '../work/values';

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
  const rules = { rootVersion: rulesOf(given), seed: seedOf(given) };
  return await readValues(open.reader, open.info.id, { tree: path, expr, cut, entries, friends, ...rules });
}
