import type { PlainObject } from '../../../api/api';
import { toXylemError } from '../../../base/errors';
import { projected } from '../../../bins/project';
import { modelOfHistogram } from '../../histogram';
import type { AnyPlot, GraphModel, MapModel } from '../../model';
import type { FunctionSamples } from '../functions';
import { candleModel } from './candle-shapes';
import { candleParts } from './candles';
import { contoured, storedLevels } from './contoured';
import { efficiencyModel } from './efficiency';
import { graph2dModel } from './graph2d';
import { matrixModel } from './matrix';
import { multigraphModel } from './multigraph';
import { inOwnStyle } from './own-style';
import { polygonsModel } from './polygons';
import { splineModel } from './spline';
import { stackModel } from './stack';

/**
 * Returns the plot of an object of a less common class. `how` is ROOT's option for drawing, or the axes of a
 * projection. An object with many axes is projected to a histogram.
 */
export function furtherModel(
  object: PlainObject,
  samples: FunctionSamples,
  how: string,
  modelOf: (object: PlainObject) => AnyPlot | undefined,
): AnyPlot | undefined {
  const kind = object._typename;
  if (kind === 'THStack') return stackModel(object, how, modelOf);
  if (kind === 'TMultiGraph') return multigraphModel(object, samples);
  if (kind === 'TEfficiency') return efficiencyModel(object, samples, modelOf);
  if (kind.startsWith('TSpline')) return splineModel(object);
  if (kind.startsWith('TGraph2D')) return graph2dModel(object);
  if (kind.endsWith('Poly')) return polygonsModel(object);
  if (/^T(Matrix|Vector)/.test(kind)) return matrixModel(object);
  try {
    return modelOfHistogram(projected(object, how));
  } catch (thrown) {
    // Who draws asks for the reason; a mistaken projection is one of who wrote it.
    if (/^(CORRUPT|UNSUPPORTED)$/.test(toXylemError(thrown).code)) return undefined;
    throw thrown;
  }
}

export { inOwnStyle };

/** Returns a map as areas or lines of equal content, or as candles, if ROOT's option asks for them. */
export function mapAs(map: MapModel, object: PlainObject, option: string): MapModel | GraphModel {
  const parts = candleParts(option);
  if (parts !== undefined) return candleModel(map, parts);
  const [, kind] = /cont([0-5]?)/i.exec(option) ?? [];
  return kind === undefined ? map : contoured(map, /[123]/.test(kind), storedLevels(object));
}
