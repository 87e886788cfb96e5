/** Turns of a wheel within this many ms belong together. */
const REST = 300;

/** Distinguishes turns of the wheel that began on an element from those that began elsewhere. */
export interface WheelTurn {
  /** Whether this event belongs to a turn of the wheel that scrolls the page. The element then ignores it. */
  isOfThePage(event: WheelEvent): boolean;
  /** Leaves this event, and those that follow without a pause, to the page. */
  leave(event: WheelEvent): void;
}

/**
 * Watches scrolling and the wheel around `host`. A user who scrolls a page and passes a plot continues to scroll the
 * page. `onScroll` is called for each scroll event.
 */
export function watchWheel(host: HTMLElement, signal: AbortSignal, onScroll?: () => void): WheelTurn {
  let last = Number.NEGATIVE_INFINITY;
  const options = { signal, capture: true, passive: true };
  // Scrolling within a shadow root is told to nobody outside of it.
  for (const root of new Set<Node>([host.ownerDocument, host.getRootNode()])) {
    root.addEventListener(
      'scroll',
      ({ timeStamp }) => {
        last = timeStamp;
        onScroll?.();
      },
      options,
    );
    root.addEventListener(
      'wheel',
      (event) => {
        if (!event.composedPath().includes(host)) last = event.timeStamp;
      },
      options,
    );
  }
  return {
    isOfThePage: ({ timeStamp }) => timeStamp - last < REST,
    leave({ timeStamp }) {
      last = timeStamp;
    },
  };
}
