import type { Shape } from '../../../plot/drawing/drawing';
import { short } from '../../../plot/drawing/drawing';
import { fittedName, titleWidth } from '../../../plot/drawing/latex';
import { axisPower, axisTicks, logTicks, multiples, niceStep, type Ticks } from '../../../plot/drawing/ticks';
import { timeTicks } from '../../../plot/drawing/time-axis';
import { label, number, record } from '../../../plot/stored/members';
import { closed, isFilled, open, rectangle, strokeOf } from '../../../plot/stored/paint/attributes';
import type { Point } from '../../../plot/stored/paint/ground';
import { axis as axisOf, timeOf } from '../../../plot/stored/stored-axis';
import { textOf, textsOf } from './attributes';
import { colourAt, type Members, type Pad, put, sideOf } from './pad';

/** TAxis::kCenterTitle, which TGaxis shares, kNoExponent, kLabelsVert, kLabelsDown, kLabelsUp and kMoreLogLabels. */
const CENTRED = 1 << 12;
const NO_EXPONENT = 1 << 17;
const VERTICAL = 1 << 19;
const DOWNWARD = 1 << 20;
const UPWARD = 1 << 21;
const MORE_LOG_LABELS = 1 << 23;

/** The side of an axis: 1 is the left one, seen in its direction, -1 the right one. */
type Side = 1 | -1;

/** An axis along a line of the picture. ROOT draws those of frames, TGaxis and the scales of colours alike. */
export interface AxisLine {
  /** As a TAxis has them. */
  members: Members;
  from: Point;
  to: Point;
  /** The values there, and their powers of ten on a logarithmic axis. */
  ends: [low: number, high: number];
  log: boolean;
  /** The sides of the ticks, and the length of those with labels, in pixels. */
  sides: readonly Side[];
  length: number;
  /** The side of labels and title; 0 for neither. */
  labels: Side | 0;
  /** Labels start at their places; on the left of an upright axis they would end there. */
  isLeft?: boolean;
  /** The length of the lines at its ticks. */
  grid?: number;
  /** How its line and ticks are drawn. */
  stroke?: Pick<Shape & { kind: 'path' }, 'stroke' | 'width' | 'dash'>;
}

/** The frame of a pad: its ground, and, unless it has none, the axes around it as their members say. */
export function paintFrame(pad: Pad, x: Members | undefined, y: Members | undefined, hasAxes: boolean): void {
  const { frame, members, shown } = pad;
  if (shown === undefined) return;
  const fill = { fFillColor: members.fFrameFillColor ?? 0, fFillStyle: members.fFrameFillStyle ?? 1001 };
  const line = {
    fLineColor: members.fFrameLineColor ?? 1,
    fLineStyle: members.fFrameLineStyle ?? 1,
    fLineWidth: members.fFrameLineWidth ?? 1,
  };
  const { left, right, top, bottom } = frame;
  put(pad, {
    kind: 'path',
    d: closed(rectangle(left, top, right, bottom)),
    ...strokeOf(pad, line),
    ...(isFilled(fill) && { fill: colourAt(pad, fill.fFillColor) }),
  });
  if (!hasAxes) return;
  for (const isX of [true, false]) {
    const [axis = {}, inside] = isX ? [x, bottom - top] : [y, right - left];
    const line: AxisLine = {
      members: axis,
      from: [left, bottom],
      to: isX ? [right, bottom] : [left, top],
      ends: isX ? [shown.x1, shown.x2] : [shown.y1, shown.y2],
      log: isX ? pad.log.x : pad.log.y,
      sides: [isX ? 1 : -1],
      length: finite(axis.fTickLength, 0.03) * inside,
      labels: isX ? -1 : 1,
      grid: (isX ? members.fGridx : members.fGridy) === true ? inside : 0,
    };
    paintAxis(pad, line);
    // TPad::SetTickx(1) has ticks at the other side, too, and 2 has labels there.
    const both = number(isX ? members.fTickx : members.fTicky);
    if (both > 0)
      paintAxis(pad, {
        ...{ ...line, from: isX ? [left, top] : [right, bottom], to: [right, top] },
        ...{ members: { ...axis, fTitle: '' }, grid: 0 },
        ...(isX ? { sides: [-1], labels: both > 1 ? 1 : 0 } : { sides: [1], labels: both > 1 ? -1 : 0 }),
      });
  }
}

/** An axis with lines through the plot, ticks, labels and title. */
export function paintAxis(pad: Pad, axis: AxisLine): void {
  const { from, to, ends, sides, length: long, members, grid = 0, stroke } = axis;
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (!(length > 0)) return;
  // Along the axis; its left is ROOT's positive side.
  const [ax, ay] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const [nx, ny] = [ay, -ax];
  const ticks = ticksOf(axis);
  const at = (value: number): Point => {
    const share = ((value - ends[0]) / (ends[1] - ends[0])) * length;
    return [from[0] + ax * share, from[1] + ay * share];
  };
  const line = ([x, y]: Point, size: number): string => {
    const [right, down] = [short(nx * size), short(ny * size)];
    const end =
      down === '0'
        ? `h${right}`
        : right === '0'
          ? `v${down}`
          : `L${short(x + nx * size)} ${short(y + ny * size)}`;
    return `M${short(x)} ${short(y)}${end}`;
  };
  let [marks, lines] = [open([from, to]), ''];
  for (const [i, value] of ticks.values.entries()) {
    const isMajor = ticks.labels[i] !== '';
    for (const side of sides) marks += line(at(value), side * (isMajor ? long : long / 2));
    if (isMajor || axis.log) lines += line(at(value), (sides[0] ?? 1) * grid);
  }
  if (grid > 0)
    put(pad, { kind: 'path', d: lines, stroke: '#000000', opacity: 0.8, width: 0.7, dash: '1 2' });
  put(pad, { kind: 'path', d: marks, ...(stroke ?? { stroke: colourAt(pad, members.fAxisColor ?? 1) }) });
  if (axis.labels === 0) return;
  const normal: Point = [nx * axis.labels, ny * axis.labels];
  put(pad, ...labelShapes(pad, axis, ticks, normal, at), ...titleShapes(pad, axis, ticks, normal));
}

const isUpright = ([nx, ny]: Point): boolean => Math.abs(nx) > Math.abs(ny);

/** How labels stand beside an axis; names of bins below one as ROOT's LabelsOption v, d and u say. */
function turnOf({ members, isLeft }: AxisLine, normal: Point): Turn {
  const [nx, ny] = normal;
  if (isUpright(normal)) return { align: nx > 0 || isLeft ? 12 : 32 };
  const bits = record(members.fLabels) ? number(members.fBits) : 0;
  if ((bits & VERTICAL) !== 0) return { align: 32, angle: 90 };
  if ((bits & DOWNWARD) !== 0) return { align: 12, angle: -20 };
  if ((bits & UPWARD) !== 0) return { align: 32, angle: 20 };
  return { align: ny > 0 ? 23 : 21 };
}

const finite = (value: unknown, other: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : other;

/** Pixels of a size of ROOT, which for fonts of the precision 3 is in pixels. */
const pixelsOf = (size: number, font: number, side: number): number => (font % 10 === 3 ? size : size * side);

/** ROOT's distances from an axis are shares of the side of the pad along which they go. */
const acrossOf = ({ box }: Pad, normal: Point): number =>
  isUpright(normal) ? box.right - box.left : box.bottom - box.top;

function labelShapes(
  pad: Pad,
  axis: AxisLine,
  { values, labels, factor }: Ticks,
  normal: Point,
  at: (value: number) => Point,
): Shape[] {
  const { box } = pad;
  const { members, to } = axis;
  const size = finite(members.fLabelSize, 0.035);
  const font = finite(members.fLabelFont, 42);
  if (size <= 0) return [];
  const colour = colourAt(pad, members.fLabelColor ?? 1);
  const isSide = isUpright(normal);
  const [nx, ny] = normal;
  const offset = finite(members.fLabelOffset, 0.005) * acrossOf(pad, normal) + (isSide ? 1 : 2);
  const pixels = pixelsOf(size, font, sideOf(pad)) * 0.93;
  const major = values.flatMap((value, i): Placed[] => {
    const [[x, y], text = ''] = [at(value), labels[i]];
    return text === '' ? [] : [{ place: [x + nx * offset, y + ny * offset], text }];
  });
  const [x, y] = to;
  const edge = isSide ? (nx < 0 ? x - box.left : box.right - x) : ny > 0 ? box.bottom - y : y - box.top;
  const own = turnOf(axis, normal);
  const { turn, scale, shown } = record(members.fLabels)
    ? fittedNames(major, { pixels, room: edge - offset - (isSide ? 1 : 2), turn: own, isX: !isSide })
    : { turn: own, scale: 1, shown: major };
  const shapes = shown.map(({ place, text }) =>
    textOf(pad, place, text, { font, size: size * scale, colour, ...turn }),
  );
  if (factor !== undefined) {
    const where: Point = isSide ? [x, y - 3] : [x + 3, y + 2 * ny];
    shapes.push(textOf(pad, where, factor, { font, size, colour, align: isSide ? (nx > 0 ? 11 : 31) : 13 }));
  }
  return shapes;
}

/** How a text is aligned and turned. */
interface Turn {
  align: number;
  angle?: number;
}

/** A label at its place. */
interface Placed {
  place: Point;
  text: string;
}

/** Names of bins as they fit: their turn, the factor of the size of their letters, and their texts. */
interface FittedNames {
  turn: Turn;
  scale: number;
  shown: readonly Placed[];
}

/** Minimum scale of the font size of bin names. */
const MIN_SCALE = 0.6;

/**
 * Makes bin names fit, as TGaxis does: vertical below an axis if they would touch, and smaller if they are longer
 * than the room. If that is not enough, shows every k-th name, shortened in the middle.
 */
function fittedNames(
  major: readonly Placed[],
  given: { pixels: number; room: number; turn: Turn; isX: boolean },
): FittedNames {
  const { room, isX } = given;
  const [first, second] = major.map(({ place: [x, y] }) => (isX ? x : y));
  const spacing = second === undefined ? Number.POSITIVE_INFINITY : Math.abs(second - (first ?? 0));
  const widest = major.reduce((most, { text }) => Math.max(most, titleWidth(text)), 0);
  const isWide = isX && given.turn.angle === undefined && widest * given.pixels + 4 > spacing;
  const turn = isWide ? { align: 32, angle: 90 } : given.turn;
  if (isX && turn.angle === undefined) return { turn, scale: 1, shown: major };
  // Slanted lines are closer to each other than their ends, and reach less far down.
  const sin = isX ? Math.sin((Math.abs(turn.angle ?? 90) * Math.PI) / 180) : 1;
  const longest = room / sin;
  // Names with a direction set by the user keep their length.
  const isOwn = given.turn.angle !== undefined;
  const scale = isOwn ? 1 : Math.min(1, Math.max(MIN_SCALE, longest / (widest * given.pixels)));
  const pixels = given.pixels * scale;
  const every = Math.max(1, Math.ceil((pixels * 1.1) / (spacing * sin)));
  const shown = major.filter((_, i) => i % every === 0);
  const width = isOwn ? Number.POSITIVE_INFINITY : longest / pixels;
  return { turn, scale, shown: shown.map(({ place, text }) => ({ place, text: fittedName(text, width) })) };
}

function titleShapes(pad: Pad, { members, from, to }: AxisLine, { labels }: Ticks, normal: Point): Shape[] {
  const { box } = pad;
  const text = label(members.fTitle);
  const size = finite(members.fTitleSize, 0.035);
  const font = finite(members.fTitleFont, 42);
  if (text === '' || size <= 0) return [];
  const pixels = pixelsOf(size, font, sideOf(pad));
  const isCentred = (number(members.fBits) & CENTRED) !== 0;
  const colour = colourAt(pad, members.fTitleColor ?? 1);
  const offset = finite(members.fTitleOffset, 0) * 1.6 * pixelsOf(size, font, acrossOf(pad, normal));
  const [x, y] = isCentred ? [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2] : to;
  const align = isCentred ? 22 : 32;
  if (!isUpright(normal)) {
    const place: Point = [x, y + normal[1] * (offset > 0 ? offset * 1.05 : 1.7 * pixels)];
    return textsOf(pad, place, text, { font, size, colour, align });
  }
  const widest = labels.reduce((most, one) => Math.max(most, titleWidth(one)), 0);
  const beside = finite(members.fLabelSize, 0.035) * sideOf(pad) * 0.93 * widest + pixels * 0.9 + 4;
  const half = pixels * 0.5;
  const away = x + normal[0] * (offset > 0 ? offset : beside);
  const place: Point = [Math.min(box.right - half, Math.max(box.left + half, away)), y];
  return textsOf(pad, place, text, { font, size, colour, align, angle: 90 });
}

/** Returns the numbers of divisions of an axis: 510 means ten, each with five smaller ones. */
function divisions(members: Members): [major: number, minor: number] {
  const given = Math.abs(finite(members.fNdivisions, 510));
  return [Math.max(1, given % 100 || 1), Math.floor(given / 100) % 100];
}

/** More names of one axis are not looked at. */
const MAX_NAMES = 10_000;

/** The ticks of an axis by its members: powers of ten, names of bins, times, or numbers. */
function ticksOf({ members, ends: [low, high], log }: AxisLine): Ticks {
  if (!(high > low)) return { values: [], labels: [] };
  if (log) return powerTicks(members, low, high);
  const named = record(members.fLabels) && axisOf(members);
  if (named?.labels) {
    const names = { edges: named.edges, labels: named.labels.slice(0, MAX_NAMES) };
    return axisTicks(low, high, Number.POSITIVE_INFINITY, false, names);
  }
  const time = timeOf(members);
  const times = time && timeTicks(low, high, Math.max(2, divisions(members)[0] / 2), time);
  return times ?? numberTicks(members, low, high);
}

function numberTicks(members: Members, low: number, high: number): Ticks {
  const [parts, smaller] = divisions(members);
  const step = niceStep(high - low, parts);
  const most = Math.max(Math.abs(low), Math.abs(high));
  const isPlain = (number(members.fBits) & NO_EXPONENT) !== 0;
  // TAxis::SetMaxDigits of this axis. The setting of TGaxis for all axes is not stored.
  const plainDigits = Math.floor(Math.abs(number(members.fNdivisions)) / 1e6) || 5;
  const power = isPlain ? 0 : axisPower(most, plainDigits);
  const digits = Math.max(0, Math.min(12, power - Math.floor(Math.log10(step) + 1e-9)));
  const textOf = (value: number) => String(Number((value / 10 ** power).toFixed(digits))).replace('-', '−');
  const values = multiples(step, low, high);
  const minor = smaller > 1 ? multiples(niceStep(step, smaller), low, high) : [];
  return {
    values: [...values, ...minor],
    labels: [...values.map(textOf), ...minor.map(() => '')],
    ...(power !== 0 && { factor: `#times10^{${power}}` }),
  };
}

/** Labels of powers of ten that fit beside each other. */
const MAX_POWERS = 15;

/** `low` and `high` are powers of ten. */
function powerTicks(members: Members, low: number, high: number): Ticks {
  if (!(low > -300 && high < 300)) return { values: [], labels: [] };
  const isMore = (number(members.fBits) & MORE_LOG_LABELS) !== 0 || high - low < 1.5;
  const { values, labels } = logTicks(
    10 ** low,
    10 ** high,
    MAX_POWERS,
    (power) => (power === 0 ? '1' : power === 1 ? '10' : `10^{${power}}`),
    (value) => (isMore && value < 1e4 && value > 1e-4 ? String(value) : ''),
  );
  return { values: values.map(Math.log10), labels };
}
