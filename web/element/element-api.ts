import type { ReaderChannel } from '../../workers/json-channel';
import type { FileInfo, Progress } from '../api/api';
import type { ErrorRecord } from '../base/errors';
import type { RootSource } from '../library/sources';
import type { PlotLookTexts } from '../plot/look/look';
import type { PlainReport } from '../report/plain';
import type { PlotDetail, RowsDetail, SelectDetail } from '../ui/embed/viewer-event-types';
import type { JsrootScript } from '../ui/object/jsroot-place';

export type { ReaderChannel } from '../../workers/json-channel';
export type { PlotLookTexts } from '../plot/look/look';
export type { PlainReport } from '../report/plain';
export type { PlotDetail, RowsDetail, SelectDetail } from '../ui/embed/viewer-event-types';
export type { JsrootScript } from '../ui/object/jsroot-place';

/** Everything that `openRoot` of the library opens, except an address: bytes, an object that reads bytes, a list of files. */
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
  /** `plot`: only the plot, or only the plots of `items`; else the view of the file or tree, as in the page's address. */
  view?: string | undefined;
  /** State of the view, as in the page's address. */
  show?: string | undefined;
  /** With `view="wall"` or `view="plot"`: the plots of the wall, a pattern of paths (`dqm/**`), or words that name branches of the tree. */
  items?: string | undefined;
  /** The plots of a board of that tree, with spaces between them: `nMuon Muon_pt Muon_pt:Muon_eta`. `view` and `show` go before it. */
  board?: string | undefined;
  /** Bins of a branch or an expression, 1 to 100000: `50`, or `50,40` of x and y. */
  bins?: string | undefined;
  /** Range of the x axis, or of x and y: `low,high`, `low,high,low,high`. */
  range?: string | undefined;
  /**
   * Things that are drawn over the plot, as JSON: `[{ "draw": "pt", "cut": "n>1", "label": "two" }, { "item": "h", "src": "b.root" }]`.
   * A layer takes what it leaves out from the plot. `{}` is the plot itself, and says its place among the layers.
   */
  layers?: string | undefined;
  /** Steps of arithmetic with the histogram, with `|` between: `rebin(h, 2)|h / "reference"`, as `xylem calc` takes them. */
  steps?: string | undefined;
  /** How a stored object is shown: `plot`, `items`, `value`, `members` or `jsroot`; default depends on the object. */
  as?: string | undefined;
  /** Title above the plot with `view="plot"`; empty for none. Default: the stored title, or the expression. */
  heading?: string | undefined;
  /** Words at the bottom instead of "Nothing leaves your machine", for a page whose host reads the files; empty for none. */
  privacy?: string | undefined;
  /** Name for screen readers, for a page with several viewers; default is the name of the file. */
  label?: string | undefined;
  /**
   * Size of the blocks that are requested, 64KiB to 16MiB (`1MiB`): all readers request the same blocks, so that caches
   * on the way can answer. It counts from the next file on.
   */
  align?: string | undefined;
  /** `1`: offers a tab in which selectors are written and run. It counts when the element is first shown. */
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
  /** Address of `jsroot/frame.html`, or its script, if it does not lie beside this script. Set it before the element is seen. */
  jsroot: string | JsrootScript | null;
  /** Channel to a reader that another program serves by `serveReader`; that reader knows `src`. Set it before the element is seen. */
  reader: ReaderChannel | null;
  /** Headers of each request of the files opened from now on; never stored or shown. */
  headers: Record<string, string> | null;
  /** Replaces the global fetch from the next file on, for tokens and signed addresses. */
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

/** Events of the element, and events of HTML. */
export interface XylemViewerEventMap extends HTMLElementEventMap, XylemViewerEvents {}

/** Events of the element, which bubble and cross shadow roots. */
export interface XylemViewerEvents {
  'xylem-open': CustomEvent<FileInfo>;
  'xylem-select': CustomEvent<SelectDetail>;
  'xylem-plot': CustomEvent<PlotDetail>;
  'xylem-rows': CustomEvent<RowsDetail>;
  'xylem-report': CustomEvent<PlainReport>;
  'xylem-progress': CustomEvent<Progress>;
  'xylem-error': CustomEvent<ErrorRecord>;
  'xylem-state': CustomEvent<ViewerState>;
}
