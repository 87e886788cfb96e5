import { fstatSync, writeSync } from 'node:fs';
import type { TextStream } from '../terminal/output';

/** Time until a full pipe is tried again that does not wait by itself, in ms. */
const FULL_MS = 5;

/**
 * The file, pipe or socket that a descriptor of the process is; undefined for others, as a terminal. Writing waits for the reader, as that of
 * Node's streams does for files and pipes, which take 3 ms to load.
 */
export function plainOutput(descriptor: number): TextStream | undefined {
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile() && !found.isFIFO() && !found.isSocket()) return undefined;
  } catch {
    return undefined;
  }
  return {
    // Failures are thrown, and nothing has to be waited for.
    on: () => {},
    write: (data, done) => {
      writeWhole(descriptor, typeof data === 'string' ? Buffer.from(data) : data);
      done?.();
      return true;
    },
  };
}

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let left = bytes; left.length > 0; ) {
    try {
      left = left.subarray(writeSync(descriptor, left));
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EAGAIN') throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_MS);
    }
  }
}
