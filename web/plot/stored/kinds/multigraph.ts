import type { PlainObject } from '../../../api/api';
import type { GraphModel, Series, StatLine } from '../../model';
import { statNumber } from '../../model';
import { type FunctionSamples, limitsOf, storedFunctions } from '../functions';
import { label, number, record } from '../members';
import { themedLine } from '../root-colours';
import { axis, timeOf } from '../stored-axis';
import { graph } from '../stored-graph';

/** More graphs are not drawn. */
const MAX_GRAPHS = 500;

/** Returns the graphs of a TMultiGraph in one pair of axes, each drawn by its own option, in its own colour if it has one. */
export function multigraphModel(object: PlainObject, samples: FunctionSamples): GraphModel | undefined {
  const list = record(object.fGraphs);
  const items = Array.isArray(list?.arr) ? list.arr.slice(0, MAX_GRAPHS) : [];
  const options = Array.isArray(list?.opt) ? list.opt : [];
  const graphs: { series: Series; model: GraphModel }[] = [];
  for (const [i, item] of items.entries()) {
    const one = record(item) as PlainObject | undefined;
    const model = one && graph(one, samples);
    if (one === undefined || model === undefined) return undefined;
    graphs.push({ model, series: { ...seriesOf(model, one, label(options[i]), i) } });
  }
  const [first, ...others] = graphs;
  if (first === undefined) return undefined;
  const frame = record(object.fHistogram);
  const [title = '', xTitle, yTitle] = label(object.fTitle).split(';');
  const own = storedFunctions(object.fFunctions, samples);
  const curves = [...own.curves, ...graphs.flatMap(({ model }) => model.curves ?? [])];
  const functions = [...own.functions, ...graphs.flatMap(({ model }) => model.functions ?? [])];
  return {
    kind: 'graph',
    ...first.series,
    title: title || label(object.fName),
    label: first.series.title,
    xTitle: xTitle ?? label(record(frame?.fXaxis)?.fTitle),
    yTitle: yTitle ?? label(record(frame?.fYaxis)?.fTitle),
    overlays: others.map(({ series }) => series),
    ...(curves.length > 0 && { curves }),
    ...(functions.length > 0 && {
      functions: functions.toSorted((a, b) => Number(!!a.why) - Number(!!b.why)),
    }),
    xRange: axis(frame?.fXaxis)?.range,
    xTime: timeOf(record(frame?.fXaxis)),
    yTime: timeOf(record(frame?.fYaxis)),
    limits: limitsOf(object),
    stats: [
      { label: 'Graphs', value: statNumber(graphs.length) },
      ...graphs.map(({ series }): StatLine => ({ label: series.title, value: `${series.x.length} points` })),
    ],
  };
}

function seriesOf(model: GraphModel, object: PlainObject, option: string, i: number): Series {
  const { x, y, errors, more, shapes } = model;
  const index = number(
    option.includes('l') || number(object.fMarkerColor) === 1 ? object.fLineColor : object.fMarkerColor,
  );
  const hasPoints = option === '' || /[p*]/i.test(option);
  return {
    title: model.title || `graph ${i + 1}`,
    ...{ x, y, errors, more, shapes },
    joined: option === '' ? model.joined : /[lc]/i.test(option),
    dots: hasPoints || errors !== undefined,
    // The colour that all graphs have when nobody chose one would not tell them apart.
    ...(index > 1 && { ink: themedLine(index) }),
  };
}
