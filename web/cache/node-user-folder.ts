import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Returns the folder for caches of this user, by the conventions of the system. */
export function defaultCacheFolder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): string {
  const { XDG_CACHE_HOME: named, LOCALAPPDATA: local } = environment;
  if (named && isAbsolute(named)) return join(named, 'xylem');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'xylem');
  if (platform === 'win32' && local) return join(local, 'xylem', 'cache');
  return join(homedir(), '.cache', 'xylem');
}
