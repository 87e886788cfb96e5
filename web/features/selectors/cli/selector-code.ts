import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { unsupported } from '../../../base/data-errors';
import { argumentError, XylemError } from '../../../base/errors';
import { ioError } from '../../../base/io-error';
import { readGuard, startReads } from '../../../io/node-reads';
import { readLocalFiles } from '../work/node-files';
import type { CodeFile } from '../work/partial/process-kind';
import { allowSelectors } from '../work/select';
import { toolsFor } from '../work/tools-of-features';

/** The files of a selector: what results are compared by, and the SHA-256 of each file by its path. */
export interface SelectorCode {
  /** The SHA-256 of the text of its module. */
  hash: string;
  /** Other files that it imports and reads. */
  files: CodeFile[];
  paths: Record<string, string>;
}

/** The files that modules imported and read, by the path of the module: Node loads each once. */
const recorded = new Map<string, Set<string>>();

/** Loads a selector by `load`, and records the files that it imports and reads meanwhile. */
export async function loadRecorded<T>(path: string, load: () => Promise<T>): Promise<T> {
  // Without workers this thread runs the code.
  allowSelectors(readGuard);
  // Code of xylem itself is loaded before, because it does not belong to the selector.
  readLocalFiles();
  await toolsFor({}, path);
  const stop = startReads();
  try {
    return await load();
  } finally {
    recorded.set(path, new Set([...(recorded.get(path) ?? []), ...stop()]));
  }
}

/** The code of a selector that was loaded. Throws IO, UNSUPPORTED and ARGUMENT. */
export async function codeOf(path: string): Promise<SelectorCode> {
  const read = recorded.get(path) ?? new Set();
  const own = await realpath(path);
  // Other loaders of modules may hide what they read. A text without these words imports and reads nothing.
  if (!read.has(own) && /\b(import|require|getBuiltinModule|binding)\b/.test(await readFile(path, 'utf8'))) {
    throw unsupported(
      'This Node does not say which files the selector imports, so that partial results could not be compared.',
      'Leave out --partial and --resume, or start Node without a loader of modules (--import, --loader).',
    );
  }
  const hash = await hashOfFile(path);
  const paths: Record<string, string> = { [own]: hash };
  for (const one of read) {
    if (one === own || one === path) continue;
    const facts = await stat(one).catch(() => undefined);
    // One that is not there has no content; where it is, it is named.
    if (!facts) continue;
    if (!facts.isFile()) {
      throw argumentError(
        `The selector reads ${one}, which is not a file, so that its results could not be compared with others.`,
        'Let it read files, or leave out --partial and --resume.',
      );
    }
    paths[one] = await hashOfFile(one);
  }
  checkUnchanged(path, paths);
  const others = Object.entries(paths).filter(([one]) => one !== own);
  return { hash, files: filesOf(others), paths };
}

/** The hashes of files when they were first loaded, by the path of the module. */
const first = new Map<string, Readonly<Record<string, string>>>();

/** Throws FILE_CHANGED if a file is another one than that which this process has loaded, because Node loads each once. */
function checkUnchanged(path: string, now: Readonly<Record<string, string>>): void {
  const before = { ...now, ...first.get(path) };
  first.set(path, before);
  const changed = Object.keys(now).find((one) => before[one] !== now[one]);
  if (changed === undefined) return;
  throw new XylemError({
    code: 'FILE_CHANGED',
    message: `${changed} has changed since this process loaded it.`,
    where: { path: changed },
    fix: 'Start another process for the changed selector.',
  });
}

/** The package that a file belongs to: the last folder below node_modules in its path. */
function packageOf(path: string): string | undefined {
  const parts = path.split(/[\\/]/);
  const at = parts.lastIndexOf('node_modules') + 1;
  if (at === 0) return undefined;
  const length = parts[at]?.startsWith('@') ? 2 : 1;
  return parts.length > at + length ? parts.slice(at, at + length).join('/') : undefined;
}

/** Names without folders, so that the same files elsewhere are equal. A package is one file, whose hash is that of all its hashes. */
function filesOf(all: readonly [path: string, hash: string][]): CodeFile[] {
  const single = new Map<string, CodeFile>();
  const packages = new Map<string, Set<string>>();
  for (const [path, hash] of all) {
    const name = packageOf(path);
    if (name === undefined) {
      const file = { name: basename(path), hash };
      single.set(JSON.stringify(file), file);
    } else packages.set(name, (packages.get(name) ?? new Set()).add(hash));
  }
  for (const [name, hashes] of packages) {
    const hash = createHash('sha256')
      .update([...hashes].sort().join())
      .digest('hex');
    single.set(JSON.stringify([name]), { name, hash });
  }
  const key = ({ name, hash }: CodeFile): string => JSON.stringify([name, hash]);
  return [...single.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Returns the SHA-256 of a file. Throws IO. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
  } catch (thrown) {
    throw ioError(`"${path}" cannot be read`, thrown as NodeJS.ErrnoException, path);
  }
  return hash.digest('hex');
}
