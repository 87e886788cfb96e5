/** Contents of the panel below a fit. */
export type BelowFit = 'pulls' | 'difference' | 'none';

export const isBelow = (text: string): text is BelowFit => /^(pulls|difference|none)$/.test(text);
