import type { CallOptions } from '../../../api/api';
import type { RootExportRequest, RootOptions } from '../../../api/write';
import type { OpenFile } from '../../../cli/context';
import { fileSink } from '../../../sinks/node-file-sink';

/**
 * Writes a selection of a tree as a ROOT file, which gets its name when it is whole; a file of that name is kept unless
 * `force` is given. Returns its number of bytes. Throws IO, ARGUMENT, and the errors of reading.
 */
export async function saveTree(
  target: string,
  { reader, info }: OpenFile,
  request: RootExportRequest,
  { force, ...how }: Pick<RootOptions, 'codec' | 'format'> & { force?: boolean | undefined },
  options: CallOptions,
): Promise<number> {
  const sink = fileSink(target, { replace: force });
  const { bytes } = await reader.writer.exportTree(info, request, sink, { ...options, ...how });
  return bytes;
}
