import type { ReaderChannel } from '../../workers/json-channel';
import type { FileInfo, Progress } from '../api/api';
import type { ErrorRecord } from '../base/errors';
import type { RootSource } from '../library/sources';
import type { PlotLookTexts } from '../plot/look/look';
import type { PlotDetail, RowsDetail, SelectDetail } from '../ui/embed/viewer-event-types';
import type { JsrootScript } from '../ui/jsroot/jsroot-place';

export type { ReaderChannel } from '../../workers/json-channel';
export type { PlotLookTexts } from '../plot/look/look';
export type { PlotDetail, RowsDetail, SelectDetail } from '../ui/embed/viewer-event-types';
export type { JsrootScript } from '../ui/jsroot/jsroot-place';

/** All that `openRoot` of the library opens, but for an address alone: bytes, an object that reads bytes, a list of files. */
export type XylemFile = Exclude<RootSource, string | URL>;

/** The state of the viewer, as plain data: fit for JSON, an address or a database. */
export type ViewerState = Omit<
  XylemViewerAttributes,
  'label' | 'heading' | 'privacy' | 'align' | 'selectors' | 'theme'
>;

/** Attributes of the tag. */
export interface XylemViewerAttributes extends PlotLookTexts {
  /** Address of a ROOT file, absolute or relative to the page. */
  src?: string | undefined;
  /** Path of a tree in the file, perhaps with ";cycle". */
  tree?: string | undefined;
  /** The drawing of that tree: the path of a branch, or expressions as TTree::Draw takes them. */
  draw?: string | undefined;
  /** Selects and weights the drawn values. */
  cut?: string | undefined;
  /** `prof`: the mean of y in bins of x. */
  opt?: string | undefined;
  /** Path of another key to show: a histogram, a directory. */
  item?: string | undefined;
  /** `plot`: only the plot; else the view of the file or tree, as in the page's address. */
  view?: string | undefined;
  /** State of that view, as in the page's address. */
  show?: string | undefined;
  /** With `view="wall"`: the plots of the wall, a pattern of paths (`dqm/**`), or words that name branches of the tree. */
  items?: string | undefined;
  /** Bins of a branch or an expression, 1 to 100000: `50`, or `50,40` of x and y. */
  bins?: string | undefined;
  /** Range of the x axis, or of x and y: `low,high`, `low,high,low,high`. */
  range?: string | undefined;
  /**
   * Things that are drawn over the plot, as JSON: `[{ "draw": "pt", "cut": "n>1", "label": "two" }, { "item": "h", "src": "b.root" }]`.
   * What a layer leaves out is that of the plot; `{}` is the plot itself, for its place among them.
   */
  layers?: string | undefined;
  /** How a stored object is shown: `plot`, `items`, `value`, `members` or `jsroot`; default depends on the object. */
  as?: string | undefined;
  /** Title above a plot that is shown alone (`view="plot"`); empty for none. Default: the stored title, or the expression. */
  heading?: string | undefined;
  /** Words at the bottom in place of "Nothing leaves your machine", where a host reads for the page; empty for none. */
  privacy?: string | undefined;
  /** Name for screen readers, for a page with several viewers; default is the name of the file. */
  label?: string | undefined;
  /**
   * Size of whole blocks that are requested, 64KiB to 16MiB (`1MiB`), so that caches on the way hold them for all
   * readers. From the next file on.
   */
  align?: string | undefined;
  /** `1`: offers a tab in which selectors are written and run, when the element is first shown with it. */
  selectors?: string | undefined;
  /** `light`, `dark`, or `system`. */
  theme?: string | undefined;
}

/**
 * The interface of `<xylem-viewer>` for scripts. Each attribute is also a property. Errors are XylemError,
 * with `code`, `message` and `fix`.
 */
export interface XylemViewer
  extends HTMLElement,
    Record<Exclude<keyof XylemViewerAttributes, 'theme'>, string> {
  theme: 'light' | 'dark' | 'system';
  /** Shown instead of `src`; not an attribute. */
  file: XylemFile | null;
  /** Where JSROOT draws if it does not lie beside this script: the address of `jsroot/frame.html`, or its script. Set before it is seen. */
  jsroot: string | JsrootScript | null;
  /** The channel to a reader that another program serves by `serveReader`; `src` is known there. Set before it is seen. */
  reader: ReaderChannel | null;
  /** Sent with each request of the files opened from now on; never stored or shown. */
  headers: Record<string, string> | null;
  /** Used in place of the global fetch, for tokens and signed addresses, from the next file on. */
  fetch: typeof fetch | null;
  /** The requested file, once it is open and the requested item selected. Rejects when that fails. */
  readonly ready: Promise<FileInfo>;
  /** Shows another file; returns the same promise as `ready`. */
  open(source: string | URL | XylemFile, state?: Omit<ViewerState, 'src'>): Promise<FileInfo>;
  /** The current state. `src` is left out for a file without an address. */
  save(): ViewerState;
  /** Shows a saved state; opens its file when it is another one. */
  restore(state: ViewerState): Promise<FileInfo>;
  /** Stops all reading. */
  cancel(): void;
  /** The plot on display, as SVG. Throws NOT_FOUND when there is none. */
  toSVG(): string;
  addEventListener<K extends keyof XylemViewerEventMap>(
    type: K,
    listener: (this: XylemViewer, event: XylemViewerEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** Everything that a framework may set: attributes, and properties that are not attributes. */
export type XylemViewerProps = XylemViewerAttributes & {
  [Name in 'file' | 'jsroot' | 'reader' | 'headers' | 'fetch']?: XylemViewer[Name] | undefined;
};

/** All events of the element, and those of HTML. */
export interface XylemViewerEventMap extends HTMLElementEventMap, XylemViewerEvents {}

/** Events bubble, and cross shadow roots. */
export interface XylemViewerEvents {
  'xylem-open': CustomEvent<FileInfo>;
  'xylem-select': CustomEvent<SelectDetail>;
  'xylem-plot': CustomEvent<PlotDetail>;
  'xylem-rows': CustomEvent<RowsDetail>;
  'xylem-progress': CustomEvent<Progress>;
  'xylem-error': CustomEvent<ErrorRecord>;
  'xylem-state': CustomEvent<ViewerState>;
}
