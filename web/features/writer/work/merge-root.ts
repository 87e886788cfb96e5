import type { WholeSource } from '../../../api/api';
import type { Sink } from '../../../api/sink';
import type { Merged, MergeInput } from '../../../api/write';
import { argumentError } from '../../../base/errors';
import { checkOptions } from '../../../base/options';
import { ownLease, type RootHandle } from '../../../library/open-root';
import type { Lease } from '../../../library/shared-readers';
import { nameOfSource, specOf } from '../../../library/sources';
import type { MergeFile, MergeRootOptions } from '../../../library/write';
import { MERGE_ROOT } from './options';

/** Merges files; `lease` gives the shared reader, and `named` interprets a text on this host. */
export async function mergeWith(
  lease: () => Lease,
  files: readonly MergeFile[],
  sink: Sink,
  named: (text: string) => WholeSource,
  { headers, credentials, fetch, align, reader: given, ...options }: MergeRootOptions,
): Promise<Merged> {
  const requests = { headers, credentials, fetch, align };
  checkOptions('mergeRoot', { ...requests, reader: given }, MERGE_ROOT);
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
