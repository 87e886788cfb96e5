import type { PlainObject } from '../file/api';
import { label, number, numbers, record } from './members';
import { type GraphModel, type StatLine, statNumber } from './model';

/** Whether objects of this class are points with or without errors. */
export function isGraphClass(className: string): boolean {
  return /^(TGraph(Errors|AsymmErrors|BentErrors)?|TCutG)$/.test(className);
}

/**
 * The drawable form of a stored TGraph and its kin; the titles of its axes are those of the
 * histogram that ROOT keeps for its frame. Undefined when its members do not fit together.
 */
export function graph(object: PlainObject): GraphModel | undefined {
  const x = numbers(object.fX);
  const y = numbers(object.fY);
  if (x === undefined || y === undefined || x.length !== y.length) return undefined;
  const errors = {
    left: numbers(object.fEXlow ?? object.fEX),
    right: numbers(object.fEXhigh ?? object.fEX),
    down: numbers(object.fEYlow ?? object.fEY),
    up: numbers(object.fEYhigh ?? object.fEY),
  };
  const { left, right, down, up } = errors;
  const complete = left !== undefined && right !== undefined && down !== undefined && up !== undefined;
  const frame = record(object.fHistogram);
  return {
    kind: 'graph',
    title: label(object.fTitle) || label(object.fName),
    xTitle: label(record(frame?.fXaxis)?.fTitle),
    yTitle: label(record(frame?.fYaxis)?.fTitle),
    x,
    y,
    errors: complete ? { left, right, down, up } : undefined,
    stats: graphStats(object, x, y),
  };
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
