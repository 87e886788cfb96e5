import { type ReadonlySignal, signal } from '@preact/signals';
import type { DrawRequest, FileInfo, Histogram, PlainObject, SourceSpec } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import { type ErrorRecord, toXylemError, XylemError } from '../../base/errors';
import type { Activities } from './activities';

/** A drawing, without its axes. */
export type DrawnWhat = Pick<DrawRequest, 'tree' | 'branch' | 'expr' | 'cut' | 'option'>;

/** A second file, whose branches, expressions and stored objects are drawn over those of the first. */
export interface Reference {
  readonly file: ReadonlySignal<{ source: SourceSpec; info: FileInfo } | null>;
  readonly error: ReadonlySignal<ErrorRecord | null>;
  open(source: SourceSpec): Promise<void>;
  close(): void;
  /** Draws the same with the bins of `shown`. Rejects when that is not possible in this file. */
  draw(what: DrawnWhat, shown: Histogram): Promise<Histogram>;
  /** Reads the object of this path. */
  object(path: string): Promise<PlainObject>;
}

export function createReference(api: EngineApi, activities: Activities): Reference {
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
  const opened = () => {
    const open = file.peek();
    if (open !== null) return open;
    throw new XylemError({ code: 'ARGUMENT', message: 'There is no file to compare with.' });
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
    async draw(what, { axes }) {
      const { info } = opened();
      const name = what.expr ?? what.branch;
      const same = axes.map(({ bins, low, high }) => ({ bins, range: [low, high] as [number, number] }));
      const result = await activities.run('reference', `Reading ${name} to compare`, (options) =>
        api.draw(info.id, { ...what, axes: same }, options),
      );
      if (result.kind === 'histogram') return result;
      throw new XylemError({
        code: 'UNSUPPORTED',
        message: `"${name}" holds strings in ${info.name}, numbers here.`,
      });
    },
    async object(path) {
      const { info } = opened();
      return await activities.run('reference', `Reading ${path} to compare`, (options) =>
        api.object(info.id, path, options),
      );
    },
  };
}
