import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { argumentError, type XylemError } from '../../../base/errors';
import { UsageError } from '../../../cli/arguments';

/** Returns the real path of a folder in which files may be made. Throws UsageError if it is not a folder. */
export async function allowedFolder(folder: string): Promise<string> {
  const path = await realpath(folder).catch(() => undefined);
  if (path === undefined || !(await stat(path)).isDirectory())
    throw new UsageError(`--allow-write: "${folder}" is not a folder.`);
  return path;
}

/**
 * Returns the path of a new file in the folder, or in an existing folder within it. Links are followed first, because
 * one may lead out of the folder. Throws ARGUMENT for a name outside of the folder, and for a name that exists.
 */
export async function newFileIn(folder: string, name: string): Promise<string> {
  if (name.includes('\0')) throw refused('The name of a file has a null byte.', folder);
  const wanted = resolve(folder, name);
  const parent = await realpath(dirname(wanted)).catch(() => undefined);
  const within = parent === folder || parent?.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  if (parent === undefined || !within || name.trim() === '' || wanted === folder)
    throw refused(`"${name}" is not in the folder where files may be made.`, folder);
  const path = join(parent, basename(wanted));
  // A link counts, also one to nothing.
  if (await lstat(path).catch(() => undefined))
    throw refused(`There is a file of the name "${name}" already.`, folder);
  return path;
}

function refused(message: string, folder: string): XylemError {
  return argumentError(
    message,
    `Name a new file, relative to ${folder}; folders in it must be there already.`,
  );
}
