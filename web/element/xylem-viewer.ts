import { XylemError } from '../base/errors';
import type { XylemViewer } from './element-api';
import { defineXylemViewer } from './viewer-element';

export type { FileInfo, Progress } from '../api/api';
export type { ErrorRecord } from '../base/errors';
export type { ByteSource } from '../io/source';
export type * from './element-api';

declare global {
  interface HTMLElementTagNameMap {
    'xylem-viewer': XylemViewer;
  }
}

/**
 * The folder of this script, as text. Bundlers would look for the folder's files if they saw `new URL` with this address.
 * A blob has no folder.
 */
const folder = import.meta.url.slice(0, import.meta.url.lastIndexOf('/') + 1);

/** Whether the folder has the parts of this script under their own names: bundlers give other names. */
const isUnbundled =
  import.meta.url.startsWith('http') && import.meta.url.slice(folder.length).startsWith('xylem-viewer.js');

defineXylemViewer(async () => {
  try {
    const { mount } = await import('./whole-viewer');
    return (host, root) => mount(host, root, folder, isUnbundled);
  } catch (cause) {
    throw new XylemError({
      code: 'NETWORK',
      message: `The viewer could not be loaded from ${folder}xylem-viewer/.`,
      fix: 'The folder xylem-viewer has to lie beside xylem-viewer.js, with the same Access-Control-Allow-Origin.',
      cause,
    });
  }
});
