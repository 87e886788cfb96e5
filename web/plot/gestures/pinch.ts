interface Place {
  clientX: number;
  clientY: number;
}

/**
 * Listens for a pinch of a trackpad in Safari, which other browsers report as a wheel with Ctrl. `zoom` receives the
 * factor since the last call and the place of the pointer. If it returns true, the page does not zoom.
 */
export function listenToPinch(
  element: HTMLElement,
  signal: AbortSignal,
  zoom: (factor: number, at: Place) => boolean,
): void {
  let before = 1;
  const onGesture = (event: Event): void => {
    const now = event as Event & Place & { scale: number };
    if (now.type === 'gesturestart') before = 1;
    if (zoom(now.scale / before, now)) now.preventDefault();
    before = now.scale;
  };
  for (const name of ['gesturestart', 'gesturechange', 'gestureend'])
    element.addEventListener(name, onGesture, { signal });
}
