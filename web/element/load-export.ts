import { XylemError } from '../base/errors';

/** Not in the form that bundlers look for, because the file has to stay in the same folder as this script. */
const here = import.meta.url;

/**
 * As web/ui/plot/load-export.ts, from the file in the folder of this script. Throws NETWORK when it is
 * missing.
 */
export async function loadExport(): Promise<typeof import('./xylem-export')> {
  const address = new URL('xylem-export.js', here).href;
  try {
    return await import(/* @vite-ignore */ address);
  } catch (cause) {
    throw new XylemError({
      code: 'NETWORK',
      message: `What writes these formats could not be loaded from ${address}.`,
      fix: 'xylem-export.js has to lie beside xylem-viewer.js, with the same Access-Control-Allow-Origin.',
      cause,
    });
  }
}
