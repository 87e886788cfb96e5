import './styles/page.css';
import './styles/viewer.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import type { Host } from '../../workers/host';
import type { FileInfo, WholeSource } from '../api/api';
import { toXylemError, type XylemError } from '../base/errors';
import { ADDRESSES } from '../core/modules/addresses';
import { formatBlockBytes, parseBlockBytes } from '../io/blocks';
import { specOf } from '../library/sources';
import * as around from './around';
import { allowedParent, talkToParent } from './embed/frame-messages';
import { keptQueries } from './kept-queries';
import { takeLaunched } from './launched';
import { knowsGestures } from './plot/gesture-hint';
import { keepAddress } from './state/address/address-history';
import { askedState, linkOf } from './state/address/page-url';
import { type PageState, pageFields, readableUrl } from './state/address/url-state';
import { namedAddresses } from './state/open-files';
import { handleOf } from './state/recent/file-handles';
import { createRecent, type Recent } from './state/recent/recent';
import { createViewerStore, type ViewerReader } from './state/store';
import type { Theme, ViewerStore } from './state/viewer-state';
import { Viewer } from './viewer';
import { wholePage } from './widgets/lazy';

const THEME_ITEM = 'xylem.theme';
const GESTURES_ITEM = 'xylem.gestures';
/** Time in ms after which the page has been drawn. */
const WARM_AFTER = 500;

/** Functions that differ between pages. */
export interface PageHost extends Pick<Host, 'sink' | 'storage'> {
  /** Address of the page. It follows navigation. */
  location: Location;
  /** Base of relative addresses. */
  base: string;
}

/** Returns the storage that a tab keeps over a reload; undefined if the browser does not allow it. */
function storageOfTab(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

export interface AppOptions {
  /** Offered on the empty page; relative to the page. */
  sampleUrl?: string;
  /** State in which the sample is first shown. */
  sampleState?: PageState;
}

/**
 * Mounts a viewer as the whole page into `host`, opens the file in the page's address, and keeps the address up to
 * date.
 */
export function mountApp(
  host: HTMLElement,
  api: ViewerReader,
  { location, base, sink, storage: kept }: PageHost,
  options: AppOptions = {},
): ViewerStore {
  wholePage.reload = () => location.reload();
  const query = new URLSearchParams(location.search);
  // The page for previewers, preview.html, is always embedded.
  const embedded = query.get('embed') === '1' || document.querySelector('meta[name="xylem-embed"]') !== null;
  const storage = embedded ? undefined : kept;
  const asked = askedState(location);
  const { blocks, failed } = blocksOf(asked);
  const recent = embedded ? undefined : createRecent(storage);
  const store = createViewerStore(blocks === undefined ? api : inBlocks(api, blocks), {
    queries: keptQueries(storage),
    sink,
    jsroot: {
      url: new URL('jsroot/frame.html', base).href,
      scriptSource: import.meta.env.VITE_FRAME_SCRIPT,
    },
    // A page embedded in another one is not for writing code.
    selectors: embedded
      ? undefined
      : {
          folder: new URL('selector/', base).href,
          core: async () => (await fetch(ADDRESSES.core())).arrayBuffer(),
          kept: storageOfTab(),
        },
    base,
    keepsPictures: embedded,
    offers: recent && { recent, base: navigator.onLine ? base : undefined },
    align: blocks === undefined ? undefined : formatBlockBytes(blocks),
  });
  const chrome = !embedded ? 'app' : query.get('view') === 'plot' ? 'plot' : 'embedded';
  if (!embedded) {
    rememberTheme(store, storage);
    rememberGestures(storage);
  }
  const theme = query.get('theme');
  if (embedded && (theme === 'light' || theme === 'dark')) store.theme.value = theme;
  render(
    <Viewer
      store={store}
      chrome={chrome}
      heading={query.get('heading') ?? undefined}
      sampleUrl={options.sampleUrl}
      sampleState={options.sampleState}
      base={embedded || !navigator.onLine ? undefined : base}
      recent={recent}
      addressOf={linkOf}
      around={around}
      launched={embedded ? undefined : takeLaunched}
    />,
    host,
  );

  const arrive = (): Promise<boolean> | undefined =>
    namesMore(location)
      ? openNamed(store, { search: location.search, hash: location.hash }, base)
      : undefined;
  if (failed !== undefined) store.files.fail(failed.toRecord());
  else if (asked.url !== undefined) {
    try {
      void store.session.open({ kind: 'url', url: readableUrl(asked.url, base) }, asked);
    } catch (thrown) {
      store.files.fail(toXylemError(thrown).toRecord());
    }
  } else if (!embedded) {
    // While the user chooses a file, there is time to start the workers. If they cannot start, the first call that
    // needs them reports it.
    setTimeout(() => void api.warm().catch(() => {}), WARM_AFTER);
  }
  if (!embedded) {
    // Each of the other files is read when it is first shown.
    for (const url of namedAddresses(asked.also ?? '', base)) store.files.later({ kind: 'url', url });
  }
  if (embedded) {
    talk(store, query.get('parent'), location.origin);
    return store;
  }
  void arrive();
  keepAddress(store, arrive);
  effect(() => {
    const open = store.session.file.value;
    if (open?.source.kind === 'url') recent?.add(open.source.url);
    if (open?.source.kind === 'blob') void keepRecent(recent, open.source.blob, open.info);
    document.title = open === null ? 'xylem' : `${open.info.name.split('/').pop() ?? ''} – xylem`;
  });
  return store;
}

/** Parameters of the page's address besides the fields of its state. */
const OWN_PARAMETERS = ['file', 'embed', 'heading', 'theme', 'parent', 'title', 'text'];

/** Whether the page's address has something that only features know. */
function namesMore({ search, hash }: Location): boolean {
  const known = new Set<string>([...pageFields, ...OWN_PARAMETERS]);
  return /^#\w+=/.test(hash) || [...new URLSearchParams(search).keys()].some((name) => !known.has(name));
}

/** Opens the document that the page's address names. Returns whether it names one. */
async function openNamed(
  store: ViewerStore,
  named: { search: string; hash: string },
  base: string,
): Promise<boolean> {
  const { openDocument } = await import('./documents');
  const isOpened = await openDocument(store, { kind: 'page', location: named }, base);
  // The address then has what is shown.
  if (isOpened && named.hash !== '' && location.hash === named.hash)
    history.replaceState(history.state, '', location.pathname + location.search);
  return isOpened;
}

/** Keeps the handle of a file of the user's machine, if the browser gave one. */
async function keepRecent(recent: Recent | undefined, blob: Blob, { uuid }: FileInfo): Promise<void> {
  const handle = await handleOf(blob);
  if (handle === undefined || recent === undefined) return;
  const files = await recent.files();
  await files.add({ name: handle.name, size: blob.size, uuid, handle });
}

/** Returns the block size that a link asks for, in bytes. */
function blocksOf({ align }: PageState): { blocks?: number; failed?: XylemError } {
  try {
    return align === undefined ? {} : { blocks: parseBlockBytes(align) };
  } catch (thrown) {
    return { failed: toXylemError(thrown) };
  }
}

/** A reader that requests whole blocks of http(s) addresses. */
function inBlocks(api: ViewerReader, align: number): ViewerReader {
  const named = (url: string): WholeSource => ({ kind: 'url', url });
  return { ...api, open: (source, options) => api.open(specOf(source, named, { align }), options) };
}

/** Exchanges messages with the surrounding page, if there is one and it is allowed to. */
function talk(store: ViewerStore, asked: string | null, own: string): void {
  if (window.parent === window) return;
  const list = document.querySelector('meta[name="xylem-embed-origins"]')?.getAttribute('content') ?? '';
  const origin = allowedParent(asked, own, list);
  if (origin !== undefined) talkToParent(store, { parent: window.parent, window, origin });
}

/** Stores the choice of colours when the browser allows storage; otherwise it is lost with the page. */
function rememberTheme(store: ViewerStore, storage: Storage | undefined): void {
  const stored = storage?.getItem(THEME_ITEM);
  if (stored === 'light' || stored === 'dark') store.theme.value = stored satisfies Theme;
  effect(() => {
    const theme = store.theme.value;
    try {
      storage?.setItem(THEME_ITEM, theme);
    } catch {
      // The storage is full: the choice is lost with the page.
    }
  });
}

/** Hides the hint about zooming after the user has zoomed once. */
function rememberGestures(storage: Storage | undefined): void {
  knowsGestures.value = storage?.getItem(GESTURES_ITEM) === '1';
  effect(() => {
    if (!knowsGestures.value) return;
    try {
      storage?.setItem(GESTURES_ITEM, '1');
    } catch {
      // The storage is full, so the hint is shown again next time.
    }
  });
}
