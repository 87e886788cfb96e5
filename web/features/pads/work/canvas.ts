import type { PlainObject, PlainValue } from '../../../api/api';
import { mapColours } from '../../../plot/draw-map';
import type { Colour, Drawing } from '../../../plot/drawing/drawing';
import type { FunctionSamples } from '../../../plot/stored/functions';
import { label, number, record } from '../../../plot/stored/members';
import { closed, isFilled, rectangle } from '../../../plot/stored/paint/attributes';
import { type Follow, references } from '../../../plot/stored/references';
import { colourOf, coloursWith, type RootColours } from '../../../plot/stored/root-colours';
import { textsOf } from './attributes';
import { paintFrame } from './axes';
import { framed, paintObject, paintStatistics } from './objects';
import {
  colourAt,
  fourOf,
  isRange,
  type Members,
  miss,
  noteMissing,
  type Pad,
  type Painting,
  put,
  type Range4,
  setFrame,
  toX,
  toY,
} from './pad';

/** A picture of a canvas or of an object of a canvas, with a list of what could not be drawn. */
export interface CanvasPicture {
  drawing: Drawing;
  /** One sentence for each kind of object that is not drawn. */
  missing: string[];
  /** The places, frames and ranges of its pads, for tests. */
  pads: { name: string; box: Pad['box']; shown: Range4 | undefined; log: Pad['log'] }[];
}

/** Maximum number of objects drawn on one canvas, including those in nested pads. */
const MAX_OBJECTS = 20_000;
const MAX_DEPTH = 20;
const MAX_SIZE = 2000;
const DEFAULT_SIZE = { width: 696, height: 472 };

/** Draws a stored TCanvas or TPad, or a single text, box or similar object, as ROOT draws it. */
export function canvasPicture(object: PlainObject, samples: FunctionSamples): CanvasPicture {
  const isCanvas = isPad(object);
  const size = isCanvas ? sizeOf(object) : { width: 480, height: 320 };
  const list = record(object.fPrimitives)?.arr;
  const lists = (Array.isArray(list) ? list : []).map(record);
  const colours = coloursWith(lists.find((one) => label(one?.name) === 'ListOfColors'));
  const follow = references(object);
  const painting: Painting = {
    samples,
    colours,
    follow,
    palette: paletteOf(
      lists.find((one) => label(one?.name) === 'CurrentColorPalette'),
      colours,
      follow,
    ),
    shapes: [],
    within: new Set(),
    missing: new Map(),
    left: MAX_OBJECTS,
  };
  const pads: CanvasPicture['pads'] = [];
  const box = { left: 0, right: size.width, top: 0, bottom: size.height };
  const whole = isCanvas
    ? object
    : object._typename === 'RooPlot'
      ? roofitPad(object)
      : {
          _typename: 'TPad',
          fX1: 0,
          fY1: 0,
          fX2: 1,
          fY2: 1,
          fPrimitives: { arr: [object], opt: [label(object.fOption)] },
        };
  paintPad(painting, whole, box, 0, pads);
  const title = label(object.fTitle) || label(object.fName) || object._typename;
  const missing = [...painting.missing].map(([what, times]) =>
    times > 1 ? `${what} (${times} times)` : what,
  );
  return { drawing: { ...size, title, shapes: painting.shapes }, missing, pads };
}

/** Returns a RooPlot as a pad: its frame, and the objects in it. */
function roofitPad(object: PlainObject): Members {
  const frame = record(object._hist);
  const items = (Array.isArray(object._items) ? object._items : []).map(record);
  const [low, high] = [number(frame?.fMinimum), number(frame?.fMaximum)];
  const isSaid = (limit: number) => Number.isFinite(limit) && limit !== -1111;
  return {
    ...{ _typename: 'TPad', fX1: 0, fY1: 0, fX2: 1, fY2: 1 },
    fPrimitives: {
      arr: [
        {
          ...frame,
          fTitle: object.fTitle ?? '',
          fMinimum: isSaid(low) ? low : (object._defYmin ?? -1111),
          fMaximum: isSaid(high) ? high : (object._defYmax ?? -1111),
          fBits: number(frame?.fBits) | NO_STATS,
        },
        ...items.map((item) => item?.first ?? null),
      ],
      opt: ['FUNC', ...items.map((item) => label(item?.second))],
    },
  };
}

/** TH1::kNoStats. */
const NO_STATS = 1 << 9;

function isPad(object: Members): boolean {
  return /^T(Canvas|Pad|EmbeddedCanvas|Button|Slider|DialogCanvas)$/.test(label(object._typename));
}

function sizeOf(object: Members): { width: number; height: number } {
  const [wide, tall] = [number(object.fCw), number(object.fCh)];
  if (!(wide >= 10 && tall >= 10)) return DEFAULT_SIZE;
  const scale = Math.min(1, MAX_SIZE / Math.max(wide, tall));
  return { width: Math.round(wide * scale), height: Math.max(10, Math.round(tall * scale)) };
}

function paletteOf(list: Members | undefined, colours: RootColours, follow: Follow): Colour[] {
  const items = Array.isArray(list?.arr) ? list.arr.slice(0, 1000) : [];
  const stored = items.flatMap((one): Colour[] => {
    // If the list of colours was stored too, these are references to its items.
    const colour = follow(one);
    const known = colour && (colours.get(number(colour.fNumber)) ?? colourOf(colour));
    return known === undefined ? [] : [known];
  });
  if (stored.length > 1) return stored;
  const colour = mapColours({ palette: 'bird', log: false }, [0, 1]);
  return Array.from({ length: 255 }, (_, i) => colour(Math.round((i * 255) / 254)));
}

function paintPad(
  painting: Painting,
  members: Members,
  box: Pad['box'],
  depth: number,
  pads: CanvasPicture['pads'],
): void {
  const margin = (name: string) => {
    const share = number(members[name] ?? 0.1);
    return share >= 0 && share < 1 ? share : 0.1;
  };
  const [wide, tall] = [box.right - box.left, box.bottom - box.top];
  const frame = {
    left: box.left + margin('fLeftMargin') * wide,
    right: Math.max(box.left + margin('fLeftMargin') * wide + 1, box.right - margin('fRightMargin') * wide),
    top: box.top + margin('fTopMargin') * tall,
    bottom: Math.max(box.top + margin('fTopMargin') * tall + 1, box.bottom - margin('fBottomMargin') * tall),
  };
  const on = (name: string) => number(members[name]) > 0;
  const range = {
    x1: number(members.fX1),
    y1: number(members.fY1),
    x2: number(members.fX2),
    y2: number(members.fY2),
  };
  const pad: Pad = {
    ...{ painting, members, box, frame },
    log: { x: on('fLogx'), y: on('fLogy'), z: on('fLogz') },
    range: isRange(range) ? range : { x1: 0, y1: 0, x2: 1, y2: 1 },
    places: {
      box: frame,
      x: { toPixel: (value) => toX(pad, value) },
      y: { toPixel: (value) => toY(pad, value) },
    },
    colour: (index) => painting.colours.get(number(index)) ?? '#000000',
    knows: (index) => painting.colours.has(number(index)),
    miss: (what) => noteMissing(painting, what),
  };
  const said = { name: label(members.fName), box, log: pad.log, shown: undefined as Range4 | undefined };
  pads.push(said);
  if (!isRange(range) && 'fX1' in members)
    miss(pad, `the coordinates of the pad ${label(members.fName)}, which are no numbers`);
  // White covers what lies below it, although other objects do not treat white as an area.
  if (isFilled({ ...members, fFillColor: 1 }))
    put(pad, {
      kind: 'path',
      d: closed(rectangle(box.left, box.top, box.right, box.bottom)),
      fill: colourAt(pad, members.fFillColor),
    });
  painting.within.add(members);
  const list = record(members.fPrimitives);
  const items = Array.isArray(list?.arr) ? list.arr : [];
  const options = Array.isArray(list?.opt) ? list.opt : [];
  for (const [i, item] of items.entries()) {
    const object = painting.follow(item);
    if (
      object === undefined ||
      /^(TObjArray|TFrame|TView3D|TRatioPlot)$/.test(object._typename) ||
      isColourList(object)
    )
      continue;
    if (painting.left-- <= 0) {
      miss(pad, `what is beyond ${MAX_OBJECTS} objects`);
      break;
    }
    if (isPad(object)) paintInner(pad, object, depth, pads);
    else paintOne(pad, object, label(options[i]), items);
  }
  said.shown = pad.shown;
  painting.within.delete(members);
}

const isColourList = (object: Members): boolean =>
  /^(ListOfColors|CurrentColorPalette)$/.test(label(object.name));

function paintInner(pad: Pad, object: PlainObject, depth: number, pads: CanvasPicture['pads']): void {
  const { box, painting } = pad;
  if (painting.within.has(object) || depth >= MAX_DEPTH) {
    miss(pad, `the pad ${label(object.fName)}, which holds itself`);
    return;
  }
  const [x, y, wide, tall] = fourOf(object.fXlowNDC, object.fYlowNDC, object.fWNDC, object.fHNDC);
  if (![x, y, wide, tall].every(Number.isFinite) || wide <= 0 || tall <= 0) {
    miss(pad, `the pad ${label(object.fName)}, which has no place`);
    return;
  }
  const [across, up] = [box.right - box.left, box.bottom - box.top];
  const left = box.left + x * across;
  const bottom = box.bottom - y * up;
  paintPad(
    painting,
    object,
    { left, bottom, right: left + wide * across, top: bottom - tall * up },
    depth + 1,
    pads,
  );
}

/** Draws one object of a pad. The first object with axes gives the pad its frame. */
function paintOne(pad: Pad, object: PlainObject, option: string, items: readonly PlainValue[]): void {
  const frame = framed(pad, object, option);
  if (frame !== undefined && (pad.shown === undefined || !/same/i.test(option))) {
    // With CONT4, ROOT stores the ranges of a three-dimensional view.
    const isView = /cont4/i.test(option);
    const range = (isView ? undefined : paintedRange(pad, items)) ?? frame.range;
    if (range === undefined) {
      miss(pad, `${object._typename} ${label(object.fName)}: its numbers have no places on axes`);
      return;
    }
    setFrame(pad, range);
    paintFrame(pad, frame.x, frame.y, frame.hasAxes);
    paintObject(pad, object, option);
    if (!isPainted(pad, items)) paintStatistics(pad, object);
    if (!hasTitle(pad, items)) {
      const title = label(object.fTitle).split(';')[0] ?? '';
      const at = [
        (pad.box.left + pad.box.right) / 2,
        pad.box.top + 0.05 * (pad.box.bottom - pad.box.top),
      ] as [number, number];
      if (title !== '')
        put(pad, ...textsOf(pad, at, title, { font: 42, size: 0.05, colour: '#000000', align: 22 }));
    }
    return;
  }
  paintObject(pad, object, option);
}

/** Returns the range that ROOT stored when it painted the pad; undefined if it was not painted. */
function paintedRange(pad: Pad, items: readonly PlainValue[]): Range4 | undefined {
  const { members } = pad;
  const range = {
    x1: number(members.fUxmin),
    y1: number(members.fUymin),
    x2: number(members.fUxmax),
    y2: number(members.fUymax),
  };
  return isPainted(pad, items) && isRange(range) ? range : undefined;
}

/** Whether ROOT painted the pad before storing it: it then has a TFrame. */
function isPainted(pad: Pad, items: readonly PlainValue[]): boolean {
  return items.some((item) => pad.painting.follow(item)?._typename === 'TFrame');
}

/** Whether the title needs no drawing: a painted pad has its title among its objects, or none. */
function hasTitle(pad: Pad, items: readonly PlainValue[]): boolean {
  return items.some((item) => {
    const one = pad.painting.follow(item);
    return one?._typename === 'TFrame' || (one?._typename === 'TPaveText' && label(one.fName) === 'title');
  });
}
