import type { OtherForm } from '../../../cli/command';
import { type Options, valued } from '../../../cli/options';
import { figureToolIds } from '../work/code/tools';

const options = {
  style: valued(
    'STYLE',
    'draw a figure for a paper: a preset (plain, cms, atlas, lhcb, alice, belle2), or a JSON file that says size, fonts, titles, legend, labels and layers; with --svg, --pdf or --png',
  ),
  code: valued('TOOL', 'mplhep and root also draw it, in the style that --style names', {
    choices: figureToolIds,
  }),
} as const satisfies Options;

/** Whether a program of a figure is asked for. A fit has programs of its own. */
const isFigureTool = (given: Readonly<Record<string, unknown>>): boolean =>
  given.fit === undefined && figureToolIds.some((id) => id === given.code);

/** Figures for a paper in place of the pictures that "xylem draw" writes. */
export const figureForm: OtherForm = {
  options,
  isFirst: true,
  about: '--style draws a figure for a paper, in mm and with embedded fonts: see docs/features/figures.md.',
  async within(given, _words, context) {
    if (typeof given.style !== 'string' || isFigureTool(given)) return context;
    return await (await import('./figures')).withFigures(given.style, given, context);
  },
  async run(given, words, context) {
    if (!isFigureTool(given)) return undefined;
    return await (await import('./print-figure')).printFigure(given, words, context);
  },
};
