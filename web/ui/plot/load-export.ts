/**
 * Loads the code that writes files of other formats, a chunk of its own, when the first file is written. The
 * element uses web/element/load-export.ts instead.
 */
export function loadExport(): Promise<typeof import('../../export/export-tree')> {
  return import('../../export/export-tree');
}
