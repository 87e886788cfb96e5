import type { GoodRuns } from '../../../api/corrections';
import { argumentError } from '../../../base/errors';
import { firstAtLeast } from '../../../base/search';
import { parseJson } from './parse-json';
import { At } from './place';

/** Ranges of luminosity blocks: pairs of first and last, both included, which ascend and neither touch nor overlap. */
type Ranges = readonly (readonly [number, number])[];

/** The largest number of a run or block: whole numbers up to it are exact. */
const MAX = 2 ** 53 - 1;

/**
 * Returns a list of good runs of a text: JSON of CMS ({"run": [[first, last], …]}) or XML of ATLAS (LumiRangeCollection). Throws
 * ARGUMENT with the place of a mistake.
 */
export function goodRunsOf(text: string, name: string): GoodRuns {
  const shown = `The list of good runs "${name}"`;
  const isXml = text.slice(0, 1000).replace('\uFEFF', '').trimStart().startsWith('<');
  const ranges = new Map<number, [number, number][]>();
  const add = (run: number, first: number, last: number): void => {
    const known = ranges.get(run);
    if (known) known.push([first, last]);
    else ranges.set(run, [[first, last]]);
  };
  if (isXml) readXml(text, shown, add);
  else readJson(text, shown, add);
  return listOf(new Map([...ranges].map(([run, blocks]) => [run, joined(blocks)])));
}

type Add = (run: number, first: number, last: number) => void;

function readJson(text: string, name: string, add: Add): void {
  const at = new At(parseJson(text, name), name);
  for (const key of Object.keys(at.object())) {
    const blocks = at.member(key);
    if (!/^\d{1,15}$/.test(key)) throw blocks.wrong('is not the number of a run');
    for (const range of blocks.items()) {
      if (range.list().length !== 2) throw range.is('a list of a first and a last block');
      const [first, last] = [range.item(0), range.item(1)];
      if (first.whole() < 0) throw first.wrong('is negative');
      if (last.whole() < first.whole())
        throw range.wrong(`ends before it begins, [${first.value}, ${last.value}]`);
      add(Number(key), first.whole(), last.whole());
    }
  }
}

/**
 * Reads the lists of ATLAS: LumiBlockCollection elements with a Run and LBRange elements with the attributes Start and End. Without
 * an End, a range goes to the end of the run.
 */
function readXml(text: string, name: string, add: Add): void {
  let collections = 0;
  let run: number | undefined;
  const wrong = (why: string) => argumentError(`${name} is not valid: ${why}.`);
  for (const { tag, attributes, after } of tagsOf(text)) {
    if (tag === 'LumiBlockCollection') {
      collections += 1;
      run = undefined;
    } else if (tag === 'Run') {
      const number = after.trim();
      if (!/^\d{1,15}$/.test(number)) throw wrong(`"${number.slice(0, 60)}" is not the number of a run`);
      run = Number(number);
    } else if (tag === 'LBRange') {
      if (run === undefined) throw wrong(`the collection ${collections} has ranges before its Run`);
      const first = attribute(attributes, START);
      const last = attribute(attributes, END) ?? MAX;
      if (first === undefined || last < first)
        throw wrong(`run ${run} has <LBRange${attributes.slice(0, 60)}>`);
      add(run, first, last);
    }
  }
  if (collections === 0) {
    throw argumentError(
      `${name} is XML without a LumiBlockCollection.`,
      'Lists of good runs are JSON as CMS has it, or XML of ATLAS with LumiRangeCollection.',
    );
  }
}

/** Returns the opening tags of XML without comments, each with the text up to the next tag. */
function* tagsOf(text: string): Generator<{ tag: string; attributes: string; after: string }> {
  for (let at = text.indexOf('<'); at >= 0; ) {
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at);
      if (end < 0) return;
      at = text.indexOf('<', end);
      continue;
    }
    const end = text.indexOf('>', at);
    if (end < 0) return;
    const next = text.indexOf('<', end);
    const inner = text.slice(at + 1, end);
    const tag = /^[\w:.-]*/.exec(inner)?.[0] ?? '';
    const after = text.slice(end + 1, next < 0 ? text.length : next);
    if (tag !== '') yield { tag, attributes: inner.slice(tag.length), after };
    at = next;
  }
}

/** Attributes of LBRange. */
const START = /\sStart=["'](\d{1,15})["']/i;
const END = /\sEnd=["'](\d{1,15})["']/i;

function attribute(attributes: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(attributes)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Sorts ranges, and joins those that touch or overlap. */
function joined(blocks: readonly (readonly [number, number])[]): Ranges {
  const sorted = blocks.toSorted(([a], [b]) => a - b);
  const made: [number, number][] = [];
  for (const [first, last] of sorted) {
    const before = made.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else made.push([first, last]);
  }
  return made;
}

const own = new WeakMap<GoodRuns, ReadonlyMap<number, Ranges>>();

function rangesOf(list: GoodRuns): ReadonlyMap<number, Ranges> {
  const known = own.get(list);
  if (!known) throw argumentError('This is not a list of good runs.', 'Give the result of goodRuns(file).');
  return known;
}

function listOf(given: ReadonlyMap<number, Ranges>): GoodRuns {
  const sorted = new Map([...given].filter(([, ranges]) => ranges.length > 0).sort(([a], [b]) => a - b));
  /** The last blocks of the ranges of each run, and the first ones. */
  const ends = new Map(
    [...sorted].map(([run, ranges]) => [
      run,
      {
        last: Float64Array.from(ranges, ([, last]) => last),
        first: Float64Array.from(ranges, ([first]) => first),
      },
    ]),
  );
  let [lastRun, found] = [Number.NaN, undefined as { first: Float64Array; last: Float64Array } | undefined];
  const list: GoodRuns = {
    runs: [...sorted].map(([run, blocks]) => ({ run, blocks })),
    blocks: [...sorted.values()].flat().reduce((sum, [first, last]) => sum + last - first + 1, 0),
    good(run, block) {
      const number = wholeOf(run, 'run');
      const luminosityBlock = wholeOf(block, 'luminosity block');
      // Events of one run follow each other.
      if (number !== lastRun) [lastRun, found] = [number, ends.get(number)];
      if (!found) return false;
      const at = firstAtLeast(found.last, luminosityBlock);
      return at < found.last.length && (found.first[at] as number) <= luminosityBlock;
    },
    and: (other) => combined(sorted, rangesOf(other), (a, b) => a && b),
    or: (other) => combined(sorted, rangesOf(other), (a, b) => a || b),
    without: (other) => combined(sorted, rangesOf(other), (a, b) => a && !b),
    json: () => `{${[...sorted].map(([run, ranges]) => `"${run}": ${JSON.stringify(ranges)}`).join(', ')}}`,
  };
  own.set(list, sorted);
  return Object.freeze(list);
}

function wholeOf(value: unknown, what: string): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (Number.isSafeInteger(number)) return number as number;
  throw argumentError(
    `The number of the ${what} is ${String(value).slice(0, 60)}; a whole number was expected.`,
    value === undefined ? 'A misspelt name is undefined.' : undefined,
  );
}

/** Returns the blocks for which the rule holds, of those that are in one of two lists. */
function combined(
  one: ReadonlyMap<number, Ranges>,
  other: ReadonlyMap<number, Ranges>,
  rule: (isInOne: boolean, isInOther: boolean) => boolean,
): GoodRuns {
  const made = new Map<number, Ranges>();
  for (const run of new Set([...one.keys(), ...other.keys()])) {
    const [a, b] = [one.get(run) ?? [], other.get(run) ?? []];
    /** The blocks at which one of the lists begins or ends. */
    const marks = [...a, ...b].flatMap(([first, last]) => [first, last + 1]);
    const sorted = [...new Set(marks)].sort((x, y) => x - y);
    const found: [number, number][] = [];
    let [i, j] = [0, 0];
    for (let n = 0; n + 1 < sorted.length; n++) {
      const from = sorted[n] as number;
      while (i < a.length && (a[i]?.[1] as number) < from) i += 1;
      while (j < b.length && (b[j]?.[1] as number) < from) j += 1;
      if (rule((a[i]?.[0] ?? MAX) <= from, (b[j]?.[0] ?? MAX) <= from))
        found.push([from, (sorted[n + 1] as number) - 1]);
    }
    made.set(run, joined(found));
  }
  return listOf(made);
}
