import type { FileHandle } from 'node:fs/promises';

/** Writes all bytes to a place in a file. Throws the errors of the system. */
export async function writeAt(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
