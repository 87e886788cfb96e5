import type { Core } from '../core/core';
import type { DirectFile } from '../io/source';

/** Bytes of files that a worker reads itself. */
export interface DirectInput {
  files: readonly unknown[];
  /** Bytes of all units together. */
  size: number;
  /** For each read four numbers: index of the file, offset in it, length, position in the input. */
  reads: Float64Array;
  /** Bytes that do not lie in a file, with their position in the input. */
  heads: [at: number, bytes: Uint8Array][];
}

/** Opens a `ByteSource.direct` in the thread of the task; it reads nothing at or after `end`. */
export type DirectFiles = (file: unknown, end: number) => DirectFile;

export function inputSize(input: Uint8Array | DirectInput): number {
  return input instanceof Uint8Array ? input.length : input.size;
}

/** Puts a task's input into the core's memory; returns the reads that were made: see TaskResult. */
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
  const ends = from.files.map(() => 0);
  for (let i = 0; i < reads.length; i += 4) {
    const file = reads[i] ?? 0;
    ends[file] = Math.max(ends[file] ?? 0, (reads[i + 1] ?? 0) + (reads[i + 2] ?? 0));
  }
  const opened = from.files.map((file, i) => files(file, ends[i] ?? 0));
  const done = new Float64Array((reads.length / 4) * 5);
  for (const [at, bytes] of from.heads) core.view(input + at, bytes.length).set(bytes);
  let started = clock();
  for (let i = 0, next = 0; i < reads.length; i += 4, next += 5) {
    const file = reads[i] ?? 0;
    const offset = reads[i + 1] ?? 0;
    const length = reads[i + 2] ?? 0;
    opened[file]?.readInto(offset, core.view(input + (reads[i + 3] ?? 0), length));
    done[next] = file;
    done[next + 1] = offset;
    done[next + 2] = length;
    done[next + 3] = started;
    started = clock();
    done[next + 4] = started;
  }
  for (const file of opened) file.check();
  return done;
}

/** ms since 1970, the same in all threads. */
export function clock(): number {
  return START + performance.now();
}
/** Kept because reading performance.timeOrigin takes longer than reading the time. */
const START = performance.timeOrigin;
