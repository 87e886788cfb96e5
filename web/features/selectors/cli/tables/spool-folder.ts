import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isGone, ownProcess } from '../../../../cache/node-plain';
import { unfinished } from '../../../../sinks/node-unfinished';

const START = '.xylem-rows.';

/** A temporary folder for rows of tables. */
export interface SpoolFolder {
  path: string;
  remove(): Promise<void>;
}

/**
 * Names a temporary folder beside an output, or in the system's folder for temporary files, and removes those of processes that were
 * killed. With `onSignal` a signal removes it, too.
 */
export async function spoolFolder(beside: string | undefined, onSignal: boolean): Promise<SpoolFolder> {
  const above = beside === undefined || beside === '-' ? tmpdir() : dirname(resolve(beside));
  // If the folder cannot be listed, nothing can be removed.
  for (const name of await readdir(above).catch(() => [])) {
    if (!name.startsWith(START)) continue;
    const [owner = '', random = '', ...more] = name.slice(START.length).split('.');
    if (more.length > 0 || !/^[0-9a-f]{12}$/.test(random) || !isGone(owner)) continue;
    await rm(join(above, name), { recursive: true, force: true }).catch(() => {});
  }
  const path = join(above, `${START}${ownProcess()}.${crypto.randomUUID().slice(-12)}`);
  if (onSignal) await unfinished.add(path);
  // Threads do not make it: one that still works after an error would make it again. Where it cannot be made, many rows are an error.
  await mkdir(path, { mode: 0o700 }).catch(() => {});
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
      if (onSignal) unfinished.drop(path);
    },
  };
}
