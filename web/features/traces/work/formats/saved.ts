import type { PerfNumbers, PerfReport } from '../../../../api/reading';
import type { ReadOrigin } from '../../../../io/trace';
import { type TraceFormat, unreadable } from './format';

/** A report that `xylem perf --save` wrote. */
export const savedFormat: TraceFormat = {
  name: 'a reading that xylem saved',
  sniff: ({ head }) => head.trimStart().startsWith('{') && head.includes('"xylem perf 1"'),
  read(trace) {
    const value = trace.json();
    if (!isReport(value)) throw unreadable(trace, 'it is no report of a reading that xylem saved');
    trace.count(value.reads.length);
    return [value];
  },
};

function isReport(value: unknown): value is PerfReport {
  if (typeof value !== 'object' || value === null) return false;
  const {
    format,
    numbers,
    chosen = [],
    facts = [],
    asked = [],
    reads,
    file,
    tree,
    by,
  } = value as Record<string, unknown>;
  const record = (of: unknown): of is Record<string, unknown> => typeof of === 'object' && of !== null;
  const names: (keyof PerfNumbers)[] = [
    'treeCache',
    'leaves',
    'readTotal',
    'readExtra',
    'readCalls',
    'readahead',
    'diskTime',
    'factor',
  ];
  // A simulated reading has no time of its own.
  const isTime = (time: unknown) => time === undefined || typeof time === 'number';
  const times = ['entry', 'offset', 'length', 'queued', 'started', 'answered', 'done'];
  return (
    format === 'xylem perf 1' &&
    [file, tree, by].every((text) => typeof text === 'string') &&
    Array.isArray(chosen) &&
    chosen.every(isText) &&
    areFacts(facts) &&
    areRanges(asked) &&
    record(numbers) &&
    names.every((name) => typeof numbers[name] === 'number') &&
    isTime(numbers.realTime) &&
    isTime(numbers.cpuTime) &&
    Array.isArray(reads) &&
    reads.every(
      (read) =>
        record(read) &&
        times.every((name) => typeof read[name] === 'number') &&
        ORIGINS.includes(read.origin as ReadOrigin) &&
        typeof read.purpose === 'string' &&
        Array.isArray(read.branches) &&
        read.branches.every(isText) &&
        areRanges(read.ranges ?? []) &&
        (read.failed === undefined || isText(read.failed)) &&
        arePhases(read.phases),
    )
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';

function areRanges(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((one) => Number.isSafeInteger(one?.offset) && Number.isSafeInteger(one.length))
  );
}

function areFacts(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every((one) => Array.isArray(one) && one.length === 2 && one.every(isText))
  );
}

/** Whether a value is the work of decoding by branch, or missing. */
function arePhases(value: unknown): boolean {
  if (value === undefined) return true;
  return (
    Array.isArray(value) &&
    value.every(
      (one) =>
        typeof one === 'object' &&
        one !== null &&
        typeof one.branch === 'string' &&
        [one.decompress, one.decode, one.fill].every(Number.isFinite),
    )
  );
}

const ORIGINS: readonly ReadOrigin[] = ['network', 'disk', 'memory', 'store', 'decode'];
