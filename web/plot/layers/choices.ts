// Choices that links, the element and programs name: checked before anything that draws is loaded.

/** How a map lies over another one. */
export const overMaps = ['boxes', 'contours'] as const;
export type OverMap = (typeof overMaps)[number];

/**
 * Dash patterns of lines beyond the six colours that people with any colour vision can distinguish: six more for
 * each.
 */
export const DASHES = [undefined, '7 3', '2 2', '9 3 2 3'];

/** Number of line styles that differ in colour or dashes. They are numbered from 1. */
export const LOOKS = 6 * DASHES.length;
