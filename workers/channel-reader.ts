import { deferredReader } from '../web/api/deferred-reader';
import type { EngineApi } from '../web/api/engine-api';
import type { EngineReader } from '../web/api/reader';
import { forwardAll } from '../web/base/forward';
import type { PageInsight } from '../web/insight/api';
import { createWriter } from '../web/library/writer';
import type { Host } from './host';
import { channelEndpoint, type ReaderChannel } from './json-channel';
import { remoteWork } from './lent-host';
import { withoutArrays } from './remote-reader';
import { wrap } from './rpc';
import { callsBack, sendable } from './sendable';
import type { ServedReader } from './serve-reader';

/**
 * Returns a reader for another program that runs `serveReader`. Files of this page are read through the channel.
 * Output is sent to the sinks of this page.
 */
export function channelReader(channel: ReaderChannel, host: Pick<Host, 'openSource'>): EngineReader {
  const end = channelEndpoint(channel, 'a');
  const { api, close } = wrap<ServedReader>(end);
  const calls = withoutArrays(deferredReader(async () => api as EngineApi));
  const reader: EngineApi = {
    ...calls,
    open: async (source, options) =>
      calls.open(await sendable(source, host, (one) => callsBack(one) || one.kind === 'blob'), options),
  };
  return {
    ...reader,
    insight: forwardAll<PageInsight>(() => api, { warm: () => {} }),
    // The other side uses its own module for writing.
    writer: createWriter(
      reader,
      () => remoteWork(api),
      async () => undefined as unknown as WebAssembly.Module,
    ),
    terminate() {
      close();
      end.close();
    },
  };
}
