import { unsupported } from '../../../base/data-errors';
import type { Context } from '../../../cli/context';
import { givenLook } from '../../../cli/terminal/look-options';
import { withUse } from '../../snippets/cli/print-code';
import { figureProgram } from '../work/code/programs';
import type { FigureToolId } from '../work/code/tools';
import { styleOf } from './figures';

/** Prints a program that fills the bins of a drawing and draws it in a style. Returns the exit status. */
export async function printFigure(
  given: Readonly<Record<string, unknown>>,
  words: readonly string[],
  context: Context,
): Promise<number> {
  const style = typeof given.style === 'string' ? await styleOf(given.style, context) : {};
  return await withUse(given, words, context, (use) => {
    const { tool, text, why } = figureProgram(given.code as FigureToolId, use, style, givenLook(given).log);
    if (text === undefined) throw unsupported(`There is no program for ${tool}: ${why}`);
    context.out.put(text);
    return 0;
  });
}
