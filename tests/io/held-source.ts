import { onAbort } from '../../web/base/abort';
import { abortError, type XylemError } from '../../web/base/errors';
import type { ByteSource } from '../../web/io/source';

export interface HeldRead {
  offset: number;
  length: number;
  aborted: boolean;
  give(): void;
  fail(error: XylemError): void;
}

/** A source whose every read waits until the test gives or fails it. */
export function createHeldSource(bytes: Uint8Array, concurrency = 6, knownSize = true) {
  const reads: HeldRead[] = [];
  const source: ByteSource = {
    name: 'held',
    concurrency,
    info: () => (knownSize ? { size: bytes.length } : {}),
    read: (offset, length, signal) =>
      new Promise((resolve, reject) => {
        const read: HeldRead = {
          offset,
          length,
          aborted: false,
          give: () => resolve(bytes.subarray(offset, offset + length)),
          fail: reject,
        };
        reads.push(read);
        onAbort(signal, () => {
          read.aborted = true;
          reject(abortError());
        });
      }),
  };
  return { source, reads };
}

/** Lets everything that is ready to go on do so. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
