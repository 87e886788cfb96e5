import { runKey } from '../command';
import type { PlotFrame } from '../drawing/frame';
import { listenToPinch } from '../gestures/pinch';
import { watchWheel } from '../gestures/wheel-turn';
import { plotKeys } from './plot-keys';
import { type AxisName, movedSpan, pinchedSpan, type Span, spanOf, type View, zoomedSpan } from './view';

/** One panel of a chart, on which gestures act. Places are in CSS pixels from the top left corner of the host. */
export interface Stage {
  readonly frame: PlotFrame;
  /** Axes that a gesture over the panel zooms. */
  readonly axes: readonly AxisName[];
  /** Whether the plot can be zoomed. */
  readonly zooms: boolean;
  /** Shows this part. Returns whether anything changed. */
  look(view: View): boolean;
  /** Called at the end of a gesture. */
  settle(): void;
  /** Shows everything. */
  reset(): void;
  /** Shows the part that was shown before, or the one after it. */
  stepBack(to: 'back' | 'forward'): void;
  /** Moves the crosshair to a place. */
  point(place: { x: number; y: number }): void;
  /** Moves the crosshair to the next or previous bin or point. */
  step(by: number): void;
}

/** The parts of a panel in the page. */
export interface StageParts {
  host: HTMLElement;
  /** The element over the frame of the axes. */
  over: HTMLElement;
  /** The elements with the labels, below or beside the frame. */
  axes: Partial<Record<AxisName, HTMLElement | undefined>>;
  /** The element that receives keys. Only one panel of a chart has it. */
  keys?: HTMLElement | undefined;
}

/** Relative zoom per pixel of the wheel. One notch is about 100 pixels. */
const WHEEL = 0.0018;
/**
 * The same for a pinch on a trackpad, which browsers report as small turns of the wheel with Ctrl, and its maximum.
 */
const PINCH = 0.01;
const MAX_PINCH = 40;
/** A gesture of many steps ends after this many ms without a step. */
const REST = 300;
/** Minimum distance of two fingers along an axis, in pixels, to zoom it. */
const MIN_APART = 40;
/** Movements of the mouse up to this many pixels are ignored, because turning the wheel moves the mouse a little. */
const MIN_MOVED = 4;

/**
 * Zooms and moves by the wheel, by dragging with Shift or the middle button, by dragging an axis, by two fingers and
 * by keys. Selecting by dragging is done by uPlot. Returns a function that removes the listeners.
 */
export function listenToGestures(stage: Stage, { host, over, axes, keys }: StageParts): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let dragging = new AbortController();
  let isDragging = false;
  /**
   * Pixels that the pointer has moved since the last scrolling. Scrolling may bring the plot below a pointer at rest.
   */
  let moved = 0;

  const settleSoon = () => {
    clearTimeout(rest);
    rest = setTimeout(() => stage.settle(), REST);
  };
  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const box = host.getBoundingClientRect();
    return { x: clientX - box.left, y: clientY - box.top };
  };

  function onWheel(event: WheelEvent, of: readonly AxisName[]): void {
    const isPinch = event.ctrlKey && stage.zooms;
    if (!isPinch && (moved < MIN_MOVED || event.ctrlKey || turn.isOfThePage(event))) {
      turn.leave(event);
      return;
    }
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const place = placeOf(event);
    const view: View = {};
    // A wheel pushed sideways, or used with Shift, moves the plot.
    const across = (event.deltaX || (event.shiftKey ? event.deltaY : 0)) * unit;
    const by = event.deltaY * unit;
    const factor = Math.exp(isPinch ? Math.min(MAX_PINCH, Math.max(-MAX_PINCH, by)) * PINCH : by * WHEEL);
    const chosen = event.altKey && of.length === 1 && of[0] === 'x' ? (['y'] as const) : of;
    if (across !== 0) view.x = movedSpan(spanOf(stage.frame, 'x'), -across);
    else for (const axis of chosen) view[axis] = zoomedSpan(spanOf(stage.frame, axis), place[axis], factor);
    // At its limits the plot lets the page scroll. A pinch that began here never zooms the page.
    const isChanged = stage.look(view);
    if (isChanged || isPinch) event.preventDefault();
    if (isChanged) settleSoon();
    else if (!isPinch) turn.leave(event);
  }

  /** Moves the dragged axes until the pointer is released. */
  function drag(event: PointerEvent, of: readonly AxisName[]): void {
    const target = event.currentTarget as HTMLElement;
    let last = placeOf(event);
    target.setPointerCapture(event.pointerId);
    event.preventDefault();
    dragging.abort();
    dragging = new AbortController();
    isDragging = true;
    const move = (next: PointerEvent) => {
      const place = placeOf(next);
      const view: View = {};
      for (const axis of of) view[axis] = movedSpan(spanOf(stage.frame, axis), place[axis] - last[axis]);
      last = place;
      stage.look(view);
    };
    const end = () => {
      dragging.abort();
      isDragging = false;
      stage.settle();
    };
    const options = { signal: dragging.signal };
    target.addEventListener('pointermove', move, options);
    for (const name of ['pointerup', 'pointercancel'] as const) target.addEventListener(name, end, options);
  }

  let fingers: [Span, Span] | undefined;
  function onTouch(event: TouchEvent): void {
    // Firefox lists first the finger that moved first.
    const [one, two, third] = [...event.touches].sort((a, b) => a.identifier - b.identifier);
    if (one === undefined || two === undefined || third !== undefined) {
      if (fingers !== undefined) stage.settle();
      fingers = undefined;
      // One finger shows the values below it. Moved up and down it scrolls the page.
      if (event.type === 'touchmove' && one !== undefined && two === undefined) stage.point(placeOf(one));
      return;
    }
    event.preventDefault();
    const [a, b] = [placeOf(one), placeOf(two)];
    const now: [Span, Span] = [
      [a.x, b.x],
      [a.y, b.y],
    ];
    const before = fingers;
    fingers = now;
    if (before === undefined || event.type === 'touchstart') return;
    const [wide, tall] = before.map(([from, to]) => Math.abs(to - from)) as Span;
    const view: View = {};
    const zooms = (long: number, other: number) => long > MIN_APART && long * 2 > other;
    if (zooms(wide, tall)) view.x = pinchedSpan(spanOf(stage.frame, 'x'), before[0], now[0]);
    if (zooms(tall, wide)) view.y = pinchedSpan(spanOf(stage.frame, 'y'), before[1], now[1]);
    stage.look(view);
  }

  listenToPinch(over, signal, (factor, event) => {
    // Fingers on a screen are handled as touches.
    if (!stage.zooms || fingers !== undefined) return false;
    const place = placeOf(event);
    const view: View = {};
    for (const axis of stage.axes)
      view[axis] = zoomedSpan(spanOf(stage.frame, axis), place[axis], 1 / factor);
    if (stage.look(view)) settleSoon();
    return true;
  });
  const turn = watchWheel(host, signal, () => {
    moved = 0;
  });
  const onMove = ({ movementX, movementY }: PointerEvent): void => {
    moved += Math.abs(movementX) + Math.abs(movementY);
  };
  over.addEventListener('pointermove', onMove, { signal });
  over.addEventListener('wheel', (event) => onWheel(event, stage.axes), { signal, passive: false });
  over.addEventListener(
    'pointerdown',
    (event) => {
      const isMiddle = event.button === 1;
      if (event.pointerType === 'mouse' && (isMiddle || (event.button === 0 && event.shiftKey)))
        drag(event, ['x', 'y']);
    },
    { signal },
  );
  for (const name of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const)
    over.addEventListener(name, onTouch, { signal, passive: false });
  for (const axis of ['x', 'y'] as const) {
    const element = axes[axis];
    if (element === undefined) continue;
    element.addEventListener('pointermove', onMove, { signal });
    element.addEventListener('wheel', (event) => onWheel(event, [axis]), { signal, passive: false });
    element.addEventListener('pointerdown', (event) => event.button === 0 && drag(event, [axis]), { signal });
    element.addEventListener('dblclick', () => stage.reset(), { signal });
  }
  keys?.addEventListener(
    'keydown',
    (event) => {
      if (runKey(plotKeys, stage, event)) settleSoon();
    },
    { signal },
  );
  // The timer is not cleared: the panels may be replaced while it runs, and the zoomed part still has to be reported.
  return () => {
    if (isDragging) settleSoon();
    dragging.abort();
    listening.abort();
  };
}
