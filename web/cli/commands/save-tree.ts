import { basename } from 'node:path';
import type { CallOptions } from '../../api/api';
import { saveFile } from '../../write/files/node-save-file';
import { exportRoot, type RootExportOptions, type RootExportRequest } from '../../write/new/export-root';
import { loadWriter } from '../../write/node-module';
import type { OpenFile } from '../context';

/**
 * Writes a selection of a tree as a ROOT file, which gets its name when it is whole; a file of that name is kept unless
 * `force` is given. Returns its number of bytes. Throws IO, ARGUMENT, and the errors of reading.
 */
export async function saveTree(
  target: string,
  { reader, info }: OpenFile,
  request: RootExportRequest,
  { force, ...how }: Pick<RootExportOptions, 'codec' | 'format'> & { force?: boolean | undefined },
  options: CallOptions,
): Promise<number> {
  const writer = await loadWriter();
  const { bytes } = await saveFile(
    target,
    (put) =>
      exportRoot(
        reader,
        info,
        request,
        { write: (at, content) => put(content, at) },
        { ...options, ...how, writer, name: basename(target) },
      ),
    { replaces: force ? 'all' : 'nothing' },
  );
  return bytes;
}
