import { runKey } from '../../../plot/command';
import { listenToPinch } from '../../../plot/gestures/pinch';
import { watchWheel } from '../../../plot/gestures/wheel-turn';
import type { MapWindow } from '../work/file-map-window';
import { type MapKeys, mapCommands } from './map-commands';

/** A pointer that moved by fewer pixels is a click. */
const CLICK_PIXELS = 4;

/** Called for actions of the user on the map. */
export interface MapInput {
  /** The window moved or zoomed. */
  changed(): void;
  /** The byte below the pointer; undefined if there is none. */
  hover(byte: number | undefined): void;
  click(byte: number): void;
  step: MapKeys['step'];
  follow: MapKeys['follow'];
}

/** Moves and zooms the window by pointer, wheel and keys. Returns a function that removes the listeners. */
export function listenToMap(
  canvas: HTMLCanvasElement,
  host: HTMLElement,
  window: MapWindow,
  input: MapInput,
): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const turn = watchWheel(host, signal);
  const keys: MapKeys = { window, step: input.step, follow: input.follow };
  let drag: { x: number; y: number; from: number; moved: boolean } | undefined;

  function byteAt(event: { clientX: number; clientY: number }): number | undefined {
    const box = canvas.getBoundingClientRect();
    return window.byteAt(event.clientX - box.left, event.clientY - box.top);
  }

  function onPointerDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    drag = { x: event.clientX, y: event.clientY, from: window.from, moved: false };
    canvas.setPointerCapture(event.pointerId);
  }

  function onPointerMove(event: PointerEvent): void {
    if (drag === undefined) {
      input.hover(byteAt(event));
      return;
    }
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < CLICK_PIXELS) return;
    drag.moved = true;
    const { width, rowHeight, rowBytes } = window;
    window.moveTo(drag.from - (dx / width) * rowBytes - Math.round(dy / rowHeight) * rowBytes);
    input.changed();
  }

  function onPointerUp(event: PointerEvent): void {
    const byte = drag?.moved === false ? byteAt(event) : undefined;
    drag = undefined;
    if (byte !== undefined) input.click(byte);
  }

  function onWheel(event: WheelEvent): void {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const byte = byteAt(event);
      if (byte === undefined) return;
      window.zoomAt(Math.exp(-event.deltaY * 0.004), byte);
      input.changed();
      return;
    }
    const rows = Math.max(1, Math.round(Math.abs(event.deltaY) / window.rowHeight));
    // At its ends the map lets the page scroll.
    if (turn.isOfThePage(event) || !window.move(Math.sign(event.deltaY) * rows * window.rowBytes)) {
      turn.leave(event);
      return;
    }
    event.preventDefault();
    input.changed();
  }

  /** The distance of two fingers, while there are two. */
  let apart: number | undefined;
  function onTouch(event: TouchEvent): void {
    const [one, two, third] = event.touches;
    const before = apart;
    apart = undefined;
    if (one === undefined || two === undefined || third !== undefined) return;
    event.preventDefault();
    drag = undefined;
    apart = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
    const middle = { clientX: (one.clientX + two.clientX) / 2, clientY: (one.clientY + two.clientY) / 2 };
    const byte = byteAt(middle);
    if (before === undefined || byte === undefined || !(before > 0)) return;
    window.zoomAt(apart / before, byte);
    input.changed();
  }

  function onKey(event: KeyboardEvent): void {
    if (runKey(mapCommands, keys, event)) input.changed();
  }

  canvas.addEventListener('pointerdown', onPointerDown, { signal });
  canvas.addEventListener('pointermove', onPointerMove, { signal });
  canvas.addEventListener('pointerup', onPointerUp, { signal });
  canvas.addEventListener(
    'pointercancel',
    () => {
      drag = undefined;
    },
    { signal },
  );
  canvas.addEventListener('pointerleave', () => input.hover(undefined), { signal });
  for (const name of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const)
    canvas.addEventListener(name, onTouch, { signal, passive: false });
  listenToPinch(canvas, signal, (factor, event) => {
    const byte = byteAt(event);
    if (apart !== undefined || byte === undefined) return false;
    window.zoomAt(factor, byte);
    input.changed();
    return true;
  });
  canvas.addEventListener('wheel', onWheel, { signal, passive: false });
  host.addEventListener('keydown', onKey, { signal });
  return () => listening.abort();
}
