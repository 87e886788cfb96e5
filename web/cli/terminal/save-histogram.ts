import { basename } from 'node:path';
import type { Histogram } from '../../api/api';
import { saveFile } from '../../sinks/node-save-file';
import { memorySink } from '../../sinks/sink';
import { type Context, refuseTerminal } from '../context';

/**
 * Writes a ROOT file with histograms under their own names, to a file or a pipe or, with "-", to stdout. The file gets its
 * name when it is whole; one of that name is kept unless `force` is given. Throws IO, ARGUMENT and UNSUPPORTED.
 */
export async function saveHistogram(
  target: string,
  histogram: Histogram | readonly Histogram[],
  { force }: { force?: boolean | undefined },
  { out, reader }: Pick<Context, 'out' | 'reader'>,
): Promise<void> {
  const toStdout = target === '-';
  if (toStdout) refuseTerminal(out);
  // The start of a ROOT file is written last, and a pipe takes it first.
  const sink = memorySink();
  const { writer } = await reader();
  await writer.histogram(histogram, { ...sink, name: toStdout ? undefined : basename(target) });
  if (toStdout) await out.write(sink.bytes());
  else await saveFile(target, (put) => put(sink.bytes()), { replaces: force ? 'all' : 'nothing' });
}
