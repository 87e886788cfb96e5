import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInsight } from '../../web/insight/api';
import type { ViewerOptions } from '../../web/ui/state/store';
import { createViewerStore } from '../../web/ui/state/store';
import type { OpenFile, ViewerStore } from '../../web/ui/state/viewer-state';
import { runInPage } from '../../web/verbs/run-in-page';
import { openReader } from '../engine-reader';

const samplePath = resolve(import.meta.dirname, '../../public/sample.root');

/** The sample as a source of its own. */
export const sampleSource = (name = 'sample.root') =>
  ({ kind: 'buffer', buffer: new Uint8Array(readFileSync(samplePath)).buffer, name }) as const;

/** The state of a page that shows the sample, which the reader of Node reads; for tests of components without a browser. */
export async function openSample(
  options: ViewerOptions = {},
): Promise<{ store: ViewerStore; open: OpenFile; close(): void }> {
  const reader = await openReader({ workers: 0, cache: false });
  const store = createViewerStore(
    { ...reader, insight: createInsight(reader, async () => runInPage) },
    options,
  );
  await store.session.open(sampleSource());
  const open = store.session.file.value;
  if (open === null) throw new Error('The sample was not opened.');
  return {
    store,
    open,
    close() {
      store.files.closeShown();
      reader.terminate();
    },
  };
}
