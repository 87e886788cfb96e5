import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { ServedFile } from './http-parts';

/** For this long in ms a path that was allowed is not followed again. */
const TRUST_MS = 2000;
/** Most paths that are remembered for that. */
const MAX_KNOWN = 4096;

export interface ServedFolder {
  /**
   * The file that an address path names below the folder; undefined when it is hidden, lies outside of the folder
   * (itself, or the target of a symbolic link), does not exist, or is not the only file that is served.
   */
  find(path: string): Promise<ServedFile | undefined>;
}

/** `folder` has no links in its path. `only`: the names of the files in it that are served; default: all. */
export function servedFolder(folder: string, only?: readonly string[]): ServedFolder {
  const base = folder.endsWith(sep) ? folder : folder + sep;
  /** Files that were allowed, and when. The path may be a link to another file by now, so the files are compared. */
  const known = new Map<string, ServedFile & { checked: number }>();
  return {
    async find(path) {
      const place = placeOf(path);
      if (place === undefined) return undefined;
      const info = await stat(place).catch(() => undefined);
      if (!info?.isFile()) return undefined;
      const before = known.get(place);
      const now = performance.now();
      if (before && isSame(before.info, info) && now - before.checked < TRUST_MS)
        return { path: before.path, info, isAllowed };
      const real = await realpath(place).catch(() => undefined);
      if (real === undefined || !isAllowed(real)) return undefined;
      if (known.size >= MAX_KNOWN) known.clear();
      const found = { path: real, info, isAllowed };
      known.set(place, { ...found, checked: now });
      return found;
    },
  };

  function placeOf(path: string): string | undefined {
    let parts: string[];
    try {
      parts = path.split('/').map(decodeURIComponent);
    } catch {
      return undefined;
    }
    const bad = (part: string): boolean => part === '' || part.startsWith('.') || /[/\\\0]/.test(part);
    return (only === undefined ? parts.some(bad) : !only.includes(parts.join('/')))
      ? undefined
      : join(folder, ...parts);
  }

  function isAllowed(real: string): boolean {
    if (!real.startsWith(base)) return false;
    const hidden = real
      .slice(base.length)
      .split(sep)
      .some((part) => part.startsWith('.'));
    return !hidden || only !== undefined;
  }
}

function isSame(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}
