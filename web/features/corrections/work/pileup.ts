import type { PileupChoice, PileupCounts, PileupWeights } from '../../../api/corrections';
import { argumentError } from '../../../base/errors';
import { firstAbove } from '../../../base/search';

const NAMES = ['data', 'simulation', 'up', 'down', 'max'];

/**
 * Returns weights of pile-up: each distribution divided by its sum, and that of data by that of simulation. Where simulation has no
 * entries the weight is 0. Throws ARGUMENT for distributions with other bins, negative or missing numbers, or no entries.
 */
export function pileupOf(choice: PileupChoice): PileupWeights {
  const odd = Object.keys(Object(choice) as object).find((name) => !NAMES.includes(name));
  if (odd !== undefined)
    throw argumentError(`pileup has no use for "${odd}".`, `It takes ${NAMES.join(', ')}.`);
  const { max = Number.POSITIVE_INFINITY } = choice;
  if (typeof max !== 'number' || !(max > 0)) throw argumentError('"max" of pileup is a number above 0.');
  const simulation = sharesOf('simulation', choice.simulation);
  const { edges } = simulation;
  const weightsOf = (name: string, given: PileupCounts | ArrayLike<number>): Float64Array => {
    const data = sharesOf(name, given);
    if (data.edges.length !== edges.length || data.edges.some((edge, i) => edge !== edges[i]))
      throw argumentError(
        `The distributions "${name}" and "simulation" of pileup have different bins: ${binsText(data.edges)} and ${binsText(edges)}.`,
        'Make both with the same bins.',
      );
    return data.shares.map((share, i) => {
      const other = simulation.shares[i] as number;
      return other > 0 ? Math.min(max, share / other) : 0;
    });
  };
  const weights = {
    nominal: weightsOf('data', choice.data),
    up: choice.up && weightsOf('up', choice.up),
    down: choice.down && weightsOf('down', choice.down),
  };
  return Object.freeze({
    edges,
    ...weights,
    weight(interactions: number, variation: 'nominal' | 'up' | 'down' = 'nominal') {
      const found = Object.hasOwn(weights, variation) ? weights[variation] : undefined;
      if (!found)
        throw argumentError(
          `pileup has no weights for the variation "${String(variation).slice(0, 60)}".`,
          'Give the distribution of data for it: pileup({ data, simulation, up, down }).',
        );
      if (typeof interactions !== 'number' || Number.isNaN(interactions))
        throw argumentError(
          `The number of interactions is ${String(interactions).slice(0, 60)}; a number was expected.`,
        );
      const bin = firstAbove(edges, interactions) - 1;
      return found[bin] ?? 0;
    },
  });
}

function binsText(edges: Float64Array): string {
  return `${edges.length - 1} from ${edges[0]} to ${edges.at(-1)}`;
}

interface Shares {
  edges: Float64Array;
  shares: Float64Array;
}

function sharesOf(name: string, given: unknown): Shares {
  const { counts = given, edges } = Object(given) as { counts?: unknown; edges?: unknown };
  const values = numbersOf(counts);
  if (!values || values.length === 0 || values.some((one) => !(one >= 0 && one < Number.POSITIVE_INFINITY)))
    throw argumentError(
      `"${name}" of pileup is a list of counts that are not negative, or { edges, counts }.`,
      'Give { edges: [0, 1, 2], counts: [10, 20] }, or the counts of bins of width 1 from 0.',
    );
  const limits =
    edges === undefined ? Float64Array.from({ length: values.length + 1 }, (_, i) => i) : numbersOf(edges);
  if (
    limits?.length !== values.length + 1 ||
    limits.some((one, i) => i > 0 && !(one > (limits[i - 1] as number)))
  )
    throw argumentError(`"${name}" of pileup needs ${values.length + 1} edges that ascend.`);
  const sum = values.reduce((all, one) => all + one, 0);
  if (!(sum > 0)) throw argumentError(`"${name}" of pileup has no entries.`);
  return { edges: limits, shares: values.map((one) => one / sum) };
}

function numbersOf(given: unknown): Float64Array | undefined {
  const isList = Array.isArray(given) || (ArrayBuffer.isView(given) && !(given instanceof DataView));
  if (!isList) return undefined;
  const list = Array.from(given as ArrayLike<unknown>);
  return list.every((one) => typeof one === 'number') ? Float64Array.from(list as number[]) : undefined;
}
