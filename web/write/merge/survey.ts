import type { FileInfo, ReaderApi } from '../../api/api';
import { throwIfAborted } from '../../base/abort';
import { XylemError } from '../../base/errors';
import type { Directory, FileWriter } from '../file-writer';
import { type Input, type InputKey, readInput } from '../input';
import type { FileNumbers, Records } from '../records';
import type { MergeSource } from './merge-files';

/** Results of the first pass over the inputs. */
export interface Survey {
  /** Header and title of the first file. */
  header: FileNumbers;
  title: string;
  /** Identities of all inputs. */
  identity: string;
  /** Bytes of all inputs. */
  bytes: number;
  /** Paths of all directories and keys, in the order in which they were met first. */
  paths: string[];
  /** Directories below the root, those above others first. */
  directories: { path: string; key: InputKey; created: number }[];
  /** UUID and size of each input. */
  stamps: string[];
}

/** Opens a file, and closes it in every case. */
export async function withMergeSource<T>(
  source: MergeSource,
  use: (reader: ReaderApi, info: FileInfo) => Promise<T>,
): Promise<T> {
  const open = await source.open();
  try {
    return await use(open.reader, open.info);
  } finally {
    await open.close();
  }
}

/**
 * Reads the keys of all inputs, one after another, and calls `each` for every one. Throws the errors of reading and of
 * `each`, and UNSUPPORTED.
 */
export async function survey(
  sources: readonly MergeSource[],
  records: Records,
  signal: AbortSignal | undefined,
  each?: (input: Input, source: MergeSource) => Promise<void>,
): Promise<Survey> {
  let found: Survey | undefined;
  const paths = new Set<string>();
  const directories = new Map<string, Survey['directories'][number]>();
  const kinds = new Map<string, boolean>();
  for (const source of sources) {
    throwIfAborted(signal);
    await withMergeSource(source, async (reader, info) => {
      const input = await readInput(reader, info.id, info, records, { signal });
      found ??= {
        ...{ header: input.header, title: info.title, identity: '', bytes: 0 },
        ...{ paths: [], directories: [], stamps: [] },
      };
      found.identity += `${info.uuid} `;
      found.bytes += info.size;
      found.stamps.push(stampOf(info));
      for (const { path, kind } of input.keys) {
        paths.add(path);
        const isDirectory = kind === 'directory';
        if ((kinds.get(path) ?? isDirectory) !== isDirectory) {
          throw new XylemError({
            code: 'UNSUPPORTED',
            message: `"${path}" is a directory in one file, and an object in another: ${source.name}.`,
            where: { path },
          });
        }
        kinds.set(path, isDirectory);
      }
      await each?.(input, source);
      for (const one of input.directories) if (!directories.has(one.path)) directories.set(one.path, one);
    });
  }
  if (!found) throw new XylemError({ code: 'ARGUMENT', message: 'There is no file to merge.' });
  found.paths = [...paths];
  const depth = (path: string) => path.split('/').length;
  found.directories = [...directories.values()].sort((a, b) => depth(a.path) - depth(b.path));
  return found;
}

/** Throws FILE_CHANGED when an input is not the one that was surveyed. */
export function checkStamp(survey: Survey, index: number, source: MergeSource, info: FileInfo): void {
  if (survey.stamps[index] === stampOf(info)) return;
  throw new XylemError({
    code: 'FILE_CHANGED',
    message: `${source.name} was changed while files were merged.`,
    fix: 'Merge the files again when nothing writes them any more.',
  });
}

function stampOf({ uuid, size, modified }: FileInfo): string {
  return `${uuid} ${size} ${modified}`;
}

/** The path of the directory of a key. */
export function parentOf({ path, name }: { path: string; name: string }): string {
  return path.slice(0, Math.max(0, path.length - name.length - 1));
}

/** Names the directories in the output; '' is the root. */
export function makeDirectories(survey: Survey, out: FileWriter): Map<string, Directory> {
  const made = new Map<string, Directory>([['', out.root]]);
  for (const { path, key, created } of survey.directories) {
    const parent = made.get(parentOf(key)) ?? out.root;
    const { name, title } = key;
    made.set(path, out.directory(parent, key.header, { name, title, created }));
  }
  return made;
}
