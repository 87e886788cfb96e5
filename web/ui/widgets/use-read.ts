import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CallOptions, FileId } from '../../api/api';
import type { EngineApi } from '../../api/engine-api';
import { delay } from '../../base/abort';
import { type ErrorRecord, toXylemError } from '../../base/errors';
import type { OpenFile, ViewerStore } from '../state/viewer-state';

export type ReadState<T> =
  | { state: 'reading' }
  | { state: 'ready'; value: T }
  | { state: 'failed'; error: ErrorRecord }
  | { state: 'cancelled' };

const kept = new WeakMap<OpenFile, Map<string, unknown>>();

/**
 * Reads something of the open file once, and keeps it while the file is open. `key` identifies it. Aborted when the
 * component is removed. Calling the second element of the result reads again.
 */
export function useRead<T>(
  store: ViewerStore,
  open: OpenFile,
  key: string,
  label: string,
  run: (api: EngineApi, file: FileId, options: CallOptions) => Promise<T>,
): [ReadState<T>, () => void] {
  const attempt = useSignal(0);
  // The last result and its key, so that it is not shown for another key.
  const last = useSignal<{ open: OpenFile; key: string; read: ReadState<T> } | undefined>(undefined);
  const run_ = attempt.value;
  useEffect(() => {
    const values = kept.get(open) ?? new Map<string, unknown>();
    kept.set(open, values);
    if (values.has(key)) return;
    let here = true;
    const set = (read: ReadState<T>): void => {
      last.value = { open, key, read };
    };
    set({ state: 'reading' });
    store.session
      .call(`view ${key}`, label, async (api, file, options) => {
        const value = await run(api, file, options);
        // Large results take long to arrive and long to show: two tasks.
        await delay(0, options.signal);
        return value;
      })
      .then(
        (value) => {
          values.set(key, value);
          if (here) set({ state: 'ready', value });
        },
        (thrown: unknown) => {
          if (!here) return;
          const error = toXylemError(thrown);
          set(
            error.code === 'ABORTED' ? { state: 'cancelled' } : { state: 'failed', error: error.toRecord() },
          );
        },
      );
    return () => {
      here = false;
      if (!values.has(key)) store.activities.cancel(`view ${key}`);
    };
  }, [store, open, key, run_]);
  const known = last.value;
  const again = () => {
    const error = known?.read.state === 'failed' && known.read.error;
    // Results of a file that changed do not match its present content. Without its server only cached bytes are
    // available.
    if (error && (error.code === 'FILE_CHANGED' || open.info.offline)) store.session.reopen();
    else attempt.value++;
  };
  const values = kept.get(open);
  if (values?.has(key)) return [{ state: 'ready', value: values.get(key) as T }, again];
  return [known?.open === open && known.key === key ? known.read : { state: 'reading' }, again];
}
