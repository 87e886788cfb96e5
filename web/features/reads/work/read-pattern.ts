import type { PerfRead, PerfReport } from '../../../api/reading';
import { formatBytes, formatCount } from '../../../base/format';
import type { ReadOrigin } from '../../../io/trace';
import { type Colour, type Shape, short } from '../../../plot/drawing/drawing';
import type { PlotFrame } from '../../../plot/drawing/frame';
import type { GraphModel, Series, StatLine } from '../../../plot/model';
import { panelWithRight } from '../../../plot/right-axis';
import { PERF_NUMBERS } from './perf-numbers';
import { isRequestOf, type ReadOrder, readOrders } from './read-order';

const ORIGIN_NAMES: Record<ReadOrigin, string> = {
  network: 'from the network',
  disk: 'from disk',
  memory: 'from memory',
  store: 'from the cache on this machine',
  decode: 'decoding',
};

/** A plot of reads, and the reads of each of its layers. */
export interface ReadPlot {
  model: GraphModel;
  reads: readonly (readonly PerfRead[])[];
}

interface Options {
  /** Another reading of the same file, drawn over this one. */
  compare?: PerfReport | undefined;
  /** The x axis: tree entries, or the time at which a read ended. Default: entries. */
  against?: 'entry' | 'time' | undefined;
  /** Returns a text about a read. */
  note?: ((read: PerfRead) => string) | undefined;
}

/**
 * Plots file offset against tree entry, with the time on a second axis, as TTreePerfStats draws it; or against time.
 */
export function readPatternPlot(report: PerfReport, options: Options = {}): ReadPlot {
  const { compare, against = 'entry', note } = options;
  const placed = report.reads.filter(isPlaced);
  const origins = (['network', 'disk', 'store', 'memory'] as const).filter((origin) =>
    placed.some((read) => read.origin === origin),
  );
  const isByEntry = against === 'entry';
  const { marked, back, again, againBytes } = markedReads(placed);
  const groups = origins.map((origin) =>
    placed.filter((read) => read.origin === origin && !marked.has(read)),
  );
  const layers = groups.map((reads, i) =>
    offsets(reads, ORIGIN_NAMES[origins[i] ?? 'network'], origins[i] ?? 'network'),
  );
  for (const [order, title, ink] of [
    ['back', `back: ${formatCount(back)} reads`, 'line5'],
    ['again', `again: ${formatBytes(againBytes)}, ${formatCount(again)} reads`, 'line3'],
  ] as const) {
    const reads = placed.filter((read) => marked.get(read) === order);
    if (reads.length === 0) continue;
    groups.push(reads);
    layers.push(offsets(reads, title, ink));
  }
  if (isByEntry) {
    const inTime = placed
      .filter(({ entry, origin }) => entry >= 0 && origin !== 'memory')
      .sort((a, b) => a.done - b.done || a.entry - b.entry);
    groups.push(inTime);
    layers.push({
      ...{ title: 'time', ink: 'time', dots: false, onRight: true },
      x: Float64Array.from(inTime, ({ entry }) => entry),
      y: Float64Array.from(inTime, ({ done }) => done),
    });
  }
  if (compare !== undefined) {
    const others = compare.reads.filter(isPlaced);
    const title = `${compare.by}: ${compare.numbers.readCalls} reads`;
    groups.push(others);
    layers.push({ ...offsets(others, title, 'other'), open: true, stats: perfLines(compare) });
  }
  function offsets(reads: readonly PerfRead[], title: string, ink: Colour): Series & { stats?: StatLine[] } {
    const zero = new Float64Array(reads.length);
    return {
      ...{ title, ink, joined: false },
      x: Float64Array.from(reads, ({ entry, done }) => (isByEntry ? Math.max(0, entry) : done)),
      y: Float64Array.from(reads, ({ offset }) => offset / 1e6),
      errors: {
        left: zero,
        right: zero,
        down: zero,
        up: Float64Array.from(reads, ({ length }) => length / 1e6),
      },
      note: note && ((index) => told(note, reads[index])),
      ...(placed.length > MAX_DOTS && { shapes: strokeShapes }),
    };
  }
  const [own, ...overlays] = layers.length > 0 ? layers : [offsets([], 'reads', 'network')];
  const most = layers.reduce((found, { x }) => x.reduce((one, value) => Math.max(one, value), found), 0);
  const model: GraphModel = {
    kind: 'graph',
    ...(own ?? offsets([], 'reads', 'network')),
    label: own?.title,
    title: `${report.tree} in ${report.file.split('/').pop() ?? ''}`,
    xTitle: isByEntry ? 'Tree entry' : 'Time (s)',
    yTitle: 'File offset (MB)',
    stats: perfLines(report),
    overlays,
    // Reads at entry 0 are not cut in half by the axis.
    xRange: most > 0 ? [-0.02 * most, most * 1.02] : [0, 1],
    limits: { low: 0 },
    right: isByEntry
      ? {
          title: report.numbers.realTime === undefined ? 'Disk time (s)' : 'Real time (s)',
          ink: 'time',
          panel: panelWithRight,
        }
      : undefined,
  };
  return { model, reads: groups };
}

/** Returns the reads of the file that go back, or of bytes that were read before. Hits in memory are no reads of it. */
function markedReads(placed: readonly PerfRead[]) {
  const reads = placed.filter(isRequestOf).sort((a, b) => a.queued - b.queued);
  const { orders, ...sums } = readOrders(reads);
  const marked = new Map<PerfRead, ReadOrder>();
  for (const [i, read] of reads.entries()) if (orders[i] !== 'on') marked.set(read, orders[i] ?? 'on');
  return { marked, ...sums };
}

/** Reads are strokes without dots if there are more of them. */
const MAX_DOTS = 500;
/** Width of a stroke in pixels. */
const STROKE = 3;

/** Reads as strokes along the file; those that share pixels are one. */
function strokeShapes({ x, y, errors }: Series, ink: Colour, { x: across, y: up }: PlotFrame): Shape[] {
  const columns = new Map<number, [low: number, high: number][]>();
  for (const [i, value] of x.entries()) {
    if (Number.isNaN(y[i])) continue;
    const column = Math.round(across.toPixel(value));
    const from = up.toPixel(y[i] ?? 0);
    const to = Math.min(from - 1, up.toPixel((y[i] ?? 0) + (errors?.up[i] ?? 0)));
    const own = columns.get(column);
    if (own) own.push([from, to]);
    else columns.set(column, [[from, to]]);
  }
  const d: string[] = [];
  for (const [column, own] of columns) {
    own.sort((a, b) => b[0] - a[0]);
    let [from, to] = own[0] ?? [0, 0];
    for (const [low, high] of [...own.slice(1), [Number.NEGATIVE_INFINITY, 0] as const]) {
      if (low >= to - 0.5) {
        to = Math.min(to, high);
        continue;
      }
      d.push(`M${column} ${short(from)}V${short(to)}`);
      [from, to] = [low, high];
    }
  }
  return [{ kind: 'path', d: d.join(''), stroke: ink, width: STROKE }];
}

const told = (note: (read: PerfRead) => string, read: PerfRead | undefined): string =>
  read === undefined ? '' : note(read);

function perfLines({ numbers }: PerfReport): StatLine[] {
  return PERF_NUMBERS.map(({ name, text }) => ({ label: name, value: text(numbers) }));
}

/** Whether a read is from the file itself. As in ROOT, reads that belong to no entry are placed at entry 0. */
function isPlaced(read: PerfRead): boolean {
  return read.origin !== 'decode' && read.length > 0;
}

type Stage = 'queue' | 'wait' | ReadOrigin;
const STAGES: readonly [Stage, string][] = [
  ['queue', 'queued'],
  ['wait', 'waiting'],
  ['network', 'receiving'],
  ['disk', 'from disk'],
  ['memory', 'memory'],
  ['store', 'cache on this machine'],
  ['decode', 'decoding'],
];

/** Returns the stages of a read in seconds. A read from memory takes no time, but stays visible. */
function stagesOf({
  origin,
  queued,
  started,
  answered,
  done,
}: PerfRead): [Stage, from: number, to: number][] {
  if (origin === 'decode') return [['decode', started, done]];
  if (origin === 'memory') return [['memory', queued, Math.max(done, queued + 2e-4)]];
  return [
    ['queue', queued, started],
    ['wait', started, answered],
    [origin, answered, done],
  ];
}

/** Plots requests over time, one row each from the top: queued, waiting, receiving; and decoding. */
export function waterfallPlot(report: PerfReport, most: number, note?: Options['note']): ReadPlot {
  const timed = report.reads.filter(({ done, queued }) => done > queued || report.by === 'xylem');
  const rows = timed.slice(0, most);
  const reads: PerfRead[][] = [];
  const layers = STAGES.flatMap(([stage, title]): Series[] => {
    const found = rows.flatMap((read, i) =>
      stagesOf(read).flatMap(([one, from, to]) =>
        one === stage && to > from ? [{ read, from, to, y: rows.length - 1 - i }] : [],
      ),
    );
    if (found.length === 0) return [];
    const zero = new Float64Array(found.length);
    reads.push(found.map(({ read }) => read));
    return [
      {
        ...{ title, ink: stage, shapes: barShapes },
        x: Float64Array.from(found, ({ from }) => from * 1000),
        y: Float64Array.from(found, ({ y }) => y),
        errors: {
          ...{ left: zero, down: zero, up: zero },
          right: Float64Array.from(found, ({ from, to }) => (to - from) * 1000),
        },
        note: note && ((index) => told(note, found[index]?.read)),
      },
    ];
  });
  const none: Series = { title: 'reads', x: new Float64Array(), y: new Float64Array(), shapes: barShapes };
  const [own = none, ...overlays] = layers;
  const end = rows.reduce((found, { done }) => Math.max(found, done), 0.001) * 1000;
  const left = timed.length - rows.length;
  const model: GraphModel = {
    kind: 'graph',
    ...own,
    label: own.title,
    title: `${rows.length} reads in time${left > 0 ? `; ${left} more are not shown` : ''}`,
    xTitle: 'Time (ms)',
    yTitle: '',
    stats: [],
    overlays,
    xRange: [0, end * 1.02],
    limits: { low: -0.5, high: Math.max(1, rows.length) - 0.5 },
    rows: rows
      .map(
        ({ purpose, branches, offset }) =>
          purpose || branches.join(', ') || `${(offset / 1e6).toFixed(2)} MB`,
      )
      .reverse(),
  };
  return { model, reads };
}

/** Fraction of a row that its bars fill, and their maximum height in pixels. */
const BAR = 0.76;
const MAX_BAR = 16;

/** Bars in their rows. */
export function barShapes({ x, y, errors }: Series, ink: Colour, { x: across, y: up }: PlotFrame): Shape[] {
  const d = Array.from(x, (from, i) => {
    const left = across.toPixel(from);
    const wide = Math.max(1, across.toPixel(from + (errors?.right[i] ?? 0)) - left);
    const middle = up.toPixel(y[i] ?? 0);
    const tall = Math.min(MAX_BAR, 2 * (middle - up.toPixel((y[i] ?? 0) + BAR / 2)));
    const top = middle - tall / 2;
    return `M${short(left)} ${short(top)}h${short(wide)}v${short(tall)}h${short(-wide)}z`;
  });
  return [{ kind: 'path', d: d.join(''), fill: ink }];
}

/** Returns plots with the axes of all of them. */
export function alike(models: readonly GraphModel[]): GraphModel[] {
  const all = models.flatMap((model) => [model, ...(model.overlays ?? [])]);
  const most = (onRight: boolean) =>
    all
      .filter((series) => (series.onRight ?? false) === onRight)
      .reduce(
        (found, { y, errors }) =>
          y.reduce((one, value, i) => Math.max(one, value + (errors?.up[i] ?? 0)), found),
        0,
      );
  const [high, right] = [most(false), most(true)];
  const xRange = models.reduce<[number, number]>(
    ([low, end], { xRange: [a, b] = [0, 0] }) => [Math.min(low, a), Math.max(end, b)],
    [0, 0],
  );
  return models.map((model) => ({
    ...{ ...reaching(model, xRange[1]), xRange, limits: { low: 0, high: high * 1.02 } },
    right: model.right && { ...model.right, most: right },
  }));
}

/** Returns a plot whose axis reaches to an x: with a point there that has no y, and is not drawn. */
function reaching(model: GraphModel, end: number): GraphModel {
  const longer = (list: Float64Array, value: number) => {
    const copy = new Float64Array(list.length + 1);
    copy.set(list);
    copy[list.length] = value;
    return copy;
  };
  const { x, y, errors } = model;
  return {
    ...{ ...model, x: longer(x, end), y: longer(y, Number.NaN) },
    errors: errors && {
      left: longer(errors.left, 0),
      right: longer(errors.right, 0),
      down: longer(errors.down, 0),
      up: longer(errors.up, 0),
    },
  };
}
