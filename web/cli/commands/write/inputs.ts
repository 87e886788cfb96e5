import { realpath, stat } from 'node:fs/promises';
import type { FileSource } from '../../../api/api';
import { nameOfSource } from '../../../library/sources';
import type { MergeSource } from '../../../write/merge/merge-files';
import { UsageError } from '../../arguments';
import type { Context } from '../../context';
import { type SourceOptions, sourceOf } from '../../targets';

/** The size and date of a local file, which change with its content. */
async function stampOf(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return `${size} ${mtimeMs}`;
}

/** A file of a command line. */
export interface InputFile extends MergeSource {
  file: FileSource;
}

/** All files that the words name, in their order. */
export async function sourcesOf(
  targets: readonly string[],
  given: SourceOptions & { resume?: boolean | undefined },
  context: Context,
): Promise<InputFile[]> {
  const found: InputFile[] = [];
  for (const target of targets) {
    const { source } = await sourceOf(target, given);
    const files = source.kind === 'chain' ? source.files.map((part) => part.source) : [source];
    for (const file of files) {
      // A file that is not there fails where it is opened.
      const stamp =
        given.resume && file.kind === 'path' ? await stampOf(file.path).catch(() => '') : undefined;
      found.push({ file, name: nameOfSource(file), open: () => context.open(file), stamp });
    }
  }
  return found;
}

/**
 * The output must not be one of the inputs, which are still read when it gets its name. `place` says which word it is.
 * Throws UsageError.
 */
export async function refuseOwn(out: string, sources: readonly MergeSource[], place: string): Promise<void> {
  const real = (path: string) => realpath(path).catch(() => path);
  const to = await real(out);
  for (const { name } of sources)
    if ((await real(name)) === to) throw new UsageError(`OUT is also an input: ${name}. ${place}`);
}
