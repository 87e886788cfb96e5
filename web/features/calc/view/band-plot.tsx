import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { paintOf } from '../../../plot/chart/page-plot';
import { paintDrawing } from '../../../plot/drawing/drawing-canvas';
import type { PlotFrame } from '../../../plot/drawing/frame';
import type { AnyPlot } from '../../../plot/model';
import { plotDrawing } from '../../../plot/plot-drawing';

export type Span = readonly [low: number, high: number];

interface BandPlotProps {
  model: AnyPlot;
  theme: 'light' | 'dark';
  /** The axis on which bands lie. */
  axis: 'x' | 'y';
  /** The band, and that of a background. */
  bands: readonly (Span | undefined)[];
  /** Ends of the axis, and what an arrow key moves a band by. */
  ends: Span;
  step: number;
  /** The band that a drag outside of all bands draws anew. */
  active: number;
  label: string;
  onBand(index: number, span: Span): void;
}

/** Distance from an end of a band in which the pointer takes it, in CSS pixels. */
const GRIP = 10;

/** A plot with bands on one of its axes, which are dragged, drawn anew, and moved by keys. */
export function BandPlot(props: BandPlotProps): JSX.Element {
  const { model, theme, axis, bands, ends, step, active, label, onBand } = props;
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const marks = useRef<(HTMLDivElement | null)[]>([]);
  const frame = useRef<PlotFrame | undefined>(undefined);
  const place = (): void => {
    for (const [i, mark] of marks.current.entries()) if (mark) placeBand(mark, frame.current, axis, bands[i]);
  };
  const draw = (): void => {
    const [box, area] = [host.current, canvas.current];
    const context = area?.getContext('2d');
    if (!box || !area || !context) return;
    const [width, height] = [Math.max(120, box.clientWidth), Math.max(100, box.clientHeight)];
    const ratio = devicePixelRatio;
    area.width = Math.round(width * ratio);
    area.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const dark = theme === 'dark';
    const drawing = plotDrawing(
      { ...model, title: '' },
      { width, height },
      { log: { x: false, y: false }, dark },
    );
    frame.current = drawing.frames[0];
    paintDrawing(context, drawing, paintOf(box, dark));
    place();
  };
  useLayoutEffect(draw, [model, theme]);
  useLayoutEffect(place, [axis, bands]);
  useEffect(() => {
    if (!host.current) return;
    const observer = new ResizeObserver(draw);
    observer.observe(host.current);
    return () => observer.disconnect();
  });
  const start = (event: PointerEvent): void => {
    const [box, at] = [host.current, frame.current];
    if (!box || !at || event.button !== 0) return;
    const pixelOf = (one: PointerEvent): number => {
      const { left, top } = box.getBoundingClientRect();
      return axis === 'x' ? one.clientX - left : one.clientY - top;
    };
    const drag = dragOf(at, axis, bands, active, pixelOf(event));
    if (!drag) return;
    event.preventDefault();
    box.setPointerCapture(event.pointerId);
    const { index, spanAt } = drag;
    marks.current[index]?.focus({ preventScroll: true });
    const listening = new AbortController();
    const { signal } = listening;
    const move = (to: PointerEvent): void => {
      const [low, high] = spanAt(pixelOf(to));
      if (high > low) onBand(index, [rounded(low, ends), rounded(high, ends)]);
    };
    box.addEventListener('pointermove', move, { signal });
    const end = () => listening.abort();
    box.addEventListener('pointerup', end, { signal });
    box.addEventListener('pointercancel', end, { signal });
  };
  const key = (event: KeyboardEvent, index: number): void => {
    const band = bands[index];
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (!band || by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    // With the shift key only the upper end moves.
    const from = event.shiftKey ? band[0] : band[0] + by * step;
    const to = band[1] + by * step;
    if (from < to && from >= ends[0] && to <= ends[1])
      onBand(index, [rounded(from, ends), rounded(to, ends)]);
  };
  return (
    <div class="calc-stage" data-axis={axis} ref={host} onPointerDown={start}>
      <canvas ref={canvas} role="img" aria-label={label} />
      {bands.map((band, i) => (
        <div
          key={i}
          class="calc-band"
          data-of={i === 0 ? 'gate' : 'background'}
          hidden={band === undefined}
          ref={(mark) => {
            marks.current[i] = mark;
          }}
          role="slider"
          tabIndex={0}
          aria-label={i === 0 ? 'Range' : 'Range of the background'}
          aria-orientation={axis === 'x' ? 'horizontal' : 'vertical'}
          aria-valuemin={ends[0]}
          aria-valuemax={ends[1]}
          aria-valuenow={band?.[0] ?? ends[0]}
          aria-valuetext={band && `${band[0]} to ${band[1]}`}
          onKeyDown={(event) => key(event, i)}
        />
      ))}
    </div>
  );
}

/** Rounds to a thousandth of an axis, so that links and fields stay short. */
export function rounded(value: number, [low, high]: Span): number {
  const digits = Math.max(0, Math.min(12, 3 - Math.floor(Math.log10(Math.abs(high - low) || 1))));
  return Math.min(high, Math.max(low, Number(value.toFixed(digits))));
}

/** Returns what a drag from a pixel does: it moves an end or the whole of a band, or draws the active one anew. */
function dragOf(
  { box, x, y }: PlotFrame,
  axis: 'x' | 'y',
  bands: readonly (Span | undefined)[],
  active: number,
  from: number,
): { index: number; spanAt(to: number): Span } | undefined {
  const [scale, least, most] = axis === 'x' ? [x, box.left, box.right] : [y, box.top, box.bottom];
  if (from < least || from > most) return undefined;
  const span = (a: number, b: number): Span => {
    const values = [a, b].map((pixel) => scale.toValue(Math.min(most, Math.max(least, pixel))));
    return [Math.min(...values), Math.max(...values)];
  };
  for (const [index, band] of bands.entries()) {
    if (!band) continue;
    const [one, other] = [scale.toPixel(band[0]), scale.toPixel(band[1])];
    if (Math.abs(one - from) <= GRIP) return { index, spanAt: (to) => span(to, other) };
    if (Math.abs(other - from) <= GRIP) return { index, spanAt: (to) => span(one, to) };
    if (from > Math.min(one, other) && from < Math.max(one, other)) {
      const [top, bottom] = [Math.min(one, other), Math.max(one, other)];
      return {
        index,
        spanAt: (to) => {
          const by = Math.min(most - bottom, Math.max(least - top, to - from));
          return span(one + by, other + by);
        },
      };
    }
  }
  return { index: active, spanAt: (to) => span(from, to) };
}

function placeBand(
  mark: HTMLElement,
  frame: PlotFrame | undefined,
  axis: 'x' | 'y',
  band: Span | undefined,
): void {
  mark.hidden = frame === undefined || band === undefined;
  if (!frame || !band) return;
  const { box, x, y } = frame;
  const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
  const horizontal = axis === 'x';
  const left = horizontal ? clamp(x.toPixel(band[0]), box.left, box.right) : box.left;
  const right = horizontal ? clamp(x.toPixel(band[1]), box.left, box.right) : box.right;
  const top = horizontal ? box.top : clamp(y.toPixel(band[1]), box.top, box.bottom);
  const bottom = horizontal ? box.bottom : clamp(y.toPixel(band[0]), box.top, box.bottom);
  Object.assign(mark.style, {
    left: `${left}px`,
    width: `${Math.max(1, right - left)}px`,
    top: `${top}px`,
    height: `${Math.max(1, bottom - top)}px`,
  });
}
