import type { Histogram, PlainObject } from '../../api/api';
import { projected } from '../../bins/project';
import { histogramOfObject } from '../../bins/stored-histogram';
import { hasManyAxes } from '../../plot/stored/classes';

/** Returns the bins of the drawing; nothing if it has none. `how` is the projection of an object with many axes. */
export function storedBins(object: object | undefined, how: string): { result?: Histogram } {
  try {
    const stored = object as PlainObject;
    return { result: hasManyAxes(stored._typename) ? projected(stored, how) : histogramOfObject(stored) };
  } catch {
    return {};
  }
}
