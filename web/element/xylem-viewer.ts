import core from '../../build/xylem.wasm?url';
import { createWorkerReader } from '../../workers/client';
import XylemWorker from '../../workers/xylem.worker?worker&inline';
import type { XylemViewer } from './element-api';
import { defineXylemViewer } from './viewer-element';

export type { ErrorRecord } from '../base/errors';
export type { FileInfo, Progress } from '../file/api';
export type { ByteSource } from '../io/source';
export type * from './element-api';

declare global {
  interface HTMLElementTagNameMap {
    'xylem-viewer': XylemViewer;
  }
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** The core is a data: address within this script, so that one script is all a page loads. */
function compileCore(): Promise<WebAssembly.Module> {
  compiled ??= WebAssembly.compile(
    Uint8Array.from(atob(core.slice(core.indexOf(',') + 1)), (character) => character.charCodeAt(0)),
  );
  return compiled;
}

/** Not written as bundlers look for it: the folder is to lie beside this script, wherever that ends up. */
const here = import.meta.url;

defineXylemViewer(
  () => createWorkerReader({ spawn: () => new XylemWorker(), type: 'classic', compile: compileCore }),
  { jsroot: new URL('jsroot/frame.html', here).href },
);
