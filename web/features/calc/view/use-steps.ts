import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FileId } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { unsupported } from '../../../base/data-errors';
import { type ErrorRecord, toXylemError } from '../../../base/errors';
import { notFound } from '../../../base/suggest';
import { histogramClass } from '../../../bins/stored-axes';
import { histogramOfObject } from '../../../bins/stored-histogram';
import { findKey } from '../../../model/keys';
import { readableUrl } from '../../../ui/state/address/url-state';
import { tabName } from '../../../ui/state/open-files';
import type { OpenFile, ViewerStore } from '../../../ui/state/viewer-state';
import { namedFile } from '../work/names';
import { type Held, heldOf } from '../work/ops/held';
import { runSteps } from '../work/run-steps';
import type { Value } from '../work/steps';
import { compiledSteps } from './step-texts';

/** Largest number of histograms that are offered. */
const MAX_PATHS = 2000;

/** Stands for the shown histogram among the names that steps open. */
const OWN = 'this plot';

/** The result of steps, or why there is none. The result before stays until the next one is known. */
export interface StepsResult {
  value: Value | undefined;
  error: ErrorRecord | undefined;
  /** Whether files are being read for it. */
  reading: boolean;
}

/** Computes the steps with a histogram, again when one of them changes. */
export function useSteps(store: ViewerStore, own: Held | undefined, steps: readonly string[]): StepsResult {
  const result = useSignal<StepsResult>({ value: undefined, error: undefined, reading: false });
  const key = steps.join('|');
  useEffect(() => {
    if (own === undefined || steps.length === 0) {
      result.value = { value: undefined, error: undefined, reading: false };
      return;
    }
    let isHere = true;
    const tell = (next: Partial<StepsResult>): void => {
      if (isHere) result.value = { ...result.peek(), reading: false, ...next };
    };
    result.value = { ...result.peek(), reading: true };
    computed(store, own, steps).then(
      (value) => tell({ value, error: undefined }),
      (thrown: unknown) => tell({ error: toXylemError(thrown).toRecord() }),
    );
    return () => {
      isHere = false;
    };
  }, [own, key]);
  return result.value;
}

async function computed(store: ViewerStore, own: Held, steps: readonly string[]): Promise<Value | undefined> {
  const compiled = compiledSteps(steps, `"${OWN}"`);
  const values = await runSteps(compiled, {
    open: async (name) => (name === OWN ? own : await storedOf(store, name)),
    fill: () =>
      Promise.reject(
        unsupported(
          'A step here fills no histogram.',
          'Draw it, and take it as the plot; or use "xylem calc".',
        ),
      ),
  });
  return values.at(-1);
}

/** Reads a stored histogram: of the shown file, or of another one by its address or the name of its tab, and a colon. */
async function storedOf(store: ViewerStore, name: string): Promise<Held> {
  const { file: address, path } = namedFile(name) ?? { file: undefined, path: name };
  const open = store.session.file.peek();
  return await store.session.call('calc', 'Reading a histogram', async (api, _shown, options) => {
    if (address === undefined) {
      if (open === null) throw unsupported('No file is open.');
      return await read(api, open.info.id, name, options);
    }
    const tab = store.files.list.peek().find((one) => tabName(one) === address);
    const source = tab?.source ?? { kind: 'url' as const, url: readableUrl(address, document.baseURI) };
    const info = await api.open(source, options);
    try {
      return await read(api, info.id, path, options);
    } finally {
      await api.close(info.id);
    }
  });
}

async function read(
  api: EngineApi,
  file: FileId,
  path: string,
  options: { signal?: AbortSignal | undefined },
): Promise<Held> {
  const keys = await api.keys(file, options);
  const key = findKey(keys, path);
  if (key === undefined)
    throw notFound(
      'histogram',
      path,
      keys.map((one) => one.path),
    );
  return heldOf(histogramOfObject(await api.object(file, key.path, options)));
}

/** Returns the paths of stored histograms of a file, the newest cycle of each. */
export function histogramPaths(open: OpenFile | null | undefined): string[] {
  const paths = (open?.keyTree.keys ?? [])
    .filter(({ className }) => histogramClass(className) !== undefined)
    .map(({ path }) => path);
  return [...new Set(paths)].slice(0, MAX_PATHS);
}
