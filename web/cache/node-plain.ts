import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { checksum } from './checksum';

// Access to the files of a cache folder. Anything that is not a plain file (a link, a device, a pipe) is treated as
// missing, because reading it might never end, and writing might change another file.

/**
 * Flags with which opening does not follow links and does not wait for the other end of a pipe. Windows has neither.
 */
const PLAIN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a plain file of at most `maxBytes` bytes. Throws the errors of opening, and an error with code EINVAL for
 * anything else.
 */
async function openPlain(path: string, maxBytes: number): Promise<FileHandle> {
  const file = await open(path, PLAIN);
  const info = await file.stat();
  if (info.isFile() && info.size <= maxBytes) return file;
  await file.close();
  throw notPlain(path);
}

/** Returns the bytes of a plain file of at most `maxBytes` bytes; undefined for anything else. */
export async function readPlain(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const file = await openPlain(path, maxBytes).catch(() => undefined);
  try {
    return await file?.readFile();
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

/** Returns up to `bytes` bytes from the start of a plain file; undefined for anything else. */
export async function readStart(path: string, bytes: number): Promise<Buffer | undefined> {
  const file = await openPlain(path, Number.POSITIVE_INFINITY).catch(() => undefined);
  try {
    const read = await file?.read(Buffer.allocUnsafe(bytes), 0, bytes, 0);
    return read?.buffer.subarray(0, read.bytesRead);
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

/** As `readPlain`, synchronous. Throws for anything else. */
export function readPlainNow(path: string, maxBytes: number): Buffer {
  const file = openSync(path, PLAIN);
  try {
    const info = fstatSync(file);
    if (!info.isFile() || info.size > maxBytes) throw notPlain(path);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function notPlain(path: string): Error {
  return Object.assign(new Error(`${path} is not a plain file of the expected size.`), { code: 'EINVAL' });
}

/**
 * Creates a folder, and missing folders above it. Node's own function for this does not return if the system reports a
 * missing folder inside an existing one, as below /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make().catch(async (thrown: NodeJS.ErrnoException) => {
      if (thrown.code !== 'ENOENT' || dirname(path) === path) throw thrown;
      await makeFolder(dirname(path));
      await make();
    });
  } catch (thrown) {
    const there = await stat(path).catch(() => undefined);
    if (!there?.isDirectory()) throw thrown;
  }
}

/**
 * Identifies the group of processes that can see each other by process id. On Linux, these have the same host name,
 * boot id and pid namespace, because containers may share only a host name and a folder. If the system does not tell,
 * the group is this process only.
 */
function askable(): string {
  if (process.platform === 'darwin' || process.platform === 'win32') return hostname();
  try {
    const start = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${hostname()} ${start} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return crypto.randomUUID();
  }
}

let own: string | undefined;

/** Returns a hash of `askable`. */
function ownName(): string {
  own ??= [0, 1].map((seed) => checksum(new TextEncoder().encode(askable()), seed).toString(16)).join('');
  return own;
}

/** Returns the name of this process, as `isGone` reads it. */
export const ownProcess = (): string => `${ownName()}-${process.pid}`;

/** Whether a text names a process that has certainly ended. False for a process that this one cannot see. */
export function isGone(text: string): boolean {
  const match = /^([0-9a-f]+)-(\d+)$/.exec(text);
  return match?.[1] === ownName() && !isRunning(Number(match[2]));
}

/** Returns the name of a file until it is complete. It names the process and the machine. */
export function besideOf(path: string): string {
  return `${path}.${ownProcess()}.${Math.random().toString(36).slice(2)}`;
}

/**
 * Writes a file under another name and renames it, so that other processes only see complete files, and a link is
 * replaced instead of followed.
 */
export async function putWhole(path: string, content: Uint8Array | string): Promise<void> {
  const beside = besideOf(path);
  try {
    await writeFile(beside, content, { flag: 'wx', mode: 0o600 });
    await rename(beside, path);
  } catch (thrown) {
    await rm(beside, { force: true }).catch(() => {});
    throw thrown;
  }
}

/** Maximum time for writing a file, in ms. Used if it is unknown whether its process still runs. */
const MAX_WRITE = 3_600_000;

/**
 * Whether a name was made by `besideOf` for an incomplete file: `busy` while its process runs, `left` after it was
 * killed; undefined for other names.
 */
export function unfinished(name: string, modified: number): 'busy' | 'left' | undefined {
  const match = /\.((?:[0-9a-f]+-)?\d+)\.[0-9a-z]+$/.exec(name);
  if (!match) return undefined;
  return isGone(match[1] ?? '') || Date.now() - modified > MAX_WRITE ? 'left' : 'busy';
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // A process of another user cannot be signalled, but exists.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
