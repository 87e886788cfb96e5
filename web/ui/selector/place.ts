/** Means of a page or an element for selectors; without it they are not offered. */
export interface SelectorPlace {
  /** Address of the folder "selector" of the package, with a slash at its end. */
  folder: string;
  /** The bytes of the core: each worker of a selector compiles them, because a frame without an origin gets no module. */
  core(): Promise<ArrayBuffer>;
  /** Keeps texts until the tab is closed; without it they are lost with the page. */
  kept?: Storage | undefined;
}
