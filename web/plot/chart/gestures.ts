import { runKey } from '../command';
import type { PlotFrame } from '../drawing/frame';
import { listenToPinch } from '../gestures/pinch';
import { watchWheel } from '../gestures/wheel-turn';
import { plotKeys } from './plot-keys';
import { type AxisName, movedSpan, pinchedSpan, type Span, spanOf, type View, zoomedSpan } from './view';

/** One panel of a chart, on which gestures act. Places are CSS pixels from the top left corner of the host. */
export interface Stage {
  readonly frame: PlotFrame;
  /** The axes that a gesture across the panel zooms. */
  readonly axes: readonly AxisName[];
  /** Whether the plot can be zoomed. */
  readonly zooms: boolean;
  /** Shows this part. Returns whether that changed anything. */
  look(view: View): boolean;
  /** The gesture is over. */
  settle(): void;
  /** Shows everything. */
  reset(): void;
  /** Moves the crosshair to a place. */
  point(place: { x: number; y: number }): void;
  /** Moves the crosshair to the next or previous bin or point. */
  step(by: number): void;
}

/** The parts of a panel in the page. */
export interface StageParts {
  host: HTMLElement;
  /** Over the frame of the axes. */
  over: HTMLElement;
  /** Below or beside it, with the labels. */
  axes: Partial<Record<AxisName, HTMLElement | undefined>>;
  /** Hears the keys; one panel of a chart does. */
  keys?: HTMLElement | undefined;
}

/** Part of the length that a notch of the wheel, about 100 pixels, takes away. */
const WHEEL = 0.0018;
/** The same for a pinch of a trackpad, which browsers tell as small turns of the wheel with Ctrl; and the most that one is. */
const PINCH = 0.01;
const MAX_PINCH = 40;
/** A gesture of many steps is over after a rest of this many ms. */
const REST = 300;
/** Fingers that are nearer to each other along an axis do not zoom it. */
const MIN_APART = 40;
/** A hand that turns the wheel moves the mouse by fewer pixels. */
const MIN_MOVED = 4;

/**
 * Zooms and moves by the wheel, by dragging with Shift or the middle button, by dragging an axis, by two fingers and by
 * keys; what is dragged over is chosen by uPlot itself. The result stops listening.
 */
export function listenToGestures(stage: Stage, { host, over, axes, keys }: StageParts): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let dragging = new AbortController();
  let isDragging = false;
  /** Pixels that the pointer itself moved here since the last scrolling, which may have brought the plot below it. */
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
    // A wheel that is pushed sideways moves, and so does Shift with the wheel.
    const across = (event.deltaX || (event.shiftKey ? event.deltaY : 0)) * unit;
    const by = event.deltaY * unit;
    const factor = Math.exp(isPinch ? Math.min(MAX_PINCH, Math.max(-MAX_PINCH, by)) * PINCH : by * WHEEL);
    const chosen = event.altKey && of.length === 1 && of[0] === 'x' ? (['y'] as const) : of;
    if (across !== 0) view.x = movedSpan(spanOf(stage.frame, 'x'), -across);
    else for (const axis of chosen) view[axis] = zoomedSpan(spanOf(stage.frame, axis), place[axis], factor);
    // At its ends the plot lets the page scroll, but a pinch that began here never zooms the page.
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
    // Firefox puts the finger that moved first.
    const [one, two, third] = [...event.touches].sort((a, b) => a.identifier - b.identifier);
    if (one === undefined || two === undefined || third !== undefined) {
      if (fingers !== undefined) stage.settle();
      fingers = undefined;
      // One finger shows the values below it; up and down it scrolls the page.
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
    // Fingers on a screen are touches, too.
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
  // A rest goes on: the panels of the chart may be made anew within it, and what was zoomed is to be told all the same.
  return () => {
    if (isDragging) settleSoon();
    dragging.abort();
    listening.abort();
  };
}
