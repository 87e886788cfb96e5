import type { DrawRequest, RulesOfRoot } from '../../../api/api';
import { XylemError } from '../../../base/errors';
import { ROOT_VERSION } from '../../../base/options';
import { NUMBER, TEXT } from '../../../base/shape';
import type { HistogramShape } from '../../../bins/filled-histogram';
import { addHistogram, emptySum, type HistogramSum, sumsCount } from '../../../bins/histogram-sum';
import { givenShape } from '../../../measure/histogram-shape';
import {
  countFrom,
  fillsFrom,
  listOf,
  membersOf,
  numberOrText,
  sumsFrom,
  sumsJson,
} from '../../../measure/json';
import { entriesOf, type Kind, refuseUnreadable } from '../../../measure/partial-kind';

/** The question that each file answers. Equal queries have equal texts. */
export interface DrawQuery {
  expr: string;
  cut: string;
  option: string;
  rootVersion: RulesOfRoot;
  /** Bins and ends of each axis, x first. */
  axes: { bins: number; low: number; high: number }[];
}

/** Returns the query of a request. Throws what `givenShape` throws. */
export function queryOf(request: DrawRequest): DrawQuery {
  const { axes } = givenShape(request);
  return {
    // The ranges after ">>" are in the axes.
    expr: request.expr ?? '',
    cut: request.cut?.trim() ?? '',
    option: request.option?.trim() ?? '',
    rootVersion: request.rootVersion ?? '6.42',
    axes: axes.map(({ bins, low, high }) => ({ bins, low, high })),
  };
}

/** Returns the request of a query for one file. */
export function requestOf(
  query: DrawQuery,
  tree: string,
  entries: [number, number] | undefined,
): DrawRequest {
  const { expr, cut, option, rootVersion } = query;
  return { tree, expr, cut, option, rootVersion, entries, axes: axesOf(query), exact: true };
}

export function shapeOfQuery(query: DrawQuery): HistogramShape {
  const { expr, cut, option } = query;
  return givenShape({ tree: '', expr, cut, option, axes: axesOf(query) });
}

function axesOf({ axes }: DrawQuery): DrawRequest['axes'] {
  return axes.map(({ bins, low, high }) => ({ bins, range: [low, high] }));
}

export const drawKind: Kind<DrawQuery, HistogramSum> = {
  member: 'histogram',
  words: 'expression, cut, axes and option',
  title: (query) => shapeOfQuery(query).title,
  empty: (query) => emptySum(shapeOfQuery(query)),
  add: addHistogram,
  async read(query, input, options) {
    const read = await entriesOf(input, options);
    const { reader, info, tree, entries } = input;
    const result = await reader.draw(info.id, requestOf(query, tree, entries), options);
    if (result.kind !== 'histogram' || !result.exact)
      throw new XylemError({ code: 'INTERNAL', message: 'No exact sums.' });
    refuseUnreadable(result.partial);
    return { sum: { ...result, exact: result.exact }, read };
  },
  json(_, { fills, nan, entries, min, max, integer, exact }) {
    return {
      fills,
      nan,
      entries,
      min: min.map(numberOrText),
      max: max.map(numberOrText),
      integer,
      sums: sumsJson(exact),
    };
  },
  queryFrom(json) {
    const texts = membersOf(json, { expr: TEXT, cut: TEXT, option: TEXT, rootVersion: ROOT_VERSION });
    const axes = listOf(json.axes, (axis) => membersOf(axis, { bins: NUMBER, low: NUMBER, high: NUMBER }));
    // Validates the query like one from a command line, and sorts its members.
    return texts && axes && queryOf(requestOf({ ...texts, axes }, '', undefined));
  },
  sumFrom(query, json, wrong) {
    const shape = shapeOfQuery(query);
    const { integer } = json;
    return {
      ...fillsFrom(json, shape.dims, wrong),
      entries: countFrom(json.entries, wrong),
      integer:
        Array.isArray(integer) && integer.length === shape.dims
          ? integer.map(Boolean)
          : wrong('"integer" is missing'),
      exact: sumsFrom(json.sums, sumsCount(shape), wrong),
    };
  },
};
