import { type Colour, type Ink, type Shape, short, TEXT_SIZE } from './drawing';
import { fittedTitle, titleWidth } from './latex';
import { minorTicks, type Ticks } from './ticks';

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export type Scale = (value: number) => number;

/** The places of values within a frame. Those of plots and of pads are drawn by the same painters. */
export interface Places {
  box: Box;
  x: { toPixel: Scale };
  y: { toPixel: Scale };
}

/** A linear scale from [low, high] to pixels. */
export function linear(low: number, high: number, from: number, to: number): Scale {
  const span = high > low ? high - low : 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

/** Returns the place of a value in a scale: 0 at its low end, 1 at its high end. */
export function shareOf(value: number, low: number, high: number, log: boolean): number {
  // Differences of logarithms: the ratio of the largest and the smallest number is infinite.
  const span = log ? Math.log(high) - Math.log(low) : 0;
  // Numbers of one logarithm are so near to each other that both scales are the same.
  return span > 0 ? (Math.log(value) - Math.log(low)) / span : (value - low) / (high - low);
}

/** How labels below an axis are turned: the angle in degrees, and its sine and cosine. */
export interface Turn {
  angle: number;
  sin: number;
  cos: number;
}

/** Labels that would not fit side by side, and those that would not even fit when they are slanted. */
export const SLANTED: Turn = turnedBy(35);
export const UPRIGHT: Turn = turnedBy(90);

function turnedBy(degrees: number): Turn {
  const turn = (degrees * Math.PI) / 180;
  return { angle: -degrees, sin: Math.sin(turn), cos: degrees === 90 ? 0 : Math.cos(turn) };
}

/** Space on the right of a plot that a label of x may use. */
const SPARE = 13;

/** Start of the first x label if the left edge of the picture would cut it off. */
const EDGE = 2;

const half = (label: string): number => (titleWidth(label) * TEXT_SIZE) / 2;

/** How axes are drawn in a figure for print. Numbers have the size TEXT_SIZE; lengths are in CSS pixels. */
export interface AxisStyle {
  /** Size of titles. */
  title: number;
  /** Width of the frame and its ticks. */
  width: number;
  /** Length of ticks with numbers; others are half as long. */
  tick: number;
  /** Whether ticks point into the frame. */
  inward: boolean;
  /** Whether the frame has four sides, with ticks on all. */
  four: boolean;
  /** Whether there are ticks between those with numbers. */
  minor: boolean;
  grid: boolean;
}

/** Space that a title takes beside the labels of its axis. */
export const titleRoom = (style?: AxisStyle): number => 6 + (style?.title ?? TEXT_SIZE);

/** Smallest part of its size to which a title is reduced before it is cut. */
const LEAST = 0.7;

/** Returns a title in the size of a style. One that is too long is smaller, or else cut. */
function titleIn(title: string, room: number, style?: AxisStyle): { text: string; size?: number } {
  if (style === undefined) return { text: fittedTitle(title, room / TEXT_SIZE) };
  const wide = Math.max(1, titleWidth(title));
  const size = Math.max(LEAST * style.title, Math.min(style.title, room / wide));
  return { text: fittedTitle(title, room / size), size };
}

/**
 * Draws the ticks of an axis in a style. `mark` returns the path of a tick at a pixel: its length into the frame, from the side
 * of the axis or from the opposite one.
 */
function styledTicks(
  { values, labels }: Ticks,
  style: AxisStyle,
  toPixel: Scale,
  { ends: [from, to], bare = false }: { ends: readonly [number, number]; bare?: boolean | undefined },
  mark: (at: number, length: number, far: boolean) => string,
): string {
  const own = values.map((value, i) => ({ at: toPixel(value), part: labels[i] === '' ? 0.5 : 1 }));
  // Between names there are no values.
  const between = (bare ? [] : minorTicks(values)).map((value) => ({ at: toPixel(value), part: 0.5 }));
  return [...own, ...between]
    .filter(({ at, part }) => at > from - 0.01 && at < to + 0.01 && (part === 1 || style.minor))
    .flatMap(({ at, part }) =>
      (style.four ? [false, true] : [false]).map((far) =>
        mark(at, style.tick * part * (style.inward ? 1 : -1), far),
      ),
    )
    .join('');
}

interface AxisLook {
  style?: AxisStyle | undefined;
  /** Whether there are no grid lines. */
  bare?: boolean | undefined;
  /** How labels are turned, if they are. */
  turn?: Turn | undefined;
  /** Height of the labels below the axis in pixels, if they are not in one line. */
  depth?: number | undefined;
}

/** Draws the x axis below a box: grid, ticks, labels and title. */
export function bottomAxis(box: Box, ticks: Ticks, toX: Scale, title: string, look: AxisLook = {}): Shape[] {
  const { turn, depth = 17, style } = look;
  const bare = style ? !style.grid : look.bare;
  let grid = '';
  let marks = '';
  const labels: Shape[] = [];
  ticks.values.forEach((value, i) => {
    const label = ticks.labels[i] ?? '';
    const x = toX(value);
    if (!style) marks += `M${short(x)} ${box.bottom}v${label === '' ? 3 : 5}`;
    if (label === '') return;
    grid += `M${short(x)} ${box.top}V${box.bottom}`;
    const shared = { kind: 'text', text: label, fill: 'faint', latex: true } as const;
    labels.push(
      turn
        ? {
            ...shared,
            x: x + 4,
            y: box.bottom + 8 + 6 * Math.sign(turn.cos),
            anchor: 'end',
            angle: turn.angle,
          }
        : // Fonts are wider than they are judged here: a label near the edge ends there.
          x + 1.15 * half(label) > box.right + SPARE
          ? { ...shared, x: box.right + SPARE, y: box.bottom + 17, anchor: 'end' }
          : x - 1.15 * half(label) < EDGE
            ? { ...shared, x: EDGE, y: box.bottom + 17, anchor: 'start' }
            : { ...shared, x, y: box.bottom + 17, anchor: 'middle' },
    );
  });
  const { factor = '' } = ticks;
  const y = box.bottom + depth + titleRoom(style);
  // The title ends before the power of ten, which belongs to the end of the axis.
  const end = box.right - (factor === '' ? 0 : 1.1 * titleWidth(factor) * TEXT_SIZE + 10);
  if (style) {
    marks = styledTicks(
      ticks,
      style,
      toX,
      { ends: [box.left, box.right], bare: look.bare },
      (x, length, far) =>
        far ? `M${short(x)} ${box.top}v${short(length)}` : `M${short(x)} ${box.bottom}v${short(-length)}`,
    );
    // The lines of the sides meet at the corners.
    const [left, right] = [box.left - style.width / 2, box.right + style.width / 2];
    for (const y of style.four ? [box.bottom, box.top] : [box.bottom])
      marks += `M${short(left)} ${y}H${short(right)}`;
  } else marks += `M${box.left} ${box.bottom}H${box.right}`;
  return [
    { kind: 'path', d: bare ? '' : grid, stroke: 'grid' },
    { kind: 'path', d: marks, stroke: 'ink', ...(style && { width: style.width }) },
    ...labels,
    {
      ...{ kind: 'text', x: end, y, anchor: 'end', latex: true },
      ...titleIn(title, end - box.left, style),
    },
    { kind: 'text', x: box.right, y, text: factor, anchor: 'end', fill: 'faint' },
  ];
}

/** Height above a plot for the power of ten of an upright axis. */
export const FACTOR_ROOM = 14;

interface SideLook {
  bare?: boolean | undefined;
  style?: AxisStyle | undefined;
  /** Whether the title is at the middle of the axis. */
  centred?: boolean | undefined;
}

/** Draws a y axis on the left, with a grid, or on the right. */
export function sideAxis(
  box: Box,
  side: 'left' | 'right',
  ticks: Ticks,
  toY: Scale,
  title: string,
  ink: Ink,
  { bare, style, centred = false }: SideLook = {},
): Shape[] {
  const left = side === 'left';
  const x = left ? box.left : box.right;
  let grid = '';
  let marks = '';
  const labels: Shape[] = [];
  ticks.values.forEach((value, i) => {
    const label = ticks.labels[i] ?? '';
    const y = toY(value);
    if (!style) marks += `M${x} ${short(y)}h${(left ? -1 : 1) * (label === '' ? 2 : 4)}`;
    if (label === '') return;
    if (left) grid += `M${box.left} ${short(y)}H${box.right}`;
    labels.push({
      kind: 'text',
      x: left ? x - 7 : x + 7,
      y: y + 4,
      text: label,
      anchor: left ? 'end' : 'start',
      fill: left ? 'faint' : ink,
      latex: true,
    });
  });
  const wide = labelsWidth(ticks);
  const { factor = '' } = ticks;
  // It ends at the axis where there is room, and begins at the edge of the picture where there is not.
  const factorWidth = 1.1 * titleWidth(factor) * TEXT_SIZE;
  if (style) {
    // Only a frame has an opposite side.
    const look = { ...style, four: left && style.four };
    marks = styledTicks(ticks, look, toY, { ends: [box.top, box.bottom], bare }, (y, length, far) =>
      far === left
        ? `M${box.right} ${short(y)}h${short(-length)}`
        : `M${x} ${short(y)}h${short(left ? length : -length)}`,
    );
    const [top, bottom] = [box.top - style.width / 2, box.bottom + style.width / 2];
    for (const at of look.four ? [x, box.right] : [x]) marks += `M${at} ${short(top)}V${short(bottom)}`;
  } else marks += `M${x} ${box.top}V${box.bottom}`;
  const noGrid = style ? !style.grid : bare;
  return [
    { kind: 'path', d: noGrid ? '' : grid, stroke: 'grid' },
    { kind: 'path', d: marks, stroke: ink, ...(style && { width: style.width }) },
    ...labels,
    {
      ...{ kind: 'text', text: factor, y: box.top - 6, fill: left ? 'faint' : ink },
      ...(left && factorWidth > x ? { x: EDGE, anchor: 'start' } : { x, anchor: left ? 'end' : 'start' }),
    },
    {
      kind: 'text',
      x: left
        ? Math.max((style?.title ?? TEXT_SIZE) + 2, box.left - wide - 16)
        : box.right + wide + 10 + (style?.title ?? TEXT_SIZE),
      ...(centred ? { y: (box.top + box.bottom) / 2, anchor: 'middle' } : { y: box.top, anchor: 'end' }),
      ...titleIn(title, box.bottom - box.top, style),
      angle: -90,
      fill: ink,
      latex: true,
    },
  ];
}

/** Width of the widest label, in pixels. */
export function labelsWidth(ticks: Ticks): number {
  return ticks.labels.reduce((most, label) => Math.max(most, titleWidth(label)), 0) * TEXT_SIZE;
}

/** A colour scale next to a box, with the meaning of the colours. */
export function colourAxis(
  box: Box,
  colour: (index: number) => Colour,
  ticks: Ticks,
  shareOf: Scale,
  title: string,
  style?: AxisStyle,
): Shape[] {
  const x = box.right + 14;
  const tall = box.bottom - box.top;
  const step = tall / 64;
  const bars = Array.from(
    { length: 64 },
    (_, i): Shape => ({
      ...{ kind: 'rect', x, width: 12, height: step + 0.5, fill: colour(i * 4 + 3) },
      y: box.bottom - (i + 1) * step,
    }),
  );
  const beside: Box = { ...box, right: x + 12 };
  const toY: Scale = (value) => box.bottom - shareOf(value) * tall;
  const outline = `M${x} ${box.bottom}V${box.top}H${x + 12}V${box.bottom}Z`;
  return [
    ...bars,
    ...(style ? [{ kind: 'path', d: outline, stroke: 'ink', width: style.width } as const] : []),
    ...sideAxis(beside, 'right', ticks, toY, title, 'ink', { style }),
  ];
}
