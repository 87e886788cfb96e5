import type { Gathered, GatheredState } from '../../api/selector';
import { MOMENTS } from '../../core/fill';
import { addTerm, type ExactSums, emptySums, roundedSum } from '../../core/sums/exact-sums';

/** A copy of a state in which each weight is `scale` times as large; rows of tables stay. */
export function scaledState(state: GatheredState, scale: number): GatheredState {
  return Object.fromEntries(Object.entries(state).map(([name, one]) => [name, scaled(one, scale)]));
}

function scaled(one: Gathered, scale: number): Gathered {
  switch (one.kind) {
    case 'histogram': {
      const parts = one.profile ? 4 : 2;
      const cells = (one.exact.high.length - MOMENTS) / parts;
      // The last run of cells has squared weights, as has the second of the moments: see MOMENTS.
      const squares = (i: number): boolean =>
        (i >= (parts - 1) * cells && i < parts * cells) || i === parts * cells + 1;
      return { ...one, exact: scaledSums(one.exact, (i) => (squares(i) ? scale * scale : scale)) };
    }
    case 'counter':
      return { ...one, sum: scaledSums(one.sum, () => scale) };
    case 'labels':
      return {
        ...one,
        sums: new Map([...one.sums].map(([label, sum]) => [label, scaledSums(sum, () => scale)])),
      };
    case 'table':
      return { ...one, parts: [...one.parts] };
    case 'own':
      return one;
  }
}

/** Each sum, rounded and scaled: the same bits however it was added up. */
function scaledSums(sums: ExactSums, scale: (i: number) => number): ExactSums {
  const all = emptySums(sums.high.length);
  for (let i = 0; i < sums.high.length; i++) addTerm(all, i, roundedSum(sums, i) * scale(i));
  return all;
}
