import type { PlainObject } from '../../../api/api';
import { formatNumber } from '../../../base/format';
import type { Shape } from '../../../plot/drawing/drawing';
import { middleOf, type PlotModel } from '../../../plot/model';
import { label, number } from '../../../plot/stored/members';
import { wordsOf } from '../../../plot/stored/option-words';
import { areaOf } from '../../../plot/stored/paint/attributes';
import { binsShapes, cornersOf } from '../../../plot/stored/paint/bins';
import type { Point } from '../../../plot/stored/paint/ground';
import { modelOfObject } from '../../../plot/stored/stored';
import { textOf } from './attributes';
import { paintFunctions } from './graph';
import { colourAt, type Members, miss, type Pad, putInFrame, toX, toY } from './pad';

/** Maximum number of bins of one axis that are drawn individually. */
const MAX_BINS = 50_000;

/** Draws a histogram with one axis, or a profile. */
export function paintBins(pad: Pad, object: PlainObject, option: string, given?: PlotModel): void {
  const model = given ?? modelOfObject(object, pad.painting.samples);
  if (model?.kind !== 'bins' || model.values.length > MAX_BINS) {
    miss(
      pad,
      `${object._typename} ${label(object.fName)}: ${model === undefined ? 'its members do not fit together' : 'it has too many bins'}`,
    );
    return;
  }
  // Draw only the axes. A RooPlot draws its frame with FUNC.
  if (/AXIS|AXIG|FUNC/i.test(option)) return;
  putInFrame(pad, binsShapes(pad, object, option, model));
  const words = wordsOf(option);
  if (words.includes('TEXT')) putInFrame(pad, numberShapes(pad, object, model, words));
  paintFunctions(pad, object);
}

/** Paints the background of the frame behind the bins. */
export function eraseBins(pad: Pad, model: PlotModel): void {
  const ground = { fFillColor: pad.members.fFrameFillColor ?? 0, fFillStyle: 1001 };
  putInFrame(pad, areaOf(pad, ground, [cornersOf(pad, model).filter((one) => one.every(Number.isFinite))]));
}

/** Returns the angle in degrees of numbers in bins: 45 for TEXT45. */
export function angleOf(words: string): number {
  return Math.min(90, Number(/TEXT(\d{1,3})/.exec(words)?.[1] ?? 0));
}

function numberShapes(pad: Pad, object: Members, { values, edges }: PlotModel, words: string): Shape[] {
  // ROOT's default angle here is 90.
  const angle = /TEXT\d/.test(words) ? angleOf(words) : 90;
  const size = 0.02 * (number(object.fMarkerSize) || 1) * 1.4;
  return Array.from(values.keys()).flatMap((i) => {
    const value = values[i] ?? Number.NaN;
    if (value === 0 || !Number.isFinite(value) || values.length > 500) return [];
    const place: Point = [toX(pad, middleOf(edges, i)), toY(pad, value) - 3];
    return [
      textOf(pad, place, formatNumber(value), {
        font: 62,
        size,
        colour: colourAt(pad, object.fMarkerColor),
        align: angle > 0 ? 12 : 21,
        angle,
      }),
    ];
  });
}
