import type { Shape } from '../drawing/drawing';
import { titleWidth } from '../drawing/latex';
import { label, number } from '../stored/members';
import { open, type Point, strokeOf, textOf, textsOf } from './attributes';
import { type AxisTicks, linearTicks, logTicks } from './axes';
import { colourAt, type Members, miss, type Pad, type Painter, put, sideOf } from './pad';

/** TAxis::kCenterTitle, which TGaxis shares. */
const CENTRED = 1 << 12;

/** Draws a TGaxis from its first to its second point. It is often a second scale on the right. */
export const paintGaxis: Painter = (pad, object) => {
  const name = label(object.fFunctionName);
  const [low, high] = [number(object.fWmin), number(object.fWmax)];
  const options = label(object.fChopt).toUpperCase();
  const isLog = options.includes('G');
  if (name !== '' || options.includes('T') || !(high > low) || (isLog && !(low > 0))) {
    miss(pad, name === '' ? 'a TGaxis of times, or without a length' : `a TGaxis of the function ${name}`);
    return;
  }
  const [from, to] = [placeOf(pad, object, '1'), placeOf(pad, object, '2')];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (!(length > 0)) return;
  // Unit vectors: along the axis, and to its left, which is ROOT's positive side.
  const [ax, ay] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const [nx, ny] = [ay, -ax];
  const ends = (isLog ? [Math.log10(low), Math.log10(high)] : [low, high]) as [number, number];
  const ticks = isLog
    ? logTicks(object, ...ends)
    : linearTicks({ ...object, fNdivisions: object.fNdiv ?? 510 }, ...ends);
  const at = (value: number): Point => {
    const share = ((value - ends[0]) / (ends[1] - ends[0])) * length;
    return [from[0] + ax * share, from[1] + ay * share];
  };
  // Without an option for the side, ticks point inwards, as on the left or lower axis of a frame.
  const isUpright = Math.abs(to[1] - from[1]) > Math.abs(to[0] - from[0]);
  const [isPlus, isMinus] = [options.includes('+'), options.includes('-')];
  const sides = isPlus && isMinus ? [1, -1] : isMinus || (isUpright && !isPlus) ? [-1] : [1];
  // Length of a tick, as a fraction of the length of the axis.
  const size = (options.includes('S') ? number(object.fTickSize) : 0.03) * length;
  const tick = (value: number, long: number): string =>
    sides
      .map((side) => {
        const [x, y] = at(value);
        return open([
          [x, y],
          [x + nx * side * long, y + ny * side * long],
        ]);
      })
      .join('');
  const d = [
    open([from, to]),
    ...ticks.major.map((one) => tick(one.at, size)),
    ...ticks.minor.map((one) => tick(one, size / 2)),
  ].join('');
  put(pad, { kind: 'path', d, ...strokeOf(pad, object) });
  if (options.includes('U')) return;
  // Labels are opposite the ticks, unless the option "=" puts them on the same side.
  const away = (sides[0] ?? 1) * (options.includes('=') ? 1 : -1);
  put(pad, ...texts(pad, object, ticks, { at, from, to, normal: [nx * away, ny * away], options }));
};

function placeOf({ box, range }: Pad, object: Members, end: '1' | '2'): Point {
  const share = (value: number, low: number, high: number) => (value - low) / (high - low);
  return [
    box.left + share(number(object[`fX${end}`]), range.x1, range.x2) * (box.right - box.left),
    box.bottom - share(number(object[`fY${end}`]), range.y1, range.y2) * (box.bottom - box.top),
  ];
}

interface Places {
  at(value: number): Point;
  from: Point;
  to: Point;
  normal: Point;
  options: string;
}

function texts(
  pad: Pad,
  object: Members,
  { major, factor }: AxisTicks,
  { at, from, to, normal: [nx, ny], options }: Places,
): Shape[] {
  const side = sideOf(pad);
  const size = number(object.fLabelSize);
  const font = number(object.fLabelFont) || 62;
  const colour = colourAt(pad, object.fLabelColor);
  const offset = Math.abs(number(object.fLabelOffset)) * side + 2;
  const isUpright = Math.abs(to[1] - from[1]) > Math.abs(to[0] - from[0]);
  const isRight = nx > 0;
  const across = isRight || options.includes('L') ? 1 : 3;
  const align = isUpright ? 10 * across + 2 : ny > 0 ? 23 : 21;
  const pixels = font % 10 === 3 ? size : size * side;
  const shapes: Shape[] = [];
  const put = ([x, y]: Point, text: string) =>
    shapes.push(textOf(pad, [x + nx * offset, y + ny * offset], text, { font, size, colour, align }));
  if (size > 0) {
    for (const one of major) put(at(one.at), one.text);
    if (factor !== undefined) put([to[0], to[1] - (isUpright ? 1.2 * pixels : 0)], factor);
  }
  const title = label(object.fTitle);
  const tall = number(object.fTitleSize) || number(object.fTextSize) || 0.04;
  if (title === '') return shapes;
  const widest = major.reduce((most, { text }) => Math.max(most, titleWidth(text)), 0);
  const far = offset + (isUpright ? widest * pixels : pixels) + 0.8 * tall * side;
  const out = Math.max(far, (number(object.fTitleOffset) || 1) * 1.6 * tall * side);
  const isCentred = (number(object.fBits) & CENTRED) !== 0;
  const place: Point = isCentred ? [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2] : to;
  shapes.push(
    ...textsOf(pad, [place[0] + nx * out, place[1] + ny * out], title, {
      ...{ font: number(object.fTextFont) || 62, size: tall, colour: colourAt(pad, object.fTextColor) },
      ...{ align: isCentred ? 22 : 32, angle: isUpright ? 90 : 0 },
    }),
  );
  return shapes;
}
