import { formatCount, formatNumber } from '../../../base/format';
import { type Box, bottomAxis, linear, sideAxis } from '../../../plot/drawing/axes';
import {
  type Drawing,
  dotsPath,
  type LineInk,
  lineInk,
  type Shape,
  short,
} from '../../../plot/drawing/drawing';
import { textWidth } from '../../../plot/drawing/text-width';
import { axisTicks, type Ticks } from '../../../plot/drawing/ticks';
import type { EventObject, EventObjects } from './objects';

/** A mark of a picture under which the pointer finds an object. */
export interface EventMark {
  x: number;
  y: number;
  radius: number;
  /** Half of its width, if it is a line from left to right. */
  half?: number;
  text: string;
}

/** The picture of the objects of an entry, and the places of its marks. */
export interface EventPicture {
  drawing: Drawing;
  marks: EventMark[];
}

/** Half of the field and the size of the detector by which tracks are bent, as an example: tesla, and metres. */
const FIELD = 3.8;
const RADIUS = 1;
/** Curvature in 1/m of a charge of 1 with a momentum of 1 GeV in a field of 1 T. */
const BEND = 0.3;
/** Largest eta that a picture shows. Objects along the beam have any. */
const MAX_ETA = 10;
const SMALL = 11;

interface Layout {
  width: number;
  height: number;
  plane: Box;
  circle: { x: number; y: number; radius: number };
  legend: number;
}

/** Pictures that are narrower have the circle below the plane. */
const NARROW = 640;

function layoutOf(width: number): Layout {
  if (width < NARROW) {
    const plane = { left: 52, right: width - 16, top: 34, bottom: 34 + 0.72 * width };
    const radius = (width - 90) / 2;
    const y = plane.bottom + 84 + radius + 14;
    return { width, height: 0, plane, circle: { x: width / 2, y, radius }, legend: y + radius + 42 };
  }
  const half = width / 2;
  const radius = Math.min(165, (half - 90) / 2);
  const plane = { left: 56, right: half - 8, top: 34, bottom: 34 + 2 * radius + 8 };
  const circle = { x: half + half / 2 + 6, y: 34 + 4 + radius, radius };
  return { width, height: 0, plane, circle, legend: plane.bottom + 62 };
}

/** Draws collections in the plane of eta and phi, and across the beam. The same picture is shown by all faces. */
export function eventPicture(title: string, all: readonly EventObjects[], width = 900): EventPicture {
  const layout = layoutOf(width);
  const { plane, circle } = layout;
  const drawn = all.map((of, i) => ({ of, ink: lineInk(i) }));
  const inPlane = (object: EventObject) => Math.abs(object.eta ?? 0) <= MAX_ETA;
  const everything = all.flatMap(({ objects, unit }) => objects.map((object) => inGeV(object.pt, unit)));
  const largest = Math.max(0, ...everything) || 1;
  const etas = all.flatMap(({ objects }) => objects.filter(inPlane).map(({ eta = 0 }) => Math.abs(eta)));
  const end = Math.max(2.5, Math.ceil(2 * (Math.max(0, ...etas) + 0.25)) / 2);
  const toX = linear(-end, end, plane.left, plane.right);
  const toY = linear(-Math.PI, Math.PI, plane.bottom, plane.top);
  const marks: EventMark[] = [];
  const shapes: Shape[] = [
    ...bottomAxis(plane, axisTicks(-end, end, 7, false), toX, 'η'),
    ...sideAxis(plane, 'left', PHI, toY, 'φ', 'ink'),
    heading(plane.left, 18, 'η and φ'),
    heading(
      circle.x - circle.radius,
      circle.y - circle.radius - (width < NARROW ? 26 : 20),
      'Across the beam (r, φ)',
    ),
    { kind: 'path', d: dotsPath([[circle.x, circle.y]], circle.radius), stroke: 'faint' },
    ...around(circle),
  ];
  // Larger marks first, so that smaller ones lie on them.
  const each = drawn
    .flatMap(({ of, ink }) =>
      of.objects.map((object) => ({ of, ink, object, pt: inGeV(object.pt, of.unit) })),
    )
    .sort((a, b) => b.pt - a.pt);
  const clipped: Shape[] = [];
  for (const { of, ink, object, pt } of each) {
    const text = textOf(of, object);
    const phi = wrapped(object.phi);
    const line = trackOf(circle, phi, pt / largest, bendOf(of, object));
    const dash = of.isMissing ? '6 4' : undefined;
    shapes.push({ kind: 'path', d: pathOf(line), stroke: ink, width: 2, ...(dash && { dash }), title: text });
    const [tipX, tipY] = line.at(-1) ?? [circle.x, circle.y];
    // Lines begin at one place, where the pointer would find any of them.
    for (const [x, y] of along(line)) marks.push({ x, y, radius: 4, text });
    if (of.isMissing) {
      const y = toY(phi);
      clipped.push({
        kind: 'path',
        d: `M${plane.left} ${short(y)}H${plane.right}`,
        stroke: ink,
        dash: '6 4',
        title: text,
      });
      const half = (plane.right - plane.left) / 2;
      marks.push({ x: plane.left + half, y, radius: 4, half, text });
      shapes.push({ kind: 'dots', points: [[tipX, tipY]], radius: 3, fill: ink });
    } else if (inPlane(object)) {
      const x = toX(object.eta ?? 0);
      const radius = 3 + 13 * Math.sqrt(pt / largest);
      // A mark at one end of the axis goes on at the other.
      const places = [0, 2 * Math.PI, -2 * Math.PI]
        .map((turn): Point => [x, toY(phi + turn)])
        .filter(([, y]) => y > plane.top - radius && y < plane.bottom + radius);
      const d = dotsPath(places, radius);
      clipped.push({ kind: 'path', d, stroke: ink, fill: ink, fillOpacity: 0.25, width: 1.5, title: text });
      for (const [, y] of places) marks.push({ x, y, radius, text });
    }
  }
  shapes.push({
    ...{ kind: 'clip', x: plane.left, y: plane.top, width: plane.right - plane.left },
    ...{ height: plane.bottom - plane.top, shapes: clipped },
  });
  const { shapes: legend, bottom } = legendOf(drawn, layout, largest);
  return { drawing: { width, height: Math.ceil(bottom), title, shapes: [...shapes, ...legend] }, marks };
}

const heading = (x: number, y: number, text: string): Shape => ({ kind: 'text', x, y, text, bold: true });

const PHI: Ticks = {
  values: [-Math.PI, -Math.PI / 2, 0, Math.PI / 2, Math.PI],
  labels: ['−π', '−π/2', '0', 'π/2', 'π'],
};

/** Directions beside the circle. */
const around = ({ x, y, radius }: Layout['circle']): Shape[] => [
  { kind: 'path', d: `M${short(x - 4)} ${short(y)}h8M${short(x)} ${short(y - 4)}v8`, stroke: 'faint' },
  { kind: 'text', x: x + radius + 7, y: y + 4, text: '0', fill: 'faint' },
  { kind: 'text', x, y: y - radius - 7, text: 'π/2', anchor: 'middle', fill: 'faint' },
  { kind: 'text', x: x - radius - 7, y: y + 4, text: 'π', anchor: 'end', fill: 'faint' },
  { kind: 'text', x, y: y + radius + 17, text: '−π/2', anchor: 'middle', fill: 'faint' },
];

/** Momenta in MeV are drawn on the scale of the others. */
const inGeV = (pt: number, unit: string | undefined): number => (unit === 'MeV' ? pt / 1000 : pt);

/** Returns an angle between -π and π. */
const wrapped = (phi: number): number => phi - 2 * Math.PI * Math.round(phi / (2 * Math.PI));

/** Returns the curvature of a track in 1/m; 0 for a straight line. */
function bendOf({ unit }: EventObjects, { charge = 0, pt }: EventObject): number {
  const momentum = inGeV(pt, unit);
  return momentum > 0 ? (BEND * FIELD * charge) / momentum : 0;
}

type Point = [x: number, y: number];

/** Points of a track from the centre. Its length grows with pt. It turns by half a circle at most. */
function trackOf({ x, y, radius }: Layout['circle'], phi: number, share: number, bend: number): Point[] {
  const whole = RADIUS * (0.12 + 0.88 * share);
  const length = Math.min(whole, bend === 0 ? whole : Math.PI / Math.abs(bend));
  const steps = bend === 0 ? 1 : 24;
  return Array.from({ length: steps + 1 }, (_, i): Point => {
    const s = (length * i) / steps;
    // A positive charge turns clockwise in a field along the beam.
    const turn = bend * s;
    const chord = turn === 0 ? s : (2 * Math.sin(turn / 2)) / bend;
    const angle = phi - turn / 2;
    return [x + (radius / RADIUS) * chord * Math.cos(angle), y - (radius / RADIUS) * chord * Math.sin(angle)];
  });
}

/** Points of the outer part of a line, the end first. */
const along = (line: readonly Point[]): Point[] =>
  [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4].map((share): Point => {
    const at = share * (line.length - 1);
    const [[x0, y0], [x1, y1]] = [line[Math.floor(at)] ?? [0, 0], line[Math.ceil(at)] ?? [0, 0]];
    const rest = at - Math.floor(at);
    return [x0 + rest * (x1 - x0), y0 + rest * (y1 - y0)];
  });

const pathOf = (points: readonly Point[]): string =>
  points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${short(x)} ${short(y)}`).join('');

/** Returns the text of an object: "Muon 0: pt 43.2 GeV, eta 0.51, phi 1.2, charge -1". */
export function textOf({ name, unit, isMissing, objects }: EventObjects, object: EventObject): string {
  const { index, pt, eta, phi, mass, energy, charge } = object;
  const withUnit = (value: number) => `${formatNumber(value)}${unit === undefined ? '' : ` ${unit}`}`;
  const facts = [
    `pt ${withUnit(pt)}`,
    eta !== undefined && `eta ${formatNumber(eta)}`,
    `phi ${formatNumber(phi)}`,
    mass !== undefined && `mass ${withUnit(mass)}`,
    energy !== undefined && `energy ${withUnit(energy)}`,
    charge !== undefined && `charge ${formatNumber(charge)}`,
  ].filter((fact) => fact !== false);
  const which = isMissing && objects.length === 1 ? name : `${name} ${index}`;
  return `${which}: ${facts.join(', ')}`;
}

interface Drawn {
  of: EventObjects;
  ink: LineInk;
}

/** Names and numbers of the collections, and sentences that say how the picture is drawn. */
function legendOf(drawn: readonly Drawn[], { width, legend }: Layout, largest: number) {
  const shapes: Shape[] = [];
  let [x, y] = [16, legend];
  for (const { of, ink } of drawn) {
    const text = of.isMissing ? of.name : `${of.name} (${formatCount(of.objects.length)})`;
    const wide = 30 + 1.05 * textWidth(text, 12);
    if (x > 16 && x + wide > width - 8) {
      x = 16;
      y += 20;
    }
    const dash = of.isMissing ? { dash: '6 4' } : {};
    shapes.push({ kind: 'path', d: `M${short(x)} ${short(y - 4)}h16`, stroke: ink, width: 3, ...dash });
    shapes.push({ kind: 'text', x: x + 22, y, text });
    x += wide + 14;
  }
  y += 8;
  for (const sentence of sentencesOf(drawn, largest)) {
    for (const line of linesOf(sentence, width - 32)) {
      y += 16;
      shapes.push({ kind: 'text', x: 16, y, text: line, fill: 'faint', size: SMALL });
    }
  }
  return { shapes, bottom: y + 14 };
}

function sentencesOf(drawn: readonly Drawn[], largest: number): string[] {
  const some = drawn.map(({ of }) => of).filter(({ objects }) => objects.length > 0);
  if (some.length === 0) return ['No objects are drawn.'];
  const isCharged = ({ objects }: EventObjects) => objects.some(({ charge }) => charge !== undefined);
  const names = (of: readonly EventObjects[]) => of.map(({ name }) => name).join(', ');
  const charged = some.filter((of) => !of.isMissing && isCharged(of));
  const straight = some.filter((of) => !of.isMissing && !isCharged(of));
  const missing = some.filter((of) => of.isMissing);
  const computed = some.filter((of) => of.isComputed);
  const inMeV = some.some(({ unit }) => unit === 'MeV');
  const left = drawn.reduce((sum, { of }) => sum + of.left, 0);
  const beyond = some
    .flatMap(({ objects }) => objects)
    .filter(({ eta = 0 }) => Math.abs(eta) > MAX_ETA).length;
  return [
    `Areas of marks and lengths of lines grow with pt; the largest is ${formatNumber(largest)}${inMeV ? ' GeV' : ''}.`,
    ...(charged.length > 0
      ? [
          `Lines are bent by the charge, as an example in a field of ${FIELD} T (pt in GeV, circle of ${RADIUS} m): ${names(charged)}.`,
        ]
      : []),
    ...(straight.length > 0 ? [`Lines are straight, because no charge is stored: ${names(straight)}.`] : []),
    ...(missing.length > 0 ? [`Dashed, with pt and phi only: ${names(missing)}.`] : []),
    ...(computed.length > 0 ? [`Computed from px, py and pz: ${names(computed)}.`] : []),
    ...(beyond > 0 ? [`Beyond |η| of ${MAX_ETA}, and only in the circle: ${formatCount(beyond)}.`] : []),
    ...(left > 0 ? [`Not drawn, because a number is missing or not finite: ${formatCount(left)}.`] : []),
  ];
}

/** Divides a sentence into lines that fit. */
function linesOf(sentence: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of sentence.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer, SMALL) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
