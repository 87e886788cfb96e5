import { loadPart } from './load-part';

/**
 * As web/ui/plot/load-export.ts, with the module that writes Parquet files. Throws NETWORK when it cannot be
 * loaded.
 */
export function loadExport(): Promise<typeof import('./xylem-export')> {
  return loadPart('What writes these formats', () => import('./xylem-export'));
}
