import type { Schema } from '../core/decoder';
import type { WantedPiece } from './data-model';
import type { DecodeTask, TaskGoal } from './decode-task';
import { countsFrom } from './entry-counts';
import type { BranchScan } from './scan';

/** A piece of a scan, by its place in the scan's list. */
export interface PieceRef {
  scan: number;
  index: number;
  piece: WantedPiece;
  /** Where it begins in the file, and its bytes there. */
  place: number;
  bytes: number;
}

/** Pieces that are decoded as one task, by scan and then in entry order. */
export interface TaskDraft {
  refs: PieceRef[];
  /** How many of them, one after another, make a part: pieces of one scan, in entry order without gap. */
  parts: number[];
  bytes: number;
}

/** A task is enough work to be worth a message, and there are enough of them for all workers. */
const LEAST_BYTES = 128 * 1024;
const MOST_BYTES = 1024 * 1024;
const MOST_PIECES = 2048;
const TASKS_PER_LANE = 6;
/** Reading over a gap costs less than another read. */
const GAP_BYTES = 4096;

/** Cuts pieces into tasks by their place in the file, so that a task's bytes lie close together. */
export function cutIntoTasks(refs: PieceRef[], lanes: number): TaskDraft[] {
  let total = 0;
  for (const { bytes } of refs) total += bytes;
  const enough = Math.min(MOST_BYTES, Math.max(LEAST_BYTES, total / (lanes * TASKS_PER_LANE)));
  const sorted = [...refs].sort((a, b) => a.place - b.place);
  const drafts: Pick<TaskDraft, 'refs' | 'bytes'>[] = [];
  let draft: Pick<TaskDraft, 'refs' | 'bytes'> | undefined;
  for (const ref of sorted) {
    if (!draft || draft.bytes >= enough || draft.refs.length >= MOST_PIECES) {
      draft = { refs: [], bytes: 0 };
      drafts.push(draft);
    }
    draft.refs.push(ref);
    draft.bytes += ref.bytes;
  }
  return drafts.map(({ refs: list, bytes }) => draftOf(list, bytes));
}

/** A draft of pieces in any order. */
export function draftOf(refs: PieceRef[], bytes: number): TaskDraft {
  refs.sort((a, b) => a.scan - b.scan || a.index - b.index);
  const parts: number[] = [];
  let last: PieceRef | undefined;
  for (const ref of refs) {
    if (last?.scan === ref.scan && last.index + 1 === ref.index)
      parts[parts.length - 1] = (parts.at(-1) ?? 0) + 1;
    else parts.push(1);
    last = ref;
  }
  return { refs, parts, bytes };
}

/** What has come of a piece, head first. */
export type PieceBytes = readonly Uint8Array[];

/** The task of a draft whose bytes are here; they are copied into one buffer. */
export function taskOfBytes(
  draft: TaskDraft,
  scans: BranchScan[],
  goal: TaskGoal,
  bytes: PieceBytes[],
): DecodeTask {
  const size = bytes.reduce((sum, list) => sum + list.reduce((all, part) => all + part.length, 0), 0);
  const input = new Uint8Array(size);
  const pieces = new Float64Array(4 * draft.refs.length);
  let at = 0;
  for (const [i, { piece }] of draft.refs.entries()) {
    const start = at;
    for (const part of bytes[i] ?? []) {
      input.set(part, at);
      at += part.length;
    }
    pieces.set([start, at - start, piece.from, piece.to], 4 * i);
  }
  return { goal, input, pieces, ...plansOf(draft, scans, goal) };
}

/** The task of a draft whose bytes the worker reads. */
export function taskOfFile(draft: TaskDraft, scans: BranchScan[], goal: TaskGoal, file: unknown): DecodeTask {
  const pieces = new Float64Array(4 * draft.refs.length);
  const reads: number[] = [];
  const heads: [number, Uint8Array][] = [];
  const { refs } = draft;
  const place = Float64Array.from(refs, (ref) => ref.place);
  const order = Uint32Array.from(refs.keys()).sort((a, b) => (place[a] ?? 0) - (place[b] ?? 0));
  let size = 0;
  for (const i of order) {
    const piece = refs[i]?.piece;
    if (!piece) continue;
    const only = piece.ranges.length === 1 && !piece.head ? piece.ranges[0] : undefined;
    let start = size;
    if (only) {
      size = addRead(reads, only.offset, only.length, size);
      start = size - only.length;
    } else {
      if (piece.head) {
        const head = piece.head();
        heads.push([size, head]);
        size += head.length;
      }
      for (const { offset, length } of piece.ranges) {
        reads.push(offset, length, size);
        size += length;
      }
    }
    pieces[4 * i] = start;
    pieces[4 * i + 1] = size - start;
    pieces[4 * i + 2] = piece.from;
    pieces[4 * i + 3] = piece.to;
  }
  const input = { file, size, reads: Float64Array.from(reads), heads };
  return { goal, input, pieces, ...plansOf(draft, scans, goal) };
}

/** Adds a range to the last read or as a new one; gives where its bytes end. */
function addRead(reads: number[], offset: number, length: number, size: number): number {
  const n = reads.length;
  const end = (reads[n - 3] ?? 0) + (reads[n - 2] ?? 0);
  const gap = offset - end;
  const behind = n > 0 && gap >= 0 && gap <= GAP_BYTES && (reads[n - 1] ?? 0) + (reads[n - 2] ?? 0) === size;
  if (!behind) {
    reads.push(offset, length, size);
    return size + length;
  }
  reads[n - 2] = (reads[n - 2] ?? 0) + gap + length;
  return size + gap + length;
}

function plansOf(
  draft: TaskDraft,
  scans: BranchScan[],
  goal: TaskGoal,
): Pick<DecodeTask, 'plans' | 'parts' | 'spans' | 'counts' | 'schemas'> {
  const parts = new Int32Array(2 * draft.parts.length);
  const list: Uint8Array[] = [];
  const schemas: Schema[] = [];
  let bytes = 0;
  let first = 0;
  draft.parts.forEach((count, i) => {
    const { plan = new Uint8Array(0), schema } = scans[draft.refs[first]?.scan ?? 0]?.plan ?? {};
    list.push(plan);
    if (schema && goal.kind === 'survey') schemas.push(schema);
    parts.set([plan.length, count], 2 * i);
    bytes += plan.length;
    first += count;
  });
  const plans = new Uint8Array(bytes);
  let at = 0;
  for (const plan of list) {
    plans.set(plan, at);
    at += plan.length;
  }
  const { refs } = draft;
  return {
    parts,
    plans,
    ...(schemas.length > 0 && { schemas }),
    ...(refs.some(({ piece }) => piece.spans) && { spans: refs.map(({ piece }) => piece.spans?.()) }),
    ...(refs.some(({ scan }) => scans[scan]?.counts) && {
      counts: refs.map(({ scan, piece }) => {
        const known = scans[scan]?.counts;
        return known && countsFrom(known, piece.first, piece.first + piece.to);
      }),
    }),
  };
}
