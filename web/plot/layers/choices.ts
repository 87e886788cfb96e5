// Choices that links, the element and programs name: checked before anything that draws is loaded.

/** How a map lies over another one. */
export const overMaps = ['boxes', 'contours'] as const;
export type OverMap = (typeof overMaps)[number];

/** The dashes of lines beyond the six colours, which people with any colour vision can tell apart: six more for each. */
export const DASHES = [undefined, '7 3', '2 2', '9 3 2 3'];

/** Looks of lines that differ from each other in colour or dashes; the first is 1. */
export const LOOKS = 6 * DASHES.length;
