import { render } from 'preact';
import uplotCss from 'uplot/dist/uPlot.min.css?inline';
import { toXylemError } from '../base/errors';
import type { ReaderApi } from '../file/api';
import { type PageState, readableUrl } from '../ui/page-state';
import { createViewerStore } from '../ui/store';
import viewerCss from '../ui/styles/viewer.css?inline';
import { Viewer } from '../ui/viewer';
import type { Theme, ViewerStore } from '../ui/viewer-state';

/** A reader that an element owns; `terminate` ends its worker. */
export type OwnedReader = ReaderApi & { terminate?(): void };

/** What scripts see of `<xylem-viewer>`. Each property but `file` is also an attribute. */
export interface XylemViewer extends HTMLElement {
  /** Address of a ROOT file, absolute or relative to the page. */
  src: string;
  /** Path of a tree in the file. */
  tree: string;
  /** Path of the branch of that tree to draw. */
  draw: string;
  theme: Theme;
  /** A file of the user's, shown instead of `src`. */
  file: Blob | null;
}

const hostCss = ':host{display:block;height:560px;min-width:0}:host([hidden]){display:none}';

/**
 * Registers the custom element. Each element on the page makes its own reader by `createReader` when
 * it is connected and gives it up when it is removed. Registering a name twice does nothing.
 */
export function defineXylemViewer(createReader: () => OwnedReader, name = 'xylem-viewer'): void {
  if (customElements.get(name) !== undefined) return;

  class XylemViewerElement extends HTMLElement implements XylemViewer {
    static observedAttributes = ['src', 'tree', 'draw', 'theme'];

    #reader: OwnedReader | null = null;
    #store: ViewerStore | null = null;
    #file: Blob | null = null;
    /** What changed since the last update; attributes set together are handled together. */
    #changed = new Set<string>();

    constructor() {
      super();
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = sharedSheets();
    }

    connectedCallback(): void {
      if (this.#store !== null || this.shadowRoot === null) return;
      this.#reader = createReader();
      this.#store = createViewerStore(this.#reader);
      render(<Viewer store={this.#store} chrome="embedded" />, this.shadowRoot);
      this.#schedule('src');
      this.#schedule('theme');
    }

    disconnectedCallback(): void {
      // Moving an element disconnects and connects it at once; only a lasting removal closes the file.
      queueMicrotask(() => {
        if (this.isConnected || this.#store === null || this.shadowRoot === null) return;
        render(null, this.shadowRoot);
        this.#store.dispose();
        this.#store = null;
        this.#reader?.terminate?.();
        this.#reader = null;
      });
    }

    attributeChangedCallback(attribute: string, before: string | null, after: string | null): void {
      if (before !== after) this.#schedule(attribute);
    }

    get src(): string {
      return this.getAttribute('src') ?? '';
    }
    set src(value: string) {
      this.#file = null;
      this.setAttribute('src', value);
    }
    get tree(): string {
      return this.getAttribute('tree') ?? '';
    }
    set tree(value: string) {
      this.setAttribute('tree', value);
    }
    get draw(): string {
      return this.getAttribute('draw') ?? '';
    }
    set draw(value: string) {
      this.setAttribute('draw', value);
    }
    get theme(): Theme {
      const value = this.getAttribute('theme');
      return value === 'light' || value === 'dark' ? value : 'system';
    }
    set theme(value: Theme) {
      this.setAttribute('theme', value);
    }
    get file(): Blob | null {
      return this.#file;
    }
    set file(value: Blob | null) {
      this.#file = value;
      this.#schedule('src');
    }

    #schedule(what: string): void {
      if (this.#changed.size === 0) queueMicrotask(() => this.#update());
      this.#changed.add(what);
    }

    #update(): void {
      const changed = this.#changed;
      this.#changed = new Set();
      const store = this.#store;
      if (store === null) return;
      if (changed.has('theme')) store.theme.value = this.theme;
      const view: PageState = {
        ...(this.tree === '' ? {} : { tree: this.tree }),
        ...(this.draw === '' ? {} : { draw: this.draw }),
      };
      if (changed.has('src')) this.#open(store, view);
      else if (changed.has('tree') || changed.has('draw')) void store.show(view);
    }

    #open(store: ViewerStore, view: PageState): void {
      if (this.#file !== null) {
        const name = this.#file instanceof File ? this.#file.name : 'file';
        void store.open({ kind: 'blob', blob: this.#file, name }, view);
      } else if (this.src === '') {
        store.closeFile();
      } else {
        try {
          void store.open({ kind: 'url', url: readableUrl(this.src, document.baseURI) }, view);
        } catch (thrown) {
          store.fail(toXylemError(thrown).toRecord());
        }
      }
    }
  }
  customElements.define(name, XylemViewerElement);
}

let sheets: CSSStyleSheet[] | undefined;

/** One set of style sheets for all elements of the page; no content security policy forbids them. */
function sharedSheets(): CSSStyleSheet[] {
  sheets ??= [hostCss, uplotCss, viewerCss].map((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    return sheet;
  });
  return sheets;
}
