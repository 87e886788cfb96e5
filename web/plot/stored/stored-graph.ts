import type { PlainObject, PlainValue } from '../../api/api';
import { type GraphModel, type PointErrors, type Series, type StatLine, statNumber } from '../model';
import { type FunctionSamples, limitsOf, storedFunctions } from './functions';
import { label, number, numbers, record } from './members';
import { axis, timeOf } from './stored-axis';

/**
 * The drawable form of a stored TGraph and its kin; the titles of its axes are those of the
 * histogram that ROOT keeps for its frame. Undefined when its members do not fit together.
 */
export function graph(object: PlainObject, samples: FunctionSamples): GraphModel | undefined {
  const x = numbers(object.fX);
  const y = numbers(object.fY);
  if (x === undefined || y === undefined || x.length !== y.length) return undefined;
  const frame = record(object.fHistogram);
  const xAxis = record(frame?.fXaxis);
  const yAxis = record(frame?.fYaxis);
  // Without a frame, titles of axes are still in that of the graph.
  const [title = '', xTitle = '', yTitle = ''] = frame
    ? [label(object.fTitle)]
    : label(object.fTitle).split(';');
  const { curves, functions } = storedFunctions(object.fFunctions, samples);
  return {
    kind: 'graph',
    title: title || label(object.fName),
    xTitle: frame ? label(xAxis?.fTitle) : xTitle,
    yTitle: frame ? label(yAxis?.fTitle) : yTitle,
    x,
    y,
    ...errorsOf(object),
    joined: isJoined(label(object.fOption), curves.length > 0),
    curves: curves.length > 0 ? curves : undefined,
    functions: functions.length > 0 ? functions : undefined,
    xRange: axis(frame?.fXaxis)?.range,
    xTime: timeOf(xAxis),
    yTime: timeOf(yAxis),
    limits: limitsOf(object),
    stats: graphStats(object, x, y),
  };
}

/** Whether a line joins the points: as the option says, where there is one; not where a function goes through them. */
function isJoined(option: string, fitted: boolean): boolean {
  return option === '' ? !fitted : /[lc]/i.test(option);
}

function errorsOf(object: PlainObject): Pick<Series, 'errors' | 'more'> {
  const left = numbers(object.fEXlow ?? object.fExL ?? object.fEX);
  const right = numbers(object.fEXhigh ?? object.fExH ?? object.fEX);
  const [first, ...more] = bars(object);
  if (left === undefined || right === undefined || first === undefined) return {};
  return { errors: { left, right, ...first }, ...(more.length > 0 && { more }) };
}

/** Error bars in y; a TGraphMultiErrors has several. */
function bars(object: PlainObject): Pick<PointErrors, 'down' | 'up'>[] {
  const list = (value: PlainValue | undefined) => (Array.isArray(value) ? value.map(numbers) : undefined);
  const lows = list(object.fEyL) ?? [numbers(object.fEYlow ?? object.fEY)];
  const highs = list(object.fEyH) ?? [numbers(object.fEYhigh ?? object.fEY)];
  return lows.flatMap((down, i) => {
    const up = highs[i];
    return down !== undefined && up !== undefined ? [{ down, up }] : [];
  });
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
