import { XylemError } from '../base/errors';

/** Not written as bundlers look for it: the file is to lie beside this script, wherever that ends up. */
const here = import.meta.url;

/** As web/ui/load-export.ts, from the file beside the one script. Throws NETWORK where it is not there. */
export async function loadExport(): Promise<typeof import('../export/export-tree')> {
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
