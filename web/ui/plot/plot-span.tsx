import { useRef } from 'preact/hooks';
import type { PlotFrame } from '../../plot/drawing/frame';

/** The ends of a range on an axis. */
export type Span = readonly [low: number, high: number];

export interface PlotSpanProps {
  frame: PlotFrame;
  /** The axis on which the range lies. */
  axis: 'x' | 'y';
  span: Span;
  /** Ends of the axis, beyond which the range does not reach. */
  ends: Span;
  /** Values by which an arrow key moves it. */
  step: number;
  /** Its name: "Range of the fit". */
  label: string;
  /** Whether it is drawn as the second of two. */
  second?: boolean;
  /** Receives another range. `isDone` is false while it is being dragged. */
  onSpan(span: Span, isDone: boolean): void;
  /** Called by a double click on it. */
  onReset?: (() => void) | undefined;
}

type Part = 'low' | 'high' | 'both';

const KEYS: Readonly<Record<string, number>> = {
  ...{ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 },
  ...{ PageDown: -10, PageUp: 10 },
};

/** A range on a plot: its ends and the whole of it are dragged, and moved by arrow keys. It lies over the drawing. */
export function PlotSpan(props: PlotSpanProps): JSX.Element | null {
  const { frame, axis, span, ends, step, label, second = false, onSpan, onReset } = props;
  const stop = useRef<AbortController | undefined>(undefined);
  const { box } = frame;
  const isX = axis === 'x';
  const scale = isX ? frame.x : frame.y;
  const [least, most] = isX ? [box.left, box.right] : [box.top, box.bottom];
  const within = (pixel: number) => (Number.isFinite(pixel) ? Math.min(most, Math.max(least, pixel)) : least);
  const pixels = span.map((value) => within(scale.toPixel(value)));
  const [from, to] = [Math.min(...pixels), Math.max(...pixels)];
  const put = (part: Part, low: number, high: number, isDone: boolean) => {
    const next: Span = [rounded(low, ends), rounded(high, ends)];
    if (next[0] < next[1])
      onSpan(part === 'low' ? [next[0], span[1]] : part === 'high' ? [span[0], next[1]] : next, isDone);
  };
  const drag = (event: PointerEvent & { currentTarget: HTMLElement }, part: Part) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    const handle = event.currentTarget;
    handle.focus({ preventScroll: true });
    handle.setPointerCapture(event.pointerId);
    const pixelOf = (at: PointerEvent) => (isX ? at.clientX : at.clientY);
    const [start, first, last] = [pixelOf(event), ...span.map((value) => scale.toPixel(value))] as [
      number,
      number,
      number,
    ];
    let now: [number, number] | undefined;
    const move = (at: PointerEvent) => {
      const by = pixelOf(at) - start;
      if (now === undefined && Math.abs(by) < 2) return;
      const whole = Math.min(most - Math.max(first, last), Math.max(least - Math.min(first, last), by));
      const low = part === 'high' ? span[0] : scale.toValue(within(first + (part === 'both' ? whole : by)));
      const high = part === 'low' ? span[1] : scale.toValue(within(last + (part === 'both' ? whole : by)));
      if (!(low < high)) return;
      now = [low, high];
      put(part, low, high, false);
    };
    const listening = new AbortController();
    stop.current = listening;
    const { signal } = listening;
    const end = () => {
      listening.abort();
      if (now) put(part, ...now, true);
    };
    handle.addEventListener('pointermove', move, { signal });
    handle.addEventListener('pointerup', end, { signal });
    handle.addEventListener('pointercancel', end, { signal });
  };
  const key = (event: KeyboardEvent, part: Part) => {
    const by = (KEYS[event.key] ?? 0) * step;
    if (by === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const [low, high] = [part === 'high' ? span[0] : span[0] + by, part === 'low' ? span[1] : span[1] + by];
    if (part === 'both' && (low < ends[0] || high > ends[1])) return;
    put(part, low, high, true);
  };
  const handle = (part: Part, value: number, name: string, place: Record<string, string>) => (
    <div
      class={`plot-span-${part === 'both' ? 'bar' : 'end'}`}
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-orientation={isX ? 'horizontal' : 'vertical'}
      aria-valuemin={ends[0]}
      aria-valuemax={ends[1]}
      aria-valuenow={value}
      aria-valuetext={part === 'both' ? `${span[0]} to ${span[1]}` : String(value)}
      title={`${name}: drag, or use arrow keys${onReset ? '; a double click takes all' : ''}`}
      style={place}
      onPointerDown={(event) => drag(event, part)}
      onKeyDown={(event) => key(event, part)}
      onDblClick={(event) => {
        event.stopPropagation();
        onReset?.();
      }}
    />
  );
  const px = (value: number) => `${value}px`;
  const [wide, tall] = [box.right - box.left, box.bottom - box.top];
  const area = isX
    ? { left: px(from), top: px(box.top), width: px(to - from), height: px(tall) }
    : { left: px(box.left), top: px(from), width: px(wide), height: px(to - from) };
  const endAt = (pixel: number) =>
    isX
      ? { left: px(pixel), top: px(box.top), height: px(tall) }
      : { left: px(box.left), top: px(pixel), width: px(wide) };
  const barAt = isX
    ? { left: px(from), top: px(box.top), width: px(to - from) }
    : { left: px(box.right), top: px(from), height: px(to - from) };
  return (
    <div class="plot-span" data-axis={axis} data-second={second}>
      <span class="plot-span-area" style={area} />
      {to - from > 2 && handle('both', span[0], label, barAt)}
      {handle('low', span[0], `${label}: lower end`, endAt(pixels[0] ?? from))}
      {handle('high', span[1], `${label}: upper end`, endAt(pixels[1] ?? to))}
    </div>
  );
}

/** Rounds to a thousandth of an axis, so that links and fields stay short. */
export function rounded(value: number, [low, high]: Span): number {
  const digits = Math.max(0, Math.min(12, 3 - Math.floor(Math.log10(Math.abs(high - low) || 1))));
  return Math.min(high, Math.max(low, Number(value.toFixed(digits))));
}
