import type { FileInfo } from '../api/api';
import { abortError, argumentError, type ErrorRecord, toXylemError, XylemError } from '../base/errors';
import { storedAddress } from '../io/signatures';
import { type Attribute, attributes, stateFields, switches, texts } from './attributes';
import { createDeferred, type Deferred } from './deferred';
import type { JsrootScript, ReaderChannel, ViewerState, XylemFile, XylemViewer } from './element-api';
import type { ViewerBody } from './viewer-body';
import css from './viewer-element.css?inline';

/** Loads what draws the viewers of a page; see viewer-body.tsx. Throws NETWORK. */
export type LoadViewer = () => Promise<(host: XylemViewer, root: ShadowRoot) => ViewerBody>;

/** Distance from the visible part of the page within which an element is loaded. */
const NEAR = '200px';

/**
 * HTMLElement, with the properties that are defined below. A server that renders pages has no HTMLElement, and never uses
 * the class.
 */
const ElementBase = (globalThis.HTMLElement ?? class {}) as new () => HTMLElement &
  Record<(typeof texts)[number], string>;

/** A property that a script set before the class was defined, and for which the class has no accessor. `#upgrade` takes the others. */
function given<T>(element: HTMLElement, name: string): T | null {
  return (Reflect.get(element, name) as T | undefined) ?? null;
}

/** The element. It is only a frame and a title until it is seen, or until a script asks for its file. */
class ViewerElement extends ElementBase implements XylemViewer {
  static observedAttributes = attributes;

  jsroot = given<string | JsrootScript>(this, 'jsroot');
  reader = given<ReaderChannel>(this, 'reader');
  headers = given<Record<string, string>>(this, 'headers');
  fetch = given<typeof fetch>(this, 'fetch');

  readonly #loadViewer: LoadViewer;
  #body: ViewerBody | null = null;
  #loading = false;
  /** Whether it is in a document. */
  #live = false;
  /** Whether it was seen, or a script asked for its file. */
  #wanted = false;
  #file: XylemFile | null = null;
  #ready: Deferred<FileInfo> = createDeferred();
  /** Attributes that changed since the last update; attributes set together are handled together. */
  #changed = new Set<Attribute>();
  /** Whether a whole state was given. Plot settings that it lacks return to their defaults. */
  #restores = false;

  constructor(loadViewer: LoadViewer) {
    super();
    this.#loadViewer = loadViewer;
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sharedSheet()];
  }

  connectedCallback(): void {
    if (this.#live) return;
    this.#live = true;
    this.#upgrade();
    this.#paint();
    this.#schedule('src');
    this.#schedule('theme');
    if (this.#wanted) void this.#load();
    else seen().observe(this);
  }

  disconnectedCallback(): void {
    // Moving an element disconnects and connects it at once; only a lasting removal closes the file.
    queueMicrotask(() => {
      if (this.isConnected || !this.#live) return;
      this.#live = false;
      seen().unobserve(this);
      if (this.#body === null) this.#ready.reject(abortError());
      this.#body?.dispose();
      this.#body = null;
    });
  }

  /** Loads and draws the viewer, because the element is seen or a script waits for its file. */
  want(): void {
    this.#wanted = true;
    void this.#load();
  }

  attributeChangedCallback(attribute: Attribute, before: string | null, after: string | null): void {
    if (before === after) return;
    if (attribute === 'src' && after !== null) this.#file = null;
    this.#schedule(attribute);
  }

  get theme(): XylemViewer['theme'] {
    const value = this.getAttribute('theme');
    return value === 'light' || value === 'dark' ? value : 'system';
  }
  set theme(value: XylemViewer['theme']) {
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
    this.want();
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
    const src = this.#file === null ? this.src : '';
    const plot = this.view === 'plot' ? { view: 'plot' } : {};
    return { ...(src && { src }), ...(this.#body?.shown() ?? this.#given()), ...plot };
  }

  restore({ src, ...state }: ViewerState): Promise<FileInfo> {
    // The event xylem-state has the address without its secrets.
    const isShown = src === this.src || src === storedAddress(this.src);
    if (src !== undefined && (!isShown || this.#file !== null)) return this.open(src, state);
    this.#setState(state);
    return this.ready;
  }

  cancel(): void {
    this.#body?.cancel();
  }

  toSVG(): string {
    if (this.#body !== null) return this.#body.toSVG();
    if (!this.#live) throw argumentError('The element is in no document.');
    throw new XylemError({
      code: 'NOT_FOUND',
      message: 'No plot is shown.',
      fix: 'Wait for the event xylem-plot.',
    });
  }

  /** The state that the attributes give, before anything is shown. */
  #given(): Omit<ViewerState, 'src'> {
    const state: Omit<ViewerState, 'src'> = {};
    for (const field of [...stateFields, 'view'] as const) if (this[field] !== '') state[field] = this[field];
    return state;
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
      if (value === undefined || value === '') this.removeAttribute(field);
      else this.setAttribute(field, value);
    }
    this.#restores = true;
    // Also shown again when the attributes did not change, because the user may have navigated away.
    this.#schedule('tree');
  }

  async #load(): Promise<void> {
    if (!this.#live || this.#body !== null || this.#loading) return;
    this.#loading = true;
    seen().unobserve(this);
    try {
      const mount = await this.#loadViewer();
      if (!this.#live || this.shadowRoot === null) return;
      this.#body = mount(this, this.shadowRoot);
      this.#update();
    } catch (thrown) {
      const error = toXylemError(thrown);
      this.#paint(error.toRecord());
      this.#ready.reject(error);
      const detail = error.toRecord();
      this.dispatchEvent(new CustomEvent('xylem-error', { detail, bubbles: true, composed: true }));
    } finally {
      this.#loading = false;
    }
  }

  /** Draws the frame with its title, in the place and the colours of the viewer; or the reason why there is no viewer. */
  #paint(error?: ErrorRecord): void {
    const frame = document.createElement('section');
    frame.className = 'frame';
    frame.dataset.theme = this.theme;
    frame.setAttribute('part', 'viewer');
    frame.ariaLabel = `Viewer of ${this.label || fileName(this.src) || 'a ROOT file'}`;
    frame.ariaBusy = String(error === undefined);
    const text = (className: string, content: string): void => {
      const line = document.createElement('p');
      line.className = className;
      line.textContent = content;
      frame.append(line);
    };
    text('title', this.heading || this.label || this.draw || this.item || fileName(this.src));
    if (error !== undefined) {
      text('failure', [error.message, error.fix].filter(Boolean).join(' '));
      frame.lastElementChild?.setAttribute('role', 'alert');
    }
    this.shadowRoot?.replaceChildren(frame);
  }

  #schedule(what: Attribute): void {
    if (what === 'src' && this.#ready.settled) this.#ready = createDeferred();
    if (this.#changed.size === 0) queueMicrotask(() => this.#update());
    this.#changed.add(what);
  }

  #update(): void {
    if (this.#changed.size === 0) return;
    if (this.#body === null) {
      if (this.#live && !this.#loading) this.#paint();
      return;
    }
    const changed = this.#changed;
    const restores = this.#restores;
    this.#changed = new Set();
    this.#restores = false;
    this.#body.update(changed, restores, this.#ready);
  }
}

/** Returns the last part of an address. */
function fileName(address: string): string {
  const path = address.split(/[?#]/, 1)[0] ?? '';
  return path.slice(path.lastIndexOf('/') + 1);
}

let observer: IntersectionObserver | undefined;

/** Loads the elements that come near the visible part of the page. */
function seen(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting && target instanceof ViewerElement) target.want();
    },
    { rootMargin: NEAR },
  );
  return observer;
}

for (const text of texts) {
  Object.defineProperty(ViewerElement.prototype, text, {
    get(this: HTMLElement) {
      return this.getAttribute(text) || (switches.has(text) && this.hasAttribute(text) ? '1' : '');
    },
    set(this: HTMLElement, value: string | boolean) {
      if (switches.has(text) && !value) this.removeAttribute(text);
      // React gives a property the value true for an attribute alone.
      else this.setAttribute(text, value === true ? '1' : String(value));
    },
    configurable: true,
    enumerable: true,
  });
}

/**
 * Registers the custom element. What draws it is loaded by `loadViewer` for the first element that is seen.
 * Registering a name twice does nothing.
 */
export function defineXylemViewer(loadViewer: LoadViewer, name = 'xylem-viewer'): void {
  // A server that renders pages has no elements: the script in the page defines this one.
  if (typeof customElements === 'undefined' || customElements.get(name) !== undefined) return;

  class XylemViewerElement extends ViewerElement {
    constructor() {
      super(loadViewer);
    }
  }
  customElements.define(name, XylemViewerElement);
}

let sheet: CSSStyleSheet | undefined;

/** One style sheet for all elements of the page; no content security policy forbids it. */
function sharedSheet(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}
