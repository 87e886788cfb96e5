import { label, number, numbers } from '../../../plot/stored/members';
import {
  areaOf,
  closed,
  hasLine,
  isFilled,
  lined,
  open,
  rectangle,
} from '../../../plot/stored/paint/attributes';
import type { Point } from '../../../plot/stored/paint/ground';
import { markersOf } from '../../../plot/stored/paint/markers';
import { lineBetween, textsOf } from './attributes';
import { paintGaxis } from './gaxis';
import {
  colourAt,
  fourOf,
  type Members,
  ndcX,
  ndcY,
  type Pad,
  type Painter,
  put,
  sideOf,
  toX,
  toY,
} from './pad';

/** TLine::kLineNDC, TText::kTextNDC, TMarker::kMarkerNDC. */
const NDC = 1 << 14;

function place(pad: Pad, object: Members, x: number, y: number): Point {
  return (number(object.fBits) & NDC) !== 0 ? [ndcX(pad, x), ndcY(pad, y)] : [toX(pad, x), toY(pad, y)];
}

function ends(pad: Pad, object: Members): [Point, Point] {
  return [
    place(pad, object, number(object.fX1), number(object.fY1)),
    place(pad, object, number(object.fX2), number(object.fY2)),
  ];
}

const paintLine: Painter = (pad, object) => {
  put(pad, lineBetween(pad, ...ends(pad, object), object));
};

const paintBox: Painter = (pad, object, option) => {
  const [[left, top], [right, bottom]] = ends(pad, object);
  const corners = rectangle(left, top, right, bottom);
  const style = number(object.fFillStyle);
  // A box without a filled area is drawn as its outline.
  const outlined = /l/i.test(option) || style === 0 || style === 4000;
  if (style !== 0) put(pad, ...areaOf(pad, object, [corners]));
  if (outlined) put(pad, lined(pad, closed(corners), object));
};

const paintText: Painter = (pad, object) => {
  const text = label(object.fTitle);
  const at = place(pad, object, number(object.fX), number(object.fY));
  put(
    pad,
    ...textsOf(pad, at, text, {
      font: number(object.fTextFont) || 42,
      size: number(object.fTextSize) || 0.05,
      colour: colourAt(pad, object.fTextColor),
      align: number(object.fTextAlign) || 11,
      angle: number(object.fTextAngle) || 0,
    }),
  );
};

const paintMarker: Painter = (pad, object) => {
  put(pad, ...markersOf(pad, object, [place(pad, object, number(object.fX), number(object.fY))]));
};

/** Maximum number of corners of a line. */
const MAX_CORNERS = 200_000;

function cornersOf(pad: Pad, object: Members): Point[] {
  const [x, y] = [numbers(object.fX), numbers(object.fY)];
  const count = Math.min(x?.length ?? 0, y?.length ?? 0, MAX_CORNERS);
  return Array.from({ length: count }, (_, i) =>
    place(pad, object, x?.[i] ?? Number.NaN, y?.[i] ?? Number.NaN),
  );
}

const paintPolyline: Painter = (pad, object, option) => {
  const corners = cornersOf(pad, object);
  const filled = /f/i.test(option || label(object.fOption));
  if (filled) put(pad, ...areaOf(pad, object, [corners]));
  else put(pad, lined(pad, open(corners), object));
};

const paintPolymarker: Painter = (pad, object) => {
  put(pad, ...markersOf(pad, object, cornersOf(pad, object)));
};

/** The angles along an ellipse or a ring, or a part of one. */
function anglesOf(object: Members): { angles: number[]; isWhole: boolean } {
  const [from, to] = [number(object.fPhimin), number(object.fPhimax)];
  const isWhole = !(Math.abs(to - from) < 360);
  const span = isWhole ? 360 : to - from;
  return {
    isWhole,
    angles: Array.from({ length: 91 }, (_, i) => ((from + (span * i) / 90) * Math.PI) / 180),
  };
}

const paintEllipse: Painter = (pad, object, option) => {
  const [x, y, wide, tall] = fourOf(object.fX1, object.fY1, object.fR1, object.fR2);
  const turn = ((number(object.fTheta) || 0) * Math.PI) / 180;
  const { angles, isWhole } = anglesOf(object);
  const points = angles.map((at): Point => {
    const [dx, dy] = [wide * Math.cos(at), tall * Math.sin(at)];
    return [
      toX(pad, x + dx * Math.cos(turn) - dy * Math.sin(turn)),
      toY(pad, y + dx * Math.sin(turn) + dy * Math.cos(turn)),
    ];
  });
  const outline = isWhole ? points : [...points, [toX(pad, x), toY(pad, y)] as Point];
  if (isFilled(object)) put(pad, ...areaOf(pad, object, [outline]));
  if (hasLine(object)) put(pad, lined(pad, /only/i.test(option) ? open(points) : closed(outline), object));
};

/** Draws a ring, or a part of one. */
const paintCrown: Painter = (pad, object) => {
  const [x, y, ...radii] = fourOf(object.fX1, object.fY1, object.fR1, object.fR2);
  const { angles, isWhole } = anglesOf(object);
  const [inner = [], outer = []] = radii.map((radius) => {
    const tall = radius * (number(object.fYXRatio) || 1);
    return angles.map(
      (at): Point => [toX(pad, x + radius * Math.cos(at)), toY(pad, y + tall * Math.sin(at))],
    );
  });
  const outlines = isWhole ? [outer, inner.toReversed()] : [[...outer, ...inner.toReversed()]];
  if (isFilled(object)) put(pad, ...areaOf(pad, object, outlines));
  if (hasLine(object)) put(pad, lined(pad, outlines.map(closed).join(''), object));
};

const paintArrow: Painter = (pad, object, option) => {
  const [from, to] = ends(pad, object);
  const words = option || label(object.fOption) || '>';
  const size = Math.min(200, 0.7 * number(object.fArrowSize) * sideOf(pad) * 1.2);
  const half = ((number(object.fAngle) || 60) * Math.PI) / 360;
  const along = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const head = (tip: Point, angle: number, isFull: boolean): void => {
    const corner = (turn: number): Point => [
      tip[0] - (size / Math.cos(half)) * Math.cos(angle + turn),
      tip[1] - (size / Math.cos(half)) * Math.sin(angle + turn),
    ];
    const corners = [corner(half), tip, corner(-half)];
    if (isFull && isFilled(object)) put(pad, ...areaOf(pad, object, [corners]));
    put(pad, lined(pad, isFull ? closed(corners) : open(corners), object));
  };
  put(pad, lineBetween(pad, from, to, object));
  if (words.includes('>')) head(to, along, words.includes('|>'));
  if (words.includes('<')) head(from, along + Math.PI, words.includes('<|'));
};

/** Painters of objects with a place in a pad, by class. */
export const PRIMITIVES: Readonly<Record<string, Painter>> = {
  ...{
    TLine: paintLine,
    TBox: paintBox,
    TWbox: paintBox,
    TText: paintText,
    TLatex: paintText,
    TMathText: paintText,
  },
  ...{ TMarker: paintMarker, TPolyMarker: paintPolymarker, TPolyLine: paintPolyline, TEllipse: paintEllipse },
  // ROOT stores their waves as corners.
  ...{ TCurlyLine: paintPolyline, TCurlyArc: paintPolyline, TCrown: paintCrown },
  ...{ TArc: paintEllipse, TArrow: paintArrow, TGaxis: paintGaxis },
};
