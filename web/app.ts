import { createWorkerReader } from '../workers/client';
import { GATEWAY_KEY, type Host } from '../workers/host';
import workerUrl from '../workers/xylem.worker?worker&url';
import insightUrl from '../workers/xylem-insight.worker?worker&url';
import { trustedScriptUrl } from './base/trusted-types';
import { ADDRESSES } from './core/modules/addresses';
import { pageCore, pageModules } from './core/modules/page-modules';
import { sharedQuery } from './ui/launched';
import { mountApp } from './ui/mount-app';
import type { PagePart } from './ui/part';

const element = document.getElementById('app');
if (element) {
  // The workers start; the page is made in a task of its own, so that neither is a long one.
  const kept = storage();
  const { gatewayKey = kept?.getItem(GATEWAY_KEY) ?? undefined } = await taken(kept);
  const shared = sharedQuery(location.search);
  if (shared !== undefined) history.replaceState(history.state, '', shared);
  const host: Host = {
    core: () => pageCore(),
    modules: pageModules(),
    spawn: {
      reading: () => new Worker(trustedScriptUrl(workerUrl), { type: 'module' }),
      insight: async () => () => new Worker(trustedScriptUrl(insightUrl), { type: 'module' }),
    },
    workerType: 'module',
    repair: fetchAnew,
    openSource: async (spec) =>
      (await import('./engine/browser-source')).openBrowserSource(spec, undefined, gatewayKey),
    sink: async (name) => (await import('./ui/save/save-sink')).saveSink(name),
    storage: kept,
    gatewayKey,
  };
  const reader = createWorkerReader(host);
  setTimeout(() =>
    mountApp(
      element,
      reader,
      { ...host, location, base: document.baseURI },
      { sampleUrl: 'sample.root', sampleState: { tree: 'Events', draw: 'Dimuon_mass' } },
    ),
  );
  void sweepLeftovers();
  // The service worker lets the page itself start without a network; it does not handle files.
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    const idle = globalThis.requestIdleCallback ?? setTimeout;
    // After the work of the visit.
    navigator.serviceWorker.ready.then(({ active }) =>
      setTimeout(() => idle(() => active?.postMessage('keep all')), 3000),
    );
    navigator.serviceWorker.register(trustedScriptUrl('shell-worker.js')).catch(() => {
      // Refused in private windows and without https: the page then needs the network to start.
    });
  }
}

/** Takes what came after "#" with the link of this page, and returns what a feature adds to its host for that. */
async function taken(storage: Storage | undefined): Promise<Partial<Host>> {
  const [, name = '', value = ''] = /^#(\w+)=([\w-]+)$/.exec(location.hash) ?? [];
  if (name === '') return {};
  const listed = Object.values<PagePart>(await import('./features/page'));
  const load = listed.find(({ fragments = {} }) => Object.hasOwn(fragments, name))?.fragments?.[name];
  if (load === undefined) return {};
  const take = await load();
  history.replaceState(history.state, '', location.pathname + location.search);
  return await take(value, { storage });
}

/** Fetches the parts that did not start, from the server and not from what browser and service worker keep. */
async function fetchAnew(): Promise<void> {
  await globalThis.caches?.delete('xylem-shell');
  await Promise.all([workerUrl, ADDRESSES.core()].map((url) => fetch(url, { cache: 'reload' })));
}

/** Removes what an earlier visit left in the page's storage for its downloads. */
async function sweepLeftovers(): Promise<void> {
  try {
    await (await navigator.storage.getDirectory()).getDirectoryHandle('xylem-saves');
  } catch {
    return;
  }
  await (await import('./ui/save/stored-files')).sweepStored();
}

/** Undefined when the browser refuses storage, which it may do by throwing. */
function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
