import type { RequestOptions, WholeSource } from '../../../api/api';
import { argumentError } from '../../../base/errors';
import { checkOptions } from '../../../base/options';
import { ownLease, type RootHandle } from '../../../library/open-root';
import { MERGE } from '../../../library/options';
import type { Lease } from '../../../library/shared-readers';
import { nameOfSource, type OneSource, specOf } from '../../../library/sources';
import type { Sink } from '../../../sinks/sink';
import type { MergeInput, XylemReader } from './api';
import type { Merged } from './merge/merge-files';
import type { MergeOptions } from './work';

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
  { headers, credentials, fetch, align, reader: given, ...options }: MergeRootOptions,
): Promise<Merged> {
  const requests = { headers, credentials, fetch, align };
  checkOptions('mergeRoot', { ...requests, reader: given }, MERGE);
  if (!Array.isArray(files)) {
    throw argumentError(
      'The files to merge are not a list.',
      'Give open files, or sources: mergeRoot([a, b], sink).',
    );
  }
  const chosen = given ?? files.find(isHandle)?.reader;
  const { reader, giveBack } = chosen ? ownLease(chosen) : lease();
  try {
    const inputs = files.map((file): MergeInput => {
      if (!isHandle(file)) {
        const source = specOf(file, named, requests);
        return { name: nameOfSource(source), source };
      }
      if (file.reader === reader) return { file: file.info };
      throw argumentError(
        `"${file.info.name}" was opened with another reader.`,
        'Open all files with the same options, or with the same { reader }.',
      );
    });
    return await reader.writer.merge(inputs, sink, options);
  } finally {
    giveBack();
  }
}

function isHandle(file: MergeFile): file is RootHandle {
  return typeof Object(file).keys === 'function' && 'info' in Object(file);
}
