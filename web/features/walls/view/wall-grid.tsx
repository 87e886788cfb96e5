import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { formatCount } from '../../../base/format';
import { printable } from '../../../base/text';
import { paintPlot } from '../../../plot/chart/page-plot';
import { runKey } from '../../../plot/command';
import { type Drawing, PALETTE } from '../../../plot/drawing/drawing';
import { type CanvasPaint, paintDrawing } from '../../../plot/drawing/drawing-canvas';
import { readableLatex } from '../../../plot/drawing/latex';
import type { AnyPlot } from '../../../plot/model';
import { type GridCursor, gridCommands } from '../../../ui/commands/grid-commands';
import { type CommonAxes, onCommonAxes } from '../work/common-axes';
import { shortVerdict } from '../work/judged';
import type { Condition } from '../work/rules';
import { isAlarm, stateOf, type WallState } from '../work/states';
import type { Tile } from '../work/tile';
import { dropPaint, paintSoon } from './paint-queue';
import { verdictBy } from './thresholds';
import { type WallCursor, wallCommands } from './wall-commands';
import { forgetShown, pointAt, setShown } from './wall-cursor';
import type { WallLoader } from './wall-loader';
import { columnsIn, RATIO_HEIGHT, WALL_SIZES, type WallSize } from './wall-sizes';

/**
 * Mark before the name of a plot that failed, is in one file only, or could not be compared. The reason is shown
 * below.
 */
const MARKS: Partial<Record<WallState, { text: string; sign: string }>> = {
  over: { text: 'over', sign: '!' },
  missing: { text: 'missing', sign: '–' },
  error: { text: 'not comparable', sign: '?' },
};

/** A wall as another part of the page moves in it. */
export interface WallMoves {
  /** Moves to the next or the previous plot that needs attention. */
  toAlarm(by: 1 | -1): void;
}

interface WallGridProps {
  loader: WallLoader;
  /** The shown items, in order. */
  order: readonly number[];
  size: WallSize;
  log: boolean;
  /** Shared axes; undefined if each plot has its own. */
  axes: CommonAxes | undefined;
  /** Whether all plots have to be read. */
  wantsAll: boolean;
  theme: 'light' | 'dark';
  /** Conditions under which a plot is marked. */
  conditions: readonly Condition[];
  label: string;
  /** Receives how other parts move in it. */
  moves: { current: WallMoves | undefined };
  /** `place` is the button of the plot. */
  onOpen(index: number, place: Element): void;
}

/** Small plots in rows. Only visible ones exist in the page. One of them is a tab stop, and arrow keys move it. */
export function WallGrid(props: WallGridProps): JSX.Element {
  const { loader, order, wantsAll, label, size, conditions, moves } = props;
  const box = useRef<HTMLDivElement>(null);
  const seen = useSignal({ columns: 1, each: 0, from: 0, to: 0 });
  const active = useSignal(loader.active);
  const takesFocus = useRef(false);
  void loader.version.value;
  const { columns, each, from, to } = seen.value;
  const { height, gap } = WALL_SIZES[size];
  const step = height + gap;
  const rows = Math.ceil(order.length / columns);

  const look = () => {
    const host = box.current;
    if (host === null) return;
    const { top, width } = host.getBoundingClientRect();
    const next = {
      ...columnsIn(width, size),
      from: Math.max(0, Math.floor(-top / step)),
      to: Math.max(0, Math.ceil((innerHeight - top) / step)),
    };
    const now = seen.peek();
    if ((Object.keys(next) as (keyof typeof next)[]).some((one) => next[one] !== now[one])) seen.value = next;
  };
  const sizeBefore = useRef(size);
  // The first plot in sight stays in sight in another size.
  useLayoutEffect(() => {
    const { height: tall, gap: space } = WALL_SIZES[sizeBefore.current];
    sizeBefore.current = size;
    const host = box.current;
    const { columns: many, from: row } = seen.peek();
    if (host === null || row === 0) return;
    const there = Math.floor((row * many) / columnsIn(host.clientWidth, size).columns);
    const by = there * step - row * (tall + space);
    // In narrow viewers the whole scrolls.
    for (const around of ['.detail', '.split']) host.closest(around)?.scrollBy(0, by);
  }, [size]);
  useLayoutEffect(() => {
    const host = box.current;
    if (host === null) return;
    look();
    const observer = new ResizeObserver(look);
    observer.observe(host);
    // Any box around it may scroll.
    const root = host.getRootNode();
    root.addEventListener('scroll', look, { capture: true, passive: true });
    document.addEventListener('scroll', look, { capture: true, passive: true });
    return () => {
      observer.disconnect();
      root.removeEventListener('scroll', look, { capture: true });
      document.removeEventListener('scroll', look, { capture: true });
    };
  }, [loader, size]);
  useEffect(() => () => loader.stop(), [loader]);
  useEffect(() => {
    const ahead = order.slice(from * columns, (2 * to - from) * columns);
    loader.want(ahead, wantsAll);
  }, [loader, order, from, to, columns, wantsAll]);

  const at = Math.max(0, order.indexOf(active.value));
  const moveTo = (place: number) => {
    const index = order[Math.min(Math.max(0, place), order.length - 1)];
    if (index === undefined) return;
    takesFocus.current = true;
    loader.active = index;
    active.value = index;
  };
  const takeFocus = () => activePlace()?.focus();
  const activePlace = () => box.current?.querySelector<HTMLElement>(`[data-index="${active.peek()}"]`);
  const isMeasured = to > 0;
  // Scrolls to the plot that was opened.
  useLayoutEffect(() => {
    if (!isMeasured || at === 0) return;
    activePlace()?.scrollIntoView({ block: 'center' });
    look();
    // Going back leaves the focus nowhere.
    const back = requestAnimationFrame(() => {
      if (document.activeElement === document.body) activePlace()?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(back);
  }, [isMeasured, loader]);
  useEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    activePlace()?.scrollIntoView({ block: 'nearest' });
    look();
    // New places around it are added first, because moving an element in the page removes its focus.
    const frame = requestAnimationFrame(() => activePlace()?.focus({ preventScroll: true }));
    return () => cancelAnimationFrame(frame);
  }, [active.value]);
  const cursor: GridCursor = {
    sorted: false,
    move: ({ rows: down = 0, pages = 0, columns: right = 0 }) => {
      const screen = Math.max(1, to - from - 1);
      moveTo(at + right + (down + pages * screen) * columns);
    },
    toEnd(of, end) {
      const first = Math.floor(at / columns) * columns;
      if (of === 'row') moveTo(end === 'first' ? first : first + columns - 1);
      else moveTo(end === 'first' ? 0 : order.length - 1);
    },
  };

  const verdictOf = (index: number) => {
    const verdict = loader.facts(index)?.verdict;
    return verdict && verdictBy(verdict, conditions);
  };
  const onWall: WallCursor = {
    ...cursor,
    hasAlarms: () => order.some((index) => isAlarm(verdictOf(index))),
    toAlarm(by) {
      for (let i = 1; i <= order.length; i++) {
        const place = (at + by * i + 2 * order.length) % order.length;
        if (!isAlarm(verdictOf(order[place] ?? -1))) continue;
        if (place === at) takeFocus();
        else moveTo(place);
        return;
      }
    },
  };
  moves.current = onWall;

  const pointing = useRef(0);
  // Fingers scroll instead.
  const point = (event?: PointerEvent) => {
    if (event?.pointerType === 'touch') return;
    const pointer = event && { ...placeOf(event), target: event.target as Element };
    cancelAnimationFrame(pointing.current);
    pointing.current = requestAnimationFrame(() => box.current && pointAt(box.current, pointer));
  };

  const shown = new Set<number>();
  for (let row = Math.max(0, from - 1); row < Math.min(rows, to + 1); row++) shown.add(row);
  if (order.length > 0) shown.add(Math.floor(at / columns));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the buttons within it
    <div
      class="wall"
      ref={box}
      data-size={size}
      style={{ height: `${rows * step}px` }}
      onKeyDown={(event) => runKey(wallCommands, onWall, event) || runKey(gridCommands, onWall, event)}
      onPointerMove={point}
      onPointerLeave={() => point()}
    >
      <ul aria-label={label}>
        {[...shown]
          .sort((a, b) => a - b)
          .flatMap((row) =>
            order.slice(row * columns, (row + 1) * columns).map((index, column) => (
              <li
                key={index}
                data-row={row}
                aria-setsize={order.length}
                aria-posinset={row * columns + column + 1}
                style={{
                  top: `${row * step}px`,
                  left: `calc(${column} * (100% + ${gap}px) / ${columns})`,
                  width: `calc((100% + ${gap}px) / ${columns} - ${gap}px)`,
                  height: `${height}px`,
                }}
              >
                <Place
                  {...props}
                  each={each}
                  index={index}
                  isStop={index === order[at]}
                  onMove={() => {
                    loader.active = index;
                    active.value = index;
                  }}
                />
              </li>
            )),
          )}
      </ul>
    </div>
  );
}

const placeOf = ({ clientX, clientY }: PointerEvent) => ({ clientX, clientY });

interface PlaceProps extends WallGridProps {
  index: number;
  /** Its width in CSS pixels. */
  each: number;
  isStop: boolean;
  onMove(): void;
}

function Place(props: PlaceProps): JSX.Element | null {
  const { loader, index, isStop, onMove, onOpen, log, axes, theme, conditions, size, each } = props;
  const item = loader.items[index];
  const tile = loader.tile(index);
  if (item === undefined) return null;
  const verdict = tile && 'verdict' in tile ? verdictBy(tile.verdict, conditions) : undefined;
  const state = verdict && stateOf(verdict);
  const mark = state && MARKS[state];
  const told = verdict ? shortVerdict(verdict) : tile?.picture && tile.why;
  const title = told ?? readableLatex(tile?.title || item.title);
  const canOpen = item.node !== undefined || tile?.model !== undefined;
  const isLarge = size === 'L';
  const hasEntries = isLarge && !mark && tile !== undefined && !Number.isNaN(tile.entries);
  const entries = hasEntries ? formatCount(tile.entries) : '';
  // Longer words leave no room for the name.
  const isWord = isLarge && mark !== undefined && mark.text.length < 8;
  const letter = LETTER[size];
  const taken = 26 + (mark ? 22 + (isWord ? 7 * mark.text.length : 8) : 0) + 10 * entries.length;
  const more = tile && 'notes' in tile ? [...(mark ? (verdict?.why ?? []) : []), ...tile.notes] : [];
  const hover = isLarge ? more : [printable(item.name), title, ...more];
  return (
    <button
      type="button"
      class="wall-place"
      data-index={index}
      data-state={verdict?.state}
      data-only={verdict?.only}
      title={[...new Set(hover)].join('\n') || undefined}
      tabIndex={isStop ? 0 : -1}
      aria-busy={tile === undefined}
      onFocus={onMove}
      onClick={(event) => canOpen && onOpen(index, event.currentTarget)}
      aria-disabled={!canOpen}
    >
      <span class="wall-name" title={printable(item.name)}>
        <span>
          {mark && (
            <span class="wall-mark">
              <span class={isWord ? undefined : 'hidden'}>{mark.text}</span>
              {!isWord && <span aria-hidden="true">{mark.sign}</span>}
            </span>
          )}
          {mark && ' '}
          <Path path={printable(item.label)} letters={Math.floor((each - taken) / letter)} />
        </span>
        {entries !== '' && <span class="wall-entries">{entries}</span>}
      </span>
      {isLarge && <span class="wall-title">{title === item.name ? '' : title}</span>}
      {tile?.model || tile?.picture ? (
        <SmallPlot tile={tile} log={log} axes={axes} theme={theme} />
      ) : (
        <span class="wall-plot">
          {tile && <span class="wall-why">{tile.why ?? 'There is no plot.'}</span>}
        </span>
      )}
    </button>
  );
}

/** Usual width of a bold letter in CSS pixels. */
const LETTER = { S: 7, M: 7.5, L: 8.3 };

/** A path, shortened at its beginning, because its end says more. Screen readers get all of it. */
function Path({ path, letters }: { path: string; letters: number }): JSX.Element {
  if (path.length <= letters) return <>{path}</>;
  return (
    <>
      <span class="hidden">{path}</span>
      <span aria-hidden="true">…{path.slice(1 - Math.max(6, letters))}</span>
    </>
  );
}

/** Paints the picture of a canvas on white, as large as fits. */
function paintPicture(host: HTMLElement, drawing: Drawing, { fontFamily }: CanvasPaint): void {
  const canvas = host.ownerDocument.createElement('canvas');
  host.append(canvas);
  const ratio = devicePixelRatio;
  const [width, height] = [host.clientWidth * ratio, host.clientHeight * ratio];
  canvas.width = Math.round(width);
  canvas.height = Math.round(height);
  const scale = Math.min(width / drawing.width, height / drawing.height);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.translate((width - drawing.width * scale) / 2, (height - drawing.height * scale) / 2);
  context.scale(scale, scale);
  context.fillStyle = PALETTE.paper;
  context.fillRect(0, 0, drawing.width, drawing.height);
  paintDrawing(context, drawing, { palette: PALETTE, fontFamily });
}

/** Leaves out what has no room in a height: titles of axes, and then the ratio. */
function fitting(model: AnyPlot, height: number): AnyPlot {
  const bare = { ...model, yTitle: '', ...(model.kind === 'map' && { zTitle: '' }) };
  if (height >= RATIO_HEIGHT - 40) return bare;
  return { ...bare, xTitle: '', ...(bare.kind !== 'map' && { below: undefined }) };
}

type SmallPlotProps = Pick<WallGridProps, 'log' | 'axes' | 'theme'> & { tile: Tile };

/** A plot without titles of axes that have no room. */
export function SmallPlot({ tile, log, axes, theme }: SmallPlotProps): JSX.Element {
  const host = useRef<HTMLSpanElement>(null);
  const { model, picture } = tile;
  useEffect(() => {
    const place = host.current;
    if (place === null) return;
    if (picture) {
      paintSoon(place, false, (look) => paintPicture(place, picture, look));
      return () => {
        dropPaint(place);
        place.replaceChildren();
      };
    }
    if (model === undefined) return;
    const bare = fitting(model, place.clientHeight);
    const logs = { x: false, y: log };
    const shown: ReturnType<typeof onCommonAxes> = axes ? onCommonAxes(bare, axes, logs) : { model: bare };
    let painted: { destroy(): void } | undefined;
    paintSoon(place, theme === 'dark', (look) => {
      const options = { log: logs, window: shown.window, free: axes !== undefined, dark: theme === 'dark' };
      painted = paintPlot(place, shown.model, options, look);
      setShown(place, shown.model, options);
    });
    return () => {
      dropPaint(place);
      forgetShown(place);
      painted?.destroy();
    };
  }, [model, picture, log, axes, theme]);
  return <span class="wall-plot" ref={host} aria-hidden="true" />;
}
