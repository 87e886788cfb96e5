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

/** Not in the form that bundlers look for, because the folder has to stay next to this script. */
const here = import.meta.url;

defineXylemViewer(async () => {
  try {
    const { mount } = await import('./whole-viewer');
    return (host, root) => mount(host, root, new URL('jsroot/frame.html', here).href);
  } catch (cause) {
    throw new XylemError({
      code: 'NETWORK',
      message: `The viewer could not be loaded from ${new URL('xylem-viewer/', here).href}.`,
      fix: 'The folder xylem-viewer has to lie beside xylem-viewer.js, with the same Access-Control-Allow-Origin.',
      cause,
    });
  }
});
