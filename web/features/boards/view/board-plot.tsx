import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatCount } from '../../../base/format';
import type { PlotFrame } from '../../../plot/drawing/frame';
import { readableLatex } from '../../../plot/drawing/latex';
import type { ViewerStore } from '../../../ui/state/viewer-state';
import { slot } from '../../../ui/widgets/slot';
import { halfOpen } from '../work/brushes';
import type { OpenedBoard } from '../work/insight';
import type { BoardModel } from './board-model';
import { type Chip, type ChipRange, newChip, plotsOfChips, type Selection } from './board-params';
import { CLICK, gridOf, type Hold, holdAt, type MapDrag, mapDragAt, rangeAt } from './drag';
import { type Painted, paint } from './paint';

interface BoardPlotProps {
  model: BoardModel;
  index: number;
  title: string;
  theme: 'light' | 'dark';
  follows: boolean;
  store: ViewerStore;
  /** Whether values have weights. */
  isWeighted: boolean;
  /** The function that is fitted to it; empty for none. */
  fit: string;
  onFit(fit: string): void;
}

/** Parts of features on a plot. */
const OnLinked = slot('linked');

/** Time for which the pointer rests before what a drag needs is prepared, in ms. */
const REST = 40;
/** Parts of an axis by which the arrow keys move a brush: alone, and with Shift. */
const KEY_STEPS = [1, 10];

/** A plot of a board: all entries faintly, the selected ones in front, and its brush. */
export function BoardPlot(props: BoardPlotProps): JSX.Element {
  const { model, index, title, theme, follows, store, isWeighted, fit, onFit } = props;
  const host = useRef<HTMLDivElement>(null);
  const back = useRef<HTMLCanvasElement>(null);
  const front = useRef<HTMLCanvasElement>(null);
  const mark = useRef<HTMLDivElement>(null);
  const count = useRef<HTMLSpanElement>(null);
  const painted = useRef<Painted | undefined>(undefined);
  const hasBrush = useSignal(false);
  const counts = useSignal<Float64Array | undefined>(undefined);
  const frame = useSignal<PlotFrame | undefined>(undefined);
  const range = useSignal<readonly [number, number] | undefined>(undefined);
  useEffect(() => {
    painted.current = undefined;
    const draw = (): void => {
      const [place, behind, before] = [host.current, back.current, front.current];
      const board = model.board.value;
      const all = board.state.plots[index];
      const selected = model.shown.value.state.plots[index];
      if (!place || !behind || !before || !all || !selected) return;
      const picture = { host: place, back: behind, front: before, dark: theme === 'dark', follows };
      painted.current = paint(picture, board, index, all, selected, painted.current);
      if (count.current) count.current.textContent = countText(selected.fills, all.fills);
      placeMark(mark.current, painted.current?.frame, model, index);
      frame.value = painted.current?.frame;
      // During a drag without tables they are not known yet.
      if (!Number.isNaN(selected.fills)) counts.value = selected.sums;
    };
    // Axes are drawn anew in a task of their own for each plot: all of them together would take too long.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const drawSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(draw);
    };
    const stops = [
      model.shown.subscribe(() => (painted.current ? draw() : drawSoon())),
      model.board.subscribe(drawSoon),
      model.chips.subscribe(() => {
        hasBrush.value = chipOf(model, index) !== undefined;
        const own = rangesOf(model, index)?.[0];
        const [low, high] = own ? halfOpen(own) : [];
        if (low !== range.peek()?.[0] || high !== range.peek()?.[1])
          range.value = low === undefined || high === undefined ? undefined : [low, high];
        placeMark(mark.current, painted.current?.frame, model, index);
      }),
    ];
    const observer = new ResizeObserver(drawSoon);
    if (host.current) observer.observe(host.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      for (const stop of stops) stop();
    };
  }, [model, index, theme, follows]);

  /** Returns the drag that would begin at an event. */
  const holdOf = (event: PointerEvent): Hold | undefined => {
    const [place, at] = [host.current, painted.current];
    const axis = model.board.peek().plots[index]?.axes[0];
    if (!place || !at || !axis) return undefined;
    const [x, y] = placeOf(place, event);
    if (!isInside(at.frame, x, y)) return undefined;
    const isText = labelsOf(model.board.peek(), index) !== undefined;
    const range = rangesOf(model, index)?.[0];
    const [low, high] = range ? halfOpen(range) : [];
    const own = low === undefined || high === undefined ? undefined : { low, high };
    const pointer = event.pointerType === 'touch' ? 'touch' : 'mouse';
    return holdAt(clamped(at.frame, x), at.frame.x, gridOf(axis, isText), own, pointer, isText);
  };
  const rest = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isDown = useRef(false);
  const hover = (event: PointerEvent): void => {
    if (isDown.current) return;
    clearTimeout(rest.current);
    const hold = axesOf(model, index) === 1 ? holdOf(event) : undefined;
    if (host.current) host.current.dataset.hold = hold?.kind ?? '';
    if (!hold || event.pointerType === 'touch') return;
    rest.current = setTimeout(() => model.prepare(index, chipFor(model, index, hold), hold), REST);
  };
  const start = (event: PointerEvent): void => {
    const place = host.current;
    if (!place || event.button !== 0) return;
    clearTimeout(rest.current);
    const drag = axesOf(model, index) === 2 ? mapDrag(event) : axisDrag(event);
    if (!drag) return;
    event.preventDefault();
    place.setPointerCapture(event.pointerId);
    isDown.current = true;
    const listening = new AbortController();
    const { signal } = listening;
    const end = (isDone: boolean) => (to: PointerEvent) => {
      listening.abort();
      isDown.current = false;
      drag.end(isDone ? to : undefined);
    };
    place.addEventListener('pointermove', drag.move, { signal });
    place.addEventListener('pointerup', end(true), { signal });
    place.addEventListener('pointercancel', end(false), { signal });
    addEventListener(
      'keydown',
      (key) => {
        if (key.key !== 'Escape') return;
        key.preventDefault();
        listening.abort();
        isDown.current = false;
        drag.end(undefined);
      },
      { signal },
    );
  };
  interface Drag {
    move(to: PointerEvent): void;
    /** Undefined: it was cancelled. */
    end(to: PointerEvent | undefined): void;
  }
  const axisDrag = (event: PointerEvent): Drag | undefined => {
    const place = host.current;
    const hold = holdOf(event);
    const frame = painted.current?.frame;
    if (!place || !hold || !frame) return undefined;
    const [first] = placeOf(place, event);
    let isClick = true;
    const made = (to: PointerEvent) => hold.at(clamped(frame, placeOf(place, to)[0]));
    return {
      move(to) {
        isClick &&= Math.abs(placeOf(place, to)[0] - first) < CLICK;
        if (isClick) return;
        const at = made(to);
        model.move(index, chipFor(model, index, hold, rangeAt(hold, at)), hold, at, to.timeStamp);
      },
      end(to) {
        if (!to) model.end(undefined);
        else if (!isClick)
          model.end(withChip(model, index, chipFor(model, index, hold, rangeAt(hold, made(to)))));
        else model.end(clicked(model, index, hold, made(to)));
      },
    };
  };
  const mapDrag = (event: PointerEvent): Drag | undefined => {
    const place = host.current;
    const frame = painted.current?.frame;
    const axes = model.board.peek().plots[index]?.axes;
    if (!place || !frame || !axes) return undefined;
    const from = placeOf(place, event);
    if (!isInside(frame, ...from)) return undefined;
    const grids = axes.map((axis) => gridOf(axis, false));
    const drag: MapDrag = mapDragAt(from, frame, grids, rangesOf(model, index));
    const made = (to: PointerEvent) => {
      const ranges = drag(placeOf(place, to));
      return ranges && withChip(model, index, chipOfRanges(model, index, ranges));
    };
    return {
      move(to) {
        const chips = made(to);
        if (chips) model.try(chips, to.timeStamp);
      },
      end(to) {
        model.end(to && (made(to) ?? withChip(model, index, undefined)));
      },
    };
  };
  /** Arrow keys move the brush, or its end: Shift by more, Alt the upper end. */
  const key = (event: KeyboardEvent): void => {
    const sign = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 }[event.key];
    if (event.key === 'Delete' || event.key === 'Backspace') {
      if (chipOf(model, index)) model.set(withChip(model, index, undefined));
      return;
    }
    if (sign === undefined) return;
    const ranges = rangesOf(model, index);
    const axis = event.key === 'ArrowUp' || event.key === 'ArrowDown' ? 1 : 0;
    const own = ranges?.[axis];
    const spec = model.board.peek().plots[index]?.axes[axis];
    if (!ranges || !own || !spec) return;
    event.preventDefault();
    const isText = labelsOf(model.board.peek(), index) !== undefined;
    const bin = isText ? 1 : (spec.high - spec.low) / 100;
    const by = sign * bin * (KEY_STEPS[event.shiftKey ? 1 : 0] ?? 1);
    const grid = gridOf(spec, isText);
    const moved = (end: number): number => {
      if (!Number.isFinite(end)) return end;
      const steps = Math.max(1, Math.round(Math.abs(by) / ((grid[1] ?? 1) - (grid[0] ?? 0))));
      const at = grid.reduce(
        (near, one, i) => (Math.abs(one - end) < Math.abs((grid[near] ?? 0) - end) ? i : near),
        0,
      );
      return grid[Math.max(0, Math.min(grid.length - 1, at + Math.sign(by) * steps))] ?? end;
    };
    const low = event.altKey ? own.low : moved(own.low);
    const high = event.ctrlKey ? own.high : moved(own.high);
    if (!(low < high)) return;
    const next = ranges.map((range, i) => (i === axis ? { low, high } : range));
    model.set(withChip(model, index, chipOfRanges(model, index, next)));
  };
  const selectMiddle = () =>
    model.set(withChip(model, index, chipOfRanges(model, index, middleOf(model, index))));
  const all = model.board.value.state.plots[index];
  const isText = labelsOf(model.board.value, index) !== undefined;
  const axis = axesOf(model, index) === 1 ? model.board.value.plots[index]?.axes[0] : undefined;
  return (
    <figure class="board-plot">
      <figcaption>
        <span class="board-title" title={title}>
          {readableLatex(title)}
        </span>
        <span class="board-count" ref={count} />
        <button
          type="button"
          class="link"
          disabled={hasBrush.value}
          aria-label={`Select a range of ${title}`}
          onClick={selectMiddle}
        >
          Select
        </button>
      </figcaption>
      <div
        class="board-stage"
        ref={host}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the selection
        tabIndex={0}
        aria-label={`${title}, ${formatCount(all?.fills ?? 0)} values. Arrow keys move the selection, Delete removes it.`}
        onPointerDown={start}
        onPointerMove={hover}
        onPointerLeave={() => clearTimeout(rest.current)}
        onKeyDown={key}
        data-axes={axesOf(model, index)}
      >
        <canvas ref={back} />
        <canvas ref={front} />
        <div class="board-marks" ref={mark} />
      </div>
      {!isWeighted && axis && !isText && (
        <OnLinked {...{ store, title, axis, counts, range, frame, fit, onFit }} />
      )}
    </figure>
  );
}

const countText = (selected: number, all: number): string =>
  // Not known before a drag ends.
  Number.isNaN(selected)
    ? '…'
    : `${formatCount(selected)}${all > 0 ? ` (${((100 * selected) / all).toFixed(1)} %)` : ''}`;

const axesOf = ({ board }: BoardModel, index: number): number => board.peek().plots[index]?.axes.length ?? 0;

/** Returns the labels of a plot of texts. */
const labelsOf = ({ plots, columns }: OpenedBoard, index: number): string[] | undefined =>
  plots[index]?.columns.length === 1 ? columns[plots[index]?.columns[0] ?? -1]?.labels : undefined;

/** Returns the chip of a plot. */
const chipOf = ({ chips, board }: BoardModel, index: number): Chip | undefined =>
  chips.peek()[plotsOfChips(chips.peek(), board.peek()).indexOf(index)];

/** Returns the ranges that the chip of a plot covers on its axes, x first; undefined if there is none, or not one. */
function rangesOf(model: BoardModel, index: number): readonly ChipRange[] | undefined {
  const chip = chipOf(model, index);
  if (chip?.selects.kind === 'ranges') return chip.selects.ranges;
  if (chip?.selects.kind !== 'labels') return undefined;
  const bins = binsOf(model, index, chip.selects.labels);
  const [first, last] = [bins[0], bins.at(-1)];
  const isOne = first !== undefined && last !== undefined && last - first + 1 === bins.length;
  return isOne ? [{ low: first, high: last + 1 }] : undefined;
}

const binsOf = ({ board }: BoardModel, index: number, labels: readonly string[]): number[] =>
  labels
    .map((label) => labelsOf(board.peek(), index)?.indexOf(label) ?? -1)
    .filter((bin) => bin >= 0)
    .sort((a, b) => a - b);

/** Returns the chip of a plot with other ranges, or a new one. */
function chipOfRanges(model: BoardModel, index: number, ranges: readonly ChipRange[]): Chip {
  const board = model.board.peek();
  const exprs = (board.plots[index]?.columns ?? []).map((column) => board.columns[column]?.expr ?? '');
  const labels = labelsOf(board, index);
  const selects: Selection = labels
    ? { kind: 'labels', exprs: [exprs[0] ?? ''], labels: labels.slice(ranges[0]?.low, ranges[0]?.high) }
    : { kind: 'ranges', exprs, ranges };
  const own = settledChip(model, index);
  return { ...newChip(selects), ...own, selects, off: false };
}

const settledChip = ({ settled, board }: BoardModel, index: number): Chip | undefined =>
  settled.peek()[plotsOfChips(settled.peek(), board.peek()).indexOf(index)];

/** The chip of a drag. An end that does not move stays as it was written. */
function chipFor(model: BoardModel, index: number, hold: Hold, range: ChipRange = { low: 0, high: 1 }): Chip {
  const before = settledChip(model, index)?.selects;
  const own = before?.kind === 'ranges' && hold.kind === 'end' ? before.ranges[0] : undefined;
  if (!own) return chipOfRanges(model, index, [range]);
  const [low, high] = halfOpen(own);
  return chipOfRanges(model, index, [
    {
      ...(range.low === low ? { low: own.low, above: own.above } : { low: range.low }),
      ...(range.high === high ? { high: own.high, upTo: own.upTo } : { high: range.high }),
    },
  ]);
}

/** Returns the settled chips with another one on a plot; undefined removes it. */
function withChip({ settled, board }: BoardModel, index: number, chip: Chip | undefined): readonly Chip[] {
  const own = settled.peek();
  const at = plotsOfChips(own, board.peek()).indexOf(index);
  if (at < 0) return chip ? [...own, chip] : own;
  return own.flatMap((one, i) => (i === at ? (chip ?? []) : one));
}

/** A click beside a brush removes it. On bars of texts it adds a bar, or takes it off. */
function clicked(
  model: BoardModel,
  index: number,
  hold: Hold,
  { from }: { from: number },
): readonly Chip[] | undefined {
  const labels = labelsOf(model.board.peek(), index);
  const own = settledChip(model, index);
  if (!labels) return own && hold.kind === 'new' ? withChip(model, index, undefined) : undefined;
  const bin = hold.kind === 'new' && 'fixed' in hold.path ? hold.path.fixed : from;
  const label = labels[bin];
  if (label === undefined) return undefined;
  const chosen = own?.selects.kind === 'labels' ? own.selects.labels : [];
  const next = chosen.includes(label) ? chosen.filter((one) => one !== label) : [...chosen, label];
  if (next.length === 0) return withChip(model, index, undefined);
  const selects: Selection = {
    kind: 'labels',
    exprs: [model.board.peek().columns[model.board.peek().plots[index]?.columns[0] ?? -1]?.expr ?? ''],
    labels: next,
  };
  return withChip(model, index, { ...newChip(selects), ...own, selects, off: false });
}

/** Returns the middle half of the axes of a plot. */
function middleOf({ board }: BoardModel, index: number): ChipRange[] {
  const isText = labelsOf(board.peek(), index) !== undefined;
  return (board.peek().plots[index]?.axes ?? []).map((axis) => {
    const grid = gridOf(axis, isText);
    const at = (share: number) => grid[Math.round(share * (grid.length - 1))] ?? 0;
    return { low: at(0.25), high: at(0.75) };
  });
}

const placeOf = (host: HTMLElement, { clientX, clientY }: PointerEvent): readonly [number, number] => {
  const { left, top } = host.getBoundingClientRect();
  return [clientX - left, clientY - top];
};

const isInside = ({ box }: PlotFrame, x: number, y: number): boolean =>
  x >= box.left - 8 && x <= box.right + 8 && y >= box.top && y <= box.bottom + 14;

const clamped = ({ box }: PlotFrame, x: number): number => Math.min(box.right, Math.max(box.left, x));

/** Lays the marks of a brush over its plot: a rectangle, or one for each group of texts. */
function placeMark(
  mark: HTMLElement | null,
  frame: PlotFrame | undefined,
  model: BoardModel,
  index: number,
): void {
  if (!mark) return;
  const chip = chipOf(model, index);
  const marks = frame && chip ? marksOf(model, index, chip) : [];
  while (mark.childElementCount > marks.length) mark.lastElementChild?.remove();
  while (mark.childElementCount < marks.length) mark.append(document.createElement('div'));
  if (!frame || !chip) return;
  const { box, x, y } = frame;
  const inside = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
  for (const [i, [{ low, high } = { low: 0, high: 0 }, vertical]] of marks.entries()) {
    const own = mark.children[i] as HTMLElement;
    own.dataset.off = String(chip.off);
    own.dataset.inverted = String(chip.inverted);
    const left = low === -Infinity ? box.left : inside(x.toPixel(low), box.left, box.right);
    const right = high === Infinity ? box.right : inside(x.toPixel(high), box.left, box.right);
    const top = vertical ? inside(y.toPixel(vertical.high), box.top, box.bottom) : box.top;
    const bottom = vertical ? inside(y.toPixel(vertical.low), box.top, box.bottom) : box.bottom;
    Object.assign(own.style, {
      left: `${left}px`,
      width: `${Math.max(1, right - left)}px`,
      top: `${top}px`,
      height: `${Math.max(1, bottom - top)}px`,
    });
  }
}

/** The rectangles of a brush, as ranges on the axes. */
function marksOf(model: BoardModel, index: number, { selects }: Chip): (readonly ChipRange[])[] {
  if (selects.kind === 'ranges') return [selects.ranges];
  if (selects.kind !== 'labels') return [];
  const runs: ChipRange[] = [];
  for (const bin of binsOf(model, index, selects.labels)) {
    const last = runs.at(-1);
    if (last?.high === bin) last.high++;
    else runs.push({ low: bin, high: bin + 1 });
  }
  return runs.map((run) => [run]);
}
