import { internal } from '../../../../base/data-errors';
import type { Directory } from './file-writer';

/** Returns the path of the directory that contains a key. */
export function parentOf({ path, name }: { path: string; name: string }): string {
  return path.slice(0, Math.max(0, path.length - name.length - 1));
}

/** Returns the directory of a new file at a path; '' is the root. Throws INTERNAL if it does not exist. */
export function directoryAt(directories: ReadonlyMap<string, Directory>, path: string): Directory {
  const found = directories.get(path);
  if (found) return found;
  throw internal(`The directory "${path}" was not made.`, undefined, { path });
}
