import { type ReadonlySignal, signal } from '@preact/signals';
import type { DrawRequest, FileInfo, Histogram, ReaderApi, SourceSpec } from '../../api/api';
import { type ErrorRecord, toXylemError, XylemError } from '../../base/errors';
import type { Activities } from './activities';

/** A second file, whose branches are drawn over those of the first. */
export interface Reference {
  readonly file: ReadonlySignal<{ source: SourceSpec; info: FileInfo } | null>;
  readonly error: ReadonlySignal<ErrorRecord | null>;
  open(source: SourceSpec): Promise<void>;
  close(): void;
  /** Draws the same branch under the same cut, with the bins of `shown`. Rejects when the file has no such branch of numbers. */
  draw(what: { tree: string; branch: string; cut: string }, shown: Histogram): Promise<Histogram>;
}

export function createReference(api: ReaderApi, activities: Activities): Reference {
  const file = signal<{ source: SourceSpec; info: FileInfo } | null>(null);
  const error = signal<ErrorRecord | null>(null);
  const drop = () => {
    // Also when it is still being opened: it must not appear after it was closed.
    activities.cancel('reference');
    const old = file.peek();
    file.value = null;
    error.value = null;
    if (old !== null) void api.close(old.info.id).catch(() => undefined);
  };
  return {
    file,
    error,
    async open(source) {
      drop();
      try {
        const info = await activities.run(
          'reference',
          'Opening the file to compare with',
          async (options) => {
            const opened = await api.open(source, options);
            if (options.signal?.aborted) await api.close(opened.id);
            return opened;
          },
        );
        file.value = { source, info };
      } catch (thrown) {
        const failure = toXylemError(thrown);
        if (failure.code !== 'ABORTED') error.value = failure.toRecord();
      }
    },
    close: drop,
    async draw({ tree, branch, cut }, { axes: [axis] }) {
      const open = file.peek();
      if (open === null)
        throw new XylemError({ code: 'ARGUMENT', message: 'There is no file to compare with.' });
      const result = await activities.run('reference', `Reading ${branch} to compare`, (options) =>
        api.draw(open.info.id, { tree, branch, cut, ...sameAxis(axis) }, options),
      );
      if (result.kind === 'histogram') return result;
      throw new XylemError({
        code: 'UNSUPPORTED',
        message: `"${branch}" holds strings in ${open.info.name}, numbers here.`,
      });
    },
  };
}

/** The bins and ends of an axis as a request. */
function sameAxis(axis: Histogram['axes'][number] | undefined): Pick<DrawRequest, 'bins' | 'range'> {
  return axis ? { bins: axis.bins, range: [axis.low, axis.high] } : {};
}
