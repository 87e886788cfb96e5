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

/** Undefined where the browser grants no storage: then the page needs the network. */
const opened = () => caches.open(store).catch(() => undefined);

/** Keeps a copy while the answer is already under way to the page. Without space nothing is kept. */
async function keep(cache, key, copy) {
  await cache.put(key, copy).catch(() => {});
  const keys = await cache.keys();
  const old = keys.filter(({ url }) => url !== scope.href).slice(0, Math.max(0, keys.length - most));
  await Promise.all(old.map((one) => cache.delete(one)));
}

/** The newest document that can be had; the state in its query is the page's to read. */
async function documentOf(event) {
  const { request } = event;
  const cache = await opened();
  let answer;
  try {
    answer = await fetch(request);
  } catch (failure) {
    const kept = await cache?.match(scope.href);
    if (kept === undefined) throw failure;
    return kept;
  }
  if (cache && answer.ok) event.waitUntil(keep(cache, scope.href, answer.clone()));
  return answer;
}

/** An asset's name changes with its content, so that what is here is right. */
async function assetOf(event) {
  const { request } = event;
  const cache = await opened();
  const kept = await cache?.match(request);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (cache && answer.ok) event.waitUntil(keep(cache, request, answer.clone()));
  return answer;
}
