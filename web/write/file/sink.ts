import type { WholeSource } from '../../api/api';

/** Records of less than half of these bytes are written together, unless the sink says another number. */
export const WAITING_BYTES = 256 * 1024;

/**
 * Takes the bytes of a file that is written. Bytes come in ascending order, without gaps, except those of the start of
 * the file and of directories that are new, which come last. What a sink throws is the error of the writing.
 */
export interface Sink {
  /** Name of the new file without folders, which is stored in it, too. */
  readonly name?: string | undefined;
  /**
   * Called before the first write with the paths of the files that are read: throws where one would be written over.
   * @internal
   */
  refuse?: ((inputs: readonly string[]) => Promise<void>) | undefined;
  /**
   * Another number in place of WAITING_BYTES.
   * @internal
   */
  readonly waitingBytes?: number | undefined;
  /** Writes bytes at a byte of the file. They may be used again once it resolves, and the next come only then. */
  write(at: number, bytes: Uint8Array): Promise<void>;
  /**
   * Remembers a merge that may be interrupted. Only `merge` goes on where it was; the others begin anew.
   * @internal
   */
  readonly journal?: MergeJournal | undefined;
  /** Gives what was written, so that it can be verified before `close`; undefined where it cannot be read, as of a pipe. */
  written?: (() => Promise<WholeSource | undefined>) | undefined;
  /** The file is whole. */
  close?: (() => Promise<void>) | undefined;
  /** Called in place of `close` after a failure: drops what was written. */
  abort?: (() => Promise<void>) | undefined;
}

/** All that the bytes of a merged file depend on besides its date and identity. */
export interface MergeSettings {
  name: string;
  reproducible: boolean;
  schema: string;
  inputs: { name: string; stamp: string }[];
}

/** Remembers a merge that may be interrupted, so that a later run writes the same bytes. */
export interface MergeJournal {
  /**
   * Gives the date and the UUID of the run before with the same settings, and the number of bytes that are kept from it,
   * which are not copied again; in the first run those that are given, and 0. Throws FILE_CHANGED for other settings.
   */
  begin(
    settings: MergeSettings,
    fresh: { date: number; uuid: Uint8Array },
  ): Promise<{ date: number; uuid: Uint8Array; kept: number }>;
}

/** Options of `fileSink`. */
export interface FileSinkOptions {
  /** A file of that name is replaced. Default: false, so that one with content is kept, and the error is ARGUMENT. */
  replace?: boolean | undefined;
  /**
   * The file is the input: it stays as it is until the new one is whole. Throws FILE_CHANGED when another program changes it
   * meanwhile. Default: false.
   */
  inPlace?: boolean | undefined;
  /**
   * The part that a merge wrote stays in PATH.partial when the process ends before the file is whole, and the next merge of the same
   * files goes on there. Throws FILE_CHANGED for other files or options. Default: false.
   */
  resume?: boolean | undefined;
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
