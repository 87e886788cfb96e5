import type { Histogram, PlainObject } from '../../api/api';
import { projected } from '../../bins/project';
import { histogramOfObject } from '../../bins/stored-histogram';
import { hasManyAxes } from '../../plot/stored/classes';

/** The bins of what is drawn, `how` being the projection of an object of many axes; nothing for one that has none. */
export function storedBins(object: object | undefined, how: string): { result?: Histogram } {
  try {
    const stored = object as PlainObject;
    return { result: hasManyAxes(stored._typename) ? projected(stored, how) : histogramOfObject(stored) };
  } catch {
    return {};
  }
}
