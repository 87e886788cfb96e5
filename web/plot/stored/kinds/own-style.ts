import type { PlainObject, PlainValue } from '../../../api/api';
import { lineInk, type Shape } from '../../drawing/drawing';
import type { PlotFrame } from '../../drawing/frame';
import { readableLatex } from '../../drawing/latex';
import {
  type AnyPlot,
  type GraphModel,
  middleOf,
  type PlotModel,
  type Range,
  statNumber,
  valueRange,
  withCountErrors,
} from '../../model';
import { contentWithError } from '../content-with-error';
import { label, number } from '../members';
import { asksForErrors, wordsOf } from '../option-words';
import { isFilled } from '../paint/attributes';
import { binsShapes, isLying } from '../paint/bins';
import type { Ground, Members } from '../paint/ground';
import { rootColours, themed, themedLine } from '../root-colours';
import { hasOwnLook } from '../style';

/** A colour number that stands for the line of the plot. ROOT has no colour with it. */
const OWN_LINE = -2;

/** Returns the axes of a plot on which objects are painted by their attributes, in colours that both themes can show. */
function groundOf(frame: PlotFrame, logY: boolean): Ground {
  return {
    places: frame,
    log: { x: frame.x.spec.log, y: logY },
    colour(index: PlainValue | undefined, area = false) {
      if (index === OWN_LINE) return lineInk(0);
      return area ? themed(index) : themedLine(index);
    },
    knows: (index) => index === OWN_LINE || rootColours().has(number(index)),
    miss: () => undefined,
  };
}

/** Returns the attributes that are drawn: those of the histogram, or if nobody has set them, those of the page. */
function looksOf(object: PlainObject, option: string): Members {
  const hasMarkers = number(object.fMarkerStyle) !== 1 && /P|E/i.test(wordsOf(option));
  const looks: Members =
    hasOwnLook(object) || hasMarkers
      ? object
      : {
          ...{ ...object, fLineColor: OWN_LINE, fLineWidth: 1.4, fMarkerColor: OWN_LINE },
          ...{ fMarkerStyle: 20, fMarkerSize: 0.6 },
        };
  // Bars without a colour would be as white as the ground.
  const isBare = /B|E[2-6]/i.test(option) && !isFilled(looks);
  return isBare ? { ...looks, fFillColor: looks.fLineColor ?? 1, fFillStyle: 4040 } : looks;
}

/** Returns a plot of a histogram in the style that it was stored with, or by another of ROOT's options for drawing. */
export function inOwnStyle(given: AnyPlot, object: PlainObject, how: string): AnyPlot {
  if (given.kind !== 'bins') return given;
  const option = how || label(object.fOption);
  const model = asksForErrors(option) ? withCountErrors(given) : given;
  const looks = looksOf(object, option);
  if (isLying(option)) return lyingBars(model, looks, option);
  // The errors of ROOT's option are drawn by it; those that the look asks for come on top.
  const paint = (now: PlotModel, frame: PlotFrame, log: boolean): Shape[] => {
    const isAsked =
      now.errors !== undefined && (model.errors === undefined || (model.hidesErrors && !now.hidesErrors));
    return binsShapes(groundOf(frame, log), looks, isAsked ? `${option} HIST E` : option, now);
  };
  const ink = looks.fLineColor === OWN_LINE ? lineInk(0) : themedLine(looks.fLineColor);
  return { ...model, ink, paint };
}

/** Returns bars that lie along x (HBAR): the contents are along x, and the bins along y. */
function lyingBars(model: PlotModel, looks: Members, option: string): GraphModel {
  const { edges, values, xTitle, yTitle, xLabels, errors, xRange, title, name, stats, functions } = model;
  const count = values.length;
  const names = xLabels !== undefined && xLabels.length === count;
  const [low, high] = xRange ?? [edges[0] ?? 0, edges.at(-1) ?? 1];
  // Named bins are rows at whole numbers.
  const rows = Float64Array.from({ length: count + 1 }, (_, i) => i - 0.5);
  const along = names ? { ...model, edges: rows } : model;
  const contents = valueRange(model, false);
  const none = new Float64Array(count);
  return {
    ...{ kind: 'graph', title, name, stats, functions, xTitle: yTitle, yTitle: xTitle },
    ...{ x: none, y: Float64Array.from(values, (_, i) => middleOf(along.edges, i)), joined: false },
    errors: { left: none, right: values, down: none, up: none },
    yTime: model.xTime,
    xRange: contents,
    limits: names ? { low: -0.5, high: count - 0.5 } : { low, high },
    ...(names && { rows: xLabels.map((name, i) => name || String(i + 1)) }),
    ink: looks.fFillColor === OWN_LINE ? lineInk(0) : themedLine(looks.fFillColor),
    shapes: (_, __, frame) => binsShapes(groundOf(frame, frame.y.spec.log), looks, option, along),
    note: (i) => {
      const ends: Range = [edges[i] ?? 0, edges[i + 1] ?? 0];
      const content = values[i] ?? Number.NaN;
      const error = errors?.[i];
      return [
        readableLatex(xLabels?.[i] ?? '') || `[${statNumber(ends[0])}, ${statNumber(ends[1])})`,
        error === undefined ? statNumber(content) : contentWithError(content, error),
      ].join('\n');
    },
  };
}
