import type { ErrorRecord } from '../base/errors';
import type { Core } from '../core/core';
import { Decoder, type Schema, type UnitsGoal } from '../core/decoder';
import { type DistinctSketch, SketchBuilder } from '../core/distinct-sketch';
import { type PackedBuffers, packBuffers } from '../core/packed-buffers';
import { SUMMARY_DOUBLES } from '../core/summary';
import type { DirectFile } from '../io/source';

/**
 * The result of each part of a task: columns, a summary, filled bins, or for each unit the number of decoded
 * entries (`whole`: all entries of the basket, however many were expected).
 */
export type TaskGoal =
  | { kind: 'columns' }
  | { kind: 'summary' }
  /** A summary, distinct values and checksums. */
  | { kind: 'sketch' }
  | { kind: 'verify'; whole: boolean }
  | { kind: 'fill'; bins: number; low: number; high: number };

/** Bytes of a file that a worker reads itself. */
export interface DirectInput {
  file: unknown;
  /** Bytes of all units together. */
  size: number;
  /** For each read three numbers: offset in the file, length, position in the input. */
  reads: Float64Array;
  /** Bytes that do not lie in the file, with their position in the input. */
  heads: [at: number, bytes: Uint8Array][];
}

/**
 * Work for one core: units (baskets, or parts of clusters) of any branches, those of one branch in a row.
 * Plain data, and few objects, because there may be thousands of units.
 */
export interface DecodeTask {
  goal: TaskGoal;
  /** Bytes of the units, or their places in a file. */
  input: Uint8Array | DirectInput;
  /** Plans of the parts, one after another. */
  plans: Uint8Array;
  /** Two numbers for each part: bytes of the plan, and number of units. */
  parts: Int32Array;
  /**
   * Four numbers for each unit: start in the input, bytes, first entry and the entry after the last (-1: to
   * the end).
   */
  units: Float64Array;
  /** For `sketch`: the shape of each part's columns. */
  schemas?: Schema[] | undefined;
  /** Memory for the columns: to use it again costs less than to allocate it and to free it. */
  spare?: ArrayBuffer | undefined;
  /** Needed when entries are chosen one by one, or other branches hold array lengths: see UnitExtras. */
  more?: UnitExtras | undefined;
}

/** Lists of all units of a task, one after another. */
export interface UnitExtras {
  /**
   * Four numbers for each unit: start and number of its spans, start (-1 for none) and number of its array
   * lengths.
   */
  places: Float64Array;
  /** Pairs from, to, ascending; a unit without spans has all entries. */
  spans: Float64Array;
  /** Array lengths from another branch, from the unit's first entry on. */
  counts: Int32Array;
}

export interface DecodeResult {
  /** Number of entries of each part. */
  rows: Float64Array;
  /** Number of baskets and pages that were decompressed. */
  opened: number;
  /** Buffers of the columns of each part (`buildColumn`). */
  buffers?: PackedBuffers;
  /** `SUMMARY_DOUBLES` numbers for each part; when filling, also of the values within the range. */
  summaries?: Float64Array;
  inside?: Float64Array;
  /** For `sketch`: one for each part. */
  sketches?: DistinctSketch[];
  /** bins + 3 numbers for each part: underflow, bins, overflow, NaN. */
  bins?: Float64Array;
  /**
   * For `verify`: two numbers for each unit: its entries, and its place in the file according to its own
   * key.
   */
  unitRows?: Float64Array;
  /** Units that failed, by their index in the task; the others are decoded nevertheless. */
  failures: { unit: number; error: ErrorRecord }[];
  /** For a direct input, four numbers for each read: offset, length, start and end in ms since 1970. */
  reads?: Float64Array | undefined;
  /** When decoding began and ended, in ms since 1970. */
  decoded: [began: number, ended: number];
}

/** Runs a task. A unit that fails is reported and leaves no rows. Throws the errors of reading. */
export function runDecodeTask(
  core: Core,
  task: DecodeTask,
  aborted: () => boolean,
  files?: DirectFiles,
): DecodeResult {
  const result: DecodeResult = {
    rows: new Float64Array(task.parts.length / 2),
    opened: 0,
    failures: [],
    decoded: [0, 0],
  };
  const inputBytes = inputSize(task.input);
  const { plans, units, more } = task;
  // The first list is aligned to 8 bytes.
  const lists = [units, more?.places, more?.spans, more?.counts, plans];
  const head = core.room(UNITS_BYTES + sizeOf(lists) + inputBytes);
  let at = head + UNITS_BYTES;
  const places = lists.map((list) => {
    if (!list) return 0;
    core.view(at, list.byteLength).set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength));
    at += list.byteLength;
    return at - list.byteLength;
  });
  const input = at;
  const [unitList = 0, extras = 0, spans = 0, counts = 0, planList = 0] = places;
  core.words(head, UNITS_BYTES / 4).set([input, unitList, extras, spans, counts]);
  result.reads = takeInput(core, input, task.input, files);
  const began = clock();
  reduce(core, task, head, planList, aborted, result);
  result.decoded = [began, clock()];
  return result;
}

/** Size of an xy_pieces, rounded up for alignment. */
const UNITS_BYTES = 24;

function sizeOf(lists: readonly (ArrayBufferView | undefined)[]): number {
  return lists.reduce((sum, list) => sum + (list?.byteLength ?? 0), 0);
}

/** ms since 1970, the same in all threads. */
function clock(): number {
  return START + performance.now();
}
/** Kept because reading performance.timeOrigin takes longer than reading the time. */
const START = performance.timeOrigin;

/** Runs all parts; sums, bins and numbers of entries stay in the core's memory until the end. */
function reduce(
  core: Core,
  task: DecodeTask,
  units: number,
  plans: number,
  aborted: () => boolean,
  result: DecodeResult,
): void {
  const { goal } = task;
  const parts = result.rows.length;
  const bins = goal.kind === 'fill' ? goal.bins + 3 : 0;
  const kept = { columns: 0, verify: 0, sketch: 0, summary: 1, fill: 2 }[goal.kind];
  const perUnit = goal.kind === 'verify';
  const numbers = perUnit ? task.units.length / 2 : parts;
  /** Decoders whose columns are taken out together at the end. */
  const full: Decoder[] = [];
  if (goal.kind === 'sketch') result.sketches = [];
  try {
    core.withZeroes(parts * (SUMMARY_DOUBLES * kept + bins) + numbers, (all) => {
      const inside = all + 8 * SUMMARY_DOUBLES * parts;
      const counts = all + 8 * SUMMARY_DOUBLES * kept * parts;
      const rows = counts + 8 * bins * parts;
      let plan = plans;
      let first = 0;
      for (let part = 0; part < parts; part++) {
        if (aborted()) return;
        const planBytes = task.parts[2 * part] ?? 0;
        const end = first + (task.parts[2 * part + 1] ?? 0);
        const decoder = new Decoder(core, plan, planBytes);
        plan += planBytes;
        const summary = 8 * SUMMARY_DOUBLES * part;
        try {
          if (goal.kind === 'sketch') {
            result.rows[part] = sketch(core, decoder, task.schemas?.[part], units, [first, end], result);
            continue;
          }
          decodeAll(decoder, units, [first, end], result, {
            kind: goal.kind,
            rows: perUnit ? rows : rows + 8 * part,
            all: all + summary,
            inside: inside + summary,
            counts: counts + 8 * bins * part,
            axis: goal.kind === 'fill' ? goal : undefined,
          });
          if (goal.kind === 'columns') {
            result.rows[part] = decoder.rows;
            full.push(decoder);
          } else if (perUnit) {
            for (const [i, entries] of core.doubles(rows + 16 * first, 2 * (end - first)).entries())
              if (i % 2 === 0) result.rows[part] = (result.rows[part] ?? 0) + entries;
          }
        } finally {
          // A core that stopped at a fault can tell nothing more.
          if (!core.lost) result.opened += decoder.opened;
          if (full.at(-1) !== decoder) decoder.close();
          first = end;
        }
      }
      if (goal.kind === 'columns') result.buffers = packBuffers(full, task.spare);
      if (perUnit) result.unitRows = core.doubles(rows, numbers);
      else if (kept > 0) result.rows = core.doubles(rows, numbers);
      if (kept > 0) result.summaries = core.doubles(all, SUMMARY_DOUBLES * parts);
      if (kept > 1) {
        result.inside = core.doubles(inside, SUMMARY_DOUBLES * parts);
        result.bins = core.doubles(counts, bins * parts);
      }
    });
  } finally {
    for (const decoder of full) decoder.close();
  }
}

/** Decodes the units of a range; continues after those that fail. */
function decodeAll(
  decoder: Decoder,
  units: number,
  [from, to]: [number, number],
  result: DecodeResult,
  goal: UnitsGoal,
): void {
  for (let next = from; next < to; next++) {
    const { done, error } = decoder.decodeUnits(next, to, goal, units);
    if (error) result.failures.push({ unit: done, error: error.toRecord() });
    next = done;
  }
}

/** Sketches the units of a range; returns the number of their entries. */
function sketch(
  core: Core,
  decoder: Decoder,
  schema: Schema | undefined,
  units: number,
  [from, to]: [number, number],
  result: DecodeResult,
): number {
  const builder = new SketchBuilder(core, schema);
  const goal: UnitsGoal = { kind: 'columns', rows: 0, all: 0, inside: 0, counts: 0 };
  let rows = 0;
  try {
    for (let unit = from; unit < to; unit++) {
      decodeAll(decoder, units, [unit, unit + 1], result, goal);
      rows += decoder.rows;
      builder.add(decoder);
      decoder.clear();
    }
    result.sketches?.push(builder.take());
    return rows;
  } finally {
    builder.close();
  }
}

/** Opens a `ByteSource.direct` in the thread of the task; it reads nothing at or after `end`. */
export type DirectFiles = (file: unknown, end: number) => DirectFile;

export function inputSize(input: Uint8Array | DirectInput): number {
  return input instanceof Uint8Array ? input.length : input.size;
}

/** Puts a task's input into the core's memory; returns the reads that were made: see DecodeResult. */
export function takeInput(
  core: Core,
  at: number,
  input: Uint8Array | DirectInput,
  files: DirectFiles | undefined,
): Float64Array | undefined {
  if (!(input instanceof Uint8Array)) return readDirect(core, at, input, files);
  core.view(at, input.length).set(input);
  return undefined;
}

function readDirect(core: Core, input: number, from: DirectInput, files?: DirectFiles): Float64Array {
  if (!files) throw new Error('This runner reads no files.');
  const { reads } = from;
  let end = 0;
  for (let i = 0; i < reads.length; i += 3) end = Math.max(end, (reads[i] ?? 0) + (reads[i + 1] ?? 0));
  const file = files(from.file, end);
  const done = new Float64Array((reads.length / 3) * 4);
  for (const [at, bytes] of from.heads) core.view(input + at, bytes.length).set(bytes);
  let started = clock();
  for (let i = 0; 3 * i < reads.length; i++) {
    const offset = reads[3 * i] ?? 0;
    const length = reads[3 * i + 1] ?? 0;
    file.readInto(offset, core.view(input + (reads[3 * i + 2] ?? 0), length));
    const now = clock();
    done[4 * i] = offset;
    done[4 * i + 1] = length;
    done[4 * i + 2] = started;
    done[4 * i + 3] = now;
    started = now;
  }
  file.check();
  return done;
}
