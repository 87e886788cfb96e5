import { countErrors, type Overlay, type PlotModel } from '../model';
import { panelsWith } from './below-panels';

/** The kinds of panels below layers of the same bins. */
export type BelowKind = 'ratio' | 'difference';

/**
 * Adds a panel with the layers over the first one divided by it, or minus it, bin by bin: points with the errors of
 * both, treated as independent. Bins in which the first is empty have no ratio.
 */
export function withBelow(model: PlotModel, kind: BelowKind): PlotModel {
  const lower = lowerModel(model, kind);
  return { ...model, below: { kind, model: lower, panels: panelsWith(lower, kind === 'ratio' ? 1 : 0) } };
}

function lowerModel(model: PlotModel, kind: BelowKind): PlotModel {
  const [one = nothing, ...more] = (model.overlays ?? []).map((other): Overlay => {
    const title = other.title;
    return { title, ink: other.ink, ...dividedOrLess(kind, other, model) };
  });
  const first = model.label ?? model.title;
  const said = kind === 'ratio' ? `Ratio of ${one.title} to ${first}` : `${one.title} − ${first}`;
  return {
    kind: 'bins',
    ...{ title: said, label: one.title, ink: one.ink },
    ...{ xTitle: model.xTitle, yTitle: kind === 'ratio' ? 'Ratio' : 'Difference' },
    ...{ edges: model.edges, values: one.values, errors: one.errors },
    ...{ xLabels: model.xLabels, mark: 'points', stats: [] },
    overlays: more.length > 0 ? more : undefined,
  };
}

const nothing: Overlay = { title: '', values: new Float64Array() };

/** Returns the ratio of contents to other contents of the same bins, or their difference, with errors. */
export function dividedOrLess(kind: BelowKind, one: Contents, reference: Contents): Contents {
  return kind === 'ratio' ? ratio(one, reference) : difference(one, reference);
}

type Contents = Pick<Overlay, 'values' | 'errors' | 'scale'>;

/**
 * Relative errors are added in quadrature: r √((ea/a)² + (eb/b)²), written without dividing by the contents, which
 * may be 0.
 */
function ratio(one: Contents, reference: Contents): Contents {
  const values = new Float64Array(one.values.length).fill(Number.NaN);
  const errors = new Float64Array(values.length);
  const [own, others] = [countErrors(one), countErrors(reference)];
  one.values.forEach((content, i) => {
    const by = reference.values[i] ?? 0;
    if (by === 0) return;
    values[i] = content / by;
    errors[i] = Math.hypot((own[i] ?? 0) / by, (content * (others[i] ?? 0)) / (by * by));
  });
  return { values, errors };
}

function difference(one: Contents, reference: Contents): Contents {
  const [own, others] = [countErrors(one), countErrors(reference)];
  return {
    values: one.values.map((content, i) => content - (reference.values[i] ?? 0)),
    errors: own.map((error, i) => Math.hypot(error, others[i] ?? 0)),
  };
}
