import { argumentError } from '../../../base/errors';
import { firstAbove } from '../../../base/search';
import type { Frame } from './frame';
import type { At } from './place';

/** How values outside the edges are treated: "content" evaluates another node for them. */
export type Flow = 'clamp' | 'error' | 'wrap' | 'content';

/** Returns the index of the bin of the current value; the number of bins if it is outside and has the content of the flow. */
export type FindBin = () => number;

export interface Axis {
  bins: number;
  find: FindBin;
}

/** Returns the edges of bins, and how the bin of an input is found. `input` is its index, and `name` its name. */
export function axisOf(at: At, frame: Frame, input: number, name: string, flow: Flow): Axis {
  const { numbers } = frame;
  const outside = outsideOf(name, flow, at);
  if (!Array.isArray(at.value)) {
    const bins = at.member('n').whole();
    if (bins < 1) throw at.member('n').wrong('has no bins');
    const low = finite(at.member('low'));
    const high = finite(at.member('high'));
    if (!(low < high)) throw at.wrong(`has the lower edge ${low}, which is not below the upper edge ${high}`);
    const width = high - low;
    return {
      bins,
      find() {
        const value = numbers[input] as number;
        let share = (value - low) / width;
        if (flow === 'wrap') share -= Math.floor(share);
        else if (value < low || value >= high) return outside(value, value < low, bins);
        if (!(share >= 0)) throw notIn(name, value, at);
        // Just below the upper edge the share may be rounded to 1.
        const bin = Math.floor(bins * share);
        return bin < bins || flow === 'content' ? bin : bins - 1;
      },
    };
  }
  const edges = Float64Array.from(at.items(), edgeOf);
  const last = edges.length - 1;
  if (last < 1) throw at.wrong('has fewer than two edges');
  for (let i = 0; i < last; i++)
    if (!((edges[i] as number) < (edges[i + 1] as number)))
      throw at.item(i + 1).wrong(`is ${edges[i + 1]}, which is not above the edge before it, ${edges[i]}`);
  const low = edges[0] as number;
  const high = edges[last] as number;
  return {
    bins: last,
    find() {
      let value = numbers[input] as number;
      if (flow === 'wrap') {
        const share = (value - low) / (high - low);
        value = low + (share - Math.floor(share)) * (high - low);
        if (Number.isNaN(value)) throw notIn(name, numbers[input] as number, at);
      } else if (value < low) return outside(value, true, last);
      // NaN is above all edges, as in correctionlib.
      else if (!(value < high)) return outside(value, false, last);
      const bin = firstAbove(edges, value) - 1;
      return bin < last ? bin : last - 1;
    },
  };
}

/** Returns what the bin of a value outside the edges is: the first or last one, or the number of bins. */
function outsideOf(
  name: string,
  flow: Flow,
  at: At,
): (value: number, isBelow: boolean, bins: number) => number {
  if (flow === 'content') return (_value, _isBelow, bins) => bins;
  if (flow === 'clamp') return (_value, isBelow, bins) => (isBelow ? 0 : bins - 1);
  return (value, isBelow) => {
    throw argumentError(
      `The input "${name}" is ${value}, ${Number.isNaN(value) ? 'which has no bin' : `${isBelow ? 'below' : 'above'} the bins`}.`,
      'This correction has no value there: select the objects that it is made for first.',
      { path: at.path },
    );
  };
}

function notIn(name: string, value: number, at: At) {
  return argumentError(`The input "${name}" is ${value}, which has no bin.`, undefined, { path: at.path });
}

function finite(at: At): number {
  const value = at.number();
  if (!Number.isFinite(value)) throw at.wrong(`is ${value}; a finite number was expected`);
  return value;
}

/** Returns an edge: a number, or one of the texts of infinities. */
function edgeOf(at: At): number {
  if (at.value === 'inf' || at.value === '+inf') return Number.POSITIVE_INFINITY;
  if (at.value === '-inf') return Number.NEGATIVE_INFINITY;
  const value = at.number();
  if (Number.isNaN(value)) throw at.wrong('is NaN');
  return value;
}
