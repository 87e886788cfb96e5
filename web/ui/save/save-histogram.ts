import type { Histogram } from '../../api/api';
import type { Sink } from '../../api/sink';
import { toXylemError } from '../../base/errors';
import type { ViewerStore } from '../state/viewer-state';

/** Saves drawn histograms as a ROOT file. Does nothing if the user chooses no file. Rejects with XylemError. */
export async function saveHistogram(
  writer: NonNullable<ViewerStore['writer']>,
  name: string,
  histogram: Histogram | readonly Histogram[],
  saveTo: ViewerStore['sink'],
): Promise<void> {
  let sink: Sink | undefined;
  try {
    sink = await saveTo(name);
    await writer.histogram(histogram, sink);
  } catch (thrown) {
    // Also when it failed before anything could be written.
    await sink?.abort?.().catch(() => undefined);
    const error = toXylemError(thrown);
    if (error.code !== 'ABORTED') throw error;
  }
}
