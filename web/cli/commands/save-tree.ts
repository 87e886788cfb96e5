import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import type { CallOptions } from '../../api/api';
import { exportRoot, type RootExportOptions, type RootExportRequest } from '../../write/new/export-root';
import { loadWriter } from '../../write/node-module';
import { saveFile } from '../../write/node-save-file';
import { UsageError } from '../arguments';
import type { OpenFile } from '../context';

/**
 * Writes a selection of a tree as a ROOT file, which gets its name when it is whole. The input is never written over.
 * Returns its number of bytes. Throws UsageError when the output is the input, IO, and the errors of reading.
 */
export async function saveTree(
  target: string,
  { reader, info }: OpenFile,
  request: RootExportRequest,
  how: Pick<RootExportOptions, 'codec' | 'format'>,
  options: CallOptions,
): Promise<number> {
  const [from, to] = await Promise.all([info.name, target].map((path) => realpath(path).catch(() => path)));
  if (from === to) throw new UsageError('OUT is the same file as the input; name another one.');
  const writer = await loadWriter();
  const { bytes } = await saveFile(target, (put) =>
    exportRoot(
      reader,
      info,
      request,
      { write: (at, content) => put(content, at) },
      { ...options, ...how, writer, name: basename(target) },
    ),
  );
  return bytes;
}
