import { basename } from 'node:path';
import type { Histogram } from '../../api/api';
import { parseCodec } from '../../write/encode/codec-text';
import { saveFile } from '../../write/files/node-save-file';
import { NewFile } from '../../write/new/new-file';
import { loadWriter } from '../../write/node-module';
import { memorySink } from '../../write/sink';
import { type Context, refuseTerminal } from '../context';

/**
 * Writes a ROOT file with a histogram under its own name, to a file or, with "-", to stdout. The file gets its name
 * when it is whole; one of that name is kept unless `force` is given. Throws IO, ARGUMENT and UNSUPPORTED.
 */
export async function saveHistogram(
  target: string,
  histogram: Histogram,
  { force }: { force?: boolean | undefined },
  { out }: Pick<Context, 'out'>,
): Promise<void> {
  const toStdout = target === '-';
  if (toStdout) refuseTerminal(out);
  const sink = memorySink();
  const name = toStdout ? 'histogram.root' : basename(target);
  const file = await NewFile.create(sink, { writer: await loadWriter(), name, codec: parseCodec('zstd:5') });
  await file.histogram(histogram.name, histogram);
  await file.finish();
  if (toStdout) await out.write(sink.bytes());
  else await saveFile(target, (put) => put(sink.bytes()), { replaces: force ? 'all' : 'nothing' });
}
