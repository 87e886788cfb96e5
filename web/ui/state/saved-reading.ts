import { loadPerfReport, type PerfReport, storedReading } from '../../insight/reads/perf';
import { isTree } from '../../model/key-kind';
import { fileNode, keyNode } from './contents-model';
import { formatMapState } from './map-state';
import { findKeyIndex, type ViewerStore } from './viewer-state';

/** Maximum length of a saved reading as text. */
const MAX_JSON = 256_000_000;
/** A longer ROOT file is opened without looking for a reading in it. */
const MAX_ROOT = 64_000_000;

/**
 * The reading in a file: one that xylem saved, or the TTreePerfStats in a ROOT file. Throws ARGUMENT when it
 * has none.
 */
export async function readSavedReading(store: ViewerStore, file: File): Promise<PerfReport> {
  return (await findReading(store, file)) ?? loadPerfReport('');
}

/** As above; undefined when a ROOT file has no such object, or the file is of another kind. */
export async function findReading(store: ViewerStore, file: File): Promise<PerfReport | undefined> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (String.fromCharCode(...start) !== 'root') {
    return file.size < MAX_JSON && start[0] === 0x7b ? loadPerfReport(await file.text()) : undefined;
  }
  return await store.call('reads compare', `Reading ${file.name}`, async (api, _file, options) => {
    const { id } = await api.open({ kind: 'blob', blob: file, name: file.name }, options);
    try {
      return await storedReading(api, id, options);
    } finally {
      await api.close(id);
    }
  });
}

/** Shows the reading of a dropped or chosen file on the map of the open one; returns whether it had one. */
export async function laidOver(store: ViewerStore, file: File): Promise<boolean> {
  const open = store.file.peek();
  if (open === null || file.size > MAX_ROOT) return false;
  const report = await findReading(store, file).catch(() => undefined);
  if (report === undefined || store.file.peek() !== open) return false;
  store.savedReading.value = report;
  const { keyTree } = open;
  const key = findKeyIndex(keyTree, report.tree);
  const found = key !== undefined && keyTree.keys[key];
  store.select(key !== undefined && found && isTree(found) ? keyNode(key) : fileNode);
  if (store.view.peek() !== 'reads') store.setView('map', formatMapState({ reads: true }));
  return true;
}
