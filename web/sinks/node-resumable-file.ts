import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { MergeJournal, MergeSettings, Sink } from '../api/sink';
import { argumentError, XylemError } from '../base/errors';
import { ioError, systemCode } from '../base/io-error';
import { openOwn, userSecret } from '../cache/node-own';
import { putWhole } from '../cache/node-plain';
import { keptText, refuseSame, whyKept } from './node-existing';
import { type Journal, type JournalHead, JournalSigner, type JournalStep, readJournal } from './node-journal';
import { giveName } from './node-save-file';
import { writeAt } from './node-write-at';
import { WAITING_BYTES } from './sink';

/** Number of bytes between checkpoints. A run that was killed is continued from the last one. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;
/** Maximum length of a journal. The names of a million inputs fit into it. */
const MAX_JOURNAL_BYTES = 512 * 1024 * 1024;
/** Number of bytes read at once to verify what is on the disk. */
const READ_BYTES = 4 * 1024 * 1024;

/** Returns the name of a file until it is complete. */
export function partialOf(path: string): string {
  return `${path}.partial`;
}

/** Returns the name of its journal. */
export function journalOf(path: string): string {
  return `${partialOf(path)}.journal`;
}

export interface ResumableOptions {
  /** Version of xylem. Default: this one. */
  version?: string | undefined;
  /** Replaces an existing file. Default: false. */
  replace?: boolean | undefined;
  checkpointBytes?: number | undefined;
  /** Folder of the secret that signs journals. Default: the folder of this user's caches. */
  secrets?: string | undefined;
}

/**
 * Returns a sink for a merge that can be continued after the process ended. Bytes are in OUT.partial;
 * OUT.partial.journal lists the inputs and how many bytes are on the disk. The next run with the same inputs
 * continues there. The file gets its name when it is complete. Files of these names that xylem did not write for this
 * user are neither changed nor removed, and changed bytes are not used. Errors are IO; `begin` throws FILE_CHANGED
 * for a journal of other inputs, and ARGUMENT for files of another origin.
 */
export function resumableFile(
  path: string,
  { version: given, replace = false, checkpointBytes = CHECKPOINT_BYTES, secrets }: ResumableOptions = {},
): Sink & { journal: MergeJournal } {
  const partial = partialOf(path);
  const journalPath = journalOf(path);
  let file: FileHandle | undefined;
  let journal: FileHandle | undefined;
  let signer: JournalSigner | undefined;
  let overwrites = false;
  let safe = 0;
  let end = 0;
  const typed = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (thrown) {
      throw ioError(`"${path}" cannot be written`, thrown, path);
    }
  };
  const close = async (): Promise<void> => {
    await Promise.all([file, journal].map((handle) => handle?.close()));
    [file, journal] = [undefined, undefined];
  };

  /** Whether a name belongs to the file that is written here. */
  async function isOwn(name: string): Promise<boolean> {
    const [own, there] = await Promise.all([
      file?.stat({ bigint: true }),
      lstat(name, { bigint: true }).catch(unlessMissing),
    ]);
    return own !== undefined && own.ino === there?.ino && own.dev === there.dev;
  }

  /** Writes a journal with steps that are known to be on the disk, and opens it for more. */
  async function openJournal(head: JournalHead, steps: readonly JournalStep[], secret: Uint8Array) {
    signer = new JournalSigner(secret);
    const lines: string[] = [signer.line(head)];
    for (const step of steps) lines.push(signer.line(step));
    await putWhole(journalPath, lines.join(''));
    journal = await openOwn(journalPath, constants.O_WRONLY | constants.O_APPEND);
  }

  async function begin(settings: MergeSettings, fresh: { date: number; uuid: Uint8Array }) {
    const why = await whyKept(path, replace ? 'all' : 'nothing');
    if (why !== undefined) throw argumentError(keptText(path, why), undefined, { path });
    // An existing empty file has nothing to lose.
    overwrites = (await lstat(path).catch(unlessMissing)) !== undefined;
    const version = given ?? (await import('../../package.json')).version;
    const secret = await userSecret(secrets).catch((thrown: unknown) => {
      throw noSecret(thrown);
    });
    const known = await readOwnJournal(path, secret);
    if (known) {
      const { date, uuid, file: inode, ...before } = known.head;
      if (JSON.stringify(before) !== JSON.stringify({ version, ...settings }))
        throw otherRun(path, before, settings);
      file = await openPartial(path, inode);
      if (file) {
        const steps = await verifiedSteps(file, known.steps);
        safe = steps.at(-1)?.end ?? 0;
        await openJournal(known.head, steps, secret);
        return { date, uuid: Uint8Array.from(Buffer.from(uuid, 'hex')), kept: safe };
      }
    } else await refuseForeign(path, partial);
    file = await open(partial, NEW, 0o666).catch((thrown: unknown) => {
      throw systemCode(thrown) === 'EEXIST' ? otherMerge(path) : thrown;
    });
    const { ino } = await file.stat({ bigint: true });
    const uuid = Buffer.from(fresh.uuid).toString('hex');
    await openJournal({ version, ...settings, date: fresh.date, uuid, file: String(ino) }, [], secret);
    return { ...fresh, kept: 0 };
  }

  return {
    name: basename(path),
    // Waiting records are not in a checkpoint.
    waitingBytes: Math.min(checkpointBytes, WAITING_BYTES),
    async refuse(inputs) {
      for (const name of [path, partial, journalPath]) await refuseSame(name, inputs);
    },
    journal: { begin: (settings, fresh) => typed(() => begin(settings, fresh)) },
    write: (at, bytes) =>
      typed(async () => {
        if (!file || !journal || !signer) throw new Error('it is not open');
        await writeAt(file, bytes, at);
        end = Math.max(end, at + bytes.length);
        if (end - safe < checkpointBytes) return;
        await file.datasync();
        await journal.appendFile(signer.line({ end, sum: await sumOf(file, safe, end) }));
        safe = end;
      }),
    written: async () => ({ kind: 'path', path: (await isOwn(partial)) ? partial : path }),
    close: () =>
      typed(async () => {
        await file?.truncate(end);
        await file?.sync();
        // Another run of the same merge writes the same bytes to the same file, and may already have renamed it.
        if (await isOwn(partial)) {
          const naming = overwrites ? rename(partial, path) : giveName(partial, path);
          await naming.catch(unlessMissing);
        }
        if (!(await isOwn(path))) throw otherMerge(path);
        await close();
        await rm(journalPath, { force: true });
      }),
    abort: () => close().catch(() => {}),
  };
}

/** Creates a file. Fails if one exists, and follows no link. */
const NEW = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;

/** Returns the journal of an earlier run; undefined if there is none. Throws ARGUMENT if xylem did not write it. */
async function readOwnJournal(path: string, secret: Uint8Array): Promise<Journal | undefined> {
  const place = journalOf(path);
  const file = await openOwn(place, constants.O_RDONLY).catch((thrown: unknown) => {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw CODES_OF_OTHERS.includes(systemCode(thrown)) ? foreign(path, place) : thrown;
  });
  if (!file) return undefined;
  try {
    if ((await file.stat()).size > MAX_JOURNAL_BYTES) throw foreign(path, place);
    const journal = readJournal(await file.readFile('utf8'), secret);
    if (journal) return journal;
  } finally {
    await file.close();
  }
  throw foreign(path, place);
}

/** Codes for a link, a file of another user, and an unreadable file. */
const CODES_OF_OTHERS = ['EINVAL', 'ELOOP', 'EACCES', 'EPERM', 'EISDIR', 'ENXIO'];

/** Throws ARGUMENT if there is a partial file without a journal. An empty one is removed. */
async function refuseForeign(path: string, place: string): Promise<void> {
  const there = await lstat(place).catch(unlessMissing);
  if (there === undefined) return;
  if (!there.isFile() || there.size > 0) throw foreign(path, place);
  await rm(place);
}

/** Opens the partial file of an earlier run; undefined if it is missing. Throws ARGUMENT if it is another file. */
async function openPartial(path: string, inode: string): Promise<FileHandle | undefined> {
  const place = partialOf(path);
  const file = await openOwn(place, constants.O_RDWR).catch((thrown: unknown) => {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw CODES_OF_OTHERS.includes(systemCode(thrown)) ? foreign(path, place) : thrown;
  });
  if (!file) return undefined;
  const { ino, nlink } = await file.stat({ bigint: true });
  if (String(ino) === inode && nlink === 1n) return file;
  await file.close();
  throw foreign(path, place);
}

/** Returns the steps up to the first one whose bytes on the disk have changed. */
async function verifiedSteps(file: FileHandle, steps: readonly JournalStep[]): Promise<JournalStep[]> {
  const { size } = await file.stat();
  const good: JournalStep[] = [];
  let start = 0;
  for (const step of steps) {
    if (step.end <= start || step.end > size || (await sumOf(file, start, step.end)) !== step.sum) break;
    good.push(step);
    start = step.end;
  }
  return good;
}

/** Returns the SHA-256 of a range of a file in hexadecimal digits. */
async function sumOf(file: FileHandle, from: number, to: number): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, to - from));
  for (let at = from; at < to; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - at), at);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash.digest('hex');
}

function foreign(path: string, place: string): XylemError {
  return argumentError(
    `"${place}" is there, and was not written by a merge of yours into this name.`,
    `Remove it if nobody needs it, with "${partialOf(path)}" or "${journalOf(path)}" beside it, or name another file.`,
    { path: place },
  );
}

function otherMerge(path: string): XylemError {
  return new XylemError({
    code: 'FILE_CHANGED',
    message: `Another merge writes "${path}" at the same time.`,
    where: { path },
    fix: 'Wait until it has ended, and merge again if its file is not the one that you want.',
  });
}

function noSecret(cause: unknown): XylemError {
  return new XylemError({
    ...ioError('The journal of a merge cannot be signed', cause).toRecord(),
    fix: 'Let XDG_CACHE_HOME name a folder of yours that can be written, or merge without resuming.',
    cause,
  });
}

function otherRun(path: string, before: MergeSettings, now: MergeSettings): XylemError {
  const lists = [before.inputs, now.inputs].map((inputs) => inputs.map(({ name }) => name).join('\n'));
  const other = before.inputs.find(({ stamp }, i) => stamp !== now.inputs[i]?.stamp);
  const what =
    lists[0] !== lists[1]
      ? 'was of other inputs'
      : other
        ? `was before ${other.name} changed`
        : 'was with other options or another version of xylem';
  return new XylemError({
    code: 'FILE_CHANGED',
    message: `${path} cannot be resumed: the merge that was interrupted ${what}.`,
    where: { path },
    fix: `Remove "${partialOf(path)}" and "${journalOf(path)}" to begin anew.`,
  });
}

function unlessMissing(thrown: unknown): undefined {
  if (systemCode(thrown) === 'ENOENT') return undefined;
  throw thrown;
}
