import type { ErrorRecord } from '../base/errors';
import { toXylemError } from '../base/errors';
import type { Core } from '../core/core';
import { Decoder, type Schema } from '../core/decoder';
import { SUMMARY_DOUBLES } from '../core/summary';
import { type Survey, Surveyor } from '../core/survey';
import type { DirectFile } from '../io/source';

/**
 * What a task gives back of each of its parts: columns, a summary, filled bins, or of each piece how
 * many entries were decoded (`whole`: all that the basket has, however many were expected).
 */
export type TaskGoal =
  | { kind: 'columns' }
  | { kind: 'summary' }
  /** A summary, distinct values and checksums. */
  | { kind: 'survey' }
  | { kind: 'verify'; whole: boolean }
  | { kind: 'fill'; bins: number; low: number; high: number };

/** Bytes of a file that a worker reads itself. */
export interface DirectInput {
  file: unknown;
  /** Bytes of all pieces together. */
  size: number;
  /** Offset in the file, length, and where it goes among the pieces' bytes: three of each read. */
  reads: Float64Array;
  /** What does not lie in the file: where it goes, and its bytes. */
  heads: [at: number, bytes: Uint8Array][];
}

/**
 * A piece of work for one core: pieces (baskets, or parts of clusters) of any branches, all of one
 * branch in a row. Plain data, and few objects: there may be thousands of pieces.
 */
export interface DecodeTask {
  goal: TaskGoal;
  /** Bytes of the pieces, or where to read them. */
  input: Uint8Array | DirectInput;
  /** Plans of the parts, one behind the other. */
  plans: Uint8Array;
  /** Bytes of the plan, and number of pieces: two of each part. */
  parts: Int32Array;
  /** Start in the input, bytes, first entry and the one behind the last (-1: all): four of each piece. */
  pieces: Float64Array;
  /** Of a `survey`: the shape of each part's columns. */
  schemas?: Schema[] | undefined;
  /** Of pieces of which not all of `from` to `to` is wanted: pairs from, to, ascending. */
  spans?: (Float64Array | undefined)[] | undefined;
  /** Of pieces of arrays that another branch counts: its numbers from the piece's first entry on. */
  counts?: (Int32Array | undefined)[] | undefined;
}

export interface DecodeResult {
  /** Entries of each part. */
  rows: Float64Array;
  /** Buffers of the columns of each part (`buildColumn`). */
  buffers?: ArrayBuffer[][];
  /** `SUMMARY_DOUBLES` of each part; when filling, also of the values within the range. */
  summaries?: Float64Array;
  inside?: Float64Array;
  /** Of a `survey`: of each part. */
  surveys?: Survey[];
  /** bins + 3 of each part: underflow, bins, overflow, NaN. */
  bins?: Float64Array;
  /** Of a `verify`: entries of each piece. */
  pieceRows?: Float64Array;
  /** Pieces that failed, by their index in the task; the rest is decoded all the same. */
  failures: { piece: number; error: ErrorRecord }[];
  /** Of a direct input: offset, length, start and end of each read, in ms since 1970. */
  reads?: Float64Array;
  /** When decoding began and ended, in ms since 1970. */
  decoded: [began: number, ended: number];
}

/** Does a task. A piece that fails is reported and leaves no rows. Throws what reading throws. */
export function runDecodeTask(
  core: Core,
  task: DecodeTask,
  aborted: () => boolean,
  files?: DirectFiles,
): DecodeResult {
  const result: DecodeResult = {
    rows: new Float64Array(task.parts.length / 2),
    failures: [],
    decoded: [0, 0],
  };
  const inputBytes = task.input instanceof Uint8Array ? task.input.length : task.input.size;
  const input = core.room(inputBytes + task.plans.length);
  core.view(input + inputBytes, task.plans.length).set(task.plans);
  if (task.input instanceof Uint8Array) core.view(input, inputBytes).set(task.input);
  else result.reads = readDirect(core, input, task.input, files);
  const began = clock();
  reduce(core, task, input, input + inputBytes, aborted, result);
  result.decoded = [began, clock()];
  return result;
}

/** ms since 1970, the same in all threads. */
function clock(): number {
  return performance.timeOrigin + performance.now();
}

/** Runs all parts; sums and bins of each lie in the core's memory until the end. */
function reduce(
  core: Core,
  task: DecodeTask,
  input: number,
  plans: number,
  aborted: () => boolean,
  result: DecodeResult,
): void {
  const { goal } = task;
  const parts = result.rows.length;
  const bins = goal.kind === 'fill' ? goal.bins + 3 : 0;
  const kept = { columns: 0, verify: 0, survey: 0, summary: 1, fill: 2 }[goal.kind];
  const doubles = SUMMARY_DOUBLES * kept + bins;
  if (goal.kind === 'columns') result.buffers = [];
  if (goal.kind === 'verify') result.pieceRows = new Float64Array(task.pieces.length / 4);
  core.withZeroes(parts * doubles, (memory) => {
    const inside = memory + 8 * SUMMARY_DOUBLES * parts;
    const counts = inside + 8 * SUMMARY_DOUBLES * parts;
    let plan = plans;
    let piece = 0;
    for (let part = 0; part < parts; part++) {
      const planBytes = task.parts[2 * part] ?? 0;
      const end = piece + (task.parts[2 * part + 1] ?? 0);
      const decoder = new Decoder(core, plan, planBytes);
      plan += planBytes;
      const summary = 8 * SUMMARY_DOUBLES * part;
      const surveyor = goal.kind === 'survey' ? new Surveyor(core, task.schemas?.[part]) : undefined;
      try {
        for (; piece < end; piece++) {
          if (aborted()) return;
          if (!decodePiece(decoder, task, piece, input, result)) continue;
          if (goal.kind === 'columns') continue;
          result.rows[part] = (result.rows[part] ?? 0) + decoder.rows;
          if (result.pieceRows) result.pieceRows[piece] = decoder.rows;
          if (goal.kind === 'summary') decoder.summarize(memory + summary);
          else if (surveyor) surveyor.add(decoder);
          else if (goal.kind === 'fill')
            decoder.fill(goal, counts + 8 * bins * part, inside + summary, memory + summary);
          decoder.clear();
        }
        if (goal.kind === 'columns') {
          result.rows[part] = decoder.rows;
          result.buffers?.push(decoder.buffers());
        }
        if (surveyor) {
          result.surveys ??= [];
          result.surveys.push(surveyor.take());
        }
      } finally {
        surveyor?.close();
        decoder.close();
      }
    }
    if (kept > 0) result.summaries = core.doubles(memory, SUMMARY_DOUBLES * parts);
    if (kept > 1) {
      result.inside = core.doubles(inside, SUMMARY_DOUBLES * parts);
      result.bins = core.doubles(counts, bins * parts);
    }
  });
}

function decodePiece(
  decoder: Decoder,
  task: DecodeTask,
  piece: number,
  input: number,
  result: DecodeResult,
): boolean {
  const { pieces } = task;
  const at = 4 * piece;
  try {
    const basket = input + (pieces[at] ?? 0);
    const bytes = pieces[at + 1] ?? 0;
    const to = task.goal.kind === 'verify' && task.goal.whole ? -1 : (pieces[at + 3] ?? 0);
    const spans = task.spans?.[piece];
    const counts = task.counts?.[piece];
    if (spans) decoder.decodeSpans(basket, bytes, spans, counts);
    else decoder.decode(basket, bytes, pieces[at + 2] ?? 0, to, counts);
    return true;
  } catch (thrown) {
    result.failures.push({ piece, error: toXylemError(thrown).toRecord() });
    return false;
  }
}

/** Opens what `ByteSource.direct` names, where the task is done. */
export type DirectFiles = (file: unknown) => DirectFile;

function readDirect(core: Core, input: number, from: DirectInput, files?: DirectFiles): Float64Array {
  if (!files) throw new Error('This runner reads no files.');
  const file = files(from.file);
  const { reads } = from;
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

/** Adds `more` to `sum` in place. */
export function addCounts(sum: Float64Array, more: Float64Array): Float64Array {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (more[i] ?? 0);
  return sum;
}
