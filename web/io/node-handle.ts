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

/** Decides whether a call blocks this thread. */
interface Way {
  blocks(bytes: number): boolean;
  /** Runs a call that blocks. */
  run<T>(call: () => T): T;
}

/** An open file, of which each call blocks this thread or waits in another one. */
class OpenFile implements NodeHandle {
  #file: number | undefined;
  /** Number of calls that wait. */
  #busy = 0;
  #closing: (() => void) | undefined;

  constructor(
    file: number,
    readonly way: Way,
  ) {
    this.#file = file;
  }

  stat(): Now<Stats> {
    return this.way.blocks(0)
      ? this.way.run(() => fstatSync(ofOpen(this.#file)))
      : this.#using((file) => told<Stats>((done) => fstat(file, done)));
  }

  read(parts: readonly Uint8Array[], at: number): Now<number> {
    // readv is slower for one array.
    const part = parts.length === 1 ? parts[0] : undefined;
    if (this.way.blocks(parts.reduce((sum, { length }) => sum + length, 0)))
      return this.way.run(() => {
        const file = ofOpen(this.#file);
        return part ? readSync(file, part, 0, part.length, at) : readvSync(file, [...parts], at);
      });
    return this.#using((file) =>
      part
        ? told<number>((done) => read(file, part, 0, part.length, at, done))
        : told<number>((done) => readv(file, [...parts], at, done)),
    );
  }

  close(): Now<void> {
    const file = this.#file;
    if (file === undefined) return;
    this.#file = undefined;
    return this.#busy === 0 && this.way.blocks(0)
      ? this.way.run(() => closeSync(file))
      : this.#closeLater(file);
  }

  async #closeLater(file: number): Promise<void> {
    if (this.#busy > 0) await new Promise<void>((done) => (this.#closing = done));
    await told<void>((done) => close(file, (error) => done(error ?? null)));
  }

  /** Runs a call with the descriptor, which is not closed meanwhile. */
  async #using<T>(call: (file: number) => Promise<T>): Promise<T> {
    const file = ofOpen(this.#file);
    this.#busy++;
    try {
      return await call(file);
    } finally {
      this.#busy--;
      if (this.#busy === 0) this.#closing?.();
    }
  }
}

function callsBy(way: Way): NodeFiles {
  return {
    stat: (path) => (way.blocks(0) ? way.run(() => statSync(path)) : told<Stats>((done) => stat(path, done))),
    open: (path) =>
      way.blocks(0)
        ? new OpenFile(
            way.run(() => openSync(path, 'r')),
            way,
          )
        : told<number>((done) => open(path, 'r', done)).then((file) => new OpenFile(file, way)),
    identify: (path) => (way.blocks(0) ? way.run(() => identified(path)) : identifiedLater(path)),
    write: (file, bytes, at) =>
      way.blocks(bytes.length)
        ? way.run(() => writeSync(file.fd, bytes, 0, bytes.length, at))
        : file.write(bytes, 0, bytes.length, at).then(({ bytesWritten }) => bytesWritten),
  };
}

const identifiedLater = async (path: string) =>
  plain(await told<BigIntStats>((done) => stat(path, { bigint: true }, done)).catch(() => undefined));

function identified(path: string) {
  try {
    return plain(statSync(path, { bigint: true, throwIfNoEntry: false }));
  } catch {
    return undefined;
  }
}

const run = <T>(call: () => T): T => call();
const waiting: NodeFiles = callsBy({ blocks: () => false, run });
/** Each takes a tenth of the time, because no other thread is woken. */
const blocking: NodeFiles = callsBy({ blocks: () => true, run });

/** The most bytes of a read that may block. */
const QUICK_BYTES = 512 * 1024;
/** A call that takes longer makes the next ones wait in other threads, several at once: the disk is slow, or far. */
const QUICK_MS = 2;
const WAITING_CALLS = 64;

/** Blocks as long as the files are in memory or on a quick disk. */
function whileQuick(): Way {
  let slow = 0;
  return {
    blocks(bytes) {
      if (slow > 0) slow--;
      return slow === 0 && bytes <= QUICK_BYTES;
    },
    run(call) {
      const started = performance.now();
      try {
        return call();
      } finally {
        if (performance.now() - started > QUICK_MS) slow = WAITING_CALLS;
      }
    },
  };
}

let chosen = waiting;

/** Returns the calls for this thread. */
export const nodeCalls = (): NodeFiles => chosen;

/** Lets files block this thread. Only for threads in which nothing else waits for an answer. */
export function blockThisThread(): void {
  chosen = blocking;
}

/** Lets files block this thread while that takes less time than to wake another one. */
export function blockWhileQuick(): void {
  chosen = callsBy(whileQuick());
}
