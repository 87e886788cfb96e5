import type { FileSource, Progress } from '../../../api/api';
import type { Finding } from '../../../api/check-report';
import { toXylemError } from '../../../base/errors';
import { formatCount } from '../../../base/format';
import { type Context, pathOf } from '../../../cli/context';
import { refuseRanges, type SourceOptions, sourceOf } from '../../../cli/targets';
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
    const named = await sourceOf(target, given, context.files);
    refuseRanges(named);
    const { source } = named;
    const files = source.kind === 'chain' ? source.files.map((part) => part.source) : [source];
    for (const file of files) found.push({ source: file, name: nameOfSource(file) });
  }
  return found;
}

/** A file that is left out, and why. */
export interface SkippedFile {
  file: string;
  code: string;
  message: string;
}

/** Reads each file whole, and returns those without errors. Each of the others is a line on stderr, and a failed file. */
export async function soundOf(
  files: readonly InputFile[],
  context: Context,
  onProgress: ((progress: Progress) => void) | undefined,
): Promise<{ inputs: InputFile[]; skipped: SkippedFile[] }> {
  const inputs: InputFile[] = [];
  const skipped: SkippedFile[] = [];
  for (const [i, one] of files.entries()) {
    const bad = await whyBad(one, context);
    if (bad === undefined) inputs.push(one);
    else {
      const file = pathOf(one.name);
      skipped.push({ file, ...bad });
      context.files.failed.add({ file });
      context.err.line(`skipped: ${file}: ${bad.message} [${bad.code}]`);
    }
    onProgress?.({
      label: `${formatCount(i + 1)} of ${formatCount(files.length)} files read`,
      ...{ bytesDone: 0, bytesTotal: 0, entriesDone: i + 1, entriesTotal: files.length },
    });
  }
  return { inputs, skipped };
}

/** Returns the first error in a file; undefined if there is none. Throws ABORTED. */
async function whyBad(
  { source }: InputFile,
  context: Context,
): Promise<Omit<SkippedFile, 'file'> | undefined> {
  try {
    const open = await context.open(source);
    try {
      const { findings } = await open.reader.check(open.info.id, {});
      const isBad = ({ severity }: Finding): boolean => severity === 'error';
      const [first] = findings.filter(isBad);
      return first && { code: first.code ?? 'CORRUPT', message: first.message };
    } finally {
      await open.close();
    }
  } catch (thrown) {
    const { code, message } = toXylemError(thrown);
    if (code === 'ABORTED') throw thrown;
    return { code, message };
  }
}
