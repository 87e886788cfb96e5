import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import module, { createRequire, syncBuiltinESMExports } from 'node:module';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argumentError, XylemError } from '../base/errors';

/** The paths that are being recorded; undefined if none are. */
let seen: Set<string> | undefined;
let isWrapped = false;

function note(path: unknown): void {
  if (!seen) return;
  try {
    if (typeof path === 'string' && !path.startsWith('file:')) seen.add(resolve(path));
    else if (typeof path === 'string' || path instanceof URL) seen.add(fileURLToPath(path));
    else if (Buffer.isBuffer(path)) seen.add(resolve(path.toString()));
  } catch {
    // Not the address of a file.
  }
}

/** Whether the flags of `open` allow reading. The two lowest bits of a number are 1 for write-only. */
function isRead(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & 3) !== fs.constants.O_WRONLY;
  return typeof flags !== 'string' || /^r|\+/.test(flags);
}

type Call = (this: unknown, path: unknown, ...more: unknown[]) => unknown;

function wrap(owner: object, name: string, isOpen: boolean): void {
  const functions = owner as Record<string, Call>;
  const own = functions[name] as Call;
  functions[name] = function (path, ...more) {
    // A stream of an open file has a path that it does not use.
    const isOwn = (more[0] as { fd?: unknown } | null | undefined)?.fd == null;
    if (seen && isOwn && (!isOpen || isRead(more[0]))) note(path);
    return own.call(this, path, ...more);
  };
}

/**
 * Wraps Node's functions for opening files, once for this thread. Code that imported them earlier gets the wrapped
 * ones, too.
 */
function wrapOnce(): void {
  if (isWrapped) return;
  isWrapped = true;
  for (const name of ['readFileSync', 'readFile', 'createReadStream', 'openAsBlob']) wrap(fs, name, false);
  for (const name of ['openSync', 'open']) wrap(fs, name, true);
  wrap(fs.promises, 'readFile', false);
  wrap(fs.promises, 'open', true);
  syncBuiltinESMExports();
}

interface Resolved {
  url: string;
}
type ResolveHook = (
  specifier: string,
  context: unknown,
  next: (specifier: string, context: unknown) => Resolved,
) => Resolved;
type RegisterHooks = (hooks: { resolve: ResolveHook }) => { deregister(): void };

/**
 * Records the files that code in this thread imports or opens for reading, until the returned function is called,
 * which returns their absolute paths. Reads of other programs and threads are not recorded. Only one recording at a
 * time.
 */
export function startReads(): () => Set<string> {
  wrapOnce();
  const paths = new Set<string>();
  seen = paths;
  // Since Node 22.15 hooks give the resolved modules. Earlier versions read modules by the functions above.
  const registerHooks = (module as unknown as { registerHooks?: RegisterHooks }).registerHooks;
  const hooks = registerHooks?.({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      if (resolved.url.startsWith('file:')) note(resolved.url);
      return resolved;
    },
  });
  const { cache } = createRequire(import.meta.url);
  const before = new Set(Object.keys(cache));
  return () => {
    for (const path of Object.keys(cache)) if (!before.has(path)) note(path);
    hooks?.deregister();
    seen = undefined;
    return paths;
  };
}

/** A module, and the SHA-256 of each file that it may read, by path. */
interface Guarded {
  module: string;
  files?: Readonly<Record<string, string>> | undefined;
}

/** Modules whose files were checked in this thread. Code is loaded once, so it is checked once. */
const compared = new Set<string>();

/** Restricts selectors to the files that identify their results. */
export const readGuard = {
  async check({ module, files }: Guarded): Promise<void> {
    if (!files || compared.has(module)) return;
    compared.add(module);
    // Loading it takes time at the start of each worker, so it is loaded later.
    const { createHash } = await import('node:crypto');
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
  run<T>({ module, files }: Guarded, work: () => T): T {
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
