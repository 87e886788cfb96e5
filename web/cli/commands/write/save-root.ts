import { stat } from 'node:fs/promises';
import { XylemError } from '../../../base/errors';
import { formatBytes, formatCount } from '../../../base/format';
import type { RootHandle } from '../../../library/open-root';
import type { CopyOptions, Written } from '../../../write/copy-file';
import { type Put, saveFile } from '../../../write/files/node-save-file';
import { loadWriter } from '../../../write/node-module';
import type { Sink } from '../../../write/sink';
import { type Context, progressLine } from '../../context';

/**
 * Writes a ROOT file, verifies it if `verify`, and says what was written. The file gets its name when it is whole; one of
 * that name is replaced only with `force`, and the input only with `inPlace`. Throws UsageError otherwise, IO, CHECKSUM,
 * FILE_CHANGED, and the errors of `write`.
 */
export async function saveRoot<W extends Written>(
  target: string,
  input: RootHandle,
  given: {
    verify: boolean;
    inPlace?: boolean | undefined;
    force?: boolean | undefined;
    reproducible?: boolean | undefined;
    json?: boolean | undefined;
  },
  context: Context,
  write: (sink: Sink, options: Omit<CopyOptions, 'name'>) => Promise<W>,
): Promise<Omit<W, 'verify'>> {
  const { inPlace = false, force = false } = given;
  const replaces = force ? 'all' : 'nothing';
  if (!inPlace) await context.files.addOutput(target, { word: 'OUT', replaces, force });
  const before = inPlace ? await stat(target) : undefined;
  const writer = await loadWriter();
  const progress = progressLine(context);
  const save = async (put: Put, path: string | undefined) => {
    const made = await write(
      { write: (at, bytes) => put(bytes, at) },
      {
        writer,
        reproducible: given.reproducible,
        verify: given.verify,
        onProgress: progress.show,
      },
    );
    if (!given.verify || path === undefined) return made;
    const copy = await input.open(path);
    try {
      await made.verify(copy.info, { onProgress: progress.show });
    } finally {
      await copy.close();
    }
    if (before) await expectSame(target, before);
    return made;
  };
  const { verify, ...written } = await saveFile(target, save, {
    replaces: inPlace ? 'input' : replaces,
  }).finally(progress.wipe);
  if (given.json) context.out.line(JSON.stringify({ out: target, ...written }));
  else {
    const { bytes, keys, baskets, notes } = written;
    for (const note of notes) context.err.line(note);
    context.err.line(
      `written: ${target}, ${formatCount(keys)} keys, ${formatCount(baskets)} baskets, ${formatBytes(bytes)}`,
    );
  }
  return written;
}

/** Throws FILE_CHANGED for a file that another program changed since `before`. */
async function expectSame(
  path: string,
  before: { mtimeMs: number; size: number; ino: number },
): Promise<void> {
  const { mtimeMs, size, ino } = await stat(path);
  if (mtimeMs === before.mtimeMs && size === before.size && ino === before.ino) return;
  throw new XylemError({
    code: 'FILE_CHANGED',
    message: `"${path}" was changed while it was healed.`,
    fix: 'Heal it when nothing writes to it.',
  });
}
