import type { FileInfo, KeyKind } from '../../../../api/api';
import type { EngineApi } from '../../../../api/engine-api';
import { throwIfAborted } from '../../../../base/abort';
import { unsupported } from '../../../../base/data-errors';
import { toXylemError, XylemError } from '../../../../base/errors';
import { directoryAt, parentOf } from '../file/directories';
import type { Directory, FileWriter } from '../file/file-writer';
import type { Records } from '../file/records';
import { type Input, type InputKey, readInput } from '../input/input';
import type { MergeSource } from './merge-files';

/** Error codes that are about the content of an input. */
const ABOUT_CONTENT = new Set<string>([
  ...[
    'CHECKSUM',
    'COMPRESSION',
    'CORRUPT',
    'NOT_FOUND',
    'NOT_ROOT',
    'NO_STREAMER',
    'TRUNCATED',
    'UNSUPPORTED',
  ],
]);

/** Opens a file for `use`, and always closes it. Errors about its content name the file. */
export async function withMergeSource<T>(
  source: MergeSource,
  use: (reader: EngineApi, info: FileInfo) => Promise<T>,
): Promise<T> {
  const open = await source.open().catch((thrown: unknown) => {
    throw named(source, thrown);
  });
  try {
    return await use(open.reader, open.info);
  } catch (thrown) {
    throw named(source, thrown);
  } finally {
    await open.close();
  }
}

/** Returns the error with the name of the file, if it is about its content. */
export function named(source: MergeSource, thrown: unknown): unknown {
  const error = toXylemError(thrown);
  if (!ABOUT_CONTENT.has(error.code) || error.message.includes(source.name)) return thrown;
  const message = `${source.name}: ${error.message}`;
  return new XylemError({ ...error.toRecord(), message, cause: error });
}

/**
 * Opens all inputs one after another before anything is written, and calls `each` for every one. Returns for each
 * input a text of its UUID, size and dates, which changes if the input does. Throws the errors of reading and of
 * `each`.
 */
export async function survey(
  sources: readonly MergeSource[],
  records: Records,
  signal: AbortSignal | undefined,
  each: (input: Input, source: MergeSource) => Promise<void>,
): Promise<string[]> {
  const stamps: string[] = [];
  for (const source of sources) {
    throwIfAborted(signal);
    await withMergeSource(source, async (reader, info) => {
      stamps.push(stampOf(info));
      await each(await readInput(reader, info.id, info, records, { signal }), source);
    });
  }
  return stamps;
}

/** Throws FILE_CHANGED if an input has changed since the survey. */
export function checkStamp(stamp: string | undefined, source: MergeSource, info: FileInfo): void {
  if (stamp !== undefined && stamp !== stampOf(info)) throw changed(source);
}

/** Returns the error for an input that changed while files were merged. */
export function changed(source: MergeSource): XylemError {
  return new XylemError({
    code: 'FILE_CHANGED',
    message: `${source.name} was changed while files were merged.`,
    fix: 'Merge the files again when nothing writes them any more.',
  });
}

function stampOf({ uuid, size, modified, validator = '' }: FileInfo): string {
  return `${uuid} ${size} ${modified} ${validator}`;
}

/** Kinds that are merged in different ways, so that a path must have the same kind everywhere. */
const KINDS: ReadonlyMap<KeyKind, string> = new Map([
  ['directory', 'a directory'],
  ['tree', 'a tree'],
  ['ntuple', 'an RNTuple'],
]);

/** The names and directories of all inputs so far. */
export class Contents {
  /** Paths of all directories and keys, in the order of their first occurrence. */
  readonly paths = new Set<string>();
  /** Keys of the directories below the root, from the lists, because their records may name another class. */
  readonly directories = new Map<string, InputKey>();
  /** Identities of the inputs. */
  identity = '';
  /** Number of the inputs, and the sum of their sizes. */
  files = 0;
  bytes = 0;
  readonly #kinds = new Map<string, string>();

  /**
   * Adds an input, and creates its new directories in the output. `made` has all directories by their paths. Throws
   * UNSUPPORTED for a path that is a tree, an RNTuple or a directory in one input, and something else in another.
   */
  async add(input: Input, name: string, out: FileWriter, made: Map<string, Directory>): Promise<void> {
    this.identity += `${input.info.uuid} `;
    this.bytes += input.info.size;
    this.files++;
    for (const { path, kind } of input.keys) {
      this.paths.add(path);
      const here = KINDS.get(kind) ?? 'another object';
      const before = this.#kinds.get(path) ?? here;
      this.#kinds.set(path, here);
      if (here !== before)
        throw unsupported(
          `"${path}" is ${here} in ${name}, and was ${before} before.`,
          'Leave the file out, or merge files in which each path is of one kind.',
          { path },
        );
    }
    const depth = ({ path }: { path: string }) => path.split('/').length;
    for (const { path, key, header, created } of [...input.directories].sort((a, b) => depth(a) - depth(b))) {
      if (this.directories.has(path)) continue;
      this.directories.set(path, key);
      const parent = directoryAt(made, parentOf(key));
      made.set(path, await out.directory(parent, header, created));
    }
  }
}
