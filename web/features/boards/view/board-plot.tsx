import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { formatCount } from '../../../base/format';
import { edgesOf } from '../../../bins/bin-axes';
import { paintOf } from '../../../plot/chart/page-plot';
import { paintDrawing } from '../../../plot/drawing/drawing-canvas';
import type { PlotFrame } from '../../../plot/drawing/frame';
import { readableLatex } from '../../../plot/drawing/latex';
import type { AnyPlot } from '../../../plot/model';
import { plotDrawing } from '../../../plot/plot-drawing';
import type { PlotState } from '../work/board';
import type { OpenedBoard } from '../work/insight';
import { type PlotBrush, rounded } from './board-params';

type Ranges = PlotBrush['ranges'];

interface BoardPlotProps {
  board: OpenedBoard;
  index: number;
  title: string;
  /** All entries, and those that the brushes of other plots select. */
  all: PlotState;
  selected: PlotState;
  brush: PlotBrush | undefined;
  theme: 'light' | 'dark';
  /** Receives the ranges while they are dragged; `isDone` at the end. Undefined removes the brush. */
  onBrush(ranges: Ranges | undefined, isDone: boolean): void;
}

/** Distance from an end of a brush in which the pointer takes it, in CSS pixels. */
const GRIP = 6;
/** A drag up to this length is a click, which removes the brush. */
const CLICK = 4;

/** A plot of a board: all entries faintly, the selected ones in front, and its brush. */
export function BoardPlot(props: BoardPlotProps): JSX.Element {
  const { board, index, title, all, selected, brush, theme, onBrush } = props;
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<PlotFrame | undefined>(undefined);
  const mark = useRef<HTMLDivElement>(null);
  const plot = board.plots[index];
  const draw = (): void => {
    const [place, area] = [host.current, canvas.current];
    const context = area?.getContext('2d');
    if (!place || !area || !context) return;
    const [width, height] = [Math.max(120, place.clientWidth), Math.max(100, place.clientHeight)];
    const ratio = devicePixelRatio;
    area.width = Math.round(width * ratio);
    area.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const dark = theme === 'dark';
    const drawing = plotDrawing(
      modelOf(board, index, all, selected),
      { width, height },
      { log: { x: false, y: false }, dark },
    );
    frame.current = drawing.frames[0];
    paintDrawing(context, drawing, paintOf(place, dark));
    placeMark(mark.current, frame.current, brush?.ranges);
  };
  useLayoutEffect(draw);
  useEffect(() => {
    const place = host.current;
    if (!place) return;
    const observer = new ResizeObserver(draw);
    observer.observe(place);
    return () => observer.disconnect();
  });
  const start = (event: PointerEvent): void => {
    const [place, at] = [host.current, frame.current];
    if (!place || !at || event.button !== 0 || !plot) return;
    const drag = dragOf(at, placeOf(place, event), brush?.ranges, plot.axes.length);
    if (!drag) return;
    event.preventDefault();
    place.setPointerCapture(event.pointerId);
    const listening = new AbortController();
    const { signal } = listening;
    const rangesAt = (to: PointerEvent): Ranges | undefined =>
      drag(placeOf(place, to))?.map(([low, high], axis): [number, number] => {
        const { bins = 1, low: least = 0, high: most = 1 } = plot.axes[axis] ?? {};
        if (labelsOf(board, index)) return [Math.max(0, Math.floor(low)), Math.min(bins, Math.ceil(high))];
        return [rounded(low, least, most), rounded(high, least, most)];
      });
    place.addEventListener('pointermove', (to) => onBrush(rangesAt(to), false), { signal });
    place.addEventListener(
      'pointerup',
      (to) => {
        listening.abort();
        onBrush(rangesAt(to), true);
      },
      { signal },
    );
    place.addEventListener('pointercancel', () => listening.abort(), { signal });
  };
  const share = all.fills > 0 ? ` (${((100 * selected.fills) / all.fills).toFixed(1)} %)` : '';
  return (
    <figure class="board-plot">
      <figcaption>
        <span class="board-title" title={title}>
          {readableLatex(title)}
        </span>
        <span class="board-count">
          {formatCount(selected.fills)}
          {share}
        </span>
        <button
          type="button"
          class="link"
          disabled={brush !== undefined}
          aria-label={`Select a range of ${title}`}
          onClick={() => onBrush(middleOf(board, index), true)}
        >
          Select
        </button>
      </figcaption>
      <div class="board-stage" ref={host} onPointerDown={start} data-axes={plot?.axes.length}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${title}: ${formatCount(selected.fills)} of ${formatCount(all.fills)} values`}
        />
        <div class="board-brush" ref={mark} hidden data-off={brush?.off} data-inverted={brush?.inverted} />
      </div>
    </figure>
  );
}

/** Returns the labels of a plot of texts. */
const labelsOf = ({ plots, columns }: OpenedBoard, index: number): string[] | undefined =>
  columns[plots[index]?.columns[0] ?? -1]?.labels;

/** Returns the middle half of the axes of a plot. */
const middleOf = ({ plots }: OpenedBoard, index: number): Ranges =>
  (plots[index]?.axes ?? []).map(({ low, high }) => [
    rounded(low + 0.25 * (high - low), low, high),
    rounded(low + 0.75 * (high - low), low, high),
  ]);

const placeOf = (host: HTMLElement, { clientX, clientY }: PointerEvent): readonly [number, number] => {
  const { left, top } = host.getBoundingClientRect();
  return [clientX - left, clientY - top];
};

/** Returns what a drag from a place makes of the brush; undefined for a place outside of the axes. */
function dragOf(
  { box, x, y }: PlotFrame,
  from: readonly [number, number],
  ranges: Ranges | undefined,
  axes: number,
): ((to: readonly [number, number]) => Ranges | undefined) | undefined {
  if (from[0] < box.left || from[0] > box.right || from[1] < box.top || from[1] > box.bottom)
    return undefined;
  const placed = axes === 2 ? [x, y] : [x];
  const pixels = (ranges ?? []).map(([low, high], axis) => {
    const ends = [placed[axis]?.toPixel(low) ?? 0, placed[axis]?.toPixel(high) ?? 0];
    return ends.sort((a, b) => a - b) as [number, number];
  });
  const limits = [
    [box.left, box.right],
    [box.top, box.bottom],
  ] as const;
  const valuesOf = (spans: readonly (readonly [number, number])[]): Ranges =>
    spans.map(([a, b], axis) => {
      const [least, most] = limits[axis] ?? [a, b];
      const ends = [a, b].map(
        (pixel) => placed[axis]?.toValue(Math.min(most, Math.max(least, pixel))) ?? Number.NaN,
      );
      return [Math.min(...ends), Math.max(...ends)];
    });
  const isInside =
    pixels.length > 0 && pixels.every(([a, b], axis) => a <= (from[axis] ?? 0) && (from[axis] ?? 0) <= b);
  const [only] = pixels;
  if (axes === 1 && only) {
    const end = only.findIndex((pixel) => Math.abs(pixel - from[0]) <= GRIP);
    if (end >= 0) return ([to]) => valuesOf([[to, only[1 - end] ?? to]]);
  }
  const isClick = (to: readonly [number, number]) =>
    Math.hypot(to[0] - from[0], axes === 2 ? to[1] - from[1] : 0) < CLICK;
  if (isInside)
    return (to) =>
      isClick(to)
        ? undefined
        : valuesOf(
            pixels.map(([a, b], axis) => {
              const by = (to[axis] ?? 0) - (from[axis] ?? 0);
              return [a + by, b + by] as const;
            }),
          );
  return (to) =>
    isClick(to) ? undefined : valuesOf(placed.map((_, axis) => [from[axis] ?? 0, to[axis] ?? 0] as const));
}

function placeMark(mark: HTMLElement | null, frame: PlotFrame | undefined, ranges: Ranges | undefined): void {
  if (!mark) return;
  mark.hidden = frame === undefined || ranges === undefined;
  if (!frame || !ranges) return;
  const { box, x, y } = frame;
  const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
  const [[low = 0, high = 0] = [], vertical] = ranges;
  const left = clamp(x.toPixel(low), box.left, box.right);
  const right = clamp(x.toPixel(high), box.left, box.right);
  const top = vertical ? clamp(y.toPixel(vertical[1]), box.top, box.bottom) : box.top;
  const bottom = vertical ? clamp(y.toPixel(vertical[0]), box.top, box.bottom) : box.bottom;
  Object.assign(mark.style, {
    left: `${left}px`,
    width: `${Math.max(1, right - left)}px`,
    top: `${top}px`,
    height: `${Math.max(1, bottom - top)}px`,
  });
}

/** Returns the plot: bins of the selected entries, and a faint line of all; or a map of the selected ones. */
function modelOf(board: OpenedBoard, index: number, all: PlotState, selected: PlotState): AnyPlot {
  const { axes = [], columns = [] } = board.plots[index] ?? {};
  const [x, y] = axes;
  const [xTitle = '', yTitle = ''] = columns.map((column) => board.columns[column]?.expr ?? '');
  const bare = { title: '', stats: [], xTitle: '', yTitle: '' };
  if (!x)
    return { ...bare, kind: 'bins', edges: new Float64Array(2), values: new Float64Array(1), mark: 'steps' };
  if (y) {
    const stride = x.bins + 2;
    const values = Float64Array.from({ length: x.bins * y.bins }, (_, cell) => {
      const [column, row] = [cell % x.bins, Math.floor(cell / x.bins)];
      return selected.sums[column + 1 + stride * (row + 1)] ?? 0;
    });
    return {
      ...bare,
      kind: 'map',
      zTitle: '',
      xEdges: edgesOf(x),
      yEdges: edgesOf(y),
      values,
      xTitle,
      yTitle,
    };
  }
  const inner = (state: PlotState) => state.sums.slice(1, x.bins + 1);
  return {
    ...bare,
    kind: 'bins',
    edges: edgesOf(x),
    values: inner(selected),
    mark: 'steps',
    xLabels: labelsOf(board, index),
    overlays: [{ title: 'all', values: inner(all), ink: 'faint' }],
  };
}
