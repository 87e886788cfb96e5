import { render } from 'preact';
import type { FileInfo, SourceSpec } from '../api/api';
import { abortError, fromRecord, toXylemError, XylemError } from '../base/errors';
import type { InsightReader } from '../insight/api';
import type { ByteSource } from '../io/source';
import { watchViewer } from '../ui/embed/viewer-events';
import { viewerSvg } from '../ui/embed/viewer-svg';
import type { JsrootFrame } from '../ui/jsroot/jsroot-view';
import { plotFields } from '../ui/state/plot-state';
import { createViewerStore } from '../ui/state/store';
import { isPageField, type PageState, readableUrl } from '../ui/state/url-state';
import type { Theme, ViewerStore } from '../ui/state/viewer-state';
import viewerCss from '../ui/styles/viewer.css?inline';
import { Viewer } from '../ui/viewer';
import { createDeferred, type Deferred } from './deferred';
import type { ViewerState, XylemFile, XylemViewer } from './element-api';
import { createSharedReader, type OwnedReader, type SharedReader } from './shared-reader';

const hostCss = ':host{display:block;height:560px;min-width:0}:host([hidden]){display:none}';

const stateFields = ['tree', 'draw', 'cut', 'opt', 'item', 'show', ...plotFields] as const;
/** These are also properties, as text. */
const texts = ['src', ...stateFields, 'view', 'label'] as const;
const attributes = [...texts, 'theme'] as const;
type Attribute = (typeof attributes)[number];

/** HTMLElement. It does not exist where pages are rendered on a server; the class is then never used. */
const ElementBase = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

class ViewerElement extends ElementBase implements XylemViewer {
  static observedAttributes = attributes;

  declare src: string;
  declare tree: string;
  declare draw: string;
  declare cut: string;
  declare opt: string;
  declare item: string;
  declare view: string;
  declare show: string;
  declare bins: string;
  declare range: string;
  declare log: string;
  declare errors: string;
  declare area: string;
  declare rebin: string;
  declare as: string;
  declare label: string;

  headers: Record<string, string> | null = null;
  fetch: typeof fetch | null = null;

  readonly #shared: SharedReader;
  readonly #jsroot: JsrootFrame | undefined;
  #reader: InsightReader | null = null;
  #store: ViewerStore | null = null;
  #unwatch = (): void => {};
  #file: XylemFile | null = null;
  #ready: Deferred<FileInfo> = createDeferred();
  /** Attributes that changed since the last update; attributes set together are handled together. */
  #changed = new Set<Attribute>();
  /** A whole state was given: plot settings that it does not have return to their defaults. */
  #restores = false;

  constructor(shared: SharedReader, jsroot: JsrootFrame | undefined) {
    super();
    this.#shared = shared;
    this.#jsroot = jsroot;
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = sharedSheets();
  }

  connectedCallback(): void {
    if (this.#store !== null || this.shadowRoot === null) return;
    this.#upgrade();
    this.#reader = this.#shared.take();
    const store = createViewerStore(this.#reader, {
      jsroot: this.#jsroot,
      base: document.baseURI,
    });
    this.#store = store;
    this.#unwatch = watchViewer(store, (event, what) => {
      const detail = event === 'state' ? this.save() : what;
      this.dispatchEvent(new CustomEvent(`xylem-${event}`, { detail, bubbles: true, composed: true }));
    });
    this.#render();
    this.#schedule('src');
    this.#schedule('theme');
  }

  disconnectedCallback(): void {
    // Moving an element disconnects and connects it at once; only a lasting removal closes the file.
    queueMicrotask(() => {
      if (this.isConnected || this.#store === null || this.shadowRoot === null) return;
      this.#unwatch();
      render(null, this.shadowRoot);
      this.#store.dispose();
      this.#store = null;
      this.#reader = null;
      this.#shared.giveBack();
    });
  }

  attributeChangedCallback(attribute: Attribute, before: string | null, after: string | null): void {
    if (before === after) return;
    if (attribute === 'src' && after !== null) this.#file = null;
    this.#schedule(attribute);
  }

  get theme(): Theme {
    const value = this.getAttribute('theme');
    return value === 'light' || value === 'dark' ? value : 'system';
  }
  set theme(value: Theme) {
    this.setAttribute('theme', value);
  }
  get file(): XylemFile | null {
    return this.#file;
  }
  set file(value: XylemFile | null) {
    this.#file = value;
    this.#schedule('src');
  }
  get ready(): Promise<FileInfo> {
    return this.#ready.promise;
  }

  open(source: string | URL | XylemFile, state: Omit<ViewerState, 'src'> = {}): Promise<FileInfo> {
    this.#setState(state);
    if (typeof source === 'string' || source instanceof URL) {
      this.#file = null;
      this.setAttribute('src', String(source));
    } else this.#file = source;
    this.#schedule('src');
    return this.ready;
  }

  save(): ViewerState {
    const { url: _url, ...shown } = this.#store?.shownState.peek() ?? {};
    const src = this.#file === null ? this.src : '';
    const plot = this.view === 'plot' ? { view: 'plot' } : {};
    return { ...(src && { src }), ...shown, ...plot };
  }

  restore({ src, ...state }: ViewerState): Promise<FileInfo> {
    if (src !== undefined && (src !== this.src || this.#file !== null)) return this.open(src, state);
    this.#setState(state);
    return this.ready;
  }

  cancel(): void {
    this.#store?.activities.cancel();
  }

  toSVG(): string {
    if (this.#store === null) {
      throw new XylemError({ code: 'ARGUMENT', message: 'The element is in no document.' });
    }
    return viewerSvg(this.#store);
  }

  #text(attribute: Attribute): string {
    return this.getAttribute(attribute) ?? '';
  }

  /** Properties that were set before the script was loaded hide the accessors of the class. */
  #upgrade(): void {
    for (const property of [...attributes, 'file'] as const) {
      if (!Object.hasOwn(this, property)) continue;
      const value: unknown = Reflect.get(this, property);
      Reflect.deleteProperty(this, property);
      Reflect.set(this, property, value);
    }
  }

  #setState(state: Omit<ViewerState, 'src'>): void {
    for (const field of [...stateFields, 'view'] as const) {
      const value = state[field];
      if (value === undefined) this.removeAttribute(field);
      else this.setAttribute(field, value);
    }
    this.#restores = true;
    // Also shown again when the attributes did not change, because the user may have navigated away.
    this.#schedule('tree');
  }

  #render(): void {
    if (this.#store === null || this.shadowRoot === null) return;
    const chrome = this.view === 'plot' ? 'plot' : 'embedded';
    render(<Viewer store={this.#store} chrome={chrome} label={this.label} />, this.shadowRoot);
  }

  #schedule(what: Attribute): void {
    if (what === 'src' && this.#ready.settled) this.#ready = createDeferred();
    if (this.#changed.size === 0) queueMicrotask(() => this.#update());
    this.#changed.add(what);
  }

  #update(): void {
    const changed = this.#changed;
    this.#changed = new Set();
    const keepPlot = !this.#restores && !plotFields.some((field) => changed.has(field));
    this.#restores = false;
    const store = this.#store;
    if (store === null) return;
    if (changed.has('theme')) store.theme.value = this.theme;
    if (changed.has('view') || changed.has('label')) this.#render();
    const state: PageState = {};
    for (const field of stateFields) {
      const value = this.#text(field);
      if (isPageField(field, value)) state[field] = value;
    }
    if (this.view !== '' && this.view !== 'plot') state.view = this.view;
    if (changed.has('src')) void this.#open(store, state);
    else if ([...changed].some((attribute) => attribute !== 'theme' && attribute !== 'label'))
      void store.show(state, keepPlot);
  }

  async #open(store: ViewerStore, state: PageState): Promise<void> {
    const ready = this.#ready;
    try {
      const source = this.#source();
      if (source === undefined) return store.closeFile();
      await store.open(source, state);
      const open = store.file.peek();
      if (open?.source === source) ready.resolve(open.info);
      else if (store.opening.peek() === source && store.openError.peek() !== null) {
        ready.reject(fromRecord(store.openError.peek() ?? abortError().toRecord()));
      } else ready.reject(abortError());
    } catch (thrown) {
      const error = toXylemError(thrown);
      store.fail(error.toRecord());
      ready.reject(error);
    }
  }

  /** Throws ARGUMENT for addresses that no page can read. */
  #source(): SourceSpec | undefined {
    const file = this.#file;
    if (file instanceof Blob) {
      return { kind: 'blob', blob: file, name: file instanceof File ? file.name : 'file' };
    }
    if (file instanceof ArrayBuffer) return { kind: 'buffer', buffer: file, name: 'file' };
    if (file !== null) return { kind: 'source', source: file satisfies ByteSource };
    if (this.src === '') return undefined;
    return {
      kind: 'url',
      url: readableUrl(this.src, document.baseURI),
      ...(this.headers && { headers: { ...this.headers } }),
      ...(this.fetch && { fetch: this.fetch }),
    };
  }
}

for (const text of texts) {
  Object.defineProperty(ViewerElement.prototype, text, {
    get(this: HTMLElement) {
      return this.getAttribute(text) ?? '';
    },
    set(this: HTMLElement, value: string) {
      this.setAttribute(text, value);
    },
    configurable: true,
    enumerable: true,
  });
}

/**
 * Registers the custom element. All elements of the page share one reader, made by `createReader` for the
 * first of them and closed with the last. `jsroot` is the address of the frame in which JSROOT draws.
 * Registering a name twice does nothing.
 */
export function defineXylemViewer(
  createReader: () => OwnedReader,
  { name = 'xylem-viewer', jsroot }: { name?: string; jsroot?: string } = {},
): void {
  // Where pages are rendered on a server, there are no elements: the script in the page defines it.
  if (typeof customElements === 'undefined' || customElements.get(name) !== undefined) return;
  const shared = createSharedReader(createReader);

  class XylemViewerElement extends ViewerElement {
    constructor() {
      super(shared, jsroot === undefined ? undefined : { url: jsroot });
    }
  }
  customElements.define(name, XylemViewerElement);
}

let sheets: CSSStyleSheet[] | undefined;

/** One set of style sheets for all elements of the page; no content security policy forbids them. */
function sharedSheets(): CSSStyleSheet[] {
  sheets ??= [hostCss, viewerCss].map((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    return sheet;
  });
  return sheets;
}
