import { XylemError } from '../base/errors';

/**
 * As web/ui/plot/load-export.ts, with the module that writes Parquet files. Throws NETWORK when it cannot be
 * loaded.
 */
export async function loadExport(): Promise<typeof import('./xylem-export')> {
  try {
    return await import('./xylem-export');
  } catch (cause) {
    throw new XylemError({
      code: 'NETWORK',
      message: 'What writes these formats could not be loaded.',
      fix: 'The whole folder xylem-viewer has to lie beside xylem-viewer.js, with the same Access-Control-Allow-Origin.',
      cause,
    });
  }
}
