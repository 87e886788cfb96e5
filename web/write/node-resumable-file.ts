import { constants } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { XylemError } from '../base/errors';
import { ioError } from '../base/io-error';
import type { MergeJournal, MergeSettings } from './merge/merge-files';
import { writeAt } from './node-write-at';
import type { Sink } from './sink';

/** Bytes after which a run that was killed goes on. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;

/** The first line of a journal. */
interface Head extends MergeSettings {
  /** Version of xylem. */
  version: string;
  date: number;
  /** In hexadecimal digits. */
  uuid: string;
}

/** The name that a file has until it is whole. */
export function partialOf(path: string): string {
  return `${path}.partial`;
}

/**
 * A file to merge into whose bytes stay when the process ends: in OUT.partial, with OUT.partial.journal beside it, which
 * says of which inputs they are and how many are on the disk. The next run of the same inputs goes on there. The file
 * gets its name when it is whole. Its errors are IO; `begin` throws FILE_CHANGED for a journal of other inputs.
 */
export function resumableFile(
  path: string,
  { version, checkpointBytes = CHECKPOINT_BYTES }: { version: string; checkpointBytes?: number },
): Sink & { journal: MergeJournal } {
  const partial = partialOf(path);
  const journalPath = `${partial}.journal`;
  let file: FileHandle | undefined;
  let journal: FileHandle | undefined;
  let kept = 0;
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

  async function begin(settings: MergeSettings, fresh: { date: number; uuid: Uint8Array }) {
    const known = parse(await readFile(journalPath, 'utf8').catch(unlessMissing));
    if (known) {
      const { date, uuid, ...before } = known.head;
      if (JSON.stringify(before) !== JSON.stringify({ version, ...settings }))
        throw otherRun(path, before, settings);
      file = await open(partial, constants.O_RDWR | constants.O_NOFOLLOW).catch(unlessMissing);
      if (file) {
        kept = Math.min(known.done, (await file.stat()).size);
        safe = kept;
        journal = await open(journalPath, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
        // A line that was not written to its end must not become the start of the next one.
        await journal.appendFile('\n');
        return { date, uuid: Uint8Array.from(Buffer.from(uuid, 'hex')) };
      }
    }
    const anew = constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
    file = await open(partial, anew);
    journal = await open(journalPath, anew);
    const head: Head = {
      version,
      ...settings,
      date: fresh.date,
      uuid: Buffer.from(fresh.uuid).toString('hex'),
    };
    await journal.appendFile(`${JSON.stringify(head)}\n`);
    return fresh;
  }

  return {
    name: basename(path),
    get kept() {
      return kept;
    },
    journal: { begin: (settings, fresh) => typed(() => begin(settings, fresh)) },
    write: (at, bytes) =>
      typed(async () => {
        if (!file || !journal) throw new Error('it is not open');
        await writeAt(file, bytes, at);
        end = Math.max(end, at + bytes.length);
        if (end - safe < checkpointBytes) return;
        await file.datasync();
        safe = end;
        await journal.appendFile(`${JSON.stringify({ done: safe })}\n`);
      }),
    close: () =>
      typed(async () => {
        await file?.truncate(end);
        await file?.sync();
        await close();
        await rename(partial, path);
        await rm(journalPath, { force: true });
      }),
    abort: () => close().catch(() => {}),
  };
}

/** A journal that was not begun, or whose first line is not whole, is none. */
function parse(text: string | undefined): { head: Head; done: number } | undefined {
  const lines = (text ?? '').split('\n').flatMap((line): object[] => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null ? [value] : [];
    } catch {
      return [];
    }
  });
  const [head, ...rest] = lines;
  if (!head || !('inputs' in head) || !('uuid' in head)) return undefined;
  const done = rest.flatMap((line) =>
    'done' in line && Number.isSafeInteger(line.done) ? [Number(line.done)] : [],
  );
  return { head: head as Head, done: Math.max(0, done.at(-1) ?? 0) };
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
    fix: `Remove "${path}.partial" and "${path}.partial.journal" to begin anew.`,
  });
}

function unlessMissing(thrown: unknown): undefined {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined;
  throw thrown;
}
