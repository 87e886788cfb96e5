/** The tools for which fits are written as programs, in the order in which they are shown. */
export const fitToolIds = ['root', 'iminuit'] as const;
export type FitToolId = (typeof fitToolIds)[number];
