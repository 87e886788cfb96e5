import type { Sample } from '../../../api/selector';
import { ROOT_VERSION } from '../../../base/options';
import { listOf as listShape, TEXT } from '../../../base/shape';
import { type HistogramSum, sumsCount } from '../../../bins/histogram-sum';
import {
  countFrom,
  fillsFrom,
  type Json,
  listOf,
  membersOf,
  numberOrText,
  recordOf,
  sumFrom,
  sumJson,
  sumsFrom,
  sumsJson,
  type Wrong,
} from '../../../measure/json';
import type { Kind } from '../../../measure/partial-kind';
import { sampleFrom } from '../../../measure/sample';
import {
  addMasks,
  type CutflowQuery,
  type CutflowSum,
  checkCuts,
  MAX_CUTS,
  type MaskSum,
  readMasks,
  shapeOf,
} from './masks';

declare module '../../chains/work/partial' {
  interface Kinds {
    cutflow: [CutflowQuery, CutflowSum];
  }
}

/** Cutflows of many files. */
export const cutflowKind: Kind<CutflowQuery, CutflowSum> = {
  member: 'cutflow',
  words: 'cuts, weight and samples',
  title: ({ cuts }) => cuts.join(', '),
  empty: () => new Map(),
  add: addMasks,
  read: readMasks,
  json: (_, sum) =>
    Object.fromEntries(
      [...sum].map(([name, { counts, weighted, scaledBy }]) => [
        name,
        {
          counts: histogramJson(counts),
          ...(weighted && { weighted: histogramJson(weighted) }),
          scaledBy: sumJson(scaledBy),
        },
      ]),
    ),
  queryFrom({ samples, ...json }) {
    const list = samples === undefined ? [] : listOf(samples, sampleOf);
    const known = membersOf(json, {
      cuts: listShape(TEXT, MAX_CUTS),
      weight: TEXT,
      rootVersion: ROOT_VERSION,
    });
    if (!list || !known) return undefined;
    checkCuts(known);
    return { ...known, ...(samples !== undefined && { samples: list }) };
  },
  sumFrom(query, json, wrong) {
    const names = query.samples?.map(({ name }) => name) ?? [''];
    return new Map(
      Object.entries(json).map(([name, one]): [string, MaskSum] => {
        if (!names.includes(name)) return wrong('it has a sample that is not in its query');
        const { counts, weighted, scaledBy } = recordOf(one) ?? {};
        return [
          name,
          {
            counts: histogramFrom(query, counts, wrong),
            ...(weighted !== undefined && { weighted: histogramFrom(query, weighted, wrong) }),
            scaledBy: sumFrom(scaledBy, wrong),
          },
        ];
      }),
    );
  },
};

function sampleOf(json: Json): Sample | undefined {
  const sample = sampleFrom(json);
  return typeof sample === 'string' ? undefined : sample;
}

const histogramJson = ({ fills, nan, entries, min, max, exact }: HistogramSum) => ({
  ...{ fills, nan, entries },
  ...{ min: min.map(numberOrText), max: max.map(numberOrText) },
  sums: sumsJson(exact),
});

function histogramFrom(query: CutflowQuery, value: unknown, wrong: Wrong): HistogramSum {
  const json = recordOf(value) ?? wrong('the counts are missing');
  return {
    ...fillsFrom(json, 1, wrong),
    entries: countFrom(json.entries, wrong),
    integer: [true],
    exact: sumsFrom(json.sums, sumsCount(shapeOf(query)), wrong),
  };
}
