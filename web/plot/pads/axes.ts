import type { Shape } from '../drawing/drawing';
import { short } from '../drawing/drawing';
import { fittedName, titleWidth } from '../drawing/latex';
import { niceStep, powerOf } from '../drawing/ticks';
import { timeTicks } from '../drawing/time-axis';
import { label, number, record } from '../stored/members';
import { axis as axisOf, timeOf } from '../stored/stored-axis';
import { isFilled, type Point, rectangle, strokeOf, textOf, textsOf } from './attributes';
import { colourAt, type Members, type Pad, put, sideOf } from './pad';

/**
 * Draws the frame of a pad: its background and, unless the axes are left out, the axes as their members describe
 * them.
 */
export function paintFrame(pad: Pad, x: Members | undefined, y: Members | undefined, hasAxes: boolean): void {
  const { frame, members, shown } = pad;
  if (shown === undefined) return;
  const fill = { fFillColor: members.fFrameFillColor ?? 0, fFillStyle: members.fFrameFillStyle ?? 1001 };
  const line = {
    fLineColor: members.fFrameLineColor ?? 1,
    fLineStyle: members.fFrameLineStyle ?? 1,
    fLineWidth: members.fFrameLineWidth ?? 1,
  };
  const d = rectangle(frame.left, frame.top, frame.right, frame.bottom)
    .map(([px, py]) => `${short(px)} ${short(py)}`)
    .join('L');
  put(pad, {
    kind: 'path',
    d: `M${d}Z`,
    ...strokeOf(pad, line),
    ...(isFilled(fill) && { fill: colourAt(pad, fill.fFillColor) }),
  });
  if (!hasAxes) return;
  paintAxis(pad, x ?? {}, true);
  paintAxis(pad, y ?? {}, false);
}

export interface AxisTicks {
  major: { at: number; text: string }[];
  minor: number[];
  /** A power of ten that is written once, at the end of the axis. */
  factor?: string;
}

/** Draws one axis: grid, ticks inside the frame, labels and title. */
function paintAxis(pad: Pad, members: Members, isX: boolean): void {
  const { frame, shown } = pad;
  if (shown === undefined) return;
  const [low, high] = isX ? [shown.x1, shown.x2] : [shown.y1, shown.y2];
  const log = isX ? pad.log.x : pad.log.y;
  const across = isX ? frame.right - frame.left : frame.bottom - frame.top;
  const ticks = log
    ? logTicks(members, low, high)
    : (named(members, low, high) ?? timed(members, low, high) ?? linearTicks(members, low, high));
  const place = (at: number) =>
    (isX ? frame.left : frame.bottom) + (isX ? 1 : -1) * ((at - low) / (high - low)) * across;
  const [wide, tall] = [pad.box.right - pad.box.left, pad.box.bottom - pad.box.top];
  const length =
    (finite(members.fTickLength, 0.03) *
      (isX ? tall : wide) *
      (isX ? frame.bottom - frame.top : frame.right - frame.left)) /
    (isX ? tall : wide);
  const both = number(isX ? pad.members.fTickx : pad.members.fTicky) > 0;
  let d = '';
  let grid = '';
  const tick = (at: number, size: number): void => {
    const pixel = short(place(at));
    d += isX
      ? `M${pixel} ${short(frame.bottom)}v${short(-size)}`
      : `M${short(frame.left)} ${pixel}h${short(size)}`;
    if (both)
      d += isX
        ? `M${pixel} ${short(frame.top)}v${short(size)}`
        : `M${short(frame.right)} ${pixel}h${short(-size)}`;
  };
  const line = (at: number) =>
    isX
      ? `M${short(place(at))} ${short(frame.top)}V${short(frame.bottom)}`
      : `M${short(frame.left)} ${short(place(at))}H${short(frame.right)}`;
  for (const { at } of ticks.major) {
    tick(at, length);
    grid += line(at);
  }
  for (const at of ticks.minor) {
    tick(at, length / 2);
    if (log) grid += line(at);
  }
  const hasGrid = (isX ? pad.members.fGridx : pad.members.fGridy) === true;
  if (hasGrid) put(pad, { kind: 'path', d: grid, stroke: '#000000', opacity: 0.8, width: 0.7, dash: '1 2' });
  put(pad, { kind: 'path', d, stroke: colourAt(pad, members.fAxisColor ?? 1) });
  put(pad, ...labelShapes(pad, members, ticks, isX, place), ...titleShapes(pad, members, ticks, isX));
}

/** Returns the direction of bin names: options v, d and u of TAxis::LabelsOption. */
function turnOf(members: Members, isX: boolean): Turn {
  const bits = number(members.fBits);
  if (!isX || !record(members.fLabels)) return { align: isX ? 23 : 32 };
  if ((bits & VERTICAL) !== 0) return { align: 32, angle: 90 };
  if ((bits & DOWNWARD) !== 0) return { align: 12, angle: -20 };
  if ((bits & UPWARD) !== 0) return { align: 32, angle: 20 };
  return { align: 23 };
}

const finite = (value: unknown, other: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : other;

function labelShapes(
  pad: Pad,
  members: Members,
  { major, factor }: AxisTicks,
  isX: boolean,
  place: (at: number) => number,
): Shape[] {
  const { frame, box } = pad;
  const size = finite(members.fLabelSize, 0.035);
  const font = finite(members.fLabelFont, 42);
  if (size <= 0) return [];
  const colour = colourAt(pad, members.fLabelColor ?? 1);
  const offset = finite(members.fLabelOffset, 0.005) * (isX ? box.bottom - box.top : box.right - box.left);
  const pixels = (font % 10 === 3 ? size : size * sideOf(pad)) * 0.93;
  const room = isX ? box.bottom - frame.bottom - offset - 4 : frame.left - box.left - offset - 2;
  const { turn, scale, shown } = record(members.fLabels)
    ? fittedNames(major, { pixels, room, turn: turnOf(members, isX), isX, place })
    : { turn: turnOf(members, isX), scale: 1, shown: major };
  const shapes = shown.map(({ at, text }) => {
    const where: Point = isX ? [place(at), frame.bottom + offset + 2] : [frame.left - offset - 1, place(at)];
    return textOf(pad, where, text, { font, size: size * scale, colour, ...turn });
  });
  if (factor !== undefined) {
    const where: Point = isX ? [frame.right + 3, frame.bottom + 2] : [frame.left, frame.top - 3];
    shapes.push(textOf(pad, where, factor, { font, size, colour, align: isX ? 13 : 31 }));
  }
  return shapes;
}

/** How a text is aligned and turned. */
interface Turn {
  align: number;
  angle?: number;
}

/** Bin names made to fit: their direction, the scale of their font size, and their texts. */
interface FittedNames {
  turn: Turn;
  scale: number;
  shown: AxisTicks['major'];
}

/** Minimum scale of the font size of bin names. */
const MIN_SCALE = 0.6;

/**
 * Makes bin names fit, as TGaxis does: vertical below an axis if they would touch, and smaller if they are longer
 * than the room. If that is not enough, shows every k-th name, shortened in the middle.
 */
function fittedNames(
  major: AxisTicks['major'],
  given: { pixels: number; room: number; turn: Turn; isX: boolean; place: (at: number) => number },
): FittedNames {
  const { room, isX, place } = given;
  const [first, second] = major;
  const spacing = first && second ? Math.abs(place(second.at) - place(first.at)) : Number.POSITIVE_INFINITY;
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
  return { turn, scale, shown: shown.map(({ at, text }) => ({ at, text: fittedName(text, width) })) };
}

/** TAxis::kCenterTitle, kNoExponent, kLabelsVert, kLabelsDown, kLabelsUp and kMoreLogLabels. */
const CENTRED = 1 << 12;
const NO_EXPONENT = 1 << 17;
const VERTICAL = 1 << 19;
const DOWNWARD = 1 << 20;
const UPWARD = 1 << 21;
const MORE_LOG_LABELS = 1 << 23;

function titleShapes(pad: Pad, members: Members, { major }: AxisTicks, isX: boolean): Shape[] {
  const { frame, box } = pad;
  const text = label(members.fTitle);
  const size = finite(members.fTitleSize, 0.035);
  const font = finite(members.fTitleFont, 42);
  if (text === '' || size <= 0) return [];
  const pixels = font % 10 === 3 ? size : size * sideOf(pad);
  const centred = (number(members.fBits) & CENTRED) !== 0;
  const colour = colourAt(pad, members.fTitleColor ?? 1);
  // ROOT's distances are fractions of the side parallel to them.
  const side = isX ? box.bottom - box.top : box.right - box.left;
  const offset = finite(members.fTitleOffset, 0) * 1.6 * (font % 10 === 3 ? size : size * side);
  if (isX) {
    const x = centred ? (frame.left + frame.right) / 2 : frame.right;
    const y = frame.bottom + (offset > 0 ? offset * 1.05 : 1.7 * pixels);
    return textsOf(pad, [x, y], text, { font, size, colour, align: centred ? 22 : 32 });
  }
  const labels =
    finite(members.fLabelSize, 0.035) *
    sideOf(pad) *
    0.93 *
    major.reduce((most, { text }) => Math.max(most, titleWidth(text)), 0);
  const away = offset > 0 ? offset : labels + pixels * 0.9 + 4;
  const y = centred ? (frame.top + frame.bottom) / 2 : frame.top;
  const x = Math.max(box.left + pixels * 0.5, frame.left - away);
  return textsOf(pad, [x, y], text, { font, size, colour, align: centred ? 22 : 32, angle: 90 });
}

/** Returns the numbers of divisions of an axis: 510 means ten, each with five smaller ones. */
function divisions(members: Members): [major: number, minor: number] {
  const given = Math.abs(finite(members.fNdivisions, 510));
  return [Math.max(1, given % 100 || 1), Math.floor(given / 100) % 100];
}

export function linearTicks(members: Members, low: number, high: number): AxisTicks {
  if (!(high > low)) return { major: [], minor: [] };
  const [parts, smaller] = divisions(members);
  const step = niceStep(high - low, parts);
  const each = (by: number): number[] => {
    const from = Math.ceil(low / by - 1e-6);
    const to = Math.min(from + 1000, Math.floor(high / by + 1e-6));
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => (from + i) * by);
  };
  const most = Math.max(Math.abs(low), Math.abs(high));
  const isPlain = (number(members.fBits) & NO_EXPONENT) !== 0;
  // TAxis::SetMaxDigits of this axis. The setting of TGaxis for all axes is not stored.
  const plainDigits = Math.floor(Math.abs(number(members.fNdivisions)) / 1e6) || 5;
  const power = !isPlain && (most >= 10 ** plainDigits || most < 1e-3) ? powerOf(most, plainDigits) : 0;
  const digits = Math.max(0, Math.min(12, power - Math.floor(Math.log10(step) + 1e-9)));
  const major = each(step).map((at) => ({
    at,
    text: String(Number(((Math.abs(at) < step * 1e-6 ? 0 : at) / 10 ** power).toFixed(digits))).replace(
      '-',
      '−',
    ),
  }));
  const minor = smaller > 1 ? each(niceStep(step, smaller)) : [];
  return { major, minor, ...(power !== 0 && { factor: `#times10^{${power}}` }) };
}

/** Returns the ticks of a logarithmic axis. `low` and `high` are exponents of ten. */
export function logTicks(members: Members, low: number, high: number): AxisTicks {
  const ticks: AxisTicks = { major: [], minor: [] };
  const from = Math.floor(low);
  const to = Math.min(from + 400, Math.ceil(high));
  const every = Math.max(1, Math.ceil((to - from) / 10));
  const more = (number(members.fBits) & MORE_LOG_LABELS) !== 0 || high - low < 1.5;
  for (let power = from; power <= to; power++) {
    for (let digit = 1; digit < 10; digit++) {
      const at = power + Math.log10(digit);
      if (at < low - 1e-9 || at > high + 1e-9) continue;
      if (digit === 1 && power % every === 0)
        ticks.major.push({ at, text: power === 0 ? '1' : power === 1 ? '10' : `10^{${power}}` });
      else {
        ticks.minor.push(at);
        if (more && (digit === 2 || digit === 5) && every === 1 && Math.abs(power) < 4)
          ticks.major.push({ at, text: String(Number((digit * 10 ** power).toPrecision(1))) });
      }
    }
  }
  return ticks;
}

/** Maximum number of bin names of one axis; the rest are ignored. */
const MAX_NAMES = 10_000;

/** Returns ticks with the names of bins, each at the middle of its bin. */
function named(members: Members, low: number, high: number): AxisTicks | undefined {
  const found = record(members.fLabels) && axisOf(members);
  if (!found?.labels) return undefined;
  const major = found.labels.flatMap((text, i) => {
    const at = ((found.edges[i] ?? 0) + (found.edges[i + 1] ?? 0)) / 2;
    return at < low || at > high || i > MAX_NAMES ? [] : [{ at, text }];
  });
  return { major, minor: [] };
}

function timed(members: Members, low: number, high: number): AxisTicks | undefined {
  const time = timeOf(members);
  const ticks = time && timeTicks(low, high, Math.max(2, divisions(members)[0] / 2), time);
  return ticks && { major: ticks.values.map((at, i) => ({ at, text: ticks.labels[i] ?? '' })), minor: [] };
}
