// Figures of several runs.

/** @param {readonly number[]} list @returns {number} NaN of no figures */
export const median = (list) =>
  [...list].sort((a, b) => a - b)[Math.floor((list.length - 1) / 2)] ?? Number.NaN;

/**
 * The median of the ratios of runs that stood beside each other in a round: on a machine whose speed drifts it says more
 * than the ratio of two medians.
 * @param {readonly number[]} own @param {readonly number[]} others @returns {number}
 */
export const ratio = (own, others) =>
  median(own.map((figure, round) => figure / (others[round] ?? Number.NaN)));
