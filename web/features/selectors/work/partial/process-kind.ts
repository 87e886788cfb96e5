import type { RulesOfRoot } from '../../../../api/api';
import type { Sample } from '../../../../api/selector';
import { ROOT_VERSION } from '../../../../base/options';
import { TEXT, TEXT_BY_NAME } from '../../../../base/shape';
import {
  countFrom,
  countsFrom,
  type Json,
  listOf,
  membersOf,
  recordOf,
  sumFrom,
  sumJson,
  type Wrong,
} from '../../../../measure/json';
import type { Kind } from '../../../../measure/partial-kind';
import { sampleFrom } from '../../../../measure/sample';
import type { OptionalCounts } from '../branches';
import { stateFrom, stateJson } from '../gathered';
import { addProcess, emptyProcess, type ProcessSum, readProcess, sidesOf } from './process-sum';
import type { SampleSum } from './samples';

/** A file that a selector imports or reads, without its folder, or a package of node_modules. */
export interface CodeFile {
  name: string;
  /** The SHA-256 of its content. */
  hash: string;
}

/** Results of equal selectors with equal settings can be added. */
export interface ProcessQuery {
  /** Name of the module's file, and the SHA-256 of its text. */
  name: string;
  hash: string;
  /** Other files that it imports and reads, sorted. Left out if there are none, and in results of earlier versions. */
  files?: CodeFile[];
  set: Record<string, string>;
  samples?: Sample[];
  rootVersion: RulesOfRoot;
}

const CODE = { name: TEXT, hash: TEXT };

declare module '../../../chains/work/partial' {
  interface Kinds {
    process: [ProcessQuery, ProcessSum];
  }
}

/** Results of selectors. */
export const processKind: Kind<ProcessQuery, ProcessSum> = {
  member: 'made',
  words: 'selector and settings',
  title: ({ name }) => name,
  empty: emptyProcess,
  add: addProcess,
  read: readProcess,
  sides: sidesOf,
  json: ({ samples: all = [] }, { entries, passed, optional, state, samples }) => ({
    entries,
    passed,
    ...(optional && { optional }),
    state: stateJson(state),
    ...(all.length > 0 && {
      samples: Object.fromEntries(
        all.flatMap(({ name }) => {
          const one = samples.get(name);
          if (!one) return [];
          const { entries: count, passed: some, weights } = one;
          const counted = { entries: count, passed: some, ...(one.optional && { optional: one.optional }) };
          const members = { ...counted, weights: sumJson(weights) };
          return [[name, { ...members, state: stateJson(one.state) }]];
        }),
      ),
    }),
  }),
  queryFrom({ files, set = {}, samples, ...json }) {
    const code = files === undefined ? [] : listOf(files, (file) => membersOf(file, CODE));
    const list = samples === undefined ? [] : listOf(samples, sampleOf);
    const known = membersOf(json, { ...CODE, rootVersion: ROOT_VERSION });
    if (!code || !list || !known || !TEXT_BY_NAME.is(set)) return undefined;
    const { name, hash, rootVersion } = known;
    // Queries are compared by their text, so the order of the members matters.
    return {
      ...{ name, hash, ...(files !== undefined && { files: code }) },
      ...{ set: { ...set }, ...(samples !== undefined && { samples: list }), rootVersion },
    };
  },
  sumFrom({ samples: all = [] }, json, wrong) {
    const given = recordOf(json.samples) ?? {};
    const samples = all.flatMap(({ name }): [string, SampleSum][] => {
      const one = Object.hasOwn(given, name) ? recordOf(given[name]) : undefined;
      if (!one) return [];
      return [[name, { ...countedFrom(one, wrong), weights: sumFrom(one.weights, wrong) }]];
    });
    return { ...countedFrom(json, wrong), samples: new Map(samples) };
  },
  difference: codeDifference,
};

function sampleOf(json: Json): Sample | undefined {
  const sample = sampleFrom(json);
  return typeof sample === 'string' ? undefined : sample;
}

/** Returns a sentence that says how the code of two selectors of one name differs. */
function codeDifference(one: ProcessQuery, other: ProcessQuery): string | undefined {
  if (one.name !== other.name) return undefined;
  if (one.hash !== other.hash) return `The text of ${one.name} is not the same in both.`;
  const [a, b] = [one, other].map(({ files = [] }) => new Set(files.map((file) => JSON.stringify(file))));
  if (!a || !b) return undefined;
  const odd = [...[...a].filter((file) => !b.has(file)), ...[...b].filter((file) => !a.has(file))];
  const names = [...new Set(odd.map((file) => (JSON.parse(file) as CodeFile).name))].sort();
  const [first] = names;
  if (first === undefined) return undefined;
  const shown = names.slice(0, 5).join(', ');
  if (a.size === 0 || b.size === 0)
    return `${one.name} imports or reads ${shown}, and one of the results does not name ${names.length > 1 ? 'them' : 'it'}.`;
  const are = names.length > 1 ? 'are' : 'is';
  return `${shown}, which ${one.name} imports or reads, ${are} not the same in both.`;
}

function countedFrom(json: Json, wrong: Wrong): Omit<ProcessSum, 'samples'> {
  const optional = json.optional === undefined ? undefined : optionalFrom(json.optional, wrong);
  return {
    ...countsFrom(json, ['entries', 'passed'], wrong),
    ...(optional && { optional }),
    state: stateFrom(json.state, wrong),
  };
}

function optionalFrom(value: unknown, wrong: Wrong): OptionalCounts {
  const given = recordOf(value) ?? wrong('its optional branches are missing');
  return Object.fromEntries(
    Object.entries(given).map(([name, pair]) => {
      const [there, missing, ...more] = Array.isArray(pair) ? (pair as unknown[]) : [];
      if (more.length > 0) wrong('the counts of an optional branch are more than two');
      return [name, [countFrom(there, wrong), countFrom(missing, wrong)]];
    }),
  );
}
