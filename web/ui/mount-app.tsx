import './styles/page.css';
import './styles/viewer.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import type { WholeSource } from '../api/api';
import { toXylemError, type XylemError } from '../base/errors';
import { formatBlockBytes, parseBlockBytes } from '../io/blocks';
import { specOf } from '../library/sources';
import * as around from './around';
import { allowedParent, talkToParent } from './embed/frame-messages';
import { knowsGestures } from './plot/gesture-hint';
import { keepAddress } from './state/address/address-history';
import { askedState, linkOf } from './state/address/page-url';
import { type PageState, readableUrl } from './state/address/url-state';
import { namedAddresses } from './state/open-files';
import { createRecent } from './state/recent';
import { servedFiles } from './state/served-files';
import { createViewerStore, type ViewerReader } from './state/store';
import type { Theme, ViewerStore } from './state/viewer-state';
import { Viewer } from './viewer';
import { wholePage } from './widgets/lazy';

const themeItem = 'xylem.theme';
const gesturesItem = 'xylem.gestures';
/** ms after which the page itself has been drawn. */
const warmAfter = 500;

export interface AppOptions {
  /** Offered on the empty page; relative to the page. */
  sampleUrl?: string;
  /** The part of the sample that is shown first. */
  sampleState?: PageState;
}

/**
 * Gives the whole page to a viewer: mounts it into `host`, opens the file that the page's address names and
 * keeps the address up to date.
 */
export function mountApp(host: HTMLElement, api: ViewerReader, options: AppOptions = {}): ViewerStore {
  wholePage.reload = () => location.reload();
  const query = new URLSearchParams(location.search);
  const embedded = query.get('embed') === '1';
  const asked = askedState(location);
  const { blocks, failed } = blocksOf(asked);
  const store = createViewerStore(blocks === undefined ? api : inBlocks(api, blocks), {
    storage: embedded ? undefined : browserStorage(),
    jsroot: {
      url: new URL('jsroot/frame.html', document.baseURI).href,
      scriptSource: import.meta.env.VITE_FRAME_SCRIPT,
    },
    base: document.baseURI,
    keepsPictures: embedded,
    align: blocks === undefined ? undefined : formatBlockBytes(blocks),
  });
  const chrome = !embedded ? 'app' : query.get('view') === 'plot' ? 'plot' : 'embedded';
  if (!embedded) {
    rememberTheme(store);
    rememberGestures();
  }
  const theme = query.get('theme');
  if (embedded && (theme === 'light' || theme === 'dark')) store.theme.value = theme;
  const recent = embedded ? undefined : createRecent(browserStorage());
  render(
    <Viewer
      store={store}
      chrome={chrome}
      heading={query.get('heading') ?? undefined}
      sampleUrl={options.sampleUrl}
      sampleState={options.sampleState}
      served={embedded || !navigator.onLine ? undefined : served}
      recent={recent}
      addressOf={linkOf}
      around={around}
    />,
    host,
  );

  if (failed !== undefined) store.files.fail(failed.toRecord());
  else if (asked.url !== undefined) {
    try {
      void store.session.open({ kind: 'url', url: readableUrl(asked.url, document.baseURI) }, asked);
    } catch (thrown) {
      store.files.fail(toXylemError(thrown).toRecord());
    }
  } else if (!embedded) {
    // Before a person has chosen a file there is time to start the workers. When they cannot start, the first call that
    // needs them says why.
    setTimeout(() => void api.warm().catch(() => {}), warmAfter);
  }
  if (!embedded) {
    // Each of the other files is read when it is first shown.
    for (const url of namedAddresses(asked.also ?? '', document.baseURI))
      store.files.later({ kind: 'url', url });
  }
  if (embedded) {
    talk(store, query.get('parent'));
    return store;
  }
  keepAddress(store);
  effect(() => {
    const open = store.session.file.value;
    if (open?.source.kind === 'url') recent?.add(open.source.url);
    document.title = open === null ? 'xylem' : `${open.info.name.split('/').pop() ?? ''} – xylem`;
  });
  return store;
}

/** The files of the server of the page. */
const served = () => servedFiles(document.baseURI);

/** The size of blocks that a link asks for, in bytes. */
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

/** Exchanges messages with the page around, when there is one and it is allowed. */
function talk(store: ViewerStore, asked: string | null): void {
  if (window.parent === window) return;
  const list = document.querySelector('meta[name="xylem-embed-origins"]')?.getAttribute('content') ?? '';
  const origin = allowedParent(asked, location.origin, list);
  if (origin !== undefined) talkToParent(store, { parent: window.parent, window, origin });
}

/** Stores the choice of colours when the browser allows storage; otherwise it is lost with the page. */
function rememberTheme(store: ViewerStore): void {
  const storage = browserStorage();
  const stored = storage?.getItem(themeItem);
  if (stored === 'light' || stored === 'dark') store.theme.value = stored satisfies Theme;
  effect(() => {
    const theme = store.theme.value;
    try {
      storage?.setItem(themeItem, theme);
    } catch {
      // The storage is full: the choice is lost with the page.
    }
  });
}

/** The line that says how plots are zoomed is shown until that was done once. */
function rememberGestures(): void {
  const storage = browserStorage();
  knowsGestures.value = storage?.getItem(gesturesItem) === '1';
  effect(() => {
    if (!knowsGestures.value) return;
    try {
      storage?.setItem(gesturesItem, '1');
    } catch {
      // The storage is full: the line is shown again another time.
    }
  });
}

/** Undefined when the browser refuses storage, which it may do by throwing. */
function browserStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
