import type { FileHandle } from 'node:fs/promises';
import { nodeCalls } from '../io/node-handle';

/** Writes all bytes to a place in a file. Throws the errors of the system. */
export async function writeAt(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  const calls = nodeCalls();
  for (let done = 0; done < bytes.length; )
    done += await calls.write(handle, bytes.subarray(done), at + done);
}
