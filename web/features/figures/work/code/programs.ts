import { reasonOf } from '../../../snippets/work/translate/translate';
import { belowOf, type Use } from '../../../snippets/work/use';
import { wholeStyle } from '../presets';
import type { Style } from '../style';
import { type CodeFigure, codeFigure } from './code-layer';
import { mplhepProgram } from './mplhep';
import { rootProgram } from './root';
import { type FigureToolId, figureToolIds } from './tools';

interface Tool {
  tool: string;
  language: 'python' | 'cpp';
  /** Throws Untranslated with the reason. */
  program(figure: CodeFigure): string;
}

const TOOLS: Readonly<Record<FigureToolId, Tool>> = {
  mplhep: { tool: 'matplotlib with mplhep', language: 'python', program: mplhepProgram },
  root: { tool: 'ROOT', language: 'cpp', program: rootProgram },
};

/** Returns the style with the panel below that the plot has, unless the style says another. */
function withPanel(use: Use, style: Style): Style {
  const show = belowOf(use);
  return show === 'none' || style.ratio?.show !== undefined
    ? style
    : { ...style, ratio: { ...style.ratio, show } };
}

/** A program that fills the bins of a plot and draws it in a style, or the reason why there is none. */
export type FigureProgram = { id: FigureToolId } & Pick<Tool, 'tool' | 'language'> &
  ({ text: string; why?: undefined } | { text?: undefined; why: string });

/** `log`: the axes of the plot that are logarithmic. */
export function figureProgram(
  id: FigureToolId,
  use: Use,
  style: Style,
  log: CodeFigure['log'] = { x: false, y: false },
): FigureProgram {
  const { tool, language, program } = TOOLS[id];
  try {
    return { id, tool, language, text: program(codeFigure(use, wholeStyle(withPanel(use, style)), log)) };
  } catch (thrown) {
    return { id, tool, language, why: reasonOf(thrown) };
  }
}

export const figurePrograms = (use: Use, style: Style, log?: CodeFigure['log']): FigureProgram[] =>
  figureToolIds.map((id) => figureProgram(id, use, style, log));
