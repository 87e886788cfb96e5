import type { FitResult } from '../../../api/fit';
import { argumentError } from '../../../base/errors';
import type { GraphModel } from '../../../plot/model';

/** Reads "Mean,Sigma". Throws ARGUMENT. */
export function parseContour(text: string): [first: string, second: string] {
  const [first = '', second = '', ...more] = text.split(',').map((one) => one.trim());
  if (first !== '' && second !== '' && more.length === 0) return [first, second];
  throw argumentError(`"${text}" does not name two parameters.`, 'Write NAME,NAME as in Mean,Sigma.');
}

/** The contours of a fit as plots of one parameter against another, with the values that were found. */
export function contourPlots({
  contours = [],
  parameters,
}: Pick<FitResult, 'contours' | 'parameters'>): GraphModel[] {
  return contours.map(({ first, second, points }) => {
    const closed = [...points, ...points.slice(0, 1)];
    const at = (name: string) => parameters.find((one) => one.name === name);
    const [one, other] = [at(first), at(second)];
    const across = points.map(([x]) => x);
    const [low, high] = [Math.min(...across), Math.max(...across)];
    const room = 0.06 * (high - low);
    const size = (error = 0) => Float64Array.of(error);
    return {
      ...{ kind: 'graph', title: `${second} against ${first}`, xTitle: first, yTitle: second, stats: [] },
      x: Float64Array.from(closed, ([x]) => x),
      y: Float64Array.from(closed, ([, y]) => y),
      dots: false,
      ...(high > low && { xRange: [low - room, high + room] }),
      overlays: [
        {
          title: 'minimum',
          x: Float64Array.of(one?.value ?? Number.NaN),
          y: Float64Array.of(other?.value ?? Number.NaN),
          joined: false,
          errors: {
            ...{ left: size(one?.error), right: size(one?.error) },
            ...{ down: size(other?.error), up: size(other?.error) },
          },
        },
      ],
    };
  });
}
