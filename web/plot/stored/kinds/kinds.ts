import type { PlainObject } from '../../../api/api';
import type { AnyPlot } from '../../model';
import type { FunctionSamples } from '../functions';
import { efficiencyModel } from './efficiency';
import { matrixModel } from './matrix';
import { multigraphModel } from './multigraph';
import { polygonsModel } from './polygons';
import { projected } from './project';
import { stackModel } from './stack';

/**
 * The models of classes that are less common; `how` is ROOT's option for drawing, or the axes of a projection. An object
 * of many axes becomes the histogram that it is projected to.
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
  if (kind.endsWith('Poly')) return polygonsModel(object);
  if (/^T(Matrix|Vector)/.test(kind)) return matrixModel(object);
  const histogram = projected(object, how);
  return histogram && modelOf(histogram);
}
