import { short } from '../drawing/drawing';
import type { PlotFrame } from '../drawing/frame';
import { countErrors, type GraphModel, middleOf, type PlotModel, type Series } from '../model';
import { panelsWith } from './below-panels';

/** How much of the band covers what is below it. */
const COVERS = 0.35;

/** Lengths of the errors of each bin in both directions. */
export interface BandErrors {
  up: Float64Array;
  down: Float64Array;
}

/**
 * Adds a band with the errors of the sum of a stack: over the stack, below the layers that lie over it, and in the
 * panel below, if it shows ratios. There the errors of the points are then those of the layers only. Other plots are returned
 * unchanged. `more` are added to the statistical errors in squares.
 */
export function withBand(model: GraphModel, title: string, more?: BandErrors): GraphModel {
  const sum = model.stack?.sum;
  if (!sum) return model;
  const statistical = countErrors(sum);
  const both = (other: Float64Array | undefined): Float64Array =>
    statistical.map((error, i) => Math.hypot(error || 0, other?.[i] ?? 0));
  const errors = { up: both(more?.up), down: both(more?.down) };
  const at = model.overlays?.findIndex((one) => !isPart(one, model)) ?? -1;
  const overlays = [...(model.overlays ?? [])];
  overlays.splice(at < 0 ? overlays.length : at, 0, bandSeries(title, sum, sum.values, errors));
  if (model.below?.kind !== 'ratio') return { ...model, overlays };
  const lower = model.below.model;
  const share = (all: Float64Array): Float64Array =>
    all.map((error, i) => error / Math.abs(sum.values[i] ?? 0));
  const relative = share(statistical);
  const own = <T extends Pick<PlotModel, 'values' | 'errors'>>(one: T): T => ({
    ...one,
    errors: one.errors?.map((error, i) => withoutReference(error, one.values[i] ?? 0, relative[i] ?? 0)),
  });
  const ones = sum.values.map((value) => (value === 0 ? Number.NaN : 1));
  const below: PlotModel = {
    ...own(lower),
    overlays: lower.overlays?.map(own),
    points: [bandSeries('', lower, ones, { up: share(errors.up), down: share(errors.down) })],
  };
  return { ...model, overlays, below: { kind: 'ratio', model: below, panels: panelsWith(below, 1) } };
}

/** The histograms of a stack have as many layers as its statistics have lines; the first is the plot itself. */
function isPart(one: Series, { overlays = [], stats }: GraphModel): boolean {
  return overlays.indexOf(one) < stats.length - 1;
}

/** Returns the error of a ratio without the part of the reference, whose relative error is `reference`. */
function withoutReference(error: number, ratio: number, reference: number): number {
  return Math.sqrt(Math.max(0, error ** 2 - (ratio * reference) ** 2));
}

function bandSeries(
  title: string,
  { edges }: PlotModel,
  values: Float64Array,
  { up, down }: BandErrors,
): Series {
  return {
    ...{ title, ink: 'faint', dots: false, joined: false },
    x: values.map((_, bin) => middleOf(edges, bin)),
    y: values.map((value, bin) => value + (up[bin] || 0)),
    note: () => '',
    shapes: (_, fill, { x, y }: PlotFrame) => {
      let d = '';
      const [floor] = y.spec.range;
      values.forEach((value, bin) => {
        const [above, under] = [up[bin] ?? 0, down[bin] ?? 0];
        if (!Number.isFinite(value) || !(above + under > 0) || !Number.isFinite(above + under)) return;
        const [left, right] = [x.toPixel(edges[bin] ?? 0), x.toPixel(edges[bin + 1] ?? 0)];
        const low = y.spec.log ? Math.max(value - under, floor) : value - under;
        const [top, bottom] = [y.toPixel(value + above), y.toPixel(low)];
        d += `M${short(left)} ${short(top)}H${short(right)}V${short(bottom)}H${short(left)}Z`;
      });
      return d === '' ? [] : [{ kind: 'path', d, fill, fillOpacity: COVERS }];
    },
  };
}
