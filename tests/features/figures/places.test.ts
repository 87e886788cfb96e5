import { describe, expect, it } from 'vitest';
import { figureDrawing } from '../../../web/features/figures/work/drawn/figure-drawing';
import { wholeStyle } from '../../../web/features/figures/work/presets';
import { presetNames, type Style } from '../../../web/features/figures/work/style';
import type { Shape } from '../../../web/plot/drawing/drawing';
import type { PlotFrame } from '../../../web/plot/drawing/frame';
import { layered } from '../../../web/plot/layers/layered';
import { plainLook } from '../../../web/plot/look/look';
import { type PlotModel, uniformEdges } from '../../../web/plot/model';
import { plotPicture } from '../../../web/plot/svg';

const LINEAR = { look: plainLook };

function bins(values: number[], more: Partial<PlotModel> = {}): PlotModel {
  return {
    ...{ kind: 'bins', mark: 'steps', title: 'h', xTitle: 'x', yTitle: 'n', stats: [] },
    ...{ edges: uniformEdges(values.length, 60, 120), values: Float64Array.from(values), ...more },
  };
}

const COUNTS = bins([3, 0, 7, 12, 5, 1]);

/** Several histograms in one plot, as `draw --layer` makes it. */
function several(...models: PlotModel[]) {
  const parts = models.map((model, i) => ({ model, label: `layer ${i + 1}` }));
  return layered(parts, { norm: 'none', below: 'none' }).model;
}

type Path = Shape & { kind: 'path' };

/** The paths in the frames of a drawing. */
function pathsOf(shapes: readonly Shape[]): Path[] {
  return shapes.flatMap((shape) =>
    shape.kind === 'clip' ? shape.shapes.filter((one): one is Path => one.kind === 'path') : [],
  );
}

/** The corners of a path of M, H and V in units of the axes, as far as bins reach them. */
function cornersOf({ d }: Path, { x, y }: PlotFrame): [number, number][] {
  const corners: [number, number][] = [];
  let [px, py] = [0, 0];
  for (const [, command, first, second] of d.matchAll(/([MHV])(-?[\d.]+)(?: (-?[\d.]+))?/g)) {
    if (command === 'M') [px, py] = [Number(first), Number(second)];
    else if (command === 'H') px = Number(first);
    else py = Number(first);
    corners.push([x.toValue(px), y.toValue(py)]);
  }
  return corners;
}

/** Contents at the middles of bins, from the corners of the outline. */
function contentsOf(path: Path, frame: PlotFrame, model: PlotModel): number[] {
  const corners = cornersOf(path, frame);
  return Array.from(model.values, (_, i) => {
    const middle = ((model.edges[i] ?? 0) + (model.edges[i + 1] ?? 0)) / 2;
    const at = corners.findIndex(([x], k) => x <= middle && (corners[k + 1]?.[0] ?? 0) > middle);
    return corners[at]?.[1] ?? Number.NaN;
  });
}

const outline = (shapes: readonly Shape[], colour: string) =>
  pathsOf(shapes).find(({ stroke, fill }) => stroke === colour && fill === undefined);

describe('bins', () => {
  it.each(presetNames)('lie in the style %s at the values where the plain plot has them', (preset) => {
    const style = wholeStyle({ preset, layers: [{ colour: '#123456' }] });
    const figure = figureDrawing(COUNTS, style, LINEAR);
    const plain = plotPicture({ ...COUNTS, ink: '#123456' }, { stats: false });
    const found = [figure, plain].map(({ shapes, frames: [frame] }) => {
      const path = outline(shapes, '#123456');
      if (path === undefined || frame === undefined) throw new Error('There is no outline.');
      return { contents: contentsOf(path, frame, COUNTS), corners: cornersOf(path, frame) };
    });
    for (const { contents, corners } of found) {
      for (const [i, content] of contents.entries()) expect(content).toBeCloseTo(COUNTS.values[i] ?? 0, 1);
      for (const edge of COUNTS.edges) expect(corners.some(([x]) => Math.abs(x - edge) < 0.01)).toBe(true);
    }
  });

  it('of stacked layers are on top of each other, with the errors of their sum', () => {
    const [one, two, data] = [COUNTS, bins([1, 2, 3, 4, 5, 6]), bins([5, 1, 11, 15, 9, 8])];
    const style = wholeStyle({
      layers: [
        { as: 'stacked', colour: '#111111' },
        { as: 'stacked', colour: '#222222' },
        { as: 'points', colour: '#333333' },
      ],
      bands: { total: 'filled', colour: '#444444' },
      y: { range: [0, 40] },
    });
    const { shapes, frames } = figureDrawing(several(one, two, data), style, LINEAR);
    const [frame] = frames;
    if (frame === undefined) throw new Error('There is no frame.');
    const filled = (colour: string) => pathsOf(shapes).find(({ fill }) => fill === colour);
    const contents = (colour: string) => {
      const path = filled(colour);
      return path === undefined
        ? []
        : contentsOf(path, frame, one).map((value) => Math.round(value * 10) / 10 + 0);
    };
    expect(contents('#111111')).toEqual([3, 0, 7, 12, 5, 1]);
    expect(contents('#222222')).toEqual([4, 2, 10, 16, 10, 7]);
    // The lower one covers the sum below it.
    const order = pathsOf(shapes).map(({ fill, stroke }) => fill ?? stroke);
    expect(order.indexOf('#222222')).toBeLessThan(order.indexOf('#111111'));
    expect(order.indexOf('#444444')).toBeGreaterThan(order.indexOf('#111111'));
    // A band is one area for each bin: from the sum less its error to the sum and its error.
    const [first = ''] = filled('#444444')?.d.split('Z') ?? [];
    const ys = [...first.matchAll(/[ML]-?[\d.]+ (-?[\d.]+)/g)].map(([, y]) => frame.y.toValue(Number(y)));
    expect(Math.max(...ys)).toBeCloseTo(4 + 2, 1);
    expect(Math.min(...ys)).toBeCloseTo(4 - 2, 1);
  });

  it('in the panel below are divided by the sum of the stack', () => {
    const style = wholeStyle({
      layers: [{ as: 'stacked' }, { as: 'stacked' }, { as: 'points', colour: '#333333', size: 2 }],
      ratio: { show: 'ratio', range: [0, 2], lines: [0.5, 1, 1.5] },
    });
    const plot = several(bins([10, 10]), bins([10, 30]), bins([30, 20]));
    const { shapes, frames } = figureDrawing(plot, style, LINEAR);
    expect(frames).toHaveLength(2);
    const [above, below] = frames;
    expect([below?.box.left, below?.box.right]).toEqual([above?.box.left, above?.box.right]);
    const lower = shapes.filter((shape) => shape.kind === 'clip')[1];
    const inside = lower?.kind === 'clip' ? lower.shapes : [];
    const dots = inside.flatMap((shape) => (shape.kind === 'dots' ? shape.points : []));
    expect(dots.map(([, y]) => Math.round((below?.y.toValue(y) ?? 0) * 100) / 100)).toEqual([1.5, 0.5]);
    expect(inside.filter((shape) => shape.kind === 'path' && shape.dash === '4 3')).toHaveLength(3);
    // Errors of points are those of both: 1.5 sqrt(1/30 + 1/20).
    const bars = inside.find((shape) => shape.kind === 'path' && shape.stroke === '#333333');
    const [, from, to] = /M[\d.]+ (-?[\d.]+)V(-?[\d.]+)/.exec(bars?.kind === 'path' ? bars.d : '') ?? [];
    const length = (below?.y.toValue(Number(to)) ?? 0) - (below?.y.toValue(Number(from)) ?? 0);
    expect(Math.abs(length) / 2).toBeCloseTo(1.5 * Math.sqrt(1 / 30 + 1 / 20), 2);
  });
});

describe('legend and label', () => {
  const long = { label: 'A long name of a layer' };
  const styles: [string, Style][] = [
    ['at the right', { layers: [long, long, long] }],
    ['at the left', { layers: [long, long, long], legend: { place: 'top left' } }],
    [
      'below the label',
      {
        preset: 'atlas',
        layers: [long, long],
        legend: { place: 'top left' },
        label: { text: 'Internal', luminosity: 1 },
      },
    ],
    ['in columns with a title', { layers: [long, long, long], legend: { columns: 2, title: 'Title' } }],
  ];
  it.each(styles.flatMap(([name, style]) => [false, true].map((log) => [name, log, style] as const)))(
    'cover no contents %s, logarithmic: %s',
    (_, log, style) => {
      const flat = bins(Array.from({ length: 20 }, () => 1000));
      const view = { look: { ...plainLook, log: { x: false, y: log } } };
      const { shapes, frames } = figureDrawing(several(flat, flat, flat), wholeStyle(style), view);
      const [frame] = frames;
      if (frame === undefined) throw new Error('There is no frame.');
      const { box } = frame;
      const inside = shapes.flatMap((shape) =>
        shape.kind === 'text' &&
        shape.x > box.left &&
        shape.x < box.right &&
        shape.y > box.top &&
        shape.y < box.bottom
          ? [shape.y]
          : [],
      );
      expect(inside.length).toBeGreaterThan(1);
      expect(Math.max(...inside)).toBeLessThan(frame.y.toPixel(1000));
    },
  );

  it('leave an axis as the style has it', () => {
    const style = wholeStyle({ layers: [long], y: { range: [0, 13] } });
    expect(figureDrawing(COUNTS, style, LINEAR).frames[0]?.y.spec.range).toEqual([0, 13]);
  });
});
