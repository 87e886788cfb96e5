import type { OtherForm } from '../../../cli/command';
import { type Options, valued } from '../../../cli/options';
import { toolIds } from '../work/use';

const options = {
  code: valued(
    'TOOL',
    'print a program of another tool that fills the same bins, instead of drawing; of layers, too',
    { choices: toolIds },
  ),
} as const satisfies Options;

/** A program of another tool in place of what "xylem draw" draws. */
export const codeForm: OtherForm = {
  options,
  isFirst: true,
  about:
    '--code prints a program for uproot with awkward and hist, RDataFrame, TTree::Draw, or xylem (its library, or a command) that fills the same bins.',
  async run(given, words, context) {
    if (given.code === undefined) return undefined;
    return await (await import('./print-code')).printCode(given, words, context);
  },
};
