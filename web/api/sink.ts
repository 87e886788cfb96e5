import type { WholeSource } from './api';

/**
 * Receives the bytes of a file that is written. Bytes come in ascending order, without gaps, except the start of the
 * file and new directories, which come last. An error of a sink is the error of the writing call.
 */
export interface Sink {
  /** Name of the new file without folders. It is also stored in the file. */
  readonly name?: string | undefined;
  /**
   * Called before the first write with the paths of the input files. Throws if one of them would be overwritten.
   * @internal
   */
  refuse?: ((inputs: readonly string[]) => Promise<void>) | undefined;
  /** Replaces WAITING_BYTES. @internal */
  readonly waitingBytes?: number | undefined;
  /**
   * Writes bytes at a position of the file. The next call comes only after it resolved, and then the array may be
   * reused.
   */
  write(at: number, bytes: Uint8Array): Promise<void>;
  /** Journal of a merge that may be interrupted. Only `merge` continues; other calls start again. @internal */
  readonly journal?: MergeJournal | undefined;
  /** Returns the written bytes for verification before `close`; undefined if they cannot be read, as from a pipe. */
  written?: (() => Promise<WholeSource | undefined>) | undefined;
  /** Called when the file is complete. */
  close?: (() => Promise<void>) | undefined;
  /** Called instead of `close` after a failure. Removes what was written. */
  abort?: (() => Promise<void>) | undefined;
}

/** Everything that determines the bytes of a merged file, except its date and UUID. */
export interface MergeSettings {
  name: string;
  reproducible: boolean;
  schema: string;
  inputs: { name: string; stamp: string }[];
}

/** Keeps the state of a merge that may be interrupted, so that a later run writes the same bytes. */
export interface MergeJournal {
  /**
   * Returns the date and UUID of an earlier run with the same settings, and the number of bytes kept from it, which
   * are not copied again. In the first run returns the given ones, and 0. Throws FILE_CHANGED if the settings differ.
   */
  begin(
    settings: MergeSettings,
    fresh: { date: number; uuid: Uint8Array },
  ): Promise<{ date: number; uuid: Uint8Array; kept: number }>;
}

/** Options of `fileSink`. */
export interface FileSinkOptions {
  /** Replaces an existing file. Default: false, so that a file with content is kept, and the error is ARGUMENT. */
  replace?: boolean | undefined;
  /**
   * Allows the output to replace the input. The input does not change until the new file is complete. Throws
   * FILE_CHANGED if another program changes it meanwhile. Default: false.
   */
  inPlace?: boolean | undefined;
  /**
   * Keeps the written part in PATH.partial if the process ends before the file is complete. The next merge of the
   * same files continues there. Throws FILE_CHANGED for other files or options. Default: false.
   */
  resume?: boolean | undefined;
}
