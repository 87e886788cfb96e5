import { PERF_NUMBERS } from '../insight/reads/perf-numbers';
import type { PerfRead, PerfReport } from '../insight/reads/reading';
import type { ReadOrigin } from '../io/trace';
import { bottomAxis, linear, sideAxis } from './drawing/axes';
import { type Drawing, type Ink, type Shape, short, type Target } from './drawing/drawing';
import { linearTicks } from './drawing/ticks';

const ORIGIN_NAMES: Record<ReadOrigin, string> = {
  network: 'from the network',
  disk: 'from disk',
  memory: 'from memory',
  store: 'from the cache on this machine',
  decode: 'decoding',
};

/** A drawing of reads, each of which can be pointed at. */
export interface ReadDrawing extends Drawing {
  targets: Target<PerfRead>[];
}

interface Options {
  width?: number | undefined;
  height?: number | undefined;
  /** Another reading of the same file, drawn below this one. */
  compare?: PerfReport | undefined;
  /** Leave out the column of numbers. */
  bare?: boolean | undefined;
}

/** As TTreePerfStats draws it: file offset against tree entry, and the time along it on a second axis. */
export function readPatternDrawing(report: PerfReport, options: Options = {}): ReadDrawing {
  const { width = 860, height = 460, compare, bare = false } = options;
  const box = { left: bare ? 64 : 262, right: width - 70, top: 58, bottom: height - 54 };
  const shown = report.reads.filter(isPlaced);
  const behind = (compare?.reads ?? []).filter(isPlaced);
  const every = [...shown, ...behind];
  const mostEntry = Math.max(1, ...bounds(every.map(({ entry }) => entry)));
  const mostMb = Math.max(0.001, ...bounds(every.map(({ offset, length }) => (offset + length) / 1e6)));
  const time = report.numbers.realTime;
  const toX = linear(0, mostEntry * 1.02, box.left, box.right);
  const toY = linear(0, mostMb * 1.04, box.bottom, box.top);
  const toTime = linear(0, (time > 0 ? time : 1) * 1.04, box.bottom, box.top);
  const title = `${report.tree} in ${report.file.split('/').pop() ?? ''}`;
  const shapes: Shape[] = [
    ...bottomAxis(
      box,
      linearTicks(0, mostEntry * 1.02, Math.max(2, Math.round((box.right - box.left) / 90))),
      toX,
      'Tree entry',
    ),
    ...sideAxis(box, 'left', linearTicks(0, mostMb * 1.04, 7), toY, 'File offset (MB)', 'ink'),
    ...sideAxis(
      box,
      'right',
      linearTicks(0, (time > 0 ? time : 1) * 1.04, 6),
      toTime,
      'Real time (s)',
      'time',
    ),
    ...(compare ? marks(behind, toX, toY, 'other', true) : []),
    ...(['decode', 'memory', 'store', 'disk', 'network'] as const).flatMap((origin) =>
      origin === 'decode'
        ? []
        : marks(
            shown.filter((read) => read.origin === origin),
            toX,
            toY,
            origin,
            false,
          ),
    ),
    timeLine(shown, toX, toTime),
    { kind: 'text', x: box.left, y: 22, text: title, bold: true },
    ...legend(report, compare, box.left),
  ];
  if (!bare) shapes.push(...numberColumn(report, compare));
  const targets = every.map((of): Target<PerfRead> => {
    const top = toY((of.offset + of.length) / 1e6);
    return { x: toX(Math.max(0, of.entry)) - 1, y: top, width: 2, height: toY(of.offset / 1e6) - top, of };
  });
  return { width, height, title, shapes, targets };
}

/** Reads of the file itself; those of no entry stand at entry 0, as with ROOT. */
function isPlaced(read: PerfRead): boolean {
  return read.origin !== 'decode' && read.length > 0;
}

function bounds(values: readonly number[]): number[] {
  return [values.reduce((most, value) => Math.max(most, value), 0)];
}

/** A read is a line from where it begins to where it ends, and a dot where it begins. */
function marks(
  reads: readonly PerfRead[],
  toX: (v: number) => number,
  toY: (v: number) => number,
  ink: Ink,
  open: boolean,
): Shape[] {
  if (reads.length === 0) return [];
  let d = '';
  const points: [number, number][] = [];
  // Only one of several reads that share a pixel is drawn.
  const drawn = new Set<number>();
  for (const { entry, offset, length } of reads) {
    const x = toX(Math.max(0, entry));
    const from = toY(offset / 1e6);
    const to = toY((offset + length) / 1e6);
    if (from - to > 1) d += `M${short(x)} ${short(from)}V${short(to)}`;
    const pixel = Math.round(2 * x) * 65_536 + Math.round(2 * from);
    if (drawn.has(pixel)) continue;
    drawn.add(pixel);
    points.push([x, from]);
  }
  return [
    { kind: 'path', d, stroke: ink, width: open ? 4 : 2, opacity: open ? 0.5 : 1 },
    { kind: 'dots', points, radius: open ? 3.5 : 1.8, fill: ink, open },
  ];
}

function timeLine(
  reads: readonly PerfRead[],
  toX: (v: number) => number,
  toTime: (v: number) => number,
): Shape {
  const inTime = reads
    .filter(({ entry, origin }) => entry >= 0 && origin !== 'memory')
    .sort((a, b) => a.done - b.done || a.entry - b.entry);
  const d = inTime.map(
    ({ entry, done }, i) => `${i === 0 ? 'M' : 'L'}${short(toX(entry))} ${short(toTime(done))}`,
  );
  return { kind: 'path', d: d.join(''), stroke: 'time', width: 1.2, opacity: 0.8 };
}

function legend(report: PerfReport, compare: PerfReport | undefined, left: number): Shape[] {
  const origins = [...new Set(report.reads.filter(isPlaced).map(({ origin }) => origin))];
  const items: [Ink, string][] = origins.map((origin) => [origin, ORIGIN_NAMES[origin]]);
  items.push(['time', 'time']);
  if (compare) items.push(['other', `${compare.by}: ${compare.numbers.readCalls} reads`]);
  let x = left;
  return items.flatMap(([ink, name]): Shape[] => {
    const at = x;
    x += 30 + name.length * 7;
    return [
      { kind: 'rect', x: at, y: 33, width: 10, height: 10, fill: ink },
      { kind: 'text', x: at + 15, y: 42, text: name, fill: 'faint' },
    ];
  });
}

function numberColumn({ numbers }: PerfReport, compare: PerfReport | undefined): Shape[] {
  const shapes: Shape[] = compare
    ? [
        { kind: 'text', x: 146, y: 52, text: 'this', anchor: 'end', fill: 'faint' },
        { kind: 'text', x: 222, y: 52, text: compare.by, anchor: 'end', fill: 'faint' },
      ]
    : [];
  PERF_NUMBERS.forEach(({ name, text }, i) => {
    const y = 72 + i * 21;
    shapes.push({ kind: 'text', x: 10, y, text: name, fill: 'faint' });
    shapes.push({ kind: 'text', x: compare ? 146 : 190, y, text: text(numbers), anchor: 'end' });
    if (compare)
      shapes.push({ kind: 'text', x: 222, y, text: text(compare.numbers), anchor: 'end', fill: 'other' });
  });
  return shapes;
}

/** Most rows that a waterfall shows. */
const MAX_ROWS = 120;

/** Each request on the axis of time: queued, waiting, receiving; decoding below. */
export function waterfallDrawing(report: PerfReport, width = 860): ReadDrawing {
  const timed = report.reads.filter(({ done, queued }) => done > queued || report.by === 'xylem');
  const rows = timed.slice(0, MAX_ROWS);
  const row = 13;
  const box = { left: 236, right: width - 30, top: 56, bottom: 62 + rows.length * row };
  const end = rows.reduce((most, { done }) => Math.max(most, done), 0.001) * 1000;
  const toX = linear(0, end * 1.02, box.left, box.right);
  const left = timed.length - rows.length;
  const title = `${rows.length} reads in time${left > 0 ? `; ${left} more are not shown` : ''}`;
  const shapes: Shape[] = [
    ...bottomAxis(box, linearTicks(0, end * 1.02, 8), toX, 'Time (ms)'),
    { kind: 'text', x: 10, y: 22, text: title, bold: true },
  ];
  const stages: [Ink, string][] = [
    ['queue', 'queued'],
    ['wait', 'waiting'],
    ['network', 'receiving'],
    ['memory', 'memory'],
    ['store', 'cache on this machine'],
    ['decode', 'decoding'],
  ];
  let x = 10;
  for (const [ink, name] of stages) {
    shapes.push({ kind: 'rect', x, y: 33, width: 10, height: 10, fill: ink });
    shapes.push({ kind: 'text', x: x + 15, y: 42, text: name, fill: 'faint' });
    x += 30 + name.length * 7;
  }
  rows.forEach((read, i) => {
    const y = box.top + 4 + i * row;
    const what = read.purpose || read.branches.join(', ') || `${(read.offset / 1e6).toFixed(2)} MB`;
    shapes.push({
      kind: 'text',
      x: box.left - 8,
      y: y + 9,
      text: what.length > 34 ? `${what.slice(0, 33)}…` : what,
      anchor: 'end',
      fill: 'faint',
    });
    const bar = (from: number, to: number, fill: Ink, name: string): void => {
      const at = toX(from * 1000);
      const wide = Math.max(to > from ? 1 : 0, toX(to * 1000) - at);
      if (wide > 0)
        shapes.push({
          kind: 'rect',
          x: at,
          y,
          width: wide,
          height: row - 3,
          fill,
          title: `${name} ${((to - from) * 1000).toFixed(1)} ms`,
        });
    };
    if (read.origin === 'decode') bar(read.started, read.done, 'decode', `${what}: decoding`);
    else if (read.origin === 'memory')
      bar(read.queued, Math.max(read.done, read.queued + 2e-4), 'memory', `${what}: memory`);
    else {
      bar(read.queued, read.started, 'queue', `${what}: queued`);
      bar(read.started, read.answered, 'wait', `${what}: waiting`);
      bar(read.answered, read.done, read.origin, `${what}: receiving`);
    }
  });
  const targets = rows.map(
    (of, i): Target<PerfRead> => ({ x: 0, y: box.top + 4 + i * row, width, height: row - 3, of }),
  );
  return { width, height: box.bottom + 48, title, shapes, targets };
}
