import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { argumentError, XylemError } from '../web/base/errors';
import { startReads } from '../web/io/node-reads';
import type { ReadGuard } from '../web/pass/goals/select';

/** Modules whose files were compared in this thread: code is loaded once, and so compared once. */
const compared = new Set<string>();

/** Keeps selectors to the files by which their results are compared. */
export const readGuard: ReadGuard = {
  async check({ module, files }) {
    if (!files || compared.has(module)) return;
    compared.add(module);
    for (const [path, hash] of Object.entries(files)) {
      const bytes = await readFile(path).catch(() => undefined);
      if (bytes && createHash('sha256').update(bytes).digest('hex') === hash) continue;
      compared.delete(module);
      throw new XylemError({
        code: 'FILE_CHANGED',
        message: `${path}, which the selector imports or reads, changed since it was loaded.`,
        where: { path },
        fix: 'Process all files again.',
      });
    }
  },
  run({ module, files }, work) {
    if (!files) return work();
    const stop = startReads();
    let read: Set<string> | undefined;
    try {
      const result = work();
      read = stop();
      const other = [...read].find((path) => !Object.hasOwn(files, path));
      if (other === undefined) return result;
      throw argumentError(
        `The selector ${basename(module)} reads ${other} while it processes entries, so that its results could not be compared with others.`,
        'Read files where the module is loaded or in begin, or leave out --partial and --resume.',
        { path: other },
      );
    } finally {
      if (!read) stop();
    }
  },
};
