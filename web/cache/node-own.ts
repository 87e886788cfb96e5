import { constants, type Stats } from 'node:fs';
import { type FileHandle, link, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../base/io-error';
import { besideOf, makeFolder } from './node-plain';
import { defaultCacheFolder } from './node-user-folder';

/** Whether it is a plain file of this user. Windows has no user numbers. */
export function isOwn(found: Pick<Stats, 'isFile' | 'uid'>): boolean {
  return found.isFile() && (process.getuid === undefined || found.uid === process.getuid());
}

/**
 * Flags with which opening does not follow links and does not wait for the other end of a pipe. Windows has neither.
 */
const CAREFUL = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a plain file of this user. Throws the errors of opening, and an error with code EINVAL for anything else: a
 * link, a pipe, a device, or a file of another user.
 */
export async function openOwn(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, flags | CAREFUL, 0o600);
  if (isOwn(await file.stat())) return file;
  await file.close();
  throw Object.assign(new Error(`${path} is not a plain file of this user.`), { code: 'EINVAL' });
}

const SECRET_BYTES = 32;

/**
 * Returns secret bytes of this user, which sign the files that xylem writes. They are created in the cache folder when
 * they are first needed. Throws the errors of the system.
 */
export async function userSecret(folder = defaultCacheFolder()): Promise<Uint8Array> {
  const path = join(folder, 'secret');
  const known = await readSecret(path);
  if (known) return known;
  await makeFolder(folder);
  const beside = besideOf(path);
  await writeFile(beside, crypto.getRandomValues(new Uint8Array(SECRET_BYTES)), { flag: 'wx', mode: 0o600 });
  try {
    // If another process has created a secret in the meantime, both use that one.
    await link(beside, path).catch((thrown: unknown) => {
      if (systemCode(thrown) !== 'EEXIST') return rename(beside, path);
    });
  } finally {
    await rm(beside, { force: true });
  }
  const made = await readSecret(path);
  if (made) return made;
  throw Object.assign(new Error(`${path} is not there.`), { code: 'ENOENT' });
}

/**
 * Reads the secret. Throws an error with code EINVAL if the file belongs to another user or does not contain a secret.
 */
async function readSecret(path: string): Promise<Uint8Array | undefined> {
  const file = await openOwn(path, constants.O_RDONLY).catch((thrown: unknown) => {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  });
  if (!file) return undefined;
  try {
    const secret = new Uint8Array(await file.readFile());
    if (secret.length === SECRET_BYTES) return secret;
  } finally {
    await file.close();
  }
  throw Object.assign(new Error(`${path} has not ${SECRET_BYTES} bytes.`), { code: 'EINVAL' });
}
