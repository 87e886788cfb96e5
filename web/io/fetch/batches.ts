import { chooseGap, DEFAULT_GAP_BYTES } from '../gap';
import { endOf, totalLength, union } from '../ranges';
import type { SourceFacts } from '../source';
import { linkOf, type Trace } from '../trace';
import type { Fetch } from './fetch';
import type { FetchLimit } from './queue';

/** Maximum length of a request for several fetches, so that decoding can begin early. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** Maximum on fast links, where this many bytes take no longer than a round trip. */
const MAX_FAST_BATCH_BYTES = 16 * 1024 * 1024;

/** Decides which waiting fetches are sent in one request. */
export interface Batches {
  /** Examines the queue before its requests start. If many are waiting, they are combined. */
  consider(): void;
  /** Takes the next fetch from the queue, and those in the same request. */
  take(): Fetch[];
  /** Puts fetches back into the queue that the source did not answer in one request. */
  putBack(fetches: readonly Fetch[]): void;
}

export function createBatches(source: SourceFacts, requests: FetchLimit, trace: Trace): Batches {
  const { queued } = requests;
  /** single: one fetch per request. parts: many ranges per request. spans: one long range for many fetches. */
  let mode: 'single' | 'parts' | 'spans' = 'single';
  let spanGap = 0;

  /** Returns the number of fetches in one request of many ranges. `alike` fetches wait with the same priority. */
  function partCount(alike: number): number {
    const bytes = totalLength(queued.slice(0, alike));
    const link = linkOf(source, trace);
    // Connections share the work, but one that does not save a round trip is not worth opening.
    const worth = link ? link.latencyMs * link.bytesPerMs : 0;
    const share = Math.max(
      Math.min(worth, MAX_FAST_BATCH_BYTES),
      Math.min(MAX_BATCH_BYTES, bytes / (requests.places - requests.running)),
    );
    const most = Math.min(alike, source.maxParts ?? 0);
    let count = 1;
    for (let size = queued[0]?.length ?? 0; count < most && size < share; count++) {
      size += queued[count]?.length ?? 0;
    }
    return count;
  }

  /** Returns the number of fetches in one long range. */
  function spanCount(alike: number): number {
    const start = queued[0]?.offset ?? 0;
    let count = 1;
    for (let last = queued[0]; last && count < alike; last = queued[count++]) {
      const next = queued[count];
      const gap = next ? next.offset - endOf(last) : -1;
      if (!next || gap < 0 || gap > spanGap || endOf(next) - start > MAX_BATCH_BYTES) break;
    }
    return count;
  }

  return {
    consider() {
      if (mode === 'single' && queued.length > 2 * requests.places) mode = 'parts';
    },

    take() {
      const priority = queued[0]?.priority;
      const other = queued.findIndex((fetch) => fetch.priority !== priority);
      const alike = other < 0 ? queued.length : other;
      const count = mode === 'parts' ? partCount(alike) : mode === 'spans' ? spanCount(alike) : 1;
      const batch = queued.splice(0, count);
      if (queued.length === 0) mode = 'single';
      return batch;
    },

    putBack(fetches) {
      for (const fetch of fetches) {
        fetch.state = 'queued';
        queued.push(fetch);
      }
      queued.sort((a, b) => b.priority - a.priority || a.offset - b.offset);
      // The source accepts fewer ranges per request than expected, or only one, so long ranges are used.
      if ((source.maxParts ?? 0) > 1) {
        mode = 'parts';
        return;
      }
      const link = linkOf(source, trace);
      const concurrency = requests.places;
      spanGap = link ? chooseGap(union(queued), { link, concurrency, manyParts: 0 }) : DEFAULT_GAP_BYTES;
      mode = 'spans';
    },
  };
}
