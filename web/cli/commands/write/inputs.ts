import { stat } from 'node:fs/promises';
import type { FileSource } from '../../../api/api';
import { nameOfSource } from '../../../library/sources';
import type { MergeSource } from '../../../write/merge/merge-files';
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

/** All files that the words name, in their order, noted as inputs. */
export async function sourcesOf(
  targets: readonly string[],
  given: SourceOptions & { resume?: boolean | undefined },
  context: Context,
): Promise<InputFile[]> {
  const found: InputFile[] = [];
  for (const target of targets) {
    const { source } = await sourceOf(target, given, context.files);
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
