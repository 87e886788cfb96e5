/** Resources of a page or an element for running selectors. Without them selectors are not offered. */
export interface SelectorPlace {
  /** Address of the folder "selector" of the package, with a slash at the end. */
  folder: string;
  /**
   * Returns the bytes of the core. Each worker of a selector compiles them, because a compiled module cannot be sent
   * to a frame without an origin.
   */
  core(): Promise<ArrayBuffer>;
  /** Stores texts until the tab is closed. Without it they are lost with the page. */
  kept?: Storage | undefined;
}
