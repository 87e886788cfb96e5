import type { CallOptions, FileId, KeyInfo, TreeLayout } from '../../../api/api';
import type { EngineApi } from '../../../api/engine-api';
import { toXylemError } from '../../../base/errors';
import { cyclePath, isTree, newestKeys } from '../../../model/keys';
import { type FileMap, fileMap, unknownRanges } from './map';

export interface MapResult {
  map: FileMap;
  /** Parts that could not be read, and positions where a walk had to stop. */
  notes: string[];
}

export interface MapOptions extends CallOptions {
  /** Whether to name ranges without metadata by walking the records there, which reads those bytes. */
  walk?: boolean | undefined;
}

/**
 * Returns the map of an open file from the metadata of all its trees. No basket is read. Earlier cycles of a tree are
 * read if something remains unknown. Throws the errors of reading the keys; a tree that cannot be read is noted.
 */
export async function readMap(
  api: EngineApi,
  file: FileId,
  { walk, ...options }: MapOptions = {},
): Promise<MapResult> {
  const keys = await api.keys(file, options);
  const records = await api.records(file, options);
  const notes = [...records.notes];
  const layouts: TreeLayout[] = [];
  const { last, before } = treesOf(keys);
  const read = async (trees: readonly KeyInfo[]): Promise<FileMap> => {
    for (const key of trees) {
      const path = cyclePath(key);
      try {
        layouts.push(await api.layout(file, path, options));
      } catch (thrown) {
        const error = toXylemError(thrown);
        if (error.code === 'ABORTED') throw error;
        notes.push(`The baskets of ${path} are not on the map: ${error.message}`);
      }
    }
    return fileMap({ records, layouts });
  };
  let map = await read(last);
  if (before.length > 0 && unknownRanges(map).length > 0) map = await read(before);
  return walk ? walkMap(api, file, { map, notes }, options) : { map, notes };
}

/** Walks the records in the unknown ranges of a map. */
export async function walkMap(
  api: EngineApi,
  file: FileId,
  { map, notes }: MapResult,
  options: CallOptions = {},
): Promise<MapResult> {
  const holes = unknownRanges(map);
  if (holes.length === 0) return { map, notes };
  const { records, layouts } = map;
  const walked = await api.walk(file, holes, options);
  const stops = walked.stopped.map(({ offset, why }) => `The walk ended at byte ${offset}: ${why}.`);
  return { map: fileMap({ records, layouts, walked }), notes: [...notes, ...stops] };
}

/** Returns trees and RNTuples in the order of the file: the last cycles, and the earlier ones, newest first. */
function treesOf(keys: readonly KeyInfo[]): { last: KeyInfo[]; before: KeyInfo[] } {
  const trees = keys.filter(isTree);
  const newest = newestKeys(trees);
  const isLast = ({ path, cycle }: KeyInfo): boolean => newest.get(path)?.cycle === cycle;
  return {
    last: trees.filter(isLast),
    before: trees.filter((key) => !isLast(key)).sort((a, b) => b.cycle - a.cycle),
  };
}
