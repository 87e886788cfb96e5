import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { delay } from '../base/abort';
import { type ErrorRecord, toXylemError } from '../base/errors';
import type { CallOptions, FileId, ReaderApi } from '../file/api';
import type { OpenFile, ViewerStore } from './viewer-state';

/** What a view has of the reader. */
export type ReadState<T> =
  | { state: 'reading' }
  | { state: 'ready'; value: T }
  | { state: 'failed'; error: ErrorRecord }
  | { state: 'cancelled' };

const kept = new WeakMap<OpenFile, Map<string, unknown>>();

/**
 * Reads something of the open file once, and keeps it while the file is open: `key` says what it is.
 * What was read for a component is aborted when it goes. The second of the pair reads again.
 */
export function useRead<T>(
  store: ViewerStore,
  open: OpenFile,
  key: string,
  label: string,
  run: (api: ReaderApi, file: FileId, options: CallOptions) => Promise<T>,
): [ReadState<T>, () => void] {
  const attempt = useSignal(0);
  // What was read last, and of what: it is not shown for something else.
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
    store
      .call(`view ${key}`, label, async (api, file, options) => {
        const value = await run(api, file, options);
        // What is large takes long to arrive, and long to be shown: two tasks.
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
  const again = () => attempt.value++;
  const known = last.value;
  const values = kept.get(open);
  if (values?.has(key)) return [{ state: 'ready', value: values.get(key) as T }, again];
  return [known?.open === open && known.key === key ? known.read : { state: 'reading' }, again];
}
