import type { Reading } from '../../../api/reading';
import { argumentError } from '../../../base/errors';
import { isTree } from '../../../model/keys';
import { storedReading } from '../../../reads/perfstats';
import { readingsOf } from '../../../reads/readings-of';
import { FILE_NODE, keyNode } from '../../../ui/state/contents-model';
import { mapOf } from '../../../ui/state/map-link';
import { findKeyIndex, type ViewerStore } from '../../../ui/state/viewer-state';
import { readTrace } from '../work/formats/formats';

/** Maximum length of a trace. */
const MAX_TRACE = 256_000_000;
/** Maximum size of a ROOT file in which a reading is searched. A larger one is only opened. */
const MAX_ROOT = 64_000_000;

/**
 * Returns the readings of the open file in a trace of any known format, or the TTreePerfStats in a ROOT file. Throws
 * ARGUMENT if there are none.
 */
export async function readSavedReadings(store: ViewerStore, file: File): Promise<Reading[]> {
  const found = await findReadings(store, file);
  if (found.length > 0) return found;
  throw argumentError(
    `${file.name} has no TTreePerfStats.`,
    'Take a file that TTreePerfStats::SaveAs wrote, a reading that xylem saved, or a trace of another program.',
  );
}

/** As above. Returns none for a ROOT file without such an object. */
async function findReadings(store: ViewerStore, file: File): Promise<Reading[]> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (String.fromCharCode(...start) !== 'root') {
    const bytes = file.size <= MAX_TRACE ? new Uint8Array(await file.arrayBuffer()) : start;
    const readings = readTrace(file.name, bytes);
    const open = store.session.file.peek()?.info;
    return open === undefined ? readings : readingsOf(readings, open);
  }
  return await store.session.call('reads compare', `Reading ${file.name}`, async (api, _file, options) => {
    const { id } = await api.open({ kind: 'blob', blob: file, name: file.name }, options);
    try {
      const stored = await storedReading(api, id, options);
      return stored === undefined ? [] : [stored];
    } finally {
      await api.close(id);
    }
  });
}

/** Adds the readings of a dropped file to the map of the open one. Returns whether it had any. */
export async function laidOver(store: ViewerStore, file: File): Promise<boolean> {
  const open = store.session.file.peek();
  if (open === null || file.size > MAX_ROOT) return false;
  const readings = await findReadings(store, file).catch(() => []);
  const [reading] = readings;
  if (reading === undefined || store.session.file.peek() !== open) return false;
  const { savedReadings } = store.traffic;
  savedReadings.value = [...savedReadings.peek(), ...readings];
  const { keyTree } = open;
  const key = reading.tree === undefined ? undefined : findKeyIndex(keyTree, reading.tree);
  const found = key !== undefined && keyTree.keys[key];
  store.selection.select(key !== undefined && found && isTree(found) ? keyNode(key) : FILE_NODE);
  if (store.selection.view.peek() !== 'reads') mapOf(store)?.({ reads: true });
  return true;
}
