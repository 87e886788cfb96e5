import type { FleetReport } from '../insight/fleet/fleet';
import { type Box, bottomAxis, linear, sideAxis } from './drawing/axes';
import { type Colour, type Drawing, type Shape, short } from './drawing/drawing';
import { linearTicks } from './drawing/ticks';

export interface FleetPlot {
  /** The value of the number that was changed; undefined where there is one simulation for each access. */
  value: number | undefined;
  report: FleetReport;
}

interface Curve {
  name: string;
  colour: Colour;
  dash?: string;
  points: { x: number; left: number; right: number }[];
}

/**
 * Simulations of a fleet. With a changed number: the time to the last job and the CPU efficiency against it. Else the
 * jobs that run, and the bytes that have left the origin, against time.
 */
export function fleetDrawing(
  found: readonly FleetPlot[],
  swept?: string,
  width = 720,
  height = 340,
): Drawing {
  const ways = [...new Set(found.map(({ report }) => report.access))];
  const curves = ways.map((access, i): Curve => {
    const own = found.filter(({ report }) => report.access === access);
    const points = own.flatMap(({ value, report }) =>
      value === undefined
        ? report.samples.map(({ seconds, running, originBytes }) => ({
            x: seconds,
            left: running,
            right: originBytes / 1e12,
          }))
        : [{ x: value, left: report.seconds, right: 100 * report.cpuEfficiency }],
    );
    return { name: access, colour: i === 0 ? 'network' : 'time', points };
  });
  const names =
    swept === undefined
      ? {
          x: 'Time (s)',
          left: 'Running jobs',
          right: 'Bytes from the origin (TB)',
          title: 'Jobs at all sites',
        }
      : {
          x: swept,
          left: 'Time to the last job (s)',
          right: 'CPU efficiency (%)',
          title: `Jobs by ${swept}`,
        };
  return twoAxes(curves, names, width, height);
}

function twoAxes(
  curves: readonly Curve[],
  names: { x: string; left: string; right: string; title: string },
  width: number,
  height: number,
): Drawing {
  const box: Box = { left: 76, right: width - 70, top: 46, bottom: height - 56 };
  const all = curves.flatMap(({ points }) => points);
  const most = (of: (point: Curve['points'][number]) => number) => Math.max(1e-9, ...all.map(of)) * 1.05;
  const lowX = Math.min(0, ...all.map(({ x }) => x));
  const [highX, highLeft, highRight] = [most(({ x }) => x) / 1.05, most((p) => p.left), most((p) => p.right)];
  const toX = linear(lowX, highX, box.left + 8, box.right - 8);
  const toLeft = linear(0, highLeft, box.bottom, box.top);
  const toRight = linear(0, highRight, box.bottom, box.top);
  const line = (points: Curve['points'], y: (point: Curve['points'][number]) => number) =>
    points.map((point, i) => `${i === 0 ? 'M' : 'L'}${short(toX(point.x))} ${short(y(point))}`).join('');
  const shapes: Shape[] = [
    ...bottomAxis(box, linearTicks(lowX, highX, 8), toX, names.x),
    ...sideAxis(box, 'left', linearTicks(0, highLeft, 5), toLeft, names.left, 'ink'),
    ...sideAxis(box, 'right', linearTicks(0, highRight, 5), toRight, `${names.right}, dashed`, 'ink'),
    { kind: 'text', x: box.left, y: 26, text: names.title, bold: true },
  ];
  curves.forEach(({ name, colour, points }, i) => {
    shapes.push(
      { kind: 'path', d: line(points, ({ left }) => toLeft(left)), stroke: colour, width: 1.6 },
      {
        kind: 'path',
        d: line(points, ({ right }) => toRight(right)),
        stroke: colour,
        width: 1.6,
        dash: '5 3',
      },
      {
        kind: 'text',
        x: box.right - 60 * (curves.length - 1 - i),
        y: 26,
        text: name,
        anchor: 'end',
        fill: colour,
      },
    );
  });
  return { width, height, title: names.title, shapes };
}
