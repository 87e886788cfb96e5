// Keeps the page itself (its document, scripts, styles and core) so that it starts without a network.
// ROOT files are none of its business: they go to the network, and their cache is the reader's own.

const store = 'xylem-shell';
/** Files of older builds go when there are more than these. */
const most = 60;

const scope = new URL(self.registration.scope);

/** @param {URL} url What belongs to the page: its document, and the files that a build names by their content. */
function partOfShell(url) {
  if (url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return undefined;
  const name = url.pathname.slice(scope.pathname.length);
  if (name === '' || name === 'index.html') return 'document';
  return name === 'icon.svg' || /^assets\/[^/]+\.(js|css|wasm|svg)$/.test(name) ? 'asset' : undefined;
}

self.addEventListener('install', (event) => {
  // Where the browser can, all else does not even wake this worker.
  event.addRoutes?.({
    condition: {
      not: {
        or: [
          { urlPattern: new URLPattern({ pathname: `${scope.pathname}assets/*`, baseURL: scope.href }) },
          { urlPattern: new URLPattern({ pathname: `${scope.pathname}icon.svg`, baseURL: scope.href }) },
          { requestMode: 'navigate' },
        ],
      },
    },
    source: 'network',
  });
  event.waitUntil(self.skipWaiting());
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || request.headers.has('range')) return;
  const part = partOfShell(new URL(request.url));
  if (part === 'document') event.respondWith(documentOf(event));
  else if (part === 'asset') event.respondWith(assetOf(event));
});

/**
 * What the store has of `key`; undefined also where the browser grants no storage.
 * @param {RequestInfo} key
 */
async function kept(key) {
  try {
    return await (await caches.open(store)).match(key);
  } catch {
    return undefined;
  }
}

/**
 * Keeps an answer where the browser grants space: without it the page needs its network, no more.
 * @param {RequestInfo} key
 * @param {Response} answer
 */
async function keep(key, answer) {
  try {
    const cache = await caches.open(store);
    await cache.put(key, answer);
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((old) => cache.delete(old)));
  } catch {
    // No storage, or no space in it.
  }
}

/** The newest document that can be had; the state in its query is the page's to read. */
async function documentOf(event) {
  let answer;
  try {
    answer = await fetch(event.request);
  } catch (failure) {
    answer = await kept(scope.href);
    if (answer === undefined) throw failure;
    return answer;
  }
  if (answer.ok) event.waitUntil(keep(scope.href, answer.clone()));
  return answer;
}

/** An asset's name changes with its content, so that what is here is right. */
async function assetOf(event) {
  const here = await kept(event.request);
  if (here !== undefined) return here;
  const answer = await fetch(event.request);
  if (answer.ok) event.waitUntil(keep(event.request, answer.clone()));
  return answer;
}
