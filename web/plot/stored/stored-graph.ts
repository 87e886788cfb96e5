import type { PlainObject } from '../../api/api';
import { errorsOf, pointsOf, titlesOf } from '../../bins/stored-graph';
import { type GraphModel, type StatLine, statNumber } from '../model';
import { type FunctionSamples, limitsOf, storedFunctions } from './functions';
import { label, number, numbers, record } from './members';
import { axis, timeOf } from './stored-axis';

/**
 * Returns the plot of a stored TGraph or similar class. The axis titles come from the histogram that ROOT keeps for
 * its frame. Undefined if its members are inconsistent.
 */
export function graph(object: PlainObject, samples: FunctionSamples): GraphModel | undefined {
  const points = pointsOf(object);
  if (points === undefined) return undefined;
  const { x, y } = points;
  const frame = record(object.fHistogram);
  const { title, ...titles } = titlesOf(object);
  const { curves, functions } = storedFunctions(object.fFunctions, samples);
  const [errors, ...more] = errorsOf(object);
  return {
    kind: 'graph',
    title: title || label(object.fName),
    ...titles,
    x,
    y,
    ...(errors && { errors }),
    ...(more.length > 0 && { more }),
    bends: bendsOf(object),
    joined: isJoined(label(object.fOption), curves.length > 0),
    curves: curves.length > 0 ? curves : undefined,
    functions: functions.length > 0 ? functions : undefined,
    xRange: axis(frame?.fXaxis)?.range,
    xTime: timeOf(record(frame?.fXaxis)),
    yTime: timeOf(record(frame?.fYaxis)),
    limits: limitsOf(object),
    stats: graphStats(object, x, y),
  };
}

/** The bends of the errors of a TGraphBentErrors. */
function bendsOf(object: PlainObject): GraphModel['bends'] {
  const [left, right, down, up] = [object.fEXlowd, object.fEXhighd, object.fEYlowd, object.fEYhighd].map(
    numbers,
  );
  return left && right && down && up ? { left, right, down, up } : undefined;
}

/** Whether a line joins the points: as its option says; without an option, unless a function is fitted to them. */
function isJoined(option: string, fitted: boolean): boolean {
  return option === '' ? !fitted : /[lc]/i.test(option);
}

/** Means and standard deviations of the points, as TGraph::GetMean and GetRMS define them. */
function graphStats(object: PlainObject, x: Float64Array, y: Float64Array): StatLine[] {
  const lines: StatLine[] = [{ label: 'Points', value: statNumber(number(object.fNpoints)) }];
  for (const [name, points] of [
    ['x', x],
    ['y', y],
  ] as const) {
    const mean = points.reduce((sum, value) => sum + value, 0) / points.length;
    const spread = points.reduce((sum, value) => sum + (value - mean) ** 2, 0) / points.length;
    lines.push(
      { label: `Mean ${name}`, value: statNumber(mean) },
      { label: `Std dev ${name}`, value: statNumber(Math.sqrt(spread)) },
    );
  }
  return lines;
}
