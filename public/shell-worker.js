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
  if (part === 'document') event.respondWith(documentOf(request));
  else if (part === 'asset') event.respondWith(assetOf(request));
});

/** Undefined where the browser grants no storage: then the page needs the network. */
const opened = () => caches.open(store).catch(() => undefined);

/** Without space nothing is kept, and the page goes on. */
async function keep(cache, key, answer) {
  await cache?.put(key, answer.clone()).catch(() => {});
}

/** The newest document that can be had; the state in its query is the page's to read. */
async function documentOf(request) {
  const cache = await opened();
  let answer;
  try {
    answer = await fetch(request);
  } catch (failure) {
    const kept = await cache?.match(scope.href);
    if (kept === undefined) throw failure;
    return kept;
  }
  if (answer.ok) await keep(cache, scope.href, answer);
  return answer;
}

/** An asset's name changes with its content, so that what is here is right. */
async function assetOf(request) {
  const cache = await opened();
  const kept = await cache?.match(request);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (cache && answer.ok) {
    await keep(cache, request, answer);
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((old) => cache.delete(old)));
  }
  return answer;
}
