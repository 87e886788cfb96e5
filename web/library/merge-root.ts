import type { WholeSource } from '../api/api';
import { XylemError } from '../base/errors';
import type { MergeInput, XylemReader } from '../write/api';
import type { Merged } from '../write/merge/merge-files';
import type { Sink } from '../write/sink';
import type { MergeOptions } from '../write/work';
import { ownLease, type RootHandle } from './open-root';
import type { Lease } from './shared-readers';
import { nameOfSource, type OneSource, type RequestOptions, specOf } from './sources';

/** A file that is merged: one that is open, or a source, which is opened only while it is read. */
export type MergeFile = RootHandle | OneSource;

export interface MergeRootOptions extends MergeOptions, RequestOptions {
  /** The reader that opens the files. Default: that of the first file that is open, or else the shared reader. */
  reader?: XylemReader | undefined;
}

/** Merges files; `lease` gives the shared reader, and `named` interprets a text on this host. */
export async function mergeWith(
  lease: () => Lease,
  files: readonly MergeFile[],
  sink: Sink,
  named: (text: string) => WholeSource,
  {
    headers,
    credentials,
    fetch,
    reader: chosen = files.find(isHandle)?.reader,
    ...options
  }: MergeRootOptions,
): Promise<Merged> {
  const { reader, giveBack } = chosen ? ownLease(chosen) : lease();
  try {
    const inputs = files.map((file): MergeInput => {
      if (!isHandle(file)) {
        const source = specOf(file, named, { headers, credentials, fetch });
        return { name: nameOfSource(source), source };
      }
      if (file.reader === reader) return { file: file.info };
      throw new XylemError({
        code: 'ARGUMENT',
        message: `"${file.info.name}" was opened with another reader.`,
        fix: 'Open all files with the same options, or with the same { reader }.',
      });
    });
    return await reader.writer.merge(inputs, sink, options);
  } finally {
    giveBack();
  }
}

function isHandle(file: MergeFile): file is RootHandle {
  return typeof Object(file).keys === 'function' && 'info' in Object(file);
}
