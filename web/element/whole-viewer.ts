/// <reference path="./inlined.d.ts" />
import { createWorkerReader } from '../../workers/client';
import type { Host } from '../../workers/host';
import workerScript from '../../workers/xylem.worker?worker&inline&text';
import { trustedScriptUrl } from '../base/trusted-types';
import { listOfPage } from '../library/page-readers';
import { createSharedReaders } from '../library/shared-readers';
import type { XylemViewer } from './element-api';
import { loadPart } from './load-part';
import { coreBytes, elementCore, elementModules } from './modules';
import { mountViewer, type ViewerBody } from './viewer-body';

/** The worker's script is within this one. Workers start others from its address, which is therefore kept. */
const readingWorker = workerOf(workerScript);

/** Starts workers with a script. */
function workerOf(script: string): () => Worker {
  let address: string | undefined;
  return () => {
    address ??= URL.createObjectURL(new Blob([script], { type: 'text/javascript;charset=utf-8' }));
    return new Worker(trustedScriptUrl(address));
  };
}

let insightWorker: (() => Worker) | undefined;

async function loadInsight(): Promise<() => Worker> {
  const { insightScript } = await loadPart('What computes this', () => import('./insight-script'));
  insightWorker ??= workerOf(insightScript);
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

/** Draws an element; `folder` is the address of what lies beside its script, with a slash at its end. */
export function mount(host: XylemViewer, root: ShadowRoot, folder: string): ViewerBody {
  return mountViewer(host, root, {
    lease: () => lease({}),
    sink: elementHost.sink,
    beside: `${folder}jsroot/frame.html`,
    selectors: host.hasAttribute('selectors') ? { folder: `${folder}selector/`, core: coreBytes } : undefined,
  });
}
