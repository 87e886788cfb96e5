import {
  type BigIntStats,
  close,
  closeSync,
  fstat,
  fstatSync,
  open,
  openSync,
  read,
  readFile,
  readSync,
  readv,
  readvSync,
  type Stats,
  stat,
  statSync,
  writeSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

type Now<T> = T | Promise<T>;

/** An open local file. */
export interface NodeHandle {
  stat(): Now<Stats>;
  /** Reads bytes from a position of the file into arrays. Returns the number of bytes read. */
  read(parts: readonly Uint8Array[], at: number): Now<number>;
  /** Closes the file. May be called again. */
  close(): Now<void>;
}

/** System calls for local files. */
export interface NodeFiles {
  stat(path: string): Now<Stats>;
  open(path: string): Now<NodeHandle>;
  /** Returns device and inode of a plain file; undefined for others, and if there is none. */
  identify(path: string): Now<{ dev: bigint; ino: bigint } | undefined>;
  /** Writes bytes at a position of a file. Returns the number of bytes written. */
  write(file: FileHandle, bytes: Uint8Array, at: number): Now<number>;
}

const plain = (found: BigIntStats | undefined) => (found?.isFile() ? found : undefined);

/** The result of a call of Node that tells it to a function. Node's own promises of files load its streams, 3 ms of a start. */
const told = <T>(call: (done: (error: Error | null, value: T) => void) => void): Promise<T> =>
  new Promise((done, fail) => call((error, value) => (error ? fail(error) : done(value))));

/** Returns the bytes of a whole file. */
export const readWhole = (path: string | URL) => told<Buffer<ArrayBuffer>>((done) => readFile(path, done));

/** Returns the descriptor of an open file. The descriptor of a closed one may belong to another file. */
function ofOpen(file: number | undefined): number {
  if (file === undefined) throw Object.assign(new Error('the file was closed'), { code: 'EBADF' });
  return file;
}

/** Calls that wait in other threads. */
const waiting: NodeFiles = {
  stat: (path) => told<Stats>((done) => stat(path, done)),
  async open(path) {
    let file: number | undefined = await told<number>((done) => open(path, 'r', done));
    let busy = 0;
    let closing: (() => void) | undefined;
    /** Runs a call with the descriptor, which is not closed meanwhile. */
    const using = async <T>(call: (file: number) => Promise<T>): Promise<T> => {
      const opened = ofOpen(file);
      busy++;
      try {
        return await call(opened);
      } finally {
        busy--;
        if (busy === 0) closing?.();
      }
    };
    return {
      stat: () => using((opened) => told<Stats>((done) => fstat(opened, done))),
      read: (parts, at) =>
        using((opened) => {
          const [part] = parts;
          // readv is slower for one array.
          return parts.length === 1 && part
            ? told<number>((done) => read(opened, part, 0, part.length, at, done))
            : told<number>((done) => readv(opened, [...parts], at, done));
        }),
      close: async () => {
        if (file === undefined) return;
        const opened = file;
        file = undefined;
        if (busy > 0) await new Promise<void>((done) => (closing = done));
        await told<void>((done) => close(opened, (error) => done(error ?? null)));
      },
    };
  },
  identify: async (path) =>
    plain(await told<BigIntStats>((done) => stat(path, { bigint: true }, done)).catch(() => undefined)),
  write: async (file, bytes, at) => (await file.write(bytes, 0, bytes.length, at)).bytesWritten,
};

/** Calls that block this thread. Each takes a tenth of the time, because no other thread is woken. */
const blocking: NodeFiles = {
  stat: (path) => statSync(path),
  open(path) {
    let file: number | undefined = openSync(path, 'r');
    return {
      stat: () => fstatSync(ofOpen(file)),
      read: (parts, at) => {
        const [part] = parts;
        return parts.length === 1 && part
          ? readSync(ofOpen(file), part, 0, part.length, at)
          : readvSync(ofOpen(file), [...parts], at);
      },
      close: () => {
        if (file !== undefined) closeSync(file);
        file = undefined;
      },
    };
  },
  identify(path) {
    try {
      return plain(statSync(path, { bigint: true, throwIfNoEntry: false }));
    } catch {
      return undefined;
    }
  },
  write: (file, bytes, at) => writeSync(file.fd, bytes, 0, bytes.length, at),
};

let chosen = waiting;

/** Returns the calls for this thread. */
export const nodeCalls = (): NodeFiles => chosen;

/** Lets files block this thread. Only for threads in which nothing else waits for an answer. */
export function blockThisThread(): void {
  chosen = blocking;
}
