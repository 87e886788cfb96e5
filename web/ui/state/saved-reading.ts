import { loadPerfReport, type PerfReport, storedReading } from '../insight/perf';
import { fileNode, isTree, keyNode } from './contents-model';
import { formatMapState } from './map-state';
import { findKey, type ViewerStore } from './viewer-state';

/** A longer text is no reading that was saved. */
const MOST_JSON = 256_000_000;
/** A file of ROOT that is longer is opened, and not searched for a reading first. */
const MOST_ROOT = 64_000_000;

/**
 * The reading in a file: what xylem saved, or the TTreePerfStats in a file of ROOT. Throws ARGUMENT
 * where it has none.
 */
export async function readSavedReading(store: ViewerStore, file: File): Promise<PerfReport> {
  return (await findReading(store, file)) ?? loadPerfReport('');
}

/** The same; undefined where a file of ROOT has no such object, or a file is something else. */
export async function findReading(store: ViewerStore, file: File): Promise<PerfReport | undefined> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (String.fromCharCode(...start) !== 'root') {
    return file.size < MOST_JSON && start[0] === 0x7b ? loadPerfReport(await file.text()) : undefined;
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

/**
 * Lays a file that was dropped or chosen over the map of the one that is open, where it holds a reading;
 * gives whether it did.
 */
export async function laidOver(store: ViewerStore, file: File): Promise<boolean> {
  const open = store.file.peek();
  if (open === null || file.size > MOST_ROOT) return false;
  const report = await findReading(store, file).catch(() => undefined);
  if (report === undefined || store.file.peek() !== open) return false;
  store.savedReading.value = report;
  const { keyTree } = open;
  const key = findKey(keyTree, report.tree);
  const found = key !== undefined && keyTree.keys[key];
  store.select(key !== undefined && found && isTree(found) ? keyNode(key) : fileNode);
  if (store.view.peek() !== 'reads') store.setView('map', formatMapState({ reads: true }));
  return true;
}
