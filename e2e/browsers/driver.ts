/** A place in the window, in CSS pixels from its top left corner. */
export interface Point {
  x: number;
  y: number;
}

/** One tab of a browser. Functions that are given to it run in the page, so they may use nothing from outside. */
export interface Tab {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  url(): Promise<string>;
  /** Runs a function in the page; its argument and its result travel as JSON. A promise is waited for. */
  run<T, A = undefined>(body: (argument: A) => T | Promise<T>, argument?: A): Promise<T>;
  /** The same inside of the first frame that the CSS selector finds. */
  runInFrame<T>(selector: string, body: () => T): Promise<T>;
  /** A click of the mouse. */
  click(at: Point): Promise<void>;
  /** The mouse moves to a place. */
  point(at: Point): Promise<void>;
  /** The mouse is pressed at one place, moved in steps, and released at another. */
  drag(from: Point, to: Point): Promise<void>;
  /**
   * The wheel is turned where the mouse is, by some pixels; up is negative. With Control it is what a pinch of a trackpad is in
   * browsers.
   */
  wheel(at: Point, pixels: number, modifier?: 'Control'): Promise<void>;
  /** Fingers are put down, moved in steps, and lifted, each along its own way. Undefined where the driver has none. */
  fingers?(ways: readonly { from: Point; to: Point }[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Presses one key by its DOM name, with modifiers before it: "Enter", "Control+k". */
  press(keys: string): Promise<void>;
  screenshot(path: string): Promise<void>;
  close(): Promise<void>;
}

/** A running browser with a fresh profile. All browsers that the stories run in are driven through this. */
export interface Driver {
  /** "Firefox ESR", "Chromium", "WebKitGTK". */
  name: string;
  /** Version as the browser tells it: "153.7.0". */
  version: string;
  /** The folder where downloads arrive; undefined where the browser cannot be told one. */
  downloads: string | undefined;
  newTab(): Promise<Tab>;
  /** Ends the browser. */
  close(): Promise<void>;
}

/** Splits "Control+Shift+k" into its modifiers and its key. */
export function splitKeys(keys: string): { modifiers: string[]; key: string } {
  const parts = keys.split('+');
  return { modifiers: parts.slice(0, -1), key: parts.at(-1) ?? '' };
}
