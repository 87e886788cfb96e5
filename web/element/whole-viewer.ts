import { createWorkerReader } from '../../workers/client';
import type { Host } from '../../workers/host';
import type { ReaderChannel } from '../../workers/json-channel';
import { deferredReader } from '../api/deferred-reader';
import type { EngineReader } from '../api/reader';
import { forwardAll } from '../base/forward';
import { listOfPage } from '../library/page-readers';
import { createSharedReaders } from '../library/shared-readers';
import type { XylemViewer } from './element-api';
import { loadPart } from './load-part';
import { coreBytes, elementCore, elementModules } from './modules';
import { placeRest, readingWorker, workerOf } from './reading-worker';
import { mountViewer, type ViewerBody } from './viewer-body';

let insightWorker: (() => Worker) | undefined;

async function loadInsight(): Promise<() => Worker> {
  const { insightScript } = await loadPart('What computes this', () => import('./insight-script'));
  insightWorker ??= workerOf(() => insightScript);
  return insightWorker;
}

const elementHost: Host = {
  core: elementCore,
  modules: elementModules,
  spawn: { reading: readingWorker, insight: loadInsight },
  workerType: 'classic',
  openSource: async (spec) => (await import('../engine/browser-source')).openBrowserSource(spec),
  sink: async (name) => (await import('../ui/save/save-sink')).saveSink(name),
  storage: undefined,
};

/** One core, one session and one pool of workers for all elements of a page, and for `openRoot` on it. */
export const lease = createSharedReaders(() => createWorkerReader(elementHost), listOfPage());

/** Readers of other programs, one for each channel. */
const leaseOver = createSharedReaders(({ channel }: { channel: ReaderChannel }): EngineReader => {
  let made: Promise<EngineReader> | undefined;
  const get = (): Promise<EngineReader> =>
    (made ??= import('../../workers/channel-reader').then(({ channelReader }) =>
      channelReader(channel, elementHost),
    ));
  return {
    ...deferredReader(get),
    insight: forwardAll(async () => (await get()).insight),
    writer: forwardAll(async () => (await get()).writer),
    terminate: () => void made?.then((reader) => reader.terminate()),
  };
});

/**
 * Draws an element. `folder` is the address of the folder of its script, with a slash at its end. If it is `unbundled`, the parts of
 * the script are there.
 */
export function mount(host: XylemViewer, root: ShadowRoot, folder: string, unbundled: boolean): ViewerBody {
  if (unbundled) placeRest(folder);
  return mountViewer(host, root, {
    lease: () => (host.reader === null ? lease({}) : leaseOver({ channel: host.reader })),
    sink: elementHost.sink,
    beside: `${folder}jsroot/frame.html`,
    selectors: host.hasAttribute('selectors') ? { folder: `${folder}selector/`, core: coreBytes } : undefined,
  });
}
