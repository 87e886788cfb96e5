// Keeps the page itself (its document, scripts, styles and core, JSROOT, and the editor of selectors) so that it starts without a network after
// one visit. ROOT files are none of its business: they go to the network, and their cache is the reader's own.

const store = 'xylem-shell';
const scope = new URL(self.registration.scope);
/** What the page consists of, besides its document, with the SHA-256 of each in base64: the build writes it here. */
const sums = {};
const files = Object.keys(sums);
/** Files of older builds go when there are more than these: tabs that are open may still ask for some. */
const most = files.length + 60;
/** Kept from the start of a page until it has come so far that it asks for the rest. */
const begun = new URL('begun', scope).href;
/** The document has this; a page of somebody else, as one for signing in, has not. */
const mark = 'id="app"';

/** @param {URL} url What belongs to the page: its document, and the files that a build names by their content. */
function partOfShell(url) {
  if (url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return undefined;
  const name = url.pathname.slice(scope.pathname.length);
  if (name === '' || name === 'index.html') return 'document';
  if (/^(jsroot|selector)\//.test(name)) return 'beside';
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
          { urlPattern: new URLPattern({ pathname: `${scope.pathname}jsroot/*`, baseURL: scope.href }) },
          { urlPattern: new URLPattern({ pathname: `${scope.pathname}selector/*`, baseURL: scope.href }) },
          { requestMode: 'navigate' },
        ],
      },
    },
    source: 'network',
  });
  const parts = files.filter((name) => partOfShell(new URL(name, scope)) !== 'beside');
  event.waitUntil(keepAll(['', ...parts]).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => event.waitUntil(dropBroken().then(() => self.clients.claim())));

// The page asks for the rest when it has nothing else to do: JSROOT is larger than all else.
self.addEventListener('message', (event) => {
  if (event.data === 'keep all') event.waitUntil(dropBroken().then(() => keepAll(files)));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || request.headers.has('range')) return;
  const part = partOfShell(new URL(request.url));
  if (part === 'document') event.respondWith(documentOf(event));
  else if (part === 'beside') event.respondWith(newestOf(event, request.url));
  else if (part === 'asset') event.respondWith(assetOf(event));
});

/** Undefined where the browser grants no storage: then the page needs the network. */
const opened = () => caches.open(store).catch(() => undefined);

/** @param {string} key Address of a part of the page. */
const nameOf = (key) => new URL(key).pathname.slice(scope.pathname.length);

/**
 * Whether an answer is the part of the page that it is named as. A server may send something else with status 200: its
 * document for each address, a page for signing in, half a file.
 * @param {string} key
 * @param {Response} copy It is read.
 */
async function isSound(key, copy) {
  if (copy.status !== 200 || copy.redirected) return false;
  const type = copy.headers.get('content-type') ?? '';
  const name = nameOf(key);
  if (name === '' || name === 'index.html') return /html/.test(type) && (await copy.text()).includes(mark);
  if (/\.js$/.test(name) && !/(java|ecma)script/.test(type)) return false;
  if (/\.css$/.test(name) && !/css/.test(type)) return false;
  const sum = sums[name];
  // A part of another build, whose name says its content.
  if (sum === undefined) return name.startsWith('assets/') && !/html/.test(type);
  return sum === (await sumOf(await copy.arrayBuffer()));
}

/** @param {ArrayBuffer} bytes */
async function sumOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...digest));
}

/** Drops what an older version of this worker kept without looking, and what the browser lost a part of. */
async function dropBroken() {
  const cache = await opened();
  for (const request of (await cache?.keys()) ?? []) {
    const kept = await cache.match(request);
    const sound = kept !== undefined && (await isSound(request.url, kept).catch(() => false));
    if (!sound) await cache.delete(request);
  }
}

/**
 * Keeps a copy while the answer is already under way to the page. Without space nothing is kept. Returns false for an
 * answer that is something else.
 */
async function keep(cache, key, copy) {
  if (!(await isSound(key, copy.clone()).catch(() => false))) return false;
  await cache.put(key, copy).catch(() => {});
  const keys = await cache.keys();
  const old = keys.filter(({ url }) => url !== scope.href).slice(0, Math.max(0, keys.length - most));
  await Promise.all(old.map((one) => cache.delete(one)));
  return true;
}

/** Fetches files of the page that are not kept, behind whatever the page is about. One that fails is left out. */
async function keepAll(names) {
  const cache = await opened();
  if (cache === undefined) return;
  await Promise.all(
    names.map(async (name) => {
      const url = new URL(name, scope);
      if (partOfShell(url) === 'asset' && (await cache.match(url))) return;
      try {
        const answer = await fetch(url, { priority: 'low' });
        if (await keep(cache, url.href, answer)) return;
        // The browser's own cache may have what a server once sent in place of it.
        await keep(cache, url.href, await fetch(url, { priority: 'low', cache: 'reload' }));
      } catch {
        // Without a network now; it is kept when it is asked for.
      }
    }),
  );
}

/** The document. Where the last start did not come to its end, what is kept may be broken, and is looked at first. */
async function documentOf(event) {
  const answer = newestOf(event, scope.href);
  const cache = await opened();
  if (await cache?.match(begun)) await dropBroken();
  await cache?.put(begun, new Response()).catch(() => {});
  return answer;
}

/** The newest that can be had of what keeps its name; the state in the query of a document is the page's to read. */
async function newestOf(event, key) {
  const { request } = event;
  const cache = await opened();
  let answer;
  try {
    answer = await fetch(request);
  } catch (failure) {
    const kept = await cache?.match(key);
    if (kept === undefined) throw failure;
    return kept;
  }
  if (cache) event.waitUntil(keep(cache, key, answer.clone()));
  return answer;
}

/** An asset's name changes with its content, and it was looked at before it was kept, so that what is here is right. */
async function assetOf(event) {
  const { request } = event;
  const cache = await opened();
  const kept = await cache?.match(request);
  if (kept !== undefined) return kept;
  // The browser's own cache may have for long what a server once sent in place of it.
  const anew = () => fetch(request, { cache: 'reload' });
  let answer = await fetch(request);
  if (isDocument(answer)) answer = await anew();
  const keepOrAskAgain = async (copy) =>
    (await keep(cache, request.url, copy)) || keep(cache, request.url, await anew());
  if (cache) event.waitUntil(keepOrAskAgain(answer.clone()).catch(() => {}));
  return answer;
}

/** @param {Response} answer No asset is one. */
const isDocument = (answer) => /html/.test(answer.headers.get('content-type') ?? '');
