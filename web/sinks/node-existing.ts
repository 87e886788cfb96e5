import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { argumentError } from '../base/errors';
import { readStart } from '../cache/node-plain';
import { nodeCalls } from '../io/node-handle';

/**
 * Existing files that an output may replace: none with content, all but ROOT files, or all. Devices, pipes and open
 * streams are written to directly.
 */
export type Replaces = 'nothing' | 'others' | 'all';

/**
 * Returns why an existing file is not replaced: it has content, or it is a ROOT file. Undefined if it may be
 * replaced.
 */
export async function whyKept(target: string, replaces: Replaces): Promise<'exists' | 'ROOT' | undefined> {
  // The target of /dev/stdout may be a file with content. Output is appended to it.
  if (replaces === 'all' || isStream(target)) return undefined;
  const there = await stat(target).catch(() => undefined);
  if (!there?.isFile() || there.size === 0) return undefined;
  if (replaces === 'nothing') return 'exists';
  const start = await readStart(await realpath(target), ROOT_MAGIC.length);
  return start?.toString('latin1') === ROOT_MAGIC ? 'ROOT' : undefined;
}

const ROOT_MAGIC = 'root';

/** Whether a path is the system's name of an open stream. /dev/shm has plain files. */
export const isStream = (path: string): boolean => STREAM.test(path);
const STREAM = /^\/(?:dev\/(?:std(?:in|out|err)|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/;

/** Returns the message for a file that is not replaced. */
export function keptText(target: string, why: 'exists' | 'ROOT'): string {
  return why === 'exists'
    ? `"${target}" exists already.`
    : `"${target}" is a ROOT file, which is not replaced by a file of another kind.`;
}

/**
 * Returns a text that is the same for all names and links of a file and different for other files. For /dev/stdout it
 * is that of the target. Undefined if the file does not exist, and for devices and pipes.
 */
export async function identityOf(path: string): Promise<string | undefined> {
  const found = await nodeCalls().identify(path);
  if (!found) return undefined;
  // File systems without inodes report 0.
  return found.ino === 0n ? await realpath(path) : `${found.dev}:${found.ino}`;
}

/**
 * As `identityOf`, but for a file that does not exist yet, returns its path with all links resolved. Undefined for
 * devices and pipes, and for links that form a loop.
 */
export async function placeOf(path: string, links = 0): Promise<string | undefined> {
  const own = await identityOf(path);
  if (own !== undefined) return own;
  if (links > MAX_LINKS || (await stat(path).catch(() => undefined))) return undefined;
  const above = dirname(resolve(path));
  const folder = await realpath(above).catch(() => above);
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? join(folder, basename(path)) : placeOf(resolve(folder, link), links + 1);
}

/** Maximum number of links in a chain, as on Linux. */
const MAX_LINKS = 40;

/** Throws ARGUMENT if the target is one of the input files, under any name or link. */
export async function refuseSame(target: string, inputs: readonly string[]): Promise<void> {
  const own = await identityOf(target);
  if (own === undefined) return;
  for (const input of inputs) {
    if ((await identityOf(input)) !== own) continue;
    throw argumentError(`"${target}" is also an input: "${input}".`, 'Give the new file another name.', {
      path: target,
    });
  }
}
