import type { CallOptions } from '../../../api/api';
import type { Sink } from '../../../api/sink';
import type { WrittenFile } from '../../../api/write';
import { formatBytes, formatCount } from '../../../base/format';
import { type Context, progressLine } from '../../../cli/context';
import { fileSink } from '../../../sinks/node-file-sink';

/**
 * Writes a ROOT file, and says what was written. The file gets its name when it is whole; one of that name is replaced only
 * with `force`, and the input only with `inPlace`. Throws UsageError otherwise, and the errors of `write`.
 */
export async function saveRoot<W extends WrittenFile>(
  target: string,
  {
    inPlace = false,
    force = false,
    json,
  }: { inPlace?: boolean | undefined; force?: boolean | undefined; json?: boolean | undefined },
  context: Context,
  write: (sink: Sink, options: Pick<CallOptions, 'onProgress'>) => Promise<W>,
): Promise<W> {
  const replaces = force ? 'all' : 'nothing';
  if (!inPlace) await context.files.addOutput(target, { word: 'OUT', replaces, force });
  const progress = progressLine(context);
  const sink = fileSink(target, { replace: force, inPlace });
  const written = await write(sink, { onProgress: progress.show }).finally(progress.wipe);
  if (json) context.out.line(JSON.stringify({ out: target, ...written }));
  else {
    const { bytes, keys, baskets, notes } = written;
    for (const note of notes) context.err.line(note);
    context.err.line(
      `written: ${target}, ${formatCount(keys)} keys, ${formatCount(baskets)} baskets, ${formatBytes(bytes)}`,
    );
  }
  return written;
}
