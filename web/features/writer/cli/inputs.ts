import type { FileSource } from '../../../api/api';
import type { Context } from '../../../cli/context';
import { type SourceOptions, sourceOf } from '../../../cli/targets';
import { nameOfSource } from '../../../library/sources';

/** A file of a command line, as an input of a merge. */
export interface InputFile {
  name: string;
  source: FileSource;
}

/** All files that the words name, in their order, noted as inputs. */
export async function sourcesOf(
  targets: readonly string[],
  given: SourceOptions,
  context: Context,
): Promise<InputFile[]> {
  const found: InputFile[] = [];
  for (const target of targets) {
    const { source } = await sourceOf(target, given, context.files);
    const files = source.kind === 'chain' ? source.files.map((part) => part.source) : [source];
    for (const file of files) found.push({ source: file, name: nameOfSource(file) });
  }
  return found;
}
