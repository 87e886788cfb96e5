import type { Histogram } from '../../api/api';
import { toXylemError } from '../../base/errors';
import type { WriteApi } from '../../write/api';
import { saveSink } from './save-sink';

/** Saves a drawn histogram as a ROOT file. Does nothing when the user chooses no file; rejects with XylemError. */
export async function saveHistogram(writer: WriteApi, name: string, histogram: Histogram): Promise<void> {
  try {
    await writer.histogram(histogram, await saveSink(name));
  } catch (thrown) {
    const error = toXylemError(thrown);
    if (error.code !== 'ABORTED') throw error;
  }
}
