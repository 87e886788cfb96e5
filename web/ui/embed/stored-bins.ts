import type { Histogram, PlainObject } from '../../api/api';
import { histogramOfObject } from '../../bins/stored-histogram';

/** The bins of what is drawn; nothing for an object that has none. */
export function storedBins(object: object | undefined): { result?: Histogram } {
  try {
    return { result: histogramOfObject(object as PlainObject) };
  } catch {
    return {};
  }
}
