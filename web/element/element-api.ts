import type { ErrorRecord } from '../base/errors';
import type { FileInfo, Progress } from '../file/api';
import type { ByteSource } from '../io/source';
import type { PlotState } from '../ui/plot-state';
import type { PlotDetail, SelectDetail } from '../ui/viewer-event-types';

export type { PlotDetail, SelectDetail } from '../ui/viewer-event-types';

/** A file that has no address: the user's own, bytes in memory, or whatever can read bytes. */
export type XylemFile = Blob | ArrayBuffer | ByteSource;

/** What is shown, as plain data: fit for JSON, an address or a database. */
export interface ViewerState extends PlotState {
  src?: string | undefined;
  tree?: string | undefined;
  draw?: string | undefined;
  cut?: string | undefined;
  opt?: string | undefined;
  item?: string | undefined;
  view?: string | undefined;
  show?: string | undefined;
}

/** What may be written into the tag. */
export interface XylemViewerAttributes {
  /** Address of a ROOT file, absolute or relative to the page. */
  src?: string;
  /** Path of a tree in the file, perhaps with ";cycle". */
  tree?: string;
  /** What to draw of that tree: the path of a branch, or expressions as TTree::Draw takes them. */
  draw?: string;
  /** Selects and weighs what is drawn. */
  cut?: string;
  /** `prof`: the mean of y in bins of x. */
  opt?: string;
  /** Path of another key to show: a histogram, a directory. */
  item?: string;
  /** `plot`: nothing but the plot; else the view of the file or tree, as in the page's address. */
  view?: string;
  /** State of that view, as in the page's address. */
  show?: string;
  /** Bins of a branch's histogram: 1 to 100000. */
  bins?: string;
  /** Of what is drawn along x: `low,high`. */
  range?: string;
  /** Logarithmic axes: `x`, `y` or `xy`; of a map `y` are its colours. */
  log?: string;
  /** `1`: error bars on counts. */
  errors?: string;
  /** `1`: what is compared is scaled to the area of the plot. */
  area?: string;
  /** Bins of a stored histogram that are drawn as one. */
  rebin?: string;
  /** How a stored object is shown: `plot`, `members` or `jsroot`; without it as fits it. */
  as?: string;
  /** What screen readers call it, where a page has several; without it, by its file. */
  label?: string;
  /** `light`, `dark`, or `system`. */
  theme?: string;
}

/**
 * What scripts see of `<xylem-viewer>`. Each attribute is also a property. Errors are XylemError,
 * with `code`, `message` and `fix`.
 */
export interface XylemViewer extends HTMLElement {
  src: string;
  tree: string;
  draw: string;
  cut: string;
  opt: string;
  item: string;
  view: string;
  show: string;
  bins: string;
  range: string;
  log: string;
  errors: string;
  area: string;
  rebin: string;
  as: string;
  label: string;
  theme: 'light' | 'dark' | 'system';
  /** Shown instead of `src`; not an attribute. */
  file: XylemFile | null;
  /** Sent with each request of the files opened from now on; never stored or shown. */
  headers: Record<string, string> | null;
  /** Asked in place of the global fetch, for tokens and signed addresses, from the next file on. */
  fetch: typeof fetch | null;
  /** The file that is asked for, once it is open and what was asked of it chosen. Rejects when it cannot be. */
  readonly ready: Promise<FileInfo>;
  /** Shows another file; gives the same promise as `ready`. */
  open(source: string | URL | XylemFile, state?: Omit<ViewerState, 'src'>): Promise<FileInfo>;
  /** What is shown now. `src` is left out for a file without an address. */
  save(): ViewerState;
  /** Shows what was saved; opens its file where it is another. */
  restore(state: ViewerState): Promise<FileInfo>;
  /** Stops all that is being read. */
  cancel(): void;
  /** The plot that is shown, as SVG. Throws NOT_FOUND when none is. */
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

/** Events bubble, and cross shadow roots. */
export interface XylemViewerEventMap extends HTMLElementEventMap {
  'xylem-open': CustomEvent<FileInfo>;
  'xylem-select': CustomEvent<SelectDetail>;
  'xylem-plot': CustomEvent<PlotDetail>;
  'xylem-progress': CustomEvent<Progress>;
  'xylem-error': CustomEvent<ErrorRecord>;
  'xylem-state': CustomEvent<ViewerState>;
}
