import { unsupported } from '../../base/data-errors';
import { formatNumber } from '../../base/format';
import type { Range } from '../model';
import {
  type AxisStyle,
  type Box,
  bottomAxis,
  FACTOR_ROOM,
  labelsWidth,
  type Scale,
  SLANTED,
  shareOf,
  sideAxis,
  type Turn,
  titleRoom,
  UPRIGHT,
} from './axes';
import { type Shape, TEXT_SIZE } from './drawing';
import { fittedName, titleWidth } from './latex';
import { axisTicks, type BinNames, type Ticks } from './ticks';
import { type TimeAxis, timeTicks } from './time-axis';

/** An axis before layout. */
export interface AxisSpec {
  range: Range;
  log: boolean;
  title: string;
  /** Names of bins instead of numbers. */
  names?: BinNames | undefined;
  /** Whether there are no grid lines at its ticks, because an axis with labels has no values in between. */
  bare?: boolean | undefined;
  time?: TimeAxis | undefined;
  /** How it is drawn in a figure for print. */
  style?: AxisStyle | undefined;
  /** Whether the title of y is at the middle of the axis. */
  centred?: boolean | undefined;
}

export interface PlacedAxis {
  spec: AxisSpec;
  toPixel: Scale;
  toValue: Scale;
  ticks: Ticks;
}

/** Positions of a plot and its axes in a drawing, in CSS pixels. */
export interface PlotFrame {
  box: Box;
  x: PlacedAxis;
  y: PlacedAxis;
  /** How the labels of x are turned, if they are, and how far they reach below the axis. */
  turn?: Turn | undefined;
  depth: number;
}

export interface FrameOptions {
  /** Space on the right for parts beside the plot. */
  right?: number;
  /** Minimum left edge of the plot, so that frames below each other are aligned. */
  left?: number;
  /** Whether the x axis has neither labels nor title, because the frame below has them. */
  silent?: boolean;
  /** Whether an axis beside the plot has a power of ten above it. */
  factor?: boolean;
}

/** Maximum length of a bin label, in pixels. */
const MAX_LENGTH = 150;
/** Returns the distance along the axis between turned labels, in pixels, so that their lines are one letter height apart. */
const pitchOf = ({ sin }: Turn): number => Math.ceil((1.15 * TEXT_SIZE) / sin);

/** Lays out axes in a rectangle: the labels get the space they need, the plot gets the rest. */
export function layFrame(area: Box, x: AxisSpec, y: AxisSpec, options: FrameOptions = {}): PlotFrame {
  const { right = 14, silent = false } = options;
  const leftOf = (ticks: Ticks) =>
    Math.max(options.left ?? 0, labelsWidth(ticks) + 12 + (y.title === '' ? 0 : titleRoom(y.style)), 34);
  // The height decides on the labels of y, their width on those of x, and those on the height.
  const rough = sideTicks(y, area.bottom - area.top - 40);
  // On whole pixels, because the axes are sharp there.
  const left = Math.ceil(Math.min(area.left + leftOf(rough), area.left + (area.right - area.left) * 0.5));
  const across = area.right - right - left;
  const below = silent
    ? { ticks: { ...bottomTicks(x, { wide: across, deepest: 0, left }).ticks }, turn: undefined, depth: 0 }
    : bottomTicks(x, { wide: across, deepest: (area.bottom - area.top) * 0.4, left });
  const under = silent
    ? 6
    : below.depth + (x.title === '' && below.ticks.factor === undefined ? 7 : 6 + titleRoom(x.style));
  const box = { left, right: area.right - right, top: area.top, bottom: area.bottom - under };
  if (options.factor || rough.factor !== undefined) box.top += FACTOR_ROOM;
  let yTicks = sideTicks(y, box.bottom - box.top);
  if (yTicks.factor !== undefined && box.top === area.top) {
    box.top += FACTOR_ROOM;
    yTicks = sideTicks(y, box.bottom - box.top);
  }
  return {
    box,
    x: placed(
      x,
      silent ? { values: below.ticks.values, labels: below.ticks.labels.map(() => '') } : below.ticks,
      box.left,
      box.right,
    ),
    y: placed(y, yTicks, box.bottom, box.top),
    turn: below.turn,
    depth: below.depth,
  };
}

/** Grid, axes, labels and titles. */
export function frameShapes({ box, x, y, turn, depth }: PlotFrame): Shape[] {
  const { bare, style } = x.spec;
  return [
    ...sideAxis(box, 'left', y.ticks, y.toPixel, y.spec.title, 'ink', y.spec),
    ...bottomAxis(box, x.ticks, x.toPixel, x.spec.title, { bare, style, turn, depth }),
  ];
}

/** Adds another y axis to a frame. */
export function axisBeside({ box }: PlotFrame, spec: AxisSpec): PlacedAxis {
  return placed(spec, sideTicks(spec, box.bottom - box.top), box.bottom, box.top);
}

/** Throws UNSUPPORTED for a range on which values cannot be placed. */
export function checkRange([low, high]: Range, log: boolean): void {
  if (isScale(low, high) && !(log && low <= 0)) return;
  const [from, to] = [low, high].map((value) => formatNumber(value).replace('-', '−'));
  throw unsupported(`An axis from ${from} to ${to} cannot be drawn.`, 'Choose a part of it.');
}

/** Whether values can be placed between two ends. Their difference must be finite, too. */
export function isScale(low: number, high: number): boolean {
  return high > low && Number.isFinite(high - low);
}

function placed(spec: AxisSpec, ticks: Ticks, from: number, to: number): PlacedAxis {
  checkRange(spec.range, spec.log);
  const [low, high] = spec.range;
  const span = spec.log ? Math.log(high) - Math.log(low) : 0;
  if (!(span > 0)) {
    return {
      ...{ spec, ticks },
      toPixel: (value) => from + ((value - low) / (high - low)) * (to - from),
      toValue: (pixel) => low + ((pixel - from) / (to - from)) * (high - low),
    };
  }
  return {
    ...{ spec, ticks },
    // Values below the range lie at its edge.
    toPixel: (value) => from + shareOf(Math.max(value, low), low, high, true) * (to - from),
    toValue: (pixel) => Math.exp(Math.log(low) + ((pixel - from) / (to - from)) * span),
  };
}

/** Pixels from number to number, about, along x and along y. Figures are small, and have them nearer to each other. */
const apart = ({ style }: AxisSpec): { x: number; y: number } =>
  style ? { x: 48, y: 36 } : { x: 80, y: 50 };

function sideTicks(spec: AxisSpec, tall: number): Ticks {
  const { range, log, names, time } = spec;
  if (names !== undefined) {
    const { edges } = names;
    const bins = visibleBins(edges, range);
    const spacing = tall / Math.max(1, bins);
    return fitted(axisTicks(...range, Math.floor(tall / Math.max(14, spacing)), log, names), MAX_LENGTH);
  }
  // One number alone says no scale: a low panel has them nearer to each other.
  for (let count = Math.max(2, Math.round(tall / apart(spec).y)); ; count++) {
    const ticks = (time && timeTicks(...range, count, time)) ?? axisTicks(...range, count, log);
    if (ticks.values.length > 1 || count * 16 > tall) return ticks;
  }
}

/** Space below a plot, in pixels: its width, maximum height of labels, and the plot's position from the left. */
interface Room {
  wide: number;
  deepest: number;
  left: number;
}

interface Below {
  ticks: Ticks;
  turn: Turn | undefined;
  depth: number;
}

/** Returns as many ticks as have space for labels side by side. Bin labels may be turned instead. */
function bottomTicks(spec: AxisSpec, room: Room): Below {
  const { wide } = room;
  const { range, log, names, time } = spec;
  const one = { turn: undefined, depth: 17 };
  if (names !== undefined) return nameTicks(range, names, room);
  for (let count = Math.max(4, Math.round(wide / apart(spec).x)); ; count--) {
    const ticks = (time && timeTicks(...range, count, time)) ?? axisTicks(...range, count, log);
    if (count <= 1 || roomy(ticks, spec, room)) return { ticks, ...one };
  }
}

/** Whether no two labels touch. */
function roomy(ticks: Ticks, spec: AxisSpec, { wide, left }: Room): boolean {
  const { toPixel } = placed(spec, ticks, 0, wide);
  let end = Number.NEGATIVE_INFINITY;
  return ticks.values.every((value, i) => {
    const label = ticks.labels[i] ?? '';
    if (label === '') return true;
    const half = (titleWidth(label) * TEXT_SIZE) / 2;
    const middle = Math.max(Math.min(toPixel(value), wide - half), half - left);
    const free = middle - half >= end;
    end = middle + half + 8;
    return free;
  });
}

function nameTicks(range: Range, names: BinNames, { wide, deepest, left }: Room): Below {
  const bins = visibleBins(names.edges, range);
  const spacing = wide / Math.max(1, bins);
  const all = axisTicks(...range, Number.POSITIVE_INFINITY, false, names);
  const widest = Math.min(MAX_LENGTH, labelsWidth(all));
  const flat = Math.ceil((widest + 8) / spacing);
  const every = (k: number): Ticks => ({
    values: all.values,
    labels: all.labels.map((label, i) => (i % k === 0 ? label : '')),
  });
  const level = { turn: undefined, depth: 17 };
  if (flat <= 1) return { ticks: fitted(all, MAX_LENGTH), ...level };
  // Short names and numbers are not turned when some are left out in any case.
  if (spacing < pitchOf(SLANTED) && widest <= 48) return { ticks: every(flat), ...level };
  const turn = spacing < pitchOf(SLANTED) ? UPRIGHT : SLANTED;
  const longest = Math.max(24, Math.min(MAX_LENGTH, (deepest - 20) / turn.sin));
  const { values, labels } = every(Math.ceil(pitchOf(turn) / spacing));
  // Slanted, the first names reach to the left of the plot, where the picture ends.
  const { toPixel } = placed({ range, log: false, title: '' }, all, left, left + wide);
  const ticks: Ticks = {
    values,
    labels: labels.map((label, i) => {
      const room = turn.cos > 0 ? (toPixel(values[i] ?? 0) - 2) / turn.cos : longest;
      return label === '' ? '' : fittedName(label, Math.min(longest, room) / TEXT_SIZE);
    }),
  };
  return { ticks, turn, depth: Math.ceil(labelsWidth(ticks) * turn.sin) + 16 };
}

/** Returns the labels of an axis with names, each cut to a length in pixels. */
function fitted(ticks: Ticks, longest: number): Ticks {
  return { ...ticks, labels: ticks.labels.map((label) => fittedName(label, longest / TEXT_SIZE)) };
}

function visibleBins(edges: Float64Array, [low, high]: Range): number {
  let bins = 0;
  for (let i = 0; i + 1 < edges.length; i++) {
    const middle = ((edges[i] ?? 0) + (edges[i + 1] ?? 0)) / 2;
    if (middle >= low && middle <= high) bins++;
  }
  return bins;
}
