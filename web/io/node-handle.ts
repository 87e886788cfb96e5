import {
  type BigIntStats,
  closeSync,
  fstatSync,
  openSync,
  readSync,
  readvSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

type Now<T> = T | Promise<T>;

/** An open local file. */
export interface NodeHandle {
  stat(): Now<Stats>;
  /** Reads bytes from a place of the file into arrays; the number of bytes that came. */
  read(parts: readonly Uint8Array[], at: number): Now<number>;
  /** May be called again. */
  close(): Now<void>;
}

/** Calls of the system for local files. */
export interface NodeFiles {
  stat(path: string): Now<Stats>;
  open(path: string): Now<NodeHandle>;
  /** Device and inode of a plain file; undefined for others, and where none is. */
  identify(path: string): Now<{ dev: bigint; ino: bigint } | undefined>;
  /** Writes bytes to a place of a file; the number of bytes that were written. */
  write(file: FileHandle, bytes: Uint8Array, at: number): Now<number>;
}

const plain = (found: BigIntStats | undefined) => (found?.isFile() ? found : undefined);

/** Calls that wait in other threads. */
const waiting: NodeFiles = {
  stat: (path) => stat(path),
  async open(path) {
    const file = await open(path, 'r');
    return {
      stat: () => file.stat(),
      read: async (parts, at) => {
        const [part] = parts;
        // readv is slower for one array.
        const done =
          parts.length === 1 && part ? file.read(part, 0, part.length, at) : file.readv([...parts], at);
        return (await done).bytesRead;
      },
      close: () => file.close(),
    };
  },
  identify: async (path) => plain(await stat(path, { bigint: true }).catch(() => undefined)),
  write: async (file, bytes, at) => (await file.write(bytes, 0, bytes.length, at)).bytesWritten,
};

/** Calls that block this thread: each takes a tenth of the time, because no other thread is woken. */
const blocking: NodeFiles = {
  stat: (path) => statSync(path),
  open(path) {
    let file: number | undefined = openSync(path, 'r');
    // The number of a file that was closed may be that of another one.
    const opened = (): number => {
      if (file === undefined) throw Object.assign(new Error('the file was closed'), { code: 'EBADF' });
      return file;
    };
    return {
      stat: () => fstatSync(opened()),
      read: (parts, at) => {
        const [part] = parts;
        return parts.length === 1 && part
          ? readSync(opened(), part, 0, part.length, at)
          : readvSync(opened(), [...parts], at);
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

/** The calls of this thread. */
export const nodeCalls = (): NodeFiles => chosen;

/** Lets files block this thread, in which nothing else waits for an answer. */
export function blockThisThread(): void {
  chosen = blocking;
}
