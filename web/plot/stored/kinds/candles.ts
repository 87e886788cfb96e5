import { type MapModel, middleOf } from '../../model';

/** The parts of candles that an option of ROOT asks for. */
export interface CandleParts {
  /** Whether candles are horizontal, placed above each other along y. */
  horizontal: boolean;
  box: boolean;
  median: 'none' | 'line' | 'notched' | 'circle';
  mean: 'none' | 'line' | 'circle';
  /** Whiskers to the ends of the contents, or to the last contents within 1.5 box lengths. */
  whiskers: 'none' | 'all' | 'near';
  /** Whether whiskers end with short lines. */
  anchors: boolean;
  /** Dots: for contents beyond the whiskers, or for all, along a line or scattered. */
  points: 'none' | 'outliers' | 'all' | 'scattered';
  /** The histogram of the slice on one side of its middle, or on both. */
  outline: 'none' | 'left' | 'right' | 'both';
  /** Whether there is a line along the whole slice. */
  zero: boolean;
}

/** The numbers of ROOT's presets. Each digit is the form of one part. */
const CANDLES = [11_311, 11_311, 112_111, 112_311, 112_321, 212_111, 312_311];
const VIOLINS = [13_001_300, 13_001_300, 13_102_300];

/** Returns the parts for an option such as `CANDLEX3`, `VIOLINY` or `CANDLE(112111)`; undefined for other options. */
export function candleParts(option: string): CandleParts | undefined {
  const found = /(CANDLE|VIOLIN)(?:([XYVH])?([1-9])?|([1-9])([XYVH]))?(?:\((\d{1,9})\))?/.exec(
    option.toUpperCase(),
  );
  if (found === null) return undefined;
  const [, kind, first, second, preset = second, direction = first, own] = found;
  const presets = kind === 'VIOLIN' ? VIOLINS : CANDLES;
  const code = own === undefined ? (presets[Number(preset ?? 1)] ?? presets[1] ?? 0) : Number(own);
  const digit = (place: number) => Math.floor(code / 10 ** place) % 10;
  const one = <T>(place: number, names: readonly T[]): T => names[digit(place)] ?? (names[0] as T);
  return {
    horizontal: direction === 'Y' || direction === 'H' || digit(8) === 1,
    box: digit(0) === 1,
    median: one(1, ['none', 'line', 'notched', 'circle']),
    mean: one(2, ['none', 'line', 'none', 'circle']),
    whiskers: one(3, ['none', 'all', 'near']),
    anchors: digit(4) === 1,
    points: one(5, ['none', 'outliers', 'all', 'scattered']),
    outline: one(6, ['none', 'left', 'right', 'both']),
    zero: digit(7) === 1,
  };
}

/** The distribution in one bin of the axis along which candles are placed. */
export interface Candle {
  /** The bin, and its middle and width. */
  bin: number;
  middle: number;
  width: number;
  /** Sum of the contents, and the largest one. */
  sum: number;
  most: number;
  median: number;
  /** Half the length of a notch. */
  notch: number;
  mean: number;
  box: [low: number, high: number];
  whiskers: [low: number, high: number];
  contents: Float64Array;
  /** The edges of the contents. */
  edges: Float64Array;
}

/** Returns the candles of a map, as in TCandle: one for each bin with contents that have quartiles. */
export function candlesOf(map: MapModel, { horizontal, whiskers }: CandleParts): Candle[] {
  const { xEdges, yEdges, values } = map;
  const columns = xEdges.length - 1;
  const [beside, along] = horizontal ? [yEdges, xEdges] : [xEdges, yEdges];
  const candles: Candle[] = [];
  for (let bin = 0; bin + 1 < beside.length; bin++) {
    const contents = Float64Array.from({ length: along.length - 1 }, (_, i) => {
      const content = values[horizontal ? bin * columns + i : i * columns + bin] ?? 0;
      return Number.isFinite(content) ? content : 0;
    });
    const found = candleOf(contents, along, whiskers);
    const width = (beside[bin + 1] ?? 0) - (beside[bin] ?? 0);
    if (found !== undefined) candles.push({ bin, middle: middleOf(beside, bin), width, ...found });
  }
  return candles;
}

function candleOf(
  contents: Float64Array,
  edges: Float64Array,
  how: CandleParts['whiskers'],
): Omit<Candle, 'bin' | 'middle' | 'width'> | undefined {
  let sum = 0;
  let first = 0;
  let most = 0;
  // Negative contents have no quartiles.
  const positive = contents.map((content) => Math.max(0, content));
  positive.forEach((content, i) => {
    sum += content;
    first += content * middleOf(edges, i);
    most = Math.max(most, content);
  });
  if (!(sum > 0) || !Number.isFinite(sum)) return undefined;
  const quantile = quantiles(positive, edges, sum);
  const [least, low, median, high, last] = [1e-15, 0.25, 0.5, 0.75, 1 - 1e-15].map(quantile) as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (!(high > low) || !(last > least)) return undefined;
  const reach = 1.5 * (high - low);
  return {
    ...{ sum, most, median, mean: first / sum, contents: positive, edges },
    notch: (1.57 * (high - low)) / Math.sqrt(sum),
    box: [low, high],
    whiskers: how === 'near' ? nearEnds(positive, edges, low - reach, high + reach) : [least, last],
  };
}

/**
 * Returns quantiles of contents spread evenly over their bins. If a bin ends exactly at a quantile, it is as in
 * TH1::GetQuantiles: the middle of the following empty bins, or of the bin that ends there.
 */
function quantiles(contents: Float64Array, edges: Float64Array, sum: number): (share: number) => number {
  let total = 0;
  const below = contents.map((content) => {
    total += content;
    return total / sum;
  });
  const middle = (from: number, to: number) => ((edges[from] ?? 0) + (edges[to] ?? 0)) / 2;
  return (share) => {
    const at = below.findIndex((one) => one >= share);
    if (at < 0) return edges[below.findIndex((one) => one >= (below.at(-1) ?? 1)) + 1] ?? 0;
    if (below[at] === share) {
      const next = below.findIndex((one) => one > share);
      return next > at + 1 ? middle(at + 1, next) : middle(at, at + 1);
    }
    const before = below[at - 1] ?? 0;
    const [left, right] = [edges[at] ?? 0, edges[at + 1] ?? 0];
    return left + ((share - before) / ((below[at] ?? 1) - before)) * (right - left);
  };
}

/** Returns the outer edges of the first and the last bin with contents between two positions. */
function nearEnds(contents: Float64Array, edges: Float64Array, low: number, high: number): [number, number] {
  let from = 0;
  while (from + 1 < contents.length && ((edges[from + 1] ?? 0) <= low || contents[from] === 0)) from++;
  let to = contents.length - 1;
  while (to > 0 && ((edges[to] ?? 0) > high || contents[to] === 0)) to--;
  return [edges[from] ?? 0, edges[to + 1] ?? 0];
}

/** Maximum number of dots of a candle. With more contents, one dot represents several. */
const MAX_DOTS = 1000;

export type Place = [beside: number, along: number];

/** Random numbers from 0 to 1 that are the same each time. */
export function sameRandom(seed: number): () => number {
  let last = seed;
  return () => {
    last = (last * 1_103_515_245 + 12_345) % 2_147_483_648;
    return last / 2_147_483_648;
  };
}

/** The dots of a candle, `width` wide, at places that are the same each time. */
export function candleDots(candle: Candle, how: CandleParts['points'], width: number): Place[] {
  const { contents, edges, whiskers, middle } = candle;
  if (how === 'none') return [];
  const random = sameRandom(7 + candle.bin);
  const scale = Math.min(1, MAX_DOTS / candle.sum);
  return Array.from(contents).flatMap((content, i): Place[] => {
    const [left, right] = [edges[i] ?? 0, edges[i + 1] ?? 0];
    const centre = (left + right) / 2;
    const isOut = centre < whiskers[0] || centre > whiskers[1];
    if (!(content > 0) || (how === 'outliers' && !isOut)) return [];
    const count = Math.min(MAX_DOTS, Math.max(1, Math.floor(content * scale)));
    return Array.from(
      { length: count },
      (): Place => [
        how === 'scattered' ? middle + (random() - 0.5) * width : middle,
        count === 1 && how !== 'scattered' ? centre : left + random() * (right - left),
      ],
    );
  });
}

/**
 * Returns the outline of the contents of a candle on one or both sides of its middle. The largest content is `reach`
 * away.
 */
export function candleOutline(candle: Candle, side: CandleParts['outline'], reach: number): Place[] {
  const { contents, edges, middle, most } = candle;
  const first = contents.findIndex((content) => content > 0);
  const last = contents.findLastIndex((content) => content > 0);
  if (side === 'none' || first < 0) return [];
  const right: Place[] = [[0, edges[first] ?? 0]];
  for (let i = first; i <= last; i++) {
    const away = ((contents[i] ?? 0) / most) * reach;
    right.push([away, edges[i] ?? 0], [away, edges[i + 1] ?? 0]);
  }
  right.push([0, edges[last + 1] ?? 0]);
  const placed = (sign: 1 | -1) => right.map(([away, along]): Place => [middle + sign * away, along]);
  if (side === 'both') return [...placed(1), ...placed(-1).toReversed()];
  return placed(side === 'right' ? 1 : -1);
}
