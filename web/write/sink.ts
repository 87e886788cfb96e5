import type { WholeSource } from '../api/api';

/**
 * Takes the bytes of a file that is written. Bytes come in ascending order, without gaps, except those of the start of
 * the file and of directories that are new, which come last. What a sink throws is the error of the writing.
 */
export interface Sink {
  /** Name of the new file without folders, which is stored in it, too. */
  readonly name?: string | undefined;
  /** Called before the first write with the paths of the files that are read: throws where one would be written over. */
  refuse?: ((inputs: readonly string[]) => Promise<void>) | undefined;
  /** Writes bytes at a byte of the file. They may be used again once it resolves, and the next come only then. */
  write(at: number, bytes: Uint8Array): Promise<void>;
  /** The number of bytes that it has from a run before: the same are not copied again. Default: 0. */
  readonly kept?: number | undefined;
  /** Gives what was written, so that it can be verified before `close`. */
  written?: (() => Promise<WholeSource>) | undefined;
  /** The file is whole. */
  close?: (() => Promise<void>) | undefined;
  /** Called in place of `close` after a failure: drops what was written. */
  abort?: (() => Promise<void>) | undefined;
}

/** A sink in memory; `bytes` gives the file. */
export function memorySink(): Sink & { bytes(): Uint8Array<ArrayBuffer> } {
  let all = new Uint8Array(64 * 1024);
  let end = 0;
  const bytes = () => all.slice(0, end);
  return {
    async write(at, bytes) {
      const needed = at + bytes.length;
      if (needed > all.length) {
        const more = new Uint8Array(Math.max(needed, 2 * all.length));
        more.set(all.subarray(0, end));
        all = more;
      }
      all.set(bytes, at);
      end = Math.max(end, needed);
    },
    written: async () => ({ kind: 'buffer', buffer: bytes().buffer, name: 'memory' }),
    bytes,
  };
}
