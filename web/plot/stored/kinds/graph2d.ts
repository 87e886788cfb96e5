import type { PlainObject } from '../../../api/api';
import type { Shape } from '../../drawing/drawing';
import { type GraphModel, statNumber } from '../../model';
import { limitsOf } from '../functions';
import { label, number, numbers, record } from '../members';
import { colouredPanel } from './coloured';

/** More points of one graph are not drawn. */
const MAX_POINTS = 200_000;

/** The points of a TGraph2D and its kin at their x and y, in the colours of their z. */
export function graph2dModel(object: PlainObject): GraphModel | undefined {
  const count = number(object.fNpoints);
  const [x, y, z] = [object.fX, object.fY, object.fZ].map((values) => numbers(values)?.subarray(0, count));
  if (!(count >= 1) || count > MAX_POINTS || x === undefined || y === undefined || z === undefined)
    return undefined;
  if ([x, y, z].some(({ length }) => length !== count)) return undefined;
  const [title = '', ...titles] = label(object.fTitle).split(';');
  const frame = record(object.fHistogram);
  const titleOf = (axis: string, i: number) => titles[i] ?? label(record(frame?.[axis])?.fTitle);
  const zTitle = titleOf('fZaxis', 2);
  const errorOf = (index: number): string => {
    const [both, low, high] = [object.fEZ, object.fEZlow, object.fEZhigh].map((one) => numbers(one)?.[index]);
    if (both !== undefined) return ` ± ${statNumber(both)}`;
    return low === undefined || high === undefined ? '' : ` − ${statNumber(low)} + ${statNumber(high)}`;
  };
  const radius = count > 5000 ? 2 : count > 500 ? 3 : 5;
  return {
    kind: 'graph',
    ...{ title: title || label(object.fName), xTitle: titleOf('fXaxis', 0), yTitle: titleOf('fYaxis', 1) },
    ...{ x, y, joined: false },
    right: {
      title: zTitle,
      ink: 'ink',
      panel: colouredPanel(z, limitsOf(object), (placed, colours) => {
        const dots = new Map<NonNullable<ReturnType<typeof colours.of>>, [number, number][]>();
        z.forEach((height, i) => {
          const place: [number, number] = [placed.x.toPixel(x[i] ?? 0), placed.y.toPixel(y[i] ?? 0)];
          // A content of 0 is an empty bin of a histogram, and a point like others of a graph.
          const colour = colours.of(height === 0 && colours.low <= 0 ? Number.MIN_VALUE : height);
          if (colour === undefined || !place.every(Number.isFinite)) return;
          dots.set(colour, [...(dots.get(colour) ?? []), place]);
        });
        return [...dots].map(([fill, points]): Shape => ({ kind: 'dots', points, radius, fill }));
      }),
    },
    note: (index) =>
      [
        `x ${statNumber(x[index] ?? Number.NaN)}`,
        `y ${statNumber(y[index] ?? Number.NaN)}`,
        `${zTitle || 'z'} ${statNumber(z[index] ?? Number.NaN)}${errorOf(index)}`,
      ].join('\n'),
    stats: [
      { label: 'Points', value: statNumber(count) },
      { label: 'Lowest', value: statNumber(z.reduce((low, value) => Math.min(low, value), Infinity)) },
      { label: 'Highest', value: statNumber(z.reduce((high, value) => Math.max(high, value), -Infinity)) },
    ],
  };
}
