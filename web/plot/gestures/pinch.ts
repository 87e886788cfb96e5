interface Place {
  clientX: number;
  clientY: number;
}

/**
 * Hears the pinch of a trackpad in Safari, which other browsers tell as a wheel with Ctrl. `zoom` gets the factor since it was
 * called last, and the place of the pointer; where it returns true, the page does not zoom.
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
