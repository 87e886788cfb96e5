/// <reference path="../ui/jsx.d.ts" />
import { render } from 'preact';
import type { Host } from '../../workers/host';
import type { FileInfo, SourceSpec } from '../api/api';
import { abortError, fromRecord, toXylemError } from '../base/errors';
import { storedAddress, storedText } from '../io/signatures';
import { plotFields } from '../plot/look/look';
import type { SelectorPlace } from '../ui/embed/selector-place';
import { watchViewer } from '../ui/embed/viewer-events';
import { viewerSvg } from '../ui/embed/viewer-svg';
import { storedLayers, storedShow } from '../ui/state/address/page-url';
import { isPageField, type PageState, readableUrl } from '../ui/state/address/url-state';
import { createViewerStore, type ViewerReader } from '../ui/state/store';
import plotCss from '../ui/styles/plot.css?inline';
import { type Around, Viewer } from '../ui/viewer';
import { lazy, loadBesides } from '../ui/widgets/lazy';
import { type Attribute, stateFields } from './attributes';
import type { Deferred } from './deferred';
import type { ViewerState, XylemViewer } from './element-api';

/** Panes that an element with a file never shows. */
const around: Around = {
  TopBar: lazy(() => import('../ui/around').then(({ TopBar }) => TopBar)),
  FileTabs: lazy(() => import('../ui/around').then(({ FileTabs }) => FileTabs)),
  StartPane: lazy(() => import('../ui/around').then(({ StartPane }) => StartPane)),
};

/** Attributes that do not change which part of a file is shown. */
const besides: readonly string[] = ['theme', 'label', 'heading', 'privacy', 'align', 'selectors'];

/** The viewer of an element, once its code is loaded. */
export interface ViewerBody {
  /** Shows the state of the element's attributes. Settles `ready` if a file was asked for. */
  update(changed: ReadonlySet<Attribute>, restores: boolean, ready: Deferred<FileInfo>): void;
  shown(): Omit<ViewerState, 'src'>;
  cancel(): void;
  toSVG(): string;
  dispose(): void;
}

/** Parts that the host of an element gives. */
export interface ViewerParts {
  /** Borrows a reader, which is returned when the element is removed. */
  lease(): { readonly reader: ViewerReader; giveBack(): void };
  /** Saves files. */
  sink: Host['sink'];
  /** Place where JSROOT draws, unless the element names one. Without either, JSROOT is not offered. */
  beside: string | undefined;
  /** Place where selectors are written and run. Without it, they are not offered. */
  selectors: SelectorPlace | undefined;
}

/** Draws the viewer of an element into its shadow root. */
export function mountViewer(
  host: XylemViewer,
  root: ShadowRoot,
  { lease, sink, beside, selectors }: ViewerParts,
): ViewerBody {
  roots.add(root);
  adoptSheets(root);
  const shared = lease();
  const store = createViewerStore(shared.reader, {
    sink,
    jsroot: host.jsroot ?? beside,
    selectors,
    base: document.baseURI,
    keepsPictures: true,
  });
  const unwatch = watchViewer(store, (event, what) => {
    // Hosts store it: notebooks, editors, portals.
    const detail = event === 'state' ? storedState(host.save()) : what;
    host.dispatchEvent(new CustomEvent(`xylem-${event}`, { detail, bubbles: true, composed: true }));
  });
  const draw = (): void => {
    const chrome = host.view === 'plot' ? 'plot' : 'embedded';
    const [heading, privacy] = [host.getAttribute('heading'), host.getAttribute('privacy')];
    render(<Viewer {...{ store, chrome, heading, privacy, around }} label={host.label} />, root);
  };
  root.replaceChildren();
  draw();

  let asked = 0;
  let isOpening = false;
  /** Shows what was asked for last while a file was opened: one function at most. */
  const waiting: (() => void)[] = [];
  async function open(state: PageState, ready: Deferred<FileInfo>): Promise<void> {
    const ask = ++asked;
    isOpening = true;
    waiting.length = 0;
    try {
      const source = await sourceOf(host);
      // Another file was asked for while the code for this one was loaded.
      if (ask !== asked) return;
      if (source === undefined) return store.files.closeShown();
      await store.session.open(source, state);
      // The promise is that of the file that was asked for since.
      if (ask !== asked) return;
      const opened = store.session.file.peek();
      if (opened?.source === source) ready.resolve(opened.info);
      else if (store.session.opening.peek() === source && store.session.openError.peek() !== null) {
        ready.reject(fromRecord(store.session.openError.peek() ?? abortError().toRecord()));
      } else ready.reject(abortError());
    } catch (thrown) {
      if (ask !== asked) return;
      const error = toXylemError(thrown);
      store.files.fail(error.toRecord());
      ready.reject(error);
    } finally {
      if (ask === asked) {
        isOpening = false;
        waiting.pop()?.();
      }
    }
  }

  return {
    update(changed, restores, ready) {
      const keepPlot = !restores && !plotFields.some((field) => changed.has(field));
      if (changed.has('theme')) store.theme.value = host.theme;
      draw();
      const state: PageState = {};
      for (const field of stateFields) {
        const value = host[field];
        if (isPageField(field, value)) state[field] = value;
      }
      // Items are the plots of a wall, with or without all that is around it.
      if (host.view === 'plot' && host.items !== '') state.view = 'wall';
      else if (host.view !== '' && host.view !== 'plot') state.view = host.view;
      else if (host.board !== '') {
        state.view = 'board';
        state.show = String(new URLSearchParams({ plots: host.board }));
      }
      const show = (): void => void store.navigation.show(state, keepPlot);
      if (changed.has('src')) void open(state, ready);
      else if ([...changed].some((name) => !besides.includes(name))) {
        if (isOpening) waiting[0] = show;
        else show();
      }
    },
    shown() {
      const { url: _url, ...shown } = store.navigation.shownState.peek();
      return shown;
    },
    cancel: () => store.activities.cancelAll(),
    toSVG: () => viewerSvg(store),
    dispose() {
      unwatch();
      roots.delete(root);
      render(null, root);
      store.dispose();
      shared.giveBack();
    },
  };
}

/** Returns the source that the element shows. Throws ARGUMENT for addresses that no page can read, and for values that are not files. */
async function sourceOf(host: XylemViewer): Promise<SourceSpec | undefined> {
  if (host.file ?? host.headers ?? (host.fetch || host.align)) {
    // Few pages have more than an address.
    const { elementSource } = await import('./element-source');
    return elementSource(host, (text) => addressOf(host, text));
  }
  return host.src === '' ? undefined : { kind: 'url', url: addressOf(host, host.src) };
}

/** Resolves an address against the page. A reader of another program gets it unchanged. Throws ARGUMENT. */
function addressOf({ reader }: XylemViewer, address: string): string {
  return reader === null ? readableUrl(address, document.baseURI) : address;
}

/** Style sheets for all elements of the page; no content security policy forbids them. */
const sheets: CSSStyleSheet[] = [];
/** The shadow roots that show a viewer. */
const roots = new Set<ShadowRoot>();

function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

function adoptSheets(root: ShadowRoot): void {
  if (sheets.length === 0) sheets.push(sheetOf(plotCss));
  const missing = sheets.filter((sheet) => !root.adoptedStyleSheets.includes(sheet));
  root.adoptedStyleSheets.push(...missing);
}

// Styles for more than one plot come with the first code that needs them.
loadBesides(async () => {
  if (sheets.length > 1) return;
  const { default: css } = await import('../ui/styles/parts.css?inline');
  if (sheets.length === 1) sheets.push(sheetOf(css));
  for (const root of roots) adoptSheets(root);
});

/** Returns a state without the secrets of its addresses. */
function storedState(state: ViewerState): ViewerState {
  const fields = Object.entries(state).map(([name, value]) => [name, value && storedField(name, value)]);
  return Object.fromEntries(fields);
}

function storedField(name: string, value: string): string {
  if (name === 'show') return storedShow(value);
  if (name === 'layers') return storedLayers(value);
  // An address may be relative to the page, and a list has spaces between addresses.
  return name === 'src' && !value.includes('://') ? storedAddress(value) : storedText(value);
}
