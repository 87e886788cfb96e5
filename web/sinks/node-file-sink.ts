import { basename } from 'node:path';
import type { FileSinkOptions, Sink } from '../api/sink';
import { argumentError } from '../base/errors';
import { ioError } from '../base/io-error';
import { refuseSame } from './node-existing';
import { resumableFile } from './node-resumable-file';
import { type OpenOutput, openOutput, openReplacement } from './node-save-file';
import { writeAt } from './node-write-at';

/**
 * Returns a sink that writes a file, which gets its name when it is complete. After a failure or a signal nothing is
 * left, except with `resume`. An existing file is replaced only with `replace`, and one that is an input only with
 * `inPlace`. Errors are IO, and ARGUMENT for a file that is not replaced.
 */
export function fileSink(path: string, options: FileSinkOptions = {}): Sink {
  const { replace = false, inPlace = false, resume = false } = options;
  if (resume && inPlace) {
    throw argumentError(
      'A file that is an input cannot be resumed.',
      'Give fileSink either resume or inPlace.',
    );
  }
  if (resume) return resumableFile(path, { replace });
  const failed = `"${path}" cannot be written`;
  let opened: Promise<OpenOutput> | undefined;
  const openTarget = () =>
    inPlace
      ? openReplacement(path)
      : openOutput(path, replace ? 'all' : 'nothing', 'Give fileSink { replace: true }, or another name.');
  const typed = async <T>(run: (file: OpenOutput) => Promise<T>): Promise<T> => {
    try {
      opened ??= openTarget();
      return await run(await opened);
    } catch (thrown) {
      throw ioError(failed, thrown, path);
    }
  };
  return {
    name: basename(path),
    async refuse(inputs) {
      // Only the file that existed before reading may be replaced.
      if (inPlace) await typed(async () => {});
      else await refuseSame(path, inputs);
    },
    write: (at, bytes) => typed(({ handle }) => writeAt(handle, bytes, at)),
    written: () =>
      typed(async (file) => (file.path === undefined ? undefined : { kind: 'path', path: file.path })),
    close: () => typed((file) => file.finish()),
    async abort() {
      await (await opened?.catch(() => undefined))?.drop();
    },
  };
}
