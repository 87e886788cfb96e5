import type { PlainObject } from '../../api/api';
import { type ErrorRecord, toXylemError } from '../../base/errors';
import { histogramIfAny } from '../../bins/stored-histogram';
import { drawableHistogram } from '../histogram';
import type { AnyPlot } from '../model';
import { cellNumbers } from './cell-numbers';
import { isDrawableClass, isFurtherClass, isGraphClass, isMapClass, isPictureClass } from './classes';
import { type FunctionSamples, functionModel, limitsOf, storedFunctions } from './functions';
import { label } from './members';
import { hidesErrors } from './option-words';
import { graph } from './stored-graph';
import { isStyled, PLAIN } from './style';
import { whyNotDrawable } from './why-not';

let kinds: typeof import('./kinds/kinds') | undefined;

/**
 * Loads the code for objects of less common classes, and for histograms of two axes with a less common option;
 * undefined if it is not needed or already loaded.
 */
export function loadKinds(object: PlainObject, how = ''): Promise<void> | undefined {
  const kind = object._typename;
  const isNeeded =
    isFurtherClass(kind) ||
    isPictureClass(kind) ||
    otherOption(object, how) !== undefined ||
    isStyled(object, how);
  if (kinds !== undefined || !isNeeded) return undefined;
  return import('./kinds/kinds').then((loaded) => {
    kinds = loaded;
  });
}

/** Returns the option by which a histogram or function of two axes is drawn differently than by its cells. */
function otherOption(object: PlainObject, how: string): string | undefined {
  const option = how || label(object.fOption);
  return isMapClass(object._typename) && /cont|candle|violin/i.test(option) ? option : undefined;
}

/**
 * Returns the plot of a stored TH1, TH2, TProfile, TProfile2D, TGraph, TF1 or TF2: plain data with ROOT's member
 * names, contents in `fArray` from underflow to overflow. `samples` has the values of the functions in it. Undefined
 * for another class or inconsistent members. Other classes need `loadKinds` first. `how` is ROOT's option for
 * drawing, or the axes of a projection.
 */
export function modelOfObject(
  object: PlainObject,
  samples: FunctionSamples = new Map(),
  how = '',
): AnyPlot | undefined {
  const kind = object._typename;
  if (isFurtherClass(kind))
    return kinds?.furtherModel(object, samples, how, (one) => modelOfObject(one, samples));
  if (isGraphClass(kind)) return graph(object, samples);
  if (/^TF[12]$/.test(kind)) return drawnBy(functionModel(object, samples), object, how);
  if (!isDrawableClass(kind)) return undefined;
  const histogram = histogramIfAny(object);
  const model = histogram && drawableHistogram(histogram);
  if (model === undefined) return undefined;
  const found = storedFunctions(object.fFunctions, samples);
  const shared = {
    curves: found.curves.length > 0 ? found.curves : undefined,
    functions: found.functions.length > 0 ? found.functions : undefined,
    limits: limitsOf(object),
    text: /text/i.test(label(object.fOption)) || undefined,
  };
  if (model.kind === 'map')
    return drawnBy({ ...model, ...shared, numbers: shared.text && cellNumbers }, object, how);
  return { ...model, ...shared, hidesErrors: hidesErrors(label(object.fOption)) || undefined };
}

/** Applies an option for drawing. */
function drawnBy(model: AnyPlot | undefined, object: PlainObject, how: string): AnyPlot | undefined {
  const option = otherOption(object, how);
  return option !== undefined && model?.kind === 'map'
    ? (kinds?.mapAs(model, object, option) ?? model)
    : model;
}

/**
 * Returns the same as `modelOfObject`, in the style that is stored with a histogram, or the reason why there is none. `how` may
 * be another of ROOT's options, or `plain`.
 */
export function drawnObject(
  object: PlainObject,
  samples: FunctionSamples,
  how: string,
): { model?: AnyPlot | undefined; why?: ErrorRecord | undefined } {
  try {
    const found = modelOfObject(object, samples, how === PLAIN ? '' : how);
    const model = found && isStyled(object, how) ? (kinds?.inOwnStyle(found, object, how) ?? found) : found;
    return model === undefined ? { why: whyNotDrawable(object, samples) } : { model };
  } catch (thrown) {
    return { why: toXylemError(thrown).toRecord() };
  }
}
