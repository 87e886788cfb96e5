import { write } from 'node:fs';
import { Writable } from 'node:stream';
import { isatty } from 'node:tty';

/** Time until a full pipe is tried again that does not wait by itself, in ms. */
const FULL_MS = 5;

/** A stream of the process that a thread writes to by itself, without its main thread. */
export function descriptorOutput(descriptor: number): Writable & { isTTY: boolean } {
  const put = (bytes: Buffer, done: (error?: Error | null) => void): void => {
    write(descriptor, bytes, (error, written) => {
      if (error && error.code !== 'EAGAIN') done(error);
      else if (error) setTimeout(put, FULL_MS, bytes, done);
      else if (written < bytes.length) put(bytes.subarray(written), done);
      else done();
    });
  };
  const stream = new Writable({
    decodeStrings: true,
    write: (bytes: Buffer, _encoding, done) => (bytes.length > 0 ? put(bytes, done) : done()),
  });
  return Object.assign(stream, { isTTY: isatty(descriptor) });
}
