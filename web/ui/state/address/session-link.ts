import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { LinkEstimate } from '../../../io/link';
import type { ReadRecord } from '../../../io/trace';
import type { OpenFile } from '../viewer-state';

/** Minimum number of requests for estimating the link from their times. */
export const MIN_REQUESTS = 3;
/** Minimum number of bytes in these requests. */
const MIN_BYTES = 100_000;

/** The result of measuring a server: its latency, and the speed over several connections. */
interface MeasuredLink {
  latencyMs?: number | undefined;
  manyConnections?: { bytes: number; ms: number } | undefined;
}

/**
 * The link to the server of the shown file. It is estimated once per server, so that all views use the same numbers.
 * A measurement of the server replaces the estimate.
 */
export interface SessionLink {
  /** Undefined until enough was read, and for files that do not come from a server. */
  readonly link: ReadonlySignal<LinkEstimate | undefined>;
  /** Whether reads of this file are needed for an estimate. */
  wants(open: OpenFile): boolean;
  learn(open: OpenFile, records: readonly ReadRecord[]): Promise<void>;
  measured(open: OpenFile, facts: MeasuredLink): void;
}

export function createSessionLink(file: ReadonlySignal<OpenFile | null>): SessionLink {
  const known = signal<ReadonlyMap<string, LinkEstimate>>(new Map());
  const set = (open: OpenFile, link: LinkEstimate) => {
    const server = serverOf(open);
    if (server !== undefined) known.value = new Map(known.peek()).set(server, link);
  };
  const wants = (open: OpenFile) => {
    const server = serverOf(open);
    return server !== undefined && !known.peek().has(server);
  };
  return {
    link: computed(() => known.value.get((file.value && serverOf(file.value)) ?? '')),
    wants,
    async learn(open, records) {
      if (!wants(open)) return;
      const sent = records.filter(({ origin, failed, got }) => origin === 'network' && !failed && got > 0);
      const bytes = sent.reduce((sum, { got }) => sum + got, 0);
      if (sent.length < MIN_REQUESTS || bytes < MIN_BYTES) return;
      // Loaded when needed. A first plot does not need it.
      const { estimateLink } = await import('../../../io/link');
      const link = estimateLink(sent);
      if (link !== undefined && wants(open)) set(open, link);
    },
    measured(open, { latencyMs, manyConnections: many }) {
      if (latencyMs !== undefined && many !== undefined)
        set(open, { latencyMs, bytesPerMs: many.bytes / Math.max(many.ms, 0.1) });
    },
  };
}

function serverOf({ source }: OpenFile): string | undefined {
  return source.kind === 'url' ? /^[a-z]+:\/\/[^/?#]*/i.exec(source.url)?.[0] : undefined;
}
