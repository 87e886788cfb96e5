import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { EngineApi } from '../../api/engine-api';
import { type Reading, together } from '../../api/reading';
import type { TraceSummary } from '../../io/trace';
import type { Activities } from './activities';
import { createSessionLink, MIN_REQUESTS, type SessionLink } from './address/session-link';
import { type CacheControl, createCacheControl } from './cache-control';
import type { OpenFile } from './viewer-state';

/** Statistics of the reads of the shown file: their number, the link, and how much of the file is cached. */
export interface Traffic {
  readonly trace: ReadonlySignal<TraceSummary | null>;
  /** Duration of the last finished action in ms. */
  readonly lastTime: ReadonlySignal<number | null>;
  /** Readings of traces that were dropped or chosen, shown together with the reads of the open file. */
  readonly savedReadings: Signal<readonly Reading[]>;
  /** All these readings as one. */
  readonly savedReading: ReadonlySignal<Reading | undefined>;
  readonly cache: CacheControl;
  /** The link to the server of the shown file, the same in all views. */
  readonly link: SessionLink;
  /** Counts the reads since an action started, in ms of performance.now(). */
  count(since: number): Promise<void>;
  /** Clears what belongs to the file. */
  clear(): void;
}

/** A longer action included sleep of the machine or a change of its clock, so its time is ignored. */
const MAX_ACTION_MS = 3_600_000;

export function createTraffic(
  api: EngineApi,
  context: { file: ReadonlySignal<OpenFile | null>; activities: Activities },
): Traffic {
  const { file } = context;
  const trace = signal<TraceSummary | null>(null);
  const lastTime = signal<number | null>(null);
  const savedReadings = signal<readonly Reading[]>([]);
  const savedReading = computed(() =>
    savedReadings.value.length === 0 ? undefined : together(savedReadings.value),
  );
  const cache = createCacheControl(api);
  const link = createSessionLink(file);

  async function learnLink(open: OpenFile): Promise<void> {
    try {
      await link.learn(open, await api.trace(open.info.id));
    } catch {
      // The file was closed meanwhile, or the code was not loaded, so the link stays unknown.
    }
  }

  return {
    ...{ trace, lastTime, savedReadings, savedReading, cache, link },
    async count(since) {
      const took = performance.now() - since;
      lastTime.value = took < MAX_ACTION_MS ? took : null;
      const open = file.peek();
      if (open === null) return;
      try {
        const summary = await api.traceSummary(open.info.id);
        if (file.peek() === open) trace.value = summary;
        if (summary.requests >= MIN_REQUESTS && link.wants(open)) void learnLink(open);
        if (open.source.kind === 'url') await cache.update();
      } catch {
        // The file was closed meanwhile, so there is nothing to count any more.
        if (file.peek() === open) trace.value = null;
      }
    },
    clear() {
      trace.value = null;
      savedReadings.value = [];
      lastTime.value = null;
    },
  };
}
