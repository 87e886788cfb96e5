/** The tools for which figures are written as programs. */
export const figureToolIds = ['mplhep', 'root'] as const;
export type FigureToolId = (typeof figureToolIds)[number];
