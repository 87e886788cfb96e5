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

/** Calls that block this thread. Each takes a tenth of the time, because no other thread is woken. */
const blocking: NodeFiles = {
  stat: (path) => statSync(path),
  open(path) {
    let file: number | undefined = openSync(path, 'r');
    // The descriptor of a closed file may belong to another file.
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

/** Returns the calls for this thread. */
export const nodeCalls = (): NodeFiles => chosen;

/** Lets files block this thread. Only for threads in which nothing else waits for an answer. */
export function blockThisThread(): void {
  chosen = blocking;
}
